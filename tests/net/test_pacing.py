"""Schedules that several processes share: two clients, two stores, one file, one slow engine."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from websearch_core import Store
from websearch_core.contract.errors import Code, RateBudgetExceeded
from websearch_core.net import rate_limiter
from websearch_core.net.rate_limiter import MOST_TRIES, STORE_AGAIN_S, RateLimiter, shared_schedules
from websearch_core.net.rate_schedule import LONGEST_REST_S, Window
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.prefixed import PrefixedStore
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import FakeClock

MINUTE = 60.0
ONE_A_SECOND = (Window(1, 1.0),)


class JointClock(FakeClock):
    """Time moves on when all who work here sleep; they wake one by one."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self._workers = workers
        self._asleep: list[tuple[float, int, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        woken = asyncio.get_running_loop().create_future()
        heappush(self._asleep, (self.now() + seconds, len(self.slept), woken))
        self._wake()
        await woken

    def one_goes_home(self) -> None:
        self._workers -= 1
        self._wake()

    def _wake(self) -> None:
        if self._asleep and len(self._asleep) == self._workers:
            at, _, woken = heappop(self._asleep)
            self.advance(at - self.now())
            woken.set_result(None)


class Spied(PrefixedStore):
    """Counts what is asked of a store."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, "spied")
        self.waits = True
        self.gets = 0
        self.changes: list[tuple[str, bytes]] = []
        self.trouble: Exception | None = None
        self.refuses = False
        self.hangs = False

    async def get(self, key: str) -> bytes | None:
        self.gets += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.trouble:
            raise self.trouble
        return await super().get(key)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        self.changes.append((key, value))
        if self.trouble:
            raise self.trouble
        return not self.refuses and await super().compare_and_set(key, expected, value, ttl)


class Limiter(RateLimiter):
    """One whose promised waits can be seen."""

    async def wait_for(self, budget_s: float, **more: float) -> float:
        """Seconds until the moment that it promises."""
        now = self._clock.now()
        return await self.reserve(budget_s, **more) - now


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(clock: FakeClock) -> Spied:
    return Spied(MemoryStore(clock, 1_000_000))


@pytest.fixture
def pacer(clock: FakeClock, store: Spied) -> Callable[..., Limiter]:
    return lambda *windows: Limiter("engine:", clock, shared_schedules(lambda: store, clock, "meaning"), windows)


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Callable[[Any], Awaitable[SqliteStore]]]:
    """The same file, once more."""
    stores: list[SqliteStore] = []

    async def open_it(clock: Any) -> SqliteStore:
        stores.append(SqliteStore(tmp_path / "shared.db", clock, 1_000_000))
        await stores[-1].start()
        return stores[-1]

    yield open_it
    for one in stores:
        await one.aclose()


async def test_without_limits_a_turn_is_one_look_and_no_write(pacer: Any, store: Spied) -> None:
    assert await pacer().wait_for(1.0) == 0
    assert (store.gets, store.changes) == (1, [])


async def test_turns_are_a_window_apart_and_a_little_more(pacer: Any, clock: FakeClock) -> None:
    one = pacer(*ONE_A_SECOND)
    waits = [await one.wait_for(10.0) for _ in range(4)]
    assert waits == pytest.approx([0, 1.05, 2.1, 3.15], abs=1e-5)
    clock.advance(10)
    assert await one.wait_for(0.0) == 0


async def test_a_turn_that_comes_too_late_is_not_kept(pacer: Any, store: Spied) -> None:
    one = pacer(*ONE_A_SECOND)
    await one.reserve(0.0)
    for _ in range(3):
        with pytest.raises(RateBudgetExceeded, match="nothing was sent") as error:
            await one.reserve(1.0)
        assert error.value.retry_after == pytest.approx(1.05, abs=1e-5)
    assert len(store.changes) == 1


async def test_no_turn_is_promised_for_the_day_after_tomorrow(pacer: Any) -> None:
    one = pacer(Window(1, 100.0))
    for _ in range(6):
        await one.reserve(10_000.0)
    with pytest.raises(RateBudgetExceeded):
        await one.reserve(10_000.0)


async def test_windows_that_are_learned_count_the_request_that_learned_them(pacer: Any, store: Spied) -> None:
    one, other = pacer(), pacer()
    moment = await one.reserve(0.0)
    await one.told(moment, ONE_A_SECOND, 0.0, Code.RATE_LIMITED)
    assert await other.wait_for(5.0) == pytest.approx(1.05, abs=1e-5)
    asked = store.gets, len(store.changes)
    await other.told(moment, ONE_A_SECOND, 0.0, Code.RATE_LIMITED)
    assert (store.gets, len(store.changes)) == asked, "what is known is not told again"


async def test_what_the_engine_says_replaces_what_the_plugin_said(pacer: Any) -> None:
    one = pacer(*ONE_A_SECOND)
    moment = await one.reserve(0.0)
    await one.told(moment, (Window(3, 1.0),), 0.0, Code.RATE_LIMITED)
    assert [await one.wait_for(0.0) for _ in range(2)] == [0, 0]
    with pytest.raises(RateBudgetExceeded):
        await one.reserve(0.5)


async def test_a_rest_holds_for_all_and_ends(pacer: Any, clock: FakeClock) -> None:
    one, other = pacer(), pacer()
    await one.told(clock.now(), (), 30.0, Code.RATE_LIMITED)
    with pytest.raises(RateBudgetExceeded) as error:
        await other.reserve(29.0)
    assert error.value.retry_after == pytest.approx(30)
    assert await other.state() == (pytest.approx(30), Code.RATE_LIMITED, pytest.approx(30))
    assert await other.wait_for(31.0) == pytest.approx(30)
    clock.advance(30)
    assert await other.wait_for(0.0) == 0
    assert (await other.state())[2] == 0


async def test_nobody_rests_for_days(pacer: Any, clock: FakeClock) -> None:
    one = pacer()
    await one.told(clock.now(), (), 2_000_000.0, Code.QUOTA)
    assert (await one.state())[0] == pytest.approx(LONGEST_REST_S)


async def test_a_failing_store_is_told_once_and_turns_go_on_here(
    pacer: Any, store: Spied, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    one = pacer(*ONE_A_SECOND)
    await one.reserve(0.0)
    store.trouble = OSError("secret address of the store")
    waits = [await one.wait_for(10.0) for _ in range(3)]
    assert waits == pytest.approx([1.05, 2.1, 3.15], abs=1e-5), "what was seen before the failure still counts"
    assert len(caplog.records) == 1
    assert "OSError" in caplog.text
    assert "secret" not in caplog.text
    assert store.gets == 2, "a store that failed is left alone for a while"
    clock.advance(STORE_AGAIN_S + 1)
    store.trouble = None
    await one.reserve(0.0)
    assert store.changes[-1][0] == "engine:"
    assert len(caplog.records) == 1


async def test_a_store_that_is_not_there_yet_stops_nobody(clock: FakeClock) -> None:
    def none() -> Store:
        raise RuntimeError("no store was chosen")

    one = Limiter("engine:", clock, shared_schedules(none, clock, "meaning"), ONE_A_SECOND)
    assert [await one.wait_for(5.0) for _ in range(2)] == pytest.approx([0, 1.05], abs=1e-5)


async def test_a_store_that_hangs_gets_a_share_of_a_hurried_request_and_no_blame(
    pacer: Any, store: Spied, clock: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rate_limiter, "STORE_PATIENCE_S", 600.0)
    store.hangs = True
    async with asyncio.timeout(60):
        assert await pacer(*ONE_A_SECOND).wait_for(0.0, ends=clock.monotonic() + 0.05) == 0
    assert not caplog.text


async def test_a_store_that_hangs_is_not_waited_for(
    pacer: Any, store: Spied, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rate_limiter, "STORE_PATIENCE_S", 0.01)
    store.hangs = True
    assert await pacer(*ONE_A_SECOND).wait_for(0.0) == 0
    assert "TimeoutError" in caplog.text


async def test_a_store_that_takes_nothing_stops_nobody(
    pacer: Any, store: Spied, caplog: pytest.LogCaptureFixture
) -> None:
    store.refuses = True
    one = pacer(*ONE_A_SECOND)
    assert [await one.wait_for(5.0) for _ in range(2)] == pytest.approx([0, 1.05], abs=1e-5)
    assert len(store.changes) == MOST_TRIES
    assert len(caplog.records) == 1


async def test_many_at_once_in_one_process_get_different_turns(clock: FakeClock, opened: Any) -> None:
    kept = shared_schedules(lambda: store, clock, "meaning")
    store = await opened(clock)
    one = Limiter("engine:", clock, kept, ONE_A_SECOND)
    waits = await asyncio.gather(*(one.wait_for(100.0) for _ in range(30)))
    assert sorted(waits) == pytest.approx([n * 1.05 for n in range(30)], abs=1e-4)


async def test_two_clients_with_one_file_keep_a_slow_engine_under_its_limit(bench: Any, opened: Any) -> None:
    """60 s of more demand than it takes, by three callers at each of two clients; every answer takes 0.2 s."""
    workers = 6
    clock = bench.clock = JointClock(workers)
    arrivals: list[float] = []

    async def engine(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrivals.append(clock.now())
        writer.write(bench.answer("{}"))

    site = await bench.serve(engine)
    stores = [await opened(clock) for _ in range(2)]
    clients = [bench.api(site, pace=(1, 1.0), store=lambda store=store: store) for store in stores]
    refused = 0

    async def work(door: Any) -> None:
        nonlocal refused
        while clock.now() < began + MINUTE:
            try:
                await door.get("/", deadline=clock.monotonic() + 8)
            except RateBudgetExceeded as error:
                refused += 1
                await clock.sleep(error.retry_after)
            await clock.sleep(0.2)
        clock.one_goes_home()

    began = clock.now()
    async with asyncio.timeout(60):
        await asyncio.gather(*(work(clients[number % 2]) for number in range(workers)))
    gaps = [later - earlier for earlier, later in pairwise(arrivals)]
    assert min(gaps) > 1.0
    assert len([at for at in arrivals if at < began + MINUTE]) >= 57
    assert refused > 0, "there was less demand than the engine takes"


PROCESS = """
import asyncio, json, sys
from websearch_core.net.rate_limiter import RateLimiter, shared_schedules
from websearch_core.net.rate_schedule import Window
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import FakeClock

async def main():
    clock = FakeClock()
    store = SqliteStore(sys.argv[1], clock, 1_000_000)
    await store.start()
    kept = shared_schedules(lambda: store, clock, "meaning")
    pacer = RateLimiter("engine:", clock, kept, (Window(1, 1.0), Window(10, 20.0)))
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps([await pacer.reserve(599.0) for _ in range(40)]))
    await store.aclose()

asyncio.run(main())
"""


def test_two_processes_with_one_file_never_get_the_same_turn(tmp_path: Path) -> None:
    """Their clocks stand still, so that all depends on the store."""
    command = [sys.executable, "-c", PROCESS, str(tmp_path / "shared.db")]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(command, **pipes) for _ in range(2)]
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        told = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    finally:
        for process in running:
            process.kill()
            process.communicate()
    moments = sorted(told[0] + told[1])
    assert len(moments) == 80
    assert min(later - earlier for earlier, later in pairwise(moments)) > 1.0
    assert min(later - earlier for earlier, later in zip(moments, moments[10:], strict=False)) > 20.0
    assert moments[-1] - moments[0] == pytest.approx(7 * 20.05 + 9 * 1.05, abs=0.01), "no turn was wasted"


def test_pacing_says_nothing_when_all_is_well(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        clock = FakeClock()
        store = MemoryStore(clock, 1_000_000)
        await RateLimiter("engine:", clock, shared_schedules(lambda: store, clock, "meaning"), ONE_A_SECOND).reserve(
            0.0
        )

    caplog.set_level(logging.DEBUG, logger=rate_limiter.__name__)
    asyncio.run(play())
    assert not caplog.records
