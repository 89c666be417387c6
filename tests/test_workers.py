"""Worker processes: limited in time and memory; a crash costs one call."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import anyio.to_thread
import pytest

from websearch_core.contract.work_timeout import TIMEOUT
from websearch_core.kit import ServerFailed, TimedOut, TooLarge, UnexpectedResponse
from websearch_core.startup.fair_queue import ASKER, Asker
from websearch_core.startup.worker_processes import ProcessWorkers, _turn


def double(number: int) -> int:
    return number * 2


def spin() -> None:
    while True:
        pass


def match_for_ever() -> None:
    re.match(r"(a+)+$", "a" * 64 + "b")


def wait(seconds: float) -> None:
    time.sleep(seconds)


def compute(seconds: float) -> None:
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass


def announce_and_spin(fifo: str) -> None:
    Path(fifo).write_text(str(os.getpid()))
    spin()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hoard(size: int = 4_000_000_000) -> int:
    return len(bytearray(size))


def complain() -> None:
    raise UnexpectedResponse("field")


async def test_work_is_done_elsewhere_and_comes_back() -> None:
    workers = ProcessWorkers()
    assert await workers.run(double, 21) == 42
    assert await workers.run(os.getpid) != os.getpid()


async def test_the_event_loop_stays_free_and_the_deadline_kills() -> None:
    with pytest.raises(TimedOut):
        await ProcessWorkers().run(spin, seconds=0.5)


@pytest.mark.parametrize("work", [spin, match_for_ever])
async def test_what_computes_too_long_is_killed_in_the_middle_and_told_as_such(work: Callable[[], None]) -> None:
    workers = ProcessWorkers(processes=1)
    with pytest.raises(TimedOut, match="took too long"):
        await workers.run(work, seconds=300, cpu_seconds=0.2)
    assert await workers.run(double, 2, cpu_seconds=5) == 4


async def test_waiting_is_no_computing() -> None:
    workers = ProcessWorkers(processes=1)
    await workers.run(double, 1)
    assert await workers.run(wait, 0.5, cpu_seconds=0.2) is None


async def test_each_call_has_its_own_time_to_compute() -> None:
    workers = ProcessWorkers(processes=1)
    for _ in range(3):
        await workers.run(compute, 0.4, cpu_seconds=0.8)


async def test_a_crash_is_no_long_computing() -> None:
    with pytest.raises(ServerFailed):
        await ProcessWorkers().run(die, cpu_seconds=1000)


async def test_a_crash_costs_one_call() -> None:
    workers = ProcessWorkers()
    with pytest.raises(ServerFailed):
        await workers.run(die)
    assert await workers.run(double, 2) == 4


async def test_too_much_memory_is_told_as_such() -> None:
    with pytest.raises(TooLarge):
        await ProcessWorkers(memory_bytes=1_000_000_000).run(hoard)


async def test_one_call_may_be_given_less_memory_than_the_next() -> None:
    workers = ProcessWorkers(processes=1)
    with pytest.raises(TooLarge):
        await workers.run(hoard, 300_000_000, memory_bytes=200_000_000)
    assert await workers.run(hoard, 300_000_000) == 300_000_000


async def test_the_works_own_error_comes_back_whole() -> None:
    with pytest.raises(UnexpectedResponse) as caught:
        await ProcessWorkers().run(complain)
    assert caught.value.field == "field"


async def test_cancelling_kills_the_work(tmp_path: Path) -> None:
    fifo = tmp_path / "started"
    os.mkfifo(fifo)
    task = asyncio.create_task(ProcessWorkers().run(announce_and_spin, str(fifo), seconds=60))
    pid = int(await anyio.to_thread.run_sync(fifo.read_text))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_limit_on_the_work_stands_still_while_a_worker_is_waited_for() -> None:
    workers = ProcessWorkers(processes=1)
    assert await workers.run(double, 1) == 2
    taken, limit_s = asyncio.Event(), 0.6

    async def first() -> None:
        async with _turn(workers._turns):
            taken.set()
            await asyncio.sleep(limit_s + 0.1)

    holder = asyncio.create_task(first())
    await taken.wait()
    async with asyncio.timeout(limit_s) as timeout:
        TIMEOUT.set(timeout)
        assert await workers.run(double, 2) == 4
    await holder


async def test_one_callers_work_never_has_every_process(tmp_path: Path) -> None:
    workers = ProcessWorkers()
    fifo = tmp_path / "started"
    os.mkfifo(fifo)

    async def heavy() -> None:
        ASKER.set(Asker("alice", 1))
        await workers.run(announce_and_spin, str(fifo), seconds=60)

    held = [asyncio.create_task(heavy()) for _ in range(20)]
    for _ in range(2):
        await anyio.to_thread.run_sync(fifo.read_text)
    ASKER.set(Asker("bob", 1))
    assert await workers.run(double, 2) == 4
    for task in held:
        task.cancel()
    await asyncio.gather(*held, return_exceptions=True)
