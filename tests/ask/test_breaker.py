"""When a source rests, for how long, and who may try first."""

from __future__ import annotations

import pytest

from websearch_core.asking.source.breaker import OF_THE_SERVICE, RESTING, RESTING_FOR_GOOD, Breaker
from websearch_core.contract.errors import (
    AuthFailed,
    BackendError,
    BlockedBySite,
    Code,
    InvalidRequest,
    NetworkFailed,
    NotFound,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    UnexpectedResponse,
    Unsupported,
)

from .fakes import TurnedClock


@pytest.fixture
def breaker(clock: TurnedClock) -> Breaker:
    return Breaker(clock)


@pytest.fixture
def searched(clock: TurnedClock) -> Breaker:
    """Of a search engine: a challenge is its own, not a page's."""
    return Breaker(clock, OF_THE_SERVICE | {Code.BLOCKED_BY_SITE})


def rest_of(breaker: Breaker) -> tuple[Code, float | None]:
    (rest,) = breaker.rests()
    return rest.code, rest.seconds


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


@pytest.mark.parametrize(
    "error", [InvalidRequest(), Unsupported(), NotFound(), UnexpectedResponse("x"), BlockedBySite()]
)
def test_failures_that_say_nothing_about_the_service_never_count(error: BackendError, breaker: Breaker) -> None:
    fail(breaker, error, 50)
    assert breaker.state == "closed"


def test_a_challenge_from_the_source_itself_opens_it_for_an_hour_at_once(searched: Breaker) -> None:
    fail(searched, BlockedBySite())
    assert searched.state == "open"
    assert rest_of(searched) == (Code.BLOCKED_BY_SITE, 3600)


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
        (QuotaExceeded(), 3600),
        (QuotaExceeded(retry_after=90), 90),
        (QuotaExceeded(retry_after=10**9), 86400),
    ],
)
def test_rate_limits_and_empty_accounts_open_it_at_once_for_as_long_as_they_say(
    error: BackendError, seconds: float, breaker: Breaker, clock: TurnedClock
) -> None:
    fail(breaker, error)
    assert breaker.state == "open"
    assert rest_of(breaker) == (error.code, seconds)
    clock.passed += seconds
    breaker.succeeded(breaker.admit())
    assert breaker.state == "closed"


def test_a_refused_key_rests_until_somebody_knows_better(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, AuthFailed())
    clock.passed += 10**7
    with pytest.raises(AuthFailed, match=RESTING_FOR_GOOD) as refused:
        breaker.admit()
    assert refused.value.retry_after is None
    assert [str(rest) for rest in breaker.rests()] == ["auth until its settings change"]
    breaker.close()
    assert breaker.state == "closed"
    breaker.succeeded(breaker.admit())


@pytest.mark.parametrize(
    ("error", "times", "told"),
    [
        (RateLimited("the engine asks us to slow down"), 1, "resting since: the engine asks us to slow down"),
        (QuotaExceeded("add credit at example.com"), 1, "resting since: add credit at example.com"),
        (BlockedBySite("it showed a puzzle"), 1, "resting since: it showed a puzzle"),
        (ServerFailed("it fell over"), 5, "resting since: it fell over"),
        (AuthFailed("add json to search.formats"), 1, f"{RESTING_FOR_GOOD}: add json to search.formats"),
    ],
)
def test_while_it_rests_everybody_is_told_what_the_first_was_told(
    error: BackendError, times: int, told: str, searched: Breaker
) -> None:
    fail(searched, error, times)
    assert (refused := searched.resting()) is not None
    assert (refused.code, refused.detail) == (error.code, told)


def test_a_probe_that_fails_otherwise_tells_its_own_reason(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, RateLimited("slow down", retry_after=10))
    clock.passed += 10
    fail(breaker, QuotaExceeded("buy more"))
    assert (refused := breaker.resting()) is not None
    assert refused.detail == "resting since: buy more"


def test_a_plan_rests_for_the_kind_of_request_that_it_lacks(breaker: Breaker, clock: TurnedClock) -> None:
    breaker.failed(breaker.admit("news"), PlanMismatch())
    with pytest.raises(PlanMismatch, match=RESTING) as refused:
        breaker.admit("news")
    assert refused.value.retry_after == 3600
    assert breaker.state == "closed"
    assert breaker.resting("web") is None
    assert [str(rest) for rest in breaker.rests()] == ["plan (news), 3600 s"]
    breaker.succeeded(breaker.admit("web"))
    assert breaker.resting("news") is not None
    clock.passed += 3600
    probe = breaker.admit("news")
    with pytest.raises(PlanMismatch):
        breaker.admit("news")
    breaker.succeeded(probe)
    assert not breaker.rests()


def test_a_plan_that_lacks_something_leaves_the_count_of_failures_alone(breaker: Breaker) -> None:
    fail(breaker, ServerFailed(), 4)
    breaker.failed(breaker.admit("news"), PlanMismatch())
    fail(breaker, ServerFailed())
    assert breaker.state == "open"


def test_a_plan_that_lacks_something_unsaid_rests_the_whole_source(breaker: Breaker) -> None:
    fail(breaker, PlanMismatch())
    assert breaker.state == "open"
    assert rest_of(breaker) == (Code.PLAN, 3600)


def test_whoever_rests_as_a_whole_rests_for_every_kind(breaker: Breaker, clock: TurnedClock) -> None:
    breaker.failed(breaker.admit("news"), PlanMismatch())
    breaker.failed(breaker.admit("web"), RateLimited(retry_after=10))
    assert [rest.code for rest in breaker.rests()] == [Code.RATE_LIMITED, Code.PLAN]
    with pytest.raises(RateLimited):
        breaker.admit("news")
    clock.passed += 10
    with pytest.raises(PlanMismatch):
        breaker.admit("news")
    assert breaker.state == "half-open", "a kind that rests does not use up the probe"
    breaker.admit("web")


def test_a_rate_limit_without_a_wait_lets_the_next_probe_through(breaker: Breaker) -> None:
    fail(breaker, RateLimited(retry_after=0))
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


@pytest.mark.parametrize(
    ("error", "times", "expected"),
    [
        (ServerFailed(), 5, [30, 60, 120, 240, 480, 600, 600]),
        (NetworkFailed(), 5, [30, 60, 120, 240, 480, 600, 600]),
        (TimedOut(), 5, [30, 60, 120, 120]),
        (BlockedBySite(), 1, [3600, 7200, 14400, 28800, 57600, 86400, 86400]),
        (RateLimited(), 1, [60, 60, 60]),
        (QuotaExceeded(), 1, [3600, 3600]),
    ],
)
def test_each_failed_probe_prolongs_the_rest_as_its_class_says(
    error: BackendError, times: int, expected: list[float], searched: Breaker, clock: TurnedClock
) -> None:
    fail(searched, error, times)
    rests: list[float] = []
    for _ in expected:
        code, seconds = rest_of(searched)
        assert code is error.code
        rests.append(seconds)
        clock.passed += seconds
        fail(searched, error)
    assert rests == expected


def test_a_probe_that_fails_otherwise_begins_the_other_rest(searched: Breaker, clock: TurnedClock) -> None:
    fail(searched, BlockedBySite())
    clock.passed += 3600
    fail(searched, TimedOut())
    assert rest_of(searched) == (Code.TIMEOUT, 30)
    clock.passed += 30
    fail(searched, BlockedBySite())
    assert rest_of(searched) == (Code.BLOCKED_BY_SITE, 3600)


def test_network_and_server_failures_are_of_one_kind(breaker: Breaker, clock: TurnedClock) -> None:
    fail(breaker, ServerFailed(), 5)
    clock.passed += 30
    fail(breaker, NetworkFailed())
    assert rest_of(breaker) == (Code.NETWORK, 60)


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


def test_what_is_mended_elsewhere_rests_for_no_longer_than_it_says(breaker: Breaker, clock: TurnedClock) -> None:
    error = AuthFailed("its own settings forbid it")
    error.rest_s, error.next_step = 60.0, "mend its settings"
    breaker.failed(breaker.admit(), error)
    refused = breaker.resting()
    assert refused is not None
    assert refused.advice.next_step == "mend its settings"
    assert rest_of(breaker) == (Code.AUTH, 60.0)
    clock.passed += 60
    breaker.succeeded(breaker.admit())


def test_troubles_count_like_failures_and_shorten_no_rest(searched: Breaker) -> None:
    for _ in range(5):
        assert searched.state == "closed"
        searched.troubled(Code.SERVER)
    assert rest_of(searched) == (Code.SERVER, 30)
    searched.troubled(Code.BLOCKED_BY_SITE)
    assert rest_of(searched) == (Code.SERVER, 30)


def test_where_failures_say_nothing_about_a_source_it_stays_closed(clock: TurnedClock) -> None:
    breaker = Breaker(clock, frozenset())
    for error in (RateLimited(), AuthFailed(), *[ServerFailed()] * 10):
        breaker.failed(breaker.admit(), error)
    assert breaker.state == "closed"
    assert not breaker.rests()
