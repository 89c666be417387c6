"""Callers that share work: none of them can spoil it for the others."""

from __future__ import annotations

import asyncio

import anyio
import pytest

from websearch_core.asking.source.single_flight import SharedCall, SingleFlight
from websearch_core.contract.errors import NetworkFailed, TimedOut

from .fakes import TurnedClock


class Work:
    """Work that a test lets finish; counts how often it was begun, finished and cancelled."""

    def __init__(self, error: Exception | None = None) -> None:
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()
        self.starts = 0
        self.cancelled = 0
        self.deadlines: list[float | None] = []
        self._error = error

    async def __call__(self, trip: SharedCall[str]) -> str:
        self.starts += 1
        self.begun.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.deadlines.append(trip.deadline)
        if self._error:
            raise self._error
        return "done"


@pytest.fixture
def flight() -> SingleFlight[str]:
    return SingleFlight(TurnedClock())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_callers_at_the_same_time_share_one_piece_of_work(flight: SingleFlight[str]) -> None:
    work = Work()
    callers = [asyncio.create_task(flight.run("k", None, work)) for _ in range(50)]
    await work.begun.wait()
    await settled()
    work.gate.set()
    assert await asyncio.gather(*callers) == ["done"] * 50
    assert work.starts == 1


async def test_another_key_and_a_later_call_are_work_of_their_own(flight: SingleFlight[str]) -> None:
    work = Work()
    work.gate.set()
    await asyncio.gather(flight.run("a", None, work), flight.run("b", None, work))
    await flight.run("a", None, work)
    assert work.starts == 3


async def test_the_first_callers_cancellation_does_not_fail_the_others(flight: SingleFlight[str]) -> None:
    work = Work()
    first, second = (asyncio.create_task(flight.run("k", None, work)) for _ in range(2))
    await settled()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    work.gate.set()
    assert await second == "done"
    assert work.cancelled == 0


async def test_work_is_cancelled_when_all_callers_have_gone(flight: SingleFlight[str]) -> None:
    work = Work()
    callers = [asyncio.create_task(flight.run("k", None, work)) for _ in range(3)]
    await settled()
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert (work.starts, work.cancelled) == (1, 1)


async def test_work_has_ended_when_its_only_callers_scope_has(flight: SingleFlight[str]) -> None:
    work = Work()
    async with anyio.create_task_group() as group:
        group.start_soon(flight.run, "k", None, work)
        await work.begun.wait()
        group.cancel_scope.cancel()
    assert work.cancelled == 1


async def test_who_comes_after_everybody_left_starts_anew(flight: SingleFlight[str]) -> None:
    work = Work()
    gone = asyncio.create_task(flight.run("k", None, work))
    await settled()
    gone.cancel()
    await settled()
    work.gate.set()
    assert await flight.run("k", None, work) == "done"
    assert (work.starts, work.cancelled) == (2, 1)


async def test_each_caller_has_a_deadline_of_its_own() -> None:
    clock = TurnedClock()
    flight = SingleFlight[str](clock)
    work = Work()
    patient = asyncio.create_task(flight.run("k", clock.monotonic() + 1000, work))
    await settled()
    with pytest.raises(TimedOut):
        await flight.run("k", clock.monotonic() + 0.01, work)
    work.gate.set()
    assert await patient == "done"
    assert work.deadlines == [clock.monotonic() + 1000]


async def test_a_lone_callers_deadline_ends_the_work() -> None:
    clock = TurnedClock()
    work = Work()
    with pytest.raises(TimedOut):
        await SingleFlight[str](clock).run("k", clock.monotonic() + 0.01, work)
    assert work.cancelled == 1


async def test_nothing_is_started_after_the_deadline() -> None:
    clock = TurnedClock()
    work = Work()
    with pytest.raises(TimedOut):
        await SingleFlight[str](clock).run("k", clock.monotonic(), work)
    assert work.starts == 0


@pytest.mark.parametrize(
    ("deadlines", "latest"), [((5, 9, 7), 9), ((5, None, 7), None), ((None, 5), None), ((5, None), None)]
)
def test_work_has_the_time_of_its_most_patient_caller(
    deadlines: tuple[float | None, ...], latest: float | None
) -> None:
    trip = SharedCall[str]()
    for deadline in deadlines:
        trip.join(deadline)
    assert trip.deadline == latest


async def test_an_error_reaches_every_caller(flight: SingleFlight[str]) -> None:
    work = Work(NetworkFailed())
    work.gate.set()
    results = await asyncio.gather(*(flight.run("k", None, work) for _ in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [NetworkFailed] * 3


async def test_an_error_that_nobody_waits_for_is_not_reported_as_lost(flight: SingleFlight[str]) -> None:
    reports: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))

    async def stubborn(trip: SharedCall[str]) -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise NetworkFailed from None
        return ""

    caller = asyncio.create_task(flight.run("k", None, stubborn))
    await settled()
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    await settled()
    assert reports == []
