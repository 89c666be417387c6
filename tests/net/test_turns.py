"""Schedules: no window is ever exceeded, and no request waits longer than that takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.contract.errors import AuthFailed, Code, QuotaExceeded, RateBudgetExceeded
from websearch_core.net.rate_limiter import RateLimiter, shared_schedules
from websearch_core.net.rate_schedule import (
    FURTHEST_S,
    LEARNED_S,
    LONGEST_REST_S,
    MOST_COUNTED,
    RateSchedule,
    Window,
    is_late,
)
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock

NOW = 1_750_000_000.0
ROUNDING = 2e-6

windows = st.builds(Window, st.integers(1, 5), st.sampled_from([0.02, 0.5, 1.0, 2.0, 10.0, 60.0]))
steps = st.tuples(
    st.integers(0, 2),  # whose step it is
    st.sampled_from([0.0, 0.0, 0.001, 0.3, 1.0, 7.0, 70.0]),  # how much later
    st.sampled_from([0.0, 0.5, 5.0, 100.0]),  # how long it would wait
)


def fits(moments: Sequence[float], limits: Sequence[Window], share: float) -> bool:
    """Whether these moments keep each window, of which `share` of the padding counts."""
    ordered = sorted(moments)
    return all(
        later - earlier >= window.seconds + share * (window.span - window.seconds) - ROUNDING
        for window in limits
        for earlier, later in zip(ordered, ordered[window.requests :], strict=False)
    )


@given(st.lists(windows, min_size=1, max_size=3), st.lists(steps, max_size=40))
def test_no_window_is_exceeded_and_no_turn_is_later_than_needed(
    limits: list[Window], played: list[tuple[int, float, float]]
) -> None:
    async def play() -> None:
        clock = FakeClock()
        store = MemoryStore(clock, 1_000_000)
        pacers = [
            RateLimiter("x", clock, shared_schedules(lambda: store, clock, "meaning"), tuple(limits)) for _ in range(3)
        ]
        granted: list[float] = []
        for who, later, budget in played:
            clock.advance(later)
            now = clock.now()
            possible = [now, *(moment + window.span for moment in granted for window in limits)]
            earliest = min(at for at in possible if at >= now and fits([*granted, at], limits, 1))
            if earliest - now > budget:
                with pytest.raises(RateBudgetExceeded) as refused:
                    await pacers[who].reserve(budget)
                assert refused.value.retry_after == pytest.approx(earliest - now, abs=ROUNDING)
                continue
            moment = await pacers[who].reserve(budget)
            assert moment == pytest.approx(earliest, abs=ROUNDING)
            granted.append(moment)
        assert fits(granted, limits, 0)

    asyncio.run(play())


callers = st.lists(st.tuples(st.floats(0, 20), st.floats(0, 2.5), st.floats(0, 2.5)), max_size=8)


@given(st.lists(windows, min_size=1, max_size=3), callers)
def test_whoever_is_late_goes_when_it_is_right_again(
    limits: list[Window], late: list[tuple[float, float, float]]
) -> None:
    """Each comes at its time; each of its awakenings is late by its own two measures in turn."""

    async def play() -> None:
        clock = FakeClock()
        store = MemoryStore(clock, 1_000_000)
        pacer = RateLimiter("x", clock, shared_schedules(lambda: store, clock, "meaning"), tuple(limits))
        sent: list[float] = []
        due: list[tuple[float, int, float | None]] = []
        for number, (at, _, _) in enumerate(late):
            heappush(due, (clock.now() + at, number, None))
        slow = {number: [*measures, 0.0] for number, (_, *measures) in enumerate(late)}
        while due:
            at, number, moment = heappop(due)
            clock.advance(at - clock.now())
            if moment is None:
                moment = await pacer.reserve(500.0)
            else:
                moment = await pacer.reserve(3000.0, promised=moment)
            if moment <= clock.now() and not is_late(moment, clock.now(), limits):
                sent.append(clock.now())
                continue
            woken = max(moment, clock.now()) + (slow[number].pop(0) if slow[number] else 0.0)
            heappush(due, (woken, number, moment))
        assert len(sent) == len(late)
        assert fits(sent, limits, 0.5)

    asyncio.run(play())


@given(st.integers(1, 100_000), st.floats(0.001, 100_000))
def test_a_large_window_is_kept_by_smaller_ones(requests: int, seconds: float) -> None:
    part = Window(requests, seconds).counted()
    assert 1 <= part.requests <= MOST_COUNTED
    parts = round(seconds / part.seconds)
    assert parts * part.seconds == pytest.approx(seconds)
    assert parts * part.requests <= requests
    assert parts * part.requests > requests - parts


@given(st.binary(max_size=60))
def test_what_cannot_be_read_is_forgotten(raw: bytes) -> None:
    assert RateSchedule.of(raw) == RateSchedule()


@pytest.mark.parametrize(
    "raw",
    [
        b'{"log":[1,"x"]}',
        b'{"log":[NaN]}',
        b'{"windows":[[0,1.0]]}',
        b'{"windows":[[1,-1]]}',
        b'{"rest_code":"tired"}',
        b'{"rest_until":1e999}',
        b"[]",
    ],
)
def test_what_makes_no_sense_is_forgotten(raw: bytes) -> None:
    assert RateSchedule.of(raw) == RateSchedule()


def test_what_was_stored_is_read() -> None:
    turns = RateSchedule(log=(NOW, NOW + 0.1), windows=(Window(2, 1.5),), rest_until=NOW + 3, rest_code=Code.QUOTA)
    assert RateSchedule.of(turns.stored()) == turns


def test_a_clock_that_was_set_back_stops_nobody() -> None:
    ahead = NOW + FURTHEST_S + LONGEST_REST_S + 1
    turns = RateSchedule(log=(ahead,), rest_until=ahead)
    moment, turns = turns.reserved(NOW, [Window(1, 60)])
    assert (moment, turns.log) == (NOW, (NOW,))


@pytest.mark.parametrize("ahead", [LONGEST_REST_S + FURTHEST_S + 1, 30 * 86_400.0, 1e300])
def test_a_rest_from_a_clock_that_went_ahead_hides_no_new_one(ahead: float) -> None:
    turns = RateSchedule(rest_until=NOW + ahead, rest_code=Code.AUTH).at_rest(NOW + 60, Code.QUOTA, NOW)
    assert (turns.resting(NOW), turns.rest_code) == (60, Code.QUOTA)


def test_a_clock_that_was_set_back_lengthens_no_rest() -> None:
    turns = RateSchedule().at_rest(NOW + 60, Code.RATE_LIMITED, NOW)
    assert turns.resting(NOW - 30) == 90
    assert turns.resting(NOW - 1200) == 0


def paced(clock: FakeClock, store: MemoryStore) -> RateLimiter:
    return RateLimiter("x", clock, shared_schedules(lambda: store, clock, "meaning"), (Window(10, 1.0),))


async def answered(pacer: RateLimiter, *windows: Window) -> None:
    moment = await pacer.reserve(60.0)
    await pacer.told(moment, windows, 0.0, Code.RATE_LIMITED)


ODD = Window(1, 10.0)


async def waits(pacer: RateLimiter) -> bool:
    return (await pacer.state())[2] > 0


async def test_windows_that_are_said_again_and_again_hold() -> None:
    clock = FakeClock()
    pacer = paced(clock, MemoryStore(clock, 100_000))
    for number in range(600):
        clock.advance(ODD.span)
        await answered(pacer, *([ODD] if number % 5 == 0 else []))
        assert await waits(pacer)


async def test_windows_hold_for_an_hour_unless_they_are_said_again_and_are_seldom_written_for_that() -> None:
    clock = FakeClock()
    store = MemoryStore(clock, 100_000)
    pacer = paced(clock, store)
    learned = []
    for _ in range(100):
        await answered(pacer, ODD)
        learned.append(RateSchedule.of(await store.get("x")).learned)
        clock.advance(LEARNED_S / 100)
    assert len(set(learned)) <= 5
    assert RateSchedule.of(await store.get("x")).known(clock.now()) == (ODD,)
    turns = RateSchedule(windows=(ODD,), learned=NOW)
    assert turns.known(NOW + LEARNED_S - 1) == (ODD,)
    assert turns.known(NOW + LEARNED_S) == ()
    assert turns.known(NOW - LEARNED_S) == ()


async def test_windows_of_an_hour_ago_give_way_to_what_the_plugin_declares() -> None:
    clock = FakeClock()
    store = MemoryStore(clock, 100_000)
    old = RateSchedule(windows=(ODD,), learned=clock.now() - LEARNED_S)
    await store.set("x", old.stored())
    pacer = paced(clock, store)
    await answered(pacer)
    assert not await waits(pacer)


def test_a_late_request_goes_before_those_that_are_promised_later_turns() -> None:
    limit = [Window(1, 1.0)]
    turns = RateSchedule(log=(NOW, NOW + 1.05, NOW + 2.1))
    assert turns.reserved(NOW + 0.02, limit, NOW) == (NOW, turns)
    moment, changed = turns.reserved(NOW + 0.2, limit, NOW)
    assert (moment, changed.log) == (NOW + 0.2, (NOW + 0.2, NOW + 1.05, NOW + 2.1))
    moment, changed = changed.reserved(NOW + 1.05, limit, NOW + 1.05)
    assert moment == pytest.approx(NOW + 1.25)


@given(st.lists(windows, min_size=1, max_size=3), st.lists(st.booleans(), max_size=20))
def test_moments_that_nobody_uses_are_given_to_those_who_come_later(limits: list[Window], kept: list[bool]) -> None:
    schedule, promised = RateSchedule(), []
    for _ in kept:
        moment, schedule = schedule.reserved(NOW, limits)
        promised.append(moment)
    for moment, stays in zip(promised, kept, strict=True):
        schedule = schedule if stays else schedule.without(moment)
    others = schedule.log
    possible = sorted({NOW, *(moment + window.span for moment in others for window in limits)})
    moment, schedule = schedule.reserved(NOW, limits)
    assert moment == pytest.approx(next(at for at in possible if fits([*others, at], limits, 1)), abs=ROUNDING)
    assert fits(schedule.log, limits, 1)


async def test_a_request_that_is_put_back_again_and_again_does_not_go_before_the_rest_is_over() -> None:
    class Restless(FakeClock):
        async def sleep(self, seconds: float) -> None:
            await super().sleep(seconds)
            if len(self.slept) <= 30:
                await other.told(self.now(), (), 0.5, Code.RATE_LIMITED)

    clock = Restless()
    kept = shared_schedules(MemoryStore(clock, 1_000_000), clock, "meaning")
    pacer, other = (RateLimiter("x", clock, kept, (Window(1, 1.0),)) for _ in range(2))
    await pacer.reserve(0.0)
    moment = await pacer.wait(await pacer.reserve(60.0), clock.monotonic() + 60)
    assert len(clock.slept) == 31
    assert moment == pytest.approx(clock.now(), abs=ROUNDING)


def test_the_log_keeps_only_what_a_window_counts() -> None:
    turns, at, window = RateSchedule(), NOW, Window(3, 10)
    for _ in range(1000):
        at, turns = turns.reserved(at, [window])
    assert len(turns.log) <= 4


def test_a_longer_rest_is_not_cut_short() -> None:
    turns = RateSchedule().at_rest(NOW + 30, Code.QUOTA, NOW).at_rest(NOW + 3, Code.RATE_LIMITED, NOW)
    assert (turns.resting(NOW), turns.rest_code) == (30, Code.QUOTA)


@pytest.mark.parametrize(
    ("code", "kind"), [(Code.RATE_LIMITED, RateBudgetExceeded), (Code.QUOTA, QuotaExceeded), (Code.AUTH, AuthFailed)]
)
def test_the_refusal_says_whose_limit_it_is(code: Code, kind: type[Exception]) -> None:
    error = RateSchedule().at_rest(NOW + 30, code, NOW).refusal(30, NOW)
    assert error.unsent
    assert type(error) is kind
    assert error.retry_after == 30
    assert "nothing was sent" in error.detail
