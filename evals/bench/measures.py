"""Start, memory, CPU and load. Each pair is taken in turns, so that a slow minute of the machine hits both."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from evals.bench import servers
from evals.bench.client import ERAS, Era, Run, burst, once
from evals.bench.report import Row

SETTINGS = {
    "WEBSEARCH_CHAIN__BACKENDS": "bench",
    # One backend gets everything here, so its limit must let all calls in flight through.
    "WEBSEARCH_CHAIN__BACKEND_CONCURRENCY": "1200",
}


@dataclass(frozen=True)
class Size:
    """How much is measured; of `bursts` bursts, each makes `asks[n]` calls on each of n connections."""

    rounds: int
    calls: int
    starts: int
    bursts: int
    asks: Mapping[int, int]


FULL = Size(rounds=5, calls=400, starts=5, bursts=2, asks={100: 8, 1000: 2})
QUICK = Size(rounds=1, calls=20, starts=1, bursts=1, asks={10: 1})


@contextlib.contextmanager
def pair(delay_s: float, *, filters: bool = False) -> Iterator[tuple[servers.Process, servers.Process]]:
    """Our server and the baseline, both warm; the baseline returns what ours answered. `filters`: with the guard."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = SETTINGS | {"WEBSEARCH_BENCH__DELAY_S": str(delay_s)} | ({} if filters else servers.CHAIN_ALONE)
        with servers.ours(folder, settings=settings) as ours:
            answer = _content(asyncio.run(once(ours.port, ERAS[0])))
            with servers.bare(folder, answer=answer, delay_s=delay_s) as bare:
                its = _content(asyncio.run(once(bare.port, ERAS[0])))
                if abs(len(json.dumps(answer)) - len(json.dumps(its))) > 50:
                    raise SystemExit("The baseline's answer is not of the same size as ours.")
                yield ours, bare


def per_call(ours: servers.Process, bare: servers.Process, size: Size, *, at_most: float, chain: str) -> Iterator[Row]:
    """CPU of a call, and latency of one call at a time, with a backend that answers at once."""
    numbers = itertools.count(1)
    for era in ERAS:
        cpu: dict[int, list[float]] = {ours.port: [], bare.port: []}
        alone: dict[int, list[Run]] = {ours.port: [], bare.port: []}
        for _ in range(size.rounds):
            for process in (ours, bare):
                alone[process.port].append(_burst(process, era, 1, size.calls // 2, numbers))
                before = process.cpu()
                _burst(process, era, 8, size.calls, numbers)
                cpu[process.port].append((process.cpu() - before) / size.calls)
        spent = (1e3 * median(cpu[process.port]) for process in (ours, bare))
        yield Row(f"CPU per search{chain}, {era}", "ms", *spent, at_most=at_most)
        for share in (0.5, 0.99):
            yield Row(
                f"p{100 * share:.0f} of one call at a time{chain}, {era}", "ms", *_quantiles(alone.values(), share)
            )


def memory(ours: servers.Process, bare: servers.Process) -> Iterator[Row]:
    """Idle, after the first calls."""
    mine, its = ours.memory(), bare.memory()
    yield Row("idle memory (RSS)", "MB", mine.rss, its.rss, at_most=1.6)
    yield Row("idle memory (PSS)", "MB", mine.pss, its.pss, at_most=1.6)


def in_flight(ours: servers.Process, bare: servers.Process, size: Size) -> Iterator[Row]:
    """100 and 1,000 searches at once against a backend that takes 300 ms."""
    numbers = itertools.count(1)
    for era in ERAS:
        for many, asks in size.asks.items():
            runs: dict[int, list[Run]] = {ours.port: [], bare.port: []}
            for _ in range(size.bursts):
                for process in (ours, bare):
                    runs[process.port].append(_burst(process, era, many, many * asks, numbers))
            rates = (median(run.per_second for run in each) for each in runs.values())
            least = 0.6 if many == 1000 else None
            yield Row(f"searches per second with {many:,} in flight, {era}", "", *rates, at_least=least)
            for share, most in ((0.5, None), (0.99, 1.3 if many == 100 else None)):
                what = f"p{100 * share:.0f} with {many:,} in flight against a 300 ms backend, {era}"
                yield Row(what, "ms", *_quantiles(runs.values(), share), at_most=most)
            errors = sum((run.errors for run in runs[ours.port]), Counter[str]())
            because = "; ".join(errors)
            yield Row(f"errors with {many:,} in flight, {era}", "", errors.total(), at_most=0, because=because)
    yield Row("most memory ever held by ours", "MB", ours.peak(), at_most=300)
    yield Row("most memory ever held by the bare server", "MB", bare.peak())


def starting(size: Size) -> Iterator[Row]:
    """From nothing to ready, in the default install, next to imports that nobody can avoid."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = servers.environment(folder)

        def ready() -> float:
            begin = time.perf_counter()
            with servers.ours(folder, settings={}, with_backend=False):
                return time.perf_counter() - begin

        def run(*command: str) -> Callable[[], float]:
            return lambda: _seconds(command, env, folder)

        pairs = _in_turns(size.starts, ready, run(sys.executable, "-c", "import mcp.server"))
        yield Row("ready to answer, against `import mcp.server`", "s", *pairs, at_most=1.4)

        given: dict[str, Any] = {"text": "", "structured": {"results": []}}

        def answered(server: contextlib.AbstractContextManager[servers.Process]) -> float:
            begin = time.perf_counter()
            with server as process:
                given.update(_content(asyncio.run(once(process.port, ERAS[0]))))
                return time.perf_counter() - begin

        pairs = _in_turns(
            size.starts,
            lambda: answered(servers.ours(folder, settings=SETTINGS)),
            lambda: answered(servers.bare(folder, answer=given, delay_s=0)),
        )
        yield Row("first search answered, with the guard", "s", *pairs)

        default = env | {"WEBSEARCH_PLUGINS__ONLY": servers.DEFAULT_PLUGINS}

        def cost(*command: str) -> Callable[[], float]:
            return lambda: _cpu_seconds(command, default, folder)

        pairs = _in_turns(
            size.starts,
            cost(servers.WEBSEARCH, "plugins"),
            cost(sys.executable, "-c", "from pydantic import BaseModel; import typer"),
        )
        yield Row("CPU of `websearch plugins`, against its imports (`BaseModel`, typer)", "s", *pairs, at_most=2.5)


def _in_turns(times: int, one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """Medians of both, after one round that only warms the disk."""
    taken = [(one(), other()) for _ in range(1 + times)][1:]
    return median(a for a, _ in taken), median(b for _, b in taken)


def _cpu_seconds(command: Sequence[str], env: Mapping[str, str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _seconds(command, env, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def _seconds(command: tuple[str, ...], env: Mapping[str, str], folder: Path) -> float:
    begin = time.perf_counter()
    subprocess.run(command, env=env, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def _burst(process: servers.Process, era: Era, many: int, calls: int, numbers: itertools.count[int]) -> Run:
    return asyncio.run(burst(process.port, era, in_flight=many, calls=calls, numbers=numbers))


def _quantiles(groups: Iterable[list[Run]], share: float) -> Iterator[float]:
    return (1e3 * median(run.quantile(share) for run in runs) for runs in groups)


def _content(result: Mapping[str, Any]) -> dict[str, Any]:
    if result.get("isError"):
        raise SystemExit(f"The search failed: {result}")
    return {"text": result["content"][0]["text"], "structured": result["structuredContent"]}
