"""When a source rests, for how long, and who may try first."""

from __future__ import annotations

import pytest

from websearch_core.ask.breaker import RESTING, Breaker
from websearch_core.errors import (
    AuthFailed,
    BackendError,
    BlockedBySite,
    Code,
    Drift,
    InvalidRequest,
    NetworkFailed,
    NotFound,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    Unsupported,
)

from .fakes import TurnedClock


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def breaker(clock: TurnedClock) -> Breaker:
    return Breaker(clock)


def fail(breaker: Breaker, error: BackendError, times: int = 1) -> None:
    for _ in range(times):
        breaker.failed(breaker.admit(), error)


@pytest.mark.parametrize("error", [TimedOut(), NetworkFailed(), ServerFailed()])
def test_five_failures_in_a_row_open_it_for_thirty_seconds(
    error: BackendError, breaker: Breaker, clock: TurnedClock
) -> None:
    fail(breaker, error, 4)
    assert breaker.state == "closed"
    fail(breaker, error)
    assert breaker.state == "open"
    with pytest.raises(type(error), match=RESTING) as refused:
        breaker.admit()
    assert refused.value.retry_after == 30
    clock.passed += 29
    assert breaker.state == "open"
    clock.passed += 1
    assert breaker.state == "half-open"


def test_a_success_between_failures_starts_the_count_anew(breaker: Breaker) -> None:
    fail(breaker, ServerFailed(), 4)
    breaker.succeeded(breaker.admit())
    fail(breaker, ServerFailed(), 4)
    assert breaker.state == "closed"


@pytest.mark.parametrize("error", [InvalidRequest(), Unsupported(), NotFound(), Drift("x"), BlockedBySite()])
def test_failures_that_say_nothing_about_the_service_never_count(error: BackendError, breaker: Breaker) -> None:
    fail(breaker, error, 50)
    assert breaker.state == "closed"


def test_what_counts_can_be_widened(clock: TurnedClock) -> None:
    breaker = Breaker(clock, frozenset((Code.BLOCKED_BY_SITE,)))
    fail(breaker, BlockedBySite(), 5)
    assert breaker.state == "open"


def test_calls_that_were_cancelled_never_count(breaker: Breaker) -> None:
    for _ in range(50):
        breaker.released(breaker.admit())
    assert breaker.state == "closed"


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (RateLimited(retry_after=7), 7),
        (RateLimited(), 60),
        (RateLimited(retry_after=10**9), 3600),
        (AuthFailed(), 300),
        (QuotaExceeded(), 300),
        (PlanMismatch(), 300),
    ],
)
def test_rate_limits_and_account_trouble_open_it_at_once(
    error: BackendError, seconds: float, breaker: Breaker, clock: TurnedClock
) -> None:
    fail(breaker, error)
    assert breaker.state == "open"
    assert (resting := breaker.resting()) is not None
    assert (resting.code, resting.retry_after) == (error.code, seconds)
    clock.passed += seconds
    breaker.succeeded(breaker.admit())
    assert breaker.state == "closed"


@pytest.mark.parametrize("retry_after", [0, -5])
def test_a_rate_limit_without_a_wait_lets_the_next_probe_through(retry_after: float, breaker: Breaker) -> None:
    fail(breaker, RateLimited(retry_after=retry_after))
    assert breaker.state == "half-open"


def test_half_open_lets_exactly_one_probe_through(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, ServerFailed(), 5)
    clock.passed += 30
    probe = breaker.admit()
    with pytest.raises(ServerFailed, match=RESTING):
        breaker.admit()
    breaker.succeeded(probe)
    assert breaker.state == "closed"
    breaker.admit()
    breaker.admit()


def test_a_cancelled_probe_makes_way_for_the_next(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, ServerFailed(), 5)
    clock.passed += 30
    breaker.released(breaker.admit())
    breaker.failed(breaker.admit(), NotFound())
    assert breaker.state == "half-open"
    breaker.succeeded(breaker.admit())
    assert breaker.state == "closed"


def test_each_failed_probe_doubles_the_rest_up_to_ten_minutes(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, ServerFailed(), 5)
    rests: list[float] = []
    for _ in range(7):
        resting = breaker.resting()
        assert resting is not None
        assert resting.retry_after is not None
        rests.append(resting.retry_after)
        clock.passed += resting.retry_after
        fail(breaker, ServerFailed())
    assert rests == [30, 60, 120, 240, 480, 600, 600]


def test_after_a_success_the_rest_is_short_again(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, ServerFailed(), 5)
    clock.passed += 30
    fail(breaker, ServerFailed())
    clock.passed += 60
    breaker.succeeded(breaker.admit())
    fail(breaker, ServerFailed(), 5)
    assert (resting := breaker.resting()) is not None
    assert resting.retry_after == 30


def test_calls_from_before_it_opened_change_nothing(breaker: Breaker, clock: TurnedClock) -> None:
    early = [breaker.admit() for _ in range(8)]
    for permit in early[:5]:
        breaker.failed(permit, ServerFailed())
    breaker.succeeded(early[5])
    breaker.failed(early[6], RateLimited(retry_after=3000))
    breaker.released(early[7])
    assert (resting := breaker.resting()) is not None
    assert (resting.code, resting.retry_after) == (Code.SERVER, 30)
