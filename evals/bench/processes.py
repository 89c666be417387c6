"""What `[server] workers` costs and brings: `python -m evals.bench.processes [--rounds N] [--calls N] [--delay-s S]`.

One process with its store in memory, one and two with a SQLite file, asked in turns by the same client. Says how many
cores there are: client and servers share them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import tempfile
from pathlib import Path
from statistics import median

from evals.bench import servers
from evals.bench.client import ERAS, burst
from evals.bench.measures import SETTINGS

KINDS = {"one, memory": (1, False), "one, SQLite": (1, True), "two, SQLite": (2, True)}
IN_FLIGHT = 64


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.bench.processes", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--delay-s", type=float, default=0.3, help="how long the backend takes")
    options = parser.parse_args()
    cost: dict[str, list[float]] = {kind: [] for kind in KINDS}
    speed: dict[str, list[float]] = {kind: [] for kind in KINDS}
    errors = 0
    with contextlib.ExitStack() as stack:
        running: dict[str, servers.Process] = {}
        for kind, (workers, on_disk) in KINDS.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            settings = SETTINGS | servers.CHAIN_ALONE | {"WEBSEARCH_BENCH__DELAY_S": str(options.delay_s)}
            settings["WEBSEARCH_SERVER__WORKERS"] = str(workers)
            if on_disk:
                settings["WEBSEARCH_STORE__PATH"] = str(folder / "store.db")
            running[kind] = stack.enter_context(servers.ours(folder, settings=settings))
        numbers = itertools.count()
        for round_number in range(options.rounds + 1):
            for kind, process in running.items():
                before = process.cpu()
                run = asyncio.run(
                    burst(process.port, ERAS[0], in_flight=IN_FLIGHT, calls=options.calls, numbers=numbers)
                )
                errors += run.errors.total()
                if round_number:  # the first warms up
                    cost[kind].append(1000 * (process.cpu() - before) / options.calls)
                    speed[kind].append(run.per_second)
        for kind, process in running.items():
            memory = process.memory()
            print(
                f"{kind}: {median(cost[kind]):.2f} ms of CPU and {median(speed[kind]):.0f} searches a second, "
                f"{memory.pss:.0f} MB"
            )
    print(f"{os.cpu_count()} cores, shared with the client; {IN_FLIGHT} in flight; errors: {errors}")
    for first, second in itertools.combinations(KINDS, 2):
        ratios = [later / earlier for earlier, later in zip(cost[first], cost[second], strict=True)]
        faster = [later / earlier for earlier, later in zip(speed[first], speed[second], strict=True)]
        print(f"{second} : {first} = {median(ratios):.2f} of the CPU, {median(faster):.2f} of the searches a second")


if __name__ == "__main__":
    main()
