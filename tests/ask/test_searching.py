"""Who is asked, in what order, and what comes of it."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable

import anyio
import pytest

from websearch_core.asking.ledger.ledger import Ledger
from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source import guarded_source
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.error_texts import explained
from websearch_core.contract.errors import (
    AllSourcesFailed,
    AuthFailed,
    BackendError,
    BlockedBySite,
    Code,
    InvalidRequest,
    NetworkFailed,
    PlanMismatch,
    QuotaExceeded,
    RateBudgetExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
)
from websearch_core.contract.models import Caller, SearchRequest
from websearch_core.contract.results import Answer
from websearch_core.settings.configuration import LedgerSettings
from websearch_core.stores.memory import MemoryStore

from .fakes import Backend, Told, TurnedClock, hit, hits, settings, states, urls

Make = Callable[..., Searcher]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def searching(clock: TurnedClock, told: Told) -> Make:
    def make(*backends: Backend, join_grace_s: float = 5.0, **changes: object) -> Searcher:
        store = MemoryStore(clock, 1_000_000)
        return Searcher(backends, Guards(settings(**changes), clock, told), store, join_grace_s=join_grace_s)

    return make


def ask(**fields: object) -> SearchRequest:
    return SearchRequest(**{"query": "q", **fields})


def steps(found) -> list[tuple[str, str]]:
    return [(step.by, step.outcome) for step in found.trail]


async def failures(searching: Searcher, request: SearchRequest) -> list[tuple[str, Code]]:
    with pytest.raises(AllSourcesFailed) as refused:
        await searching.search(request)
    return [(failure.source, failure.code) for failure in refused.value.failures]


async def test_the_first_backend_with_hits_wins(searching: Make, told: Told) -> None:
    one, two = Backend("one", Answer(hits=hits("a.com"), notes=("n",), cost=0.5)), Backend("two", hits("b.com"))
    found = await searching(one, two).search(ask())
    assert urls(found.hits) == ["a.com"]
    assert (found.backends, found.notes, found.cost, found.cached, found.age) == (("one",), ("n",), 0.5, False, None)
    assert found.hits[0].source == "one"
    assert two.asked == []
    assert told.outcomes == [("one", "answer", "")]
    assert told.events[0].cost == 0.5


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TimedOut(), "timeout"),
        (AuthFailed(), "auth"),
        (BlockedBySite(), "blocked_by_site"),
        (InvalidRequest(), "invalid_request"),
        (RuntimeError("q"), "server"),
        (TimeoutError(), "server"),
    ],
)
async def test_a_failure_of_any_kind_leads_to_the_next(
    error: Exception, code: str, searching: Make, told: Told
) -> None:
    found = await searching(Backend("one", error), Backend("two", hits("b.com"))).search(ask())
    assert urls(found.hits) == ["b.com"]
    assert steps(found) == [("one", "fail"), ("two", "answer")]
    assert found.trail[0].reason == code
    assert told.outcomes == [("one", "fail", code), ("two", "answer", "")]


@pytest.mark.parametrize("nonsense", [None, 42, "text", ["not a hit"], {"hits": []}, [None]])
async def test_nonsense_for_an_answer_is_a_failure(nonsense: object, searching: Make) -> None:
    found = await searching(Backend("one", nonsense), Backend("two", hits("b.com"))).search(ask())
    assert steps(found) == [("one", "fail"), ("two", "answer")]


async def test_an_unexpected_failure_is_logged_without_what_it_says(
    searching: Make, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(AllSourcesFailed) as refused:
        await searching(Backend("one", ValueError("my secret query"))).search(ask(query="my secret query"))
    assert "unexpected failure in the plugin" in str(refused.value)
    assert "one" in caplog.text
    assert "ValueError" in caplog.text
    assert "fakes.py" in caplog.text
    assert "secret" not in caplog.text + str(refused.value)


async def test_an_empty_answer_leads_to_the_next(searching: Make) -> None:
    found = await searching(Backend("one", ()), Backend("two", hits("b.com"))).search(ask())
    assert steps(found) == [("one", "empty"), ("two", "answer")]
    assert found.backends == ("one", "two")


async def test_an_answer_is_empty_only_if_all_that_answered_were(searching: Make) -> None:
    found = await searching(Backend("one", ()), Backend("two", BlockedBySite()), Backend("three", ())).search(ask())
    assert found.hits == ()
    assert found.backends == ("one", "three")
    assert found.notes == ("two could not answer: blocked_by_site",)


async def test_when_all_fail_each_is_named(searching: Make) -> None:
    made = searching(Backend("one", RateLimited(retry_after=9)), Backend("two", ServerFailed("it is down")))
    with pytest.raises(AllSourcesFailed) as refused:
        await made.search(ask())
    assert [tuple(failure) for failure in refused.value.failures] == [
        ("one", Code.RATE_LIMITED, "too many requests", 9, True, "", False),
        ("two", Code.SERVER, "it is down", None, True, "", False),
    ]


async def test_without_backends_there_is_no_answer(searching: Make) -> None:
    assert await failures(searching(), ask()) == []


async def test_who_does_not_serve_the_vertical_is_not_asked(searching: Make) -> None:
    one, two = Backend("one", ()), Backend("two", hits("b.com"), verticals={"news": frozenset()})
    found = await searching(one, two).search(ask(vertical="news"))
    assert steps(found) == [("one", "skip"), ("two", "answer")]
    assert one.asked == []
    assert await failures(searching(one), ask(vertical="images")) == [("one", Code.UNSUPPORTED)]


async def test_a_query_that_is_too_long_goes_to_the_next_uncut(searching: Make) -> None:
    one, two = Backend("one", (), max_query_chars=3), Backend("two", hits("b.com"))
    found = await searching(one, two).search(ask(query="four"))
    assert found.notes == ("one was not asked: it takes queries of at most 3 characters",)
    assert (one.asked, two.asked[0].query) == ([], "four")
    assert await failures(searching(one), ask(query="four")) == [("one", Code.INVALID_REQUEST)]
    assert (await searching(one).search(ask(query="six"))).hits == ()


async def test_hits_outside_the_domains_are_as_none(searching: Make) -> None:
    found = await searching(Backend("one", hits("a.com")), Backend("two", hits("b.com"))).search(
        ask(allowed_domains=("b.com",))
    )
    assert steps(found) == [("one", "empty"), ("two", "answer")]


async def test_fusing_asks_the_first_at_once_and_merges(searching: Make) -> None:
    both = asyncio.Barrier(2)

    def together(*found: str):
        async def answer(_: SearchRequest):
            await both.wait()
            return Answer(hits=hits(*found), cost=1)

        return answer

    one, two, three = (
        Backend("one", together("a.com", "b.com")),
        Backend("two", together("b.com")),
        Backend("three", ()),
    )
    found = await searching(one, two, three, strategy="fuse").search(ask())
    assert urls(found.hits) == ["b.com", "a.com"]
    assert found.hits[0].found_by == ("one", "two")
    assert (found.backends, found.cost, three.asked) == (("one", "two"), 2, [])


async def test_fusing_never_asks_two_of_one_lineage(searching: Make) -> None:
    google = Backend("google", hits("a.com"))
    serper = Backend("serper", hits("b.com"), index_owner="google")
    brave = Backend("brave", hits("c.com"))
    found = await searching(serper, google, brave, strategy="fuse").search(ask())
    assert (found.backends, google.asked) == (("serper", "brave"), [])


async def test_fusing_goes_down_the_list_when_the_first_fail(searching: Make) -> None:
    one, two = Backend("one", ServerFailed()), Backend("two", ())
    same = Backend("same", hits("c.com"), index_owner="one")
    last = Backend("last", hits("d.com"))
    found = await searching(one, two, same, last, strategy="fuse").search(ask())
    assert urls(found.hits) == ["c.com"]
    assert last.asked == []


async def test_fusing_does_with_who_answers(searching: Make) -> None:
    found = await searching(Backend("one", ServerFailed()), Backend("two", hits("b.com")), strategy="fuse").search(
        ask()
    )
    assert urls(found.hits) == ["b.com"]


async def test_fusing_passes_over_who_is_resting(searching: Make) -> None:
    one, two, three = Backend("one", AuthFailed()), Backend("two", hits("b.com")), Backend("three", hits("c.com"))
    made = searching(one, two, three, strategy="fuse")
    await made.search(ask())
    found = await made.search(ask(query="again"))
    assert found.backends == ("two", "three")
    assert len(one.asked) == 1


async def test_fusing_never_gives_more_than_asked_for(searching: Make) -> None:
    one, two = Backend("one", hits("a.com", "b.com")), Backend("two", hits("c.com", "d.com"))
    found = await searching(one, two, strategy="fuse").search(ask(max_results=3))
    assert urls(found.hits) == ["a.com", "c.com", "b.com"]


async def test_a_joining_backend_is_fused_into_the_winners_hits(searching: Make) -> None:
    web, library = (
        Backend("web", hits("a.com", "b.com")),
        Backend("library", hits("b.com", "l.com"), always_merged=True),
    )
    found = await searching(library, web).search(ask())
    assert urls(found.hits) == ["b.com", "a.com", "l.com"]
    assert found.backends == ("web", "library")


async def test_who_joins_others_is_told_and_who_answers_alone_is_not(searching: Make) -> None:
    web, library = Backend("web", hits("a.com")), Backend("library", hits("l.com"), always_merged=True)
    await searching(web, library).search(ask())
    await searching(library).search(ask())
    await searching(web, library).search(ask(backend="library"))
    assert [request.joining for request in library.asked] == [True, False, False]
    assert not web.asked[0].joining


@pytest.mark.parametrize("does", [ServerFailed(), RuntimeError(), ()])
async def test_a_joining_backends_failure_never_fails_the_search(does: object, searching: Make) -> None:
    found = await searching(Backend("web", hits("a.com")), Backend("library", does, always_merged=True)).search(ask())
    assert urls(found.hits) == ["a.com"]


async def test_a_joining_backend_answers_alone_when_the_others_cannot_and_that_is_said(searching: Make) -> None:
    web, library = Backend("web", ServerFailed()), Backend("library", hits("l.com"), always_merged=True)
    found = await searching(web, library).search(ask())
    assert urls(found.hits) == ["l.com"]
    assert found.notes == ("web could not answer: server",)


async def test_a_joining_backends_nothing_is_no_answer_for_the_web(searching: Make) -> None:
    made = searching(Backend("web", ServerFailed()), Backend("library", (), always_merged=True))
    assert await failures(made, ask()) == [("web", Code.SERVER)]


async def test_a_joining_backend_that_is_alone_is_an_ordinary_one(searching: Make) -> None:
    library = Backend("library", hits("l.com"), always_merged=True)
    assert urls((await searching(library).search(ask())).hits) == ["l.com"]
    library.does = [()]
    assert (await searching(library).search(ask())).hits == ()


async def test_a_slow_joining_backend_is_left_behind(searching: Make, told: Told) -> None:
    ended = asyncio.Event()

    async def never(_: SearchRequest):
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    made = searching(Backend("web", hits("a.com")), Backend("library", never, always_merged=True), join_grace_s=0.01)
    found = await made.search(ask())
    assert urls(found.hits) == ["a.com"]
    assert ("library", "fail") in steps(found)
    assert ended.is_set()
    assert told.outcomes[-1] == ("library", "cancelled", "")
    assert states(made)["library"] == "closed"


async def test_five_failures_rest_a_backend_and_one_probe_wakes_it(
    searching: Make, clock: TurnedClock, told: Told
) -> None:
    one, two = Backend("one", *[NetworkFailed()] * 5, hits("a.com")), Backend("two", hits("b.com"))
    made = searching(one, two)
    for number in range(7):
        await made.search(ask(query=f"q{number}"))
    assert len(one.asked) == 5
    assert states(made) == {"one": "open", "two": "closed"}
    assert ("one", "fail", "network") not in told.outcomes[-2:]
    clock.passed += 30
    assert states(made)["one"] == "half-open"
    assert urls((await made.search(ask(query="later"))).hits) == ["a.com"]
    assert states(made)["one"] == "closed"


async def test_a_resting_backends_failure_says_how_long(searching: Make) -> None:
    one = Backend("one", RateLimited(retry_after=50))
    made = searching(one, cache_ttl_s=0)
    await failures(made, ask())
    with pytest.raises(AllSourcesFailed) as refused:
        await made.search(ask())
    assert tuple(refused.value.failures[0]) == (
        "one",
        Code.RATE_LIMITED,
        "resting since: too many requests",
        50,
        True,
        "",
        True,
    )
    assert len(one.asked) == 1


@pytest.mark.parametrize(
    "error",
    [
        *(RateLimited(), RateLimited(retry_after=50), RateLimited(retry_after=90_000), QuotaExceeded(), AuthFailed()),
        *(PlanMismatch(), BlockedBySite()),
    ],
    ids=lambda error: f"{error.code}-{error.retry_after}",
)
async def test_the_first_and_the_second_to_ask_get_the_same_advice(error: BackendError, searching: Make) -> None:
    one = Backend("one", error)
    made = searching(one, cache_ttl_s=0, negative_ttl_s=0)
    told = []
    for query in ("first", "second"):
        with pytest.raises(AllSourcesFailed) as refused:
            await made.search(ask(query=query))
        told.append(re.findall(r"A retry .*?\.|Next: .*", explained(refused.value).text))
    assert len(one.asked) == 1
    assert told[0] == told[1]


async def test_that_an_engine_rests_is_not_told_as_that_it_could_not_answer(searching: Make) -> None:
    made = searching(Backend("one", RateLimited(retry_after=50)), Backend("two", hits("b.com")), cache_ttl_s=0)
    assert (await made.search(ask())).notes == ("one could not answer: rate_limited",)
    assert (await made.search(ask(query="again"))).notes == ("one was not asked, it rests: rate_limited, 50 s",)
    made = searching(Backend("one", AuthFailed()), Backend("two", hits("b.com")), cache_ttl_s=0)
    await made.search(ask())
    assert (await made.search(ask(query="again"))).notes == ("one was not asked, it rests: auth",)


async def hang(_: SearchRequest) -> None:
    await asyncio.Event().wait()


async def test_a_backend_that_hangs_times_out_and_the_next_is_asked(searching: Make) -> None:
    made = searching(Backend("one", hang), Backend("two", hits("b.com")), backend_timeout_s=0.2)
    found = await made.search(ask())
    assert (found.trail[0].by, found.trail[0].reason) == ("one", "timeout")


async def test_the_callers_deadline_is_kept_and_known_to_the_backend(searching: Make, clock: TurnedClock) -> None:
    one = Backend("one", hang)
    deadline = clock.monotonic() + 0.15
    assert await failures(searching(one), ask(caller=Caller(deadline=deadline))) == [("one", Code.TIMEOUT)]
    assert one.asked[0].caller.deadline is not None
    assert one.asked[0].caller.deadline <= deadline


async def test_hurried_callers_do_not_open_a_breaker(searching: Make, clock: TurnedClock) -> None:
    made = searching(Backend("one", hang))
    for number in range(6):
        await failures(made, ask(query=f"q{number}", caller=Caller(deadline=clock.monotonic() + 0.06)))
    assert states(made) == {"one": "closed"}


async def test_what_was_found_by_the_deadline_is_not_lost_to_who_hangs(
    searching: Make, clock: TurnedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_source, "SPARE_S", 59.9)  # a slow machine has a minute to make the answer
    made = searching(Backend("one", hits("a.com")), Backend("two", hang), strategy="fuse")
    found = await made.search(ask(caller=Caller(deadline=clock.monotonic() + 60)))
    assert urls(found.hits) == ["a.com"]


async def test_a_callers_cancellation_ends_the_upstream_call_and_never_counts(searching: Make, told: Told) -> None:
    began, ended = asyncio.Event(), 0

    async def upstream(_: SearchRequest) -> None:
        nonlocal ended
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended += 1

    made = searching(Backend("one", upstream))
    for number in range(6):
        began.clear()
        async with anyio.create_task_group() as group:
            group.start_soon(made.search, ask(query=f"q{number}"))
            await began.wait()
            group.cancel_scope.cancel()
    assert ended == 6
    assert states(made) == {"one": "closed"}
    assert set(told.outcomes) == {("one", "cancelled", "")}


async def test_a_cancelled_probe_does_not_silence_a_backend(searching: Make, clock: TurnedClock, told: Told) -> None:
    began = asyncio.Event()

    async def upstream(_: SearchRequest) -> None:
        began.set()
        await asyncio.Event().wait()

    made = searching(Backend("one", *[ServerFailed()] * 5, upstream, hits("a.com")))
    for number in range(5):
        await failures(made, ask(query=f"q{number}"))
    assert states(made) == {"one": "open"}
    clock.passed += 30
    async with anyio.create_task_group() as group:
        group.start_soon(made.search, ask(query="probe"))
        await began.wait()
        group.cancel_scope.cancel()
    assert told.outcomes[-1] == ("one", "cancelled", "")
    assert states(made) == {"one": "half-open"}
    assert urls((await made.search(ask(query="later"))).hits) == ["a.com"]
    assert states(made) == {"one": "closed"}


async def test_a_hurried_probe_does_not_silence_a_backend(searching: Make, clock: TurnedClock) -> None:
    made = searching(Backend("one", *[ServerFailed()] * 5, hang, hits("a.com")))
    for number in range(5):
        await failures(made, ask(query=f"q{number}"))
    clock.passed += 30
    await failures(made, ask(query="probe", caller=Caller(deadline=clock.monotonic() + 0.1)))
    assert urls((await made.search(ask(query="later"))).hits) == ["a.com"]


@pytest.mark.parametrize("strategy", ["fallback", "fuse"])
async def test_a_cancellation_reaches_everybody_who_is_asked_at_once(strategy: str, searching: Make) -> None:
    all_asked, ended = asyncio.Barrier(3 if strategy == "fuse" else 2), []

    async def upstream(_: SearchRequest) -> None:
        try:
            await all_asked.wait()
            all_began.set()
            await asyncio.Event().wait()
        finally:
            ended.append(1)

    all_began = asyncio.Event()
    library = Backend("library", upstream, always_merged=True)
    made = searching(Backend("one", upstream), Backend("two", upstream), library, strategy=strategy)
    async with anyio.create_task_group() as group:
        group.start_soon(made.search, ask())
        await all_began.wait()
        group.cancel_scope.cancel()
    assert len(ended) == all_asked.parties
    assert set(states(made).values()) == {"closed"}


async def test_no_more_calls_at_once_than_allowed(searching: Make) -> None:
    running = most = 0

    async def answer(_: SearchRequest):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return hits("a.com")

    made = searching(Backend("one", answer), backend_concurrency=3)
    await asyncio.gather(*(made.search(ask(query=f"q{number}")) for number in range(20)))
    assert most == 3


async def test_waiting_for_a_place_is_no_failure_of_the_backend(searching: Make, clock: TurnedClock) -> None:
    made = searching(Backend("one", hang), backend_concurrency=1)
    first = asyncio.create_task(made.search(ask(query="first")))
    await asyncio.sleep(0)
    with pytest.raises(AllSourcesFailed, match="in flight"):
        await made.search(ask(caller=Caller(deadline=clock.monotonic() + 0.1)))
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert states(made) == {"one": "closed"}


async def test_a_full_backend_is_not_taken_for_a_broken_one(searching: Make) -> None:
    gate = asyncio.Event()

    async def stubborn(_: SearchRequest):
        with anyio.CancelScope(shield=True):
            await gate.wait()
        return hits("a.com")

    made = searching(Backend("one", stubborn), backend_concurrency=1, backend_timeout_s=0.02)
    first = asyncio.create_task(made.search(ask(query="first")))
    waiting = (made.search(ask(query=f"q{number}")) for number in range(6))
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert ["in flight" in str(result) for result in results] == [True] * 6
    assert states(made) == {"one": "closed"}
    gate.set()
    await asyncio.gather(first, return_exceptions=True)


async def test_the_same_search_at_the_same_time_is_asked_once(searching: Make) -> None:
    gate, both = asyncio.Event(), asyncio.Barrier(3)

    async def slow(_: SearchRequest):
        await both.wait()
        await gate.wait()
        return hits("a.com")

    one = Backend("one", slow)
    made = searching(one, cache_ttl_s=0)
    callers = [asyncio.create_task(made.search(ask(caller=Caller(session=str(n))))) for n in range(10)]
    other = asyncio.create_task(made.search(ask(caller=Caller(tenant="other"))))
    await both.wait()
    callers[0].cancel()
    gate.set()
    results = await asyncio.gather(*callers[1:], other)
    assert {tuple(urls(found.hits)) for found in results} == {("a.com",)}
    assert sorted(request.caller.tenant for request in one.asked) == ["", "other"]
    assert {request.caller.session for request in one.asked} == {""}


async def test_a_live_search_never_joins_one_that_an_older_answer_would_do_for(searching: Make) -> None:
    gate = asyncio.Event()

    async def slow(_: SearchRequest):
        await gate.wait()
        return hits("a.com")

    one = Backend("one", slow)
    made = searching(one)
    tasks = [asyncio.create_task(made.search(ask(max_age_hours=age))) for age in (None, 0, 5)]
    for _ in range(20):
        await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*tasks)
    assert [request.max_age_hours for request in one.asked][:2] == [None, 0]


async def test_a_property_that_raises_does_not_fail_the_search(searching: Make) -> None:
    class Broken(Backend):
        @property
        def always_merged(self) -> bool:
            raise RuntimeError

    found = await searching(Broken("one", (hit("a.com"),))).search(ask())
    assert urls(found.hits) == ["a.com"]


def test_every_error_class_can_be_kept_and_raised_again() -> None:
    from websearch_core.asking.source.failure_values import as_failure
    from websearch_core.contract.errors import of_code

    for code in Code:
        error = of_code(code, "detail", 5)
        assert isinstance(error, BackendError)
        assert as_failure("s", error).code is code
        assert "detail" in error.detail


async def test_a_challenge_to_one_of_several_queries_rests_the_backend(searching: Make) -> None:
    one = Backend("one", hits("a0.example"), BlockedBySite(), max_site_operators=1)
    chain = searching(one)
    wanted = ask(allowed_domains=("a0.example", "a1.example"))
    assert urls((await chain.search(wanted)).hits) == ["a0.example"]
    assert states(chain) == {"one": "open"}
    assert await failures(chain, ask(query="other")) == [("one", Code.BLOCKED_BY_SITE)]
    assert len(one.asked) == 2


async def test_a_query_of_several_that_had_no_turn_rests_nothing(searching: Make) -> None:
    one = Backend("one", hits("a0.example"), RateBudgetExceeded(retry_after=9), max_site_operators=1)
    chain = searching(one)
    await chain.search(ask(allowed_domains=("a0.example", "a1.example")))
    assert states(chain) == {"one": "closed"}


async def test_a_search_of_many_pages_is_held_back_as_such(clock: TurnedClock, told: Told) -> None:
    store = MemoryStore(clock, 1_000_000)
    ledger = Ledger(store, clock, LedgerSettings.model_validate({"caps": {"one": {"units_per_day": 4}}}))
    one = Backend("one", hits("a.com"), paid=True, units_for=lambda request: request.max_results / 10)
    guards = Guards(settings(), clock, told, store=store, ledger=ledger)
    chain = Searcher([one], guards, store)
    assert await failures(chain, ask(max_results=50)) == [("one", Code.QUOTA)]
    assert one.asked == []
    assert urls((await chain.search(ask(max_results=40))).hits) == ["a.com"]
