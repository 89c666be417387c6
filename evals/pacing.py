"""Do two processes that share a SQLite file keep a slow engine under its limit? `python -m evals.pacing`.

Both ask as often as they are let, through the door that backends use; the engine is on loopback and counts arrivals by
the kernel's clock (Linux). Exits 1 when requests came too close, when the limit was hardly used, or when one process
did all the asking.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from websearch_core.contract.clock import SystemClock
from websearch_core.contract.errors import BackendError, RateBudgetExceeded
from websearch_core.net.engine_client import EngineHttpClient
from websearch_core.settings.configuration import NetSettings
from websearch_core.stores.sqlite import SqliteStore

PROCESSES = 2
CALLERS = 4
PATIENCE_S = 8.0
"""How long a caller waits for one answer: some turns come too late for it."""
ANSWER_S = 0.1
LAST_DATA_RECV = 52
"""Where Linux's struct tcp_info has the milliseconds since data came."""
LEAST_USE = 0.8
"""Of what the engine allows: a limit that is kept by hardly asking is no success."""


class Engine:
    """Takes `requests` in any `seconds`; what comes sooner gets a 429."""

    def __init__(self, requests: int, seconds: float) -> None:
        self.requests = requests
        self.seconds = seconds
        self.arrivals: list[float] = []
        self.by: Counter[str] = Counter()
        self.violations = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                now = arrived(writer)
                early = len(self.arrivals) >= self.requests and now - self.arrivals[-self.requests] < self.seconds
                self.violations += early
                self.arrivals.append(now)
                self.by[head.partition("x-process: ")[2].partition("\r\n")[0]] += 1
                await asyncio.sleep(ANSWER_S)
                status = "429 Too Many Requests" if early else "200 OK"
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()


def arrived(writer: asyncio.StreamWriter) -> float:
    """When the last packet came, whenever we got to read it: a busy machine must not look like an early request."""
    now = time.monotonic()
    info = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECV + 4)
    return now - int.from_bytes(info[LAST_DATA_RECV:], sys.byteorder) / 1000


async def ask(options: argparse.Namespace) -> None:
    """One of the processes."""
    clock = SystemClock()
    store = SqliteStore(options.file, clock, 1_000_000)
    await store.start()
    door = EngineHttpClient(
        options.url,
        NetSettings(),
        clock,
        headers={"X-Process": options.name},
        pace=(options.requests, options.window),
        store=lambda: store,
        environ={},
    )
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    ends = clock.monotonic() + options.seconds
    no_turn = 0

    async def call() -> None:
        nonlocal no_turn
        while (left := ends - clock.monotonic()) > 0:
            try:
                await door.get("/", timeout_s=min(PATIENCE_S, left))
            except RateBudgetExceeded:
                no_turn += 1
                await clock.sleep(random.uniform(0.0, 1.0))  # as the next request, which comes at any time
            except BackendError:  # a 429 is counted by the engine; a timeout means that the time is over
                await clock.sleep(min(1.0, left))

    await asyncio.gather(*(call() for _ in range(CALLERS)))
    await door.aclose()
    await store.aclose()
    print(no_turn)


async def measure(options: argparse.Namespace) -> int:
    engine = Engine(options.requests, options.window)
    server = await asyncio.start_server(engine.serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    limits = ["--requests", str(options.requests), "--window", str(options.window), "--seconds", str(options.seconds)]
    with tempfile.TemporaryDirectory() as folder:
        asked = ["--ask", "--url", url, "--file", str(Path(folder, "shared.db")), *limits]
        running = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "evals.pacing", *asked, "--name", str(number)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            for number in range(1, PROCESSES + 1)
        ]
        for process in running:
            await process.stdout.readline()
        for process in running:
            process.stdin.write(b"go\n")
        told = [await process.communicate() for process in running]
    server.close()
    allowed = options.seconds / options.window * options.requests
    pairs = zip(engine.arrivals, engine.arrivals[engine.requests :], strict=False)
    closest = min((later - earlier for earlier, later in pairs), default=0.0)
    by = " + ".join(str(count) for _, count in sorted(engine.by.items()))
    print(f"{PROCESSES} processes of {CALLERS} callers share one SQLite file for {options.seconds:g} s.")
    print(f"limit       {engine.requests} in {engine.seconds:g} s, that is {allowed:.0f}")
    print(f"arrivals    {len(engine.arrivals)} ({by})")
    print(f"closest     {engine.requests + 1} requests in {closest:.3f} s")
    print(f"no turn     {sum(int(out or 0) for out, _ in told)} times a caller was told to come later")
    print(f"violations  {engine.violations}")
    used = len(engine.arrivals) >= LEAST_USE * allowed and len(engine.by) == PROCESSES
    return int(engine.violations > 0 or not used)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they ask")
    parser.add_argument("--requests", type=int, default=1, help="the engine's limit: so many")
    parser.add_argument("--window", type=float, default=1.0, help="in so many seconds")
    for name in ("--ask", "--url", "--file", "--name"):  # how it starts its own processes
        parser.add_argument(name, help=argparse.SUPPRESS, **({"action": "store_true"} if name == "--ask" else {}))
    options = parser.parse_args()
    if options.ask:
        asyncio.run(ask(options))
        return 0
    return asyncio.run(measure(options))


if __name__ == "__main__":
    raise SystemExit(main())
