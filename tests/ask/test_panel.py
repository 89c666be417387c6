"""Who is asked: by vertical, by name, and by what each backend takes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.errors import (
    AllSourcesFailed,
    BlockedBySite,
    Code,
    InvalidRequest,
    RateBudgetExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
)
from websearch_core.contract.models import Caller, SearchRequest
from websearch_core.contract.results import Answer
from websearch_core.stores.memory import MemoryStore

from .fakes import Backend, Told, TurnedClock, hits, settings, states, urls

Make = Callable[..., Searcher]
BOTH = {"web": frozenset(), "news": frozenset()}


@pytest.fixture
def searching() -> Make:
    def make(*backends: Backend, routes=None, off=None, **changes: object) -> Searcher:
        clock = TurnedClock()
        store = MemoryStore(clock, 1_000_000)
        return Searcher(backends, Guards(settings(**changes), clock, Told()), store, routes=routes, off=off)

    return make


def ask(**fields: object) -> SearchRequest:
    return SearchRequest(**{"query": "q", **fields})


async def test_a_route_replaces_the_usual_order_for_its_vertical_only(searching: Make) -> None:
    one = Backend("one", hits("one.com"), verticals=BOTH)
    two = Backend("two", hits("two.com"), verticals=BOTH)
    asked = searching(one, two, routes={"news": (two, one)})
    assert urls((await asked.search(ask())).hits) == ["one.com"]
    assert urls((await asked.search(ask(vertical="news"))).hits) == ["two.com"]


async def test_a_backend_that_only_a_route_names_is_asked_on_it(searching: Make) -> None:
    one = Backend("one", hits("one.com"))
    press = Backend("press", hits("press.com"), verticals={"news": frozenset()})
    found = await searching(one, routes={"news": (press,)}).search(ask(vertical="news"))
    assert urls(found.hits) == ["press.com"]
    assert one.asked == []


async def test_a_named_backend_alone_is_asked(searching: Make) -> None:
    one, two = Backend("one", hits("one.com")), Backend("two", hits("two.com"))
    local = Backend("local", hits("local.com"), always_merged=True)
    found = await searching(one, two, local).search(ask(backend="two"))
    assert (urls(found.hits), found.backends) == (["two.com"], ("two",))
    assert one.asked == local.asked == []


class Manual(Backend):
    @property
    def alone(self) -> bool:
        return True


@pytest.mark.parametrize("does", [hits("web.com"), (), ServerFailed()])
async def test_one_that_is_asked_only_alone_never_stands_beside_or_for_another(does: object, searching: Make) -> None:
    manual, shelf = Manual("manual", hits("manual.com")), Backend("shelf", (), is_corpus=True, always_merged=True)
    asked = searching(Backend("web", does), manual, shelf)
    with contextlib.suppress(AllSourcesFailed):
        assert "manual" not in (await asked.search(ask())).backends
    assert manual.asked == []
    assert (await asked.search(ask(backend="manual"))).backends == ("manual",)


async def test_one_that_is_asked_only_alone_is_not_asked_where_another_cannot_serve_the_request(
    searching: Make,
) -> None:
    manual = Manual("manual", hits("manual.com"))
    asked = searching(Backend("web", hits("web.com"), max_query_words=1), manual)
    with pytest.raises(AllSourcesFailed):
        await asked.search(ask(query="two words"))
    assert manual.asked == []


async def test_one_that_is_asked_only_alone_is_asked_where_nobody_else_is_configured(searching: Make) -> None:
    manual = Manual("manual", hits("manual.com"))
    assert (await searching(manual).search(ask())).backends == ("manual",)
    bare = searching(Backend("web", hits("web.com")), manual, routes={"news": (manual,)})
    manual.verticals = BOTH
    assert (await bare.search(ask(vertical="news"))).backends == ("manual",)


async def test_a_named_backend_has_no_stand_in(searching: Make) -> None:
    one, two = Backend("one", hits("one.com")), Backend("two", ServerFailed())
    with pytest.raises(AllSourcesFailed) as refused:
        await searching(one, two).search(ask(backend="two"))
    assert [(failure.source, failure.code) for failure in refused.value.failures] == [("two", Code.SERVER)]
    assert one.asked == []


async def test_answers_of_a_named_backend_are_kept_apart(searching: Make) -> None:
    one, two = Backend("one", hits("one.com")), Backend("two", hits("two.com"))
    asked = searching(one, two)
    assert urls((await asked.search(ask())).hits) == ["one.com"]
    assert urls((await asked.search(ask(backend="two"))).hits) == ["two.com"]
    assert (await asked.search(ask(backend="two"))).cached


async def test_a_named_backend_that_is_not_configured_says_what_is_missing(searching: Make) -> None:
    asked = searching(Backend("one", hits("one.com")), off={"brave": "WEBSEARCH_BRAVE__API_KEY not set"})
    with pytest.raises(InvalidRequest, match=r"brave cannot be asked: WEBSEARCH_BRAVE__API_KEY not set"):
        await asked.search(ask(backend="brave"))
    with pytest.raises(InvalidRequest, match=r"configured are: one"):
        await asked.search(ask(backend="bravo"))


async def test_a_query_of_too_many_words_goes_to_the_next_and_is_said(searching: Make) -> None:
    short = Backend("short", hits("short.com"), max_query_words=3)
    found = await searching(short, Backend("long", hits("long.com"))).search(ask(query="one two three four"))
    assert urls(found.hits) == ["long.com"]
    assert "short was not asked: it takes queries of at most 3 words" in found.notes


async def test_that_a_backend_found_nothing_is_said_when_another_did(searching: Make) -> None:
    found = await searching(Backend("one", ()), Backend("two", hits("two.com"))).search(ask())
    assert "one found nothing" in found.notes


async def test_a_thin_answer_is_asked_again_without_small_words(searching: Make) -> None:
    def answer(request: SearchRequest) -> Answer:
        found = hits("a.com", "b.com") if request.query == "capital France" else hits("c.com")
        return Answer(hits=found, cost=0.25)

    one = Backend("one", answer)
    found = await searching(one, thin_retry=True).search(ask(query="what is the capital of France"))
    assert urls(found.hits) == ["a.com", "b.com"]
    assert found.cost == 0.5
    assert "one was asked again without small words, since it found hardly anything" in found.notes
    assert [request.query for request in one.asked] == ["what is the capital of France", "capital France"]


@pytest.mark.parametrize(
    ("query", "thin_retry"),
    [
        ("what is the capital of France", False),
        ("capital France", True),
        ('"the capital of France"', True),
        ("the a", True),
    ],
)
async def test_otherwise_a_thin_answer_stands(query: str, thin_retry: bool, searching: Make) -> None:
    one = Backend("one", hits("c.com"))
    found = await searching(one, thin_retry=thin_retry).search(ask(query=query))
    assert urls(found.hits) == ["c.com"]
    assert len(one.asked) == 1


async def test_a_retry_that_finds_no_more_or_fails_changes_nothing_but_the_cost(searching: Make) -> None:
    thinner = Backend("one", Answer(hits=hits("c.com"), cost=0.25), Answer(cost=0.25))
    found = await searching(thinner, thin_retry=True).search(ask(query="the capital of France"))
    assert (urls(found.hits), found.cost, found.notes) == (["c.com"], 0.5, ())
    failing = Backend("one", hits("c.com"), ServerFailed())
    found = await searching(failing, thin_retry=True).search(ask(query="the capital of France"))
    assert (urls(found.hits), found.notes) == (["c.com"], ())


async def test_domains_become_site_operators_split_over_several_queries(searching: Make) -> None:
    def answer(request: SearchRequest) -> Answer:
        sites = [word.strip("()").removeprefix("site:") for word in request.query.split() if "site:" in word]
        return Answer(hits=hits(*(f"{site}/1" for site in sites), "elsewhere.org"), cost=0.5)

    one = Backend("one", answer, max_site_operators=2, paid=True)
    domains = ("a.com", "b.com", "c.com")
    found = await searching(one).search(ask(query="tea", allowed_domains=domains))
    assert {url.split("/")[0] for url in urls(found.hits)} == set(domains)
    assert found.cost == 1.0
    assert sorted(request.query for request in one.asked) == ["tea (site:a.com OR site:c.com)", "tea site:b.com"]


async def test_some_of_several_queries_may_fail_and_it_is_said(searching: Make) -> None:
    one = Backend("one", ServerFailed(), Answer(hits=hits("b.com/1")), max_site_operators=1)
    found = await searching(one).search(ask(allowed_domains=("a.com", "b.com")))
    assert urls(found.hits) == ["b.com/1"]
    assert "one: 1 of its 2 queries failed (server)" in found.notes
    nobody = Backend("one", ServerFailed(), max_site_operators=1)
    with pytest.raises(AllSourcesFailed) as refused:
        await searching(nobody).search(ask(allowed_domains=("a.com", "b.com")))
    assert refused.value.code is Code.SERVER


async def test_a_query_that_said_when_to_come_back_rests_its_backend_for_so_long(searching: Make) -> None:
    one = Backend("one", RateLimited(retry_after=34), Answer(hits=hits("b.com/1")), max_site_operators=1)
    made = searching(one)
    assert urls((await made.search(ask(allowed_domains=("a.com", "b.com")))).hits) == ["b.com/1"]
    assert made.sources["one"].standing == "resting: rate_limited, 34 s"


async def test_an_answer_without_somebody_who_may_be_back_soon_is_kept_briefly(searching: Make) -> None:
    asked = searching(
        Backend("one", ServerFailed(), hits("one.com")), Backend("two", hits("two.com")), negative_ttl_s=0
    )
    assert urls((await asked.search(ask())).hits) == ["two.com"]
    again = await asked.search(ask())
    assert (urls(again.hits), again.cached) == (["one.com"], False)


async def test_that_a_narrow_backend_found_nothing_is_no_answer_when_the_others_failed(searching: Make) -> None:
    shelf = Backend("shelf", (), is_corpus=True)
    with pytest.raises(AllSourcesFailed) as refused:
        await searching(Backend("one", ServerFailed()), shelf).search(ask())
    assert [failure.source for failure in refused.value.failures] == ["one"]
    assert (await searching(Backend("one", ()), shelf).search(ask())).hits == ()
    assert (await searching(shelf).search(ask())).hits == ()


@pytest.mark.parametrize("query", ["what is the capital of France"])
async def test_an_answer_as_full_as_was_asked_is_not_thin(query: str, searching: Make) -> None:
    one = Backend("one", hits("c.com"))
    await searching(one, thin_retry=True).search(ask(query=query, max_results=1))
    assert len(one.asked) == 1


async def test_a_challenge_tells_more_than_another_parts_failure(searching: Make) -> None:
    one = Backend("one", ServerFailed(), BlockedBySite(), max_site_operators=1)
    asked = searching(one)
    with pytest.raises(AllSourcesFailed) as refused:
        await asked.search(ask(allowed_domains=("a.com", "b.com")))
    assert refused.value.code is Code.BLOCKED_BY_SITE
    assert states(asked) == {"one": "open"}


async def test_a_part_without_a_turn_does_not_end_the_others(searching: Make) -> None:
    one = Backend("one", RateBudgetExceeded(retry_after=5), hits("b.com"), max_site_operators=1)
    found = await searching(one).search(ask(allowed_domains=("a.com", "b.com")))
    assert urls(found.hits) == ["b.com"]


async def test_a_bug_in_one_part_is_logged_without_what_it_says(
    searching: Make, caplog: pytest.LogCaptureFixture
) -> None:
    one = Backend("one", ValueError("secret a"), ValueError("secret b"), max_site_operators=1)
    with pytest.raises(AllSourcesFailed):
        await searching(one).search(ask(allowed_domains=("a.com", "b.com")))
    assert "secret" not in caplog.text


async def test_one_that_hangs_leaves_the_next_one_time() -> None:
    seen: list[float] = []
    clock = TurnedClock()

    def slow(request: SearchRequest) -> Answer:
        seen.append((request.caller.deadline or 0) - clock.monotonic())
        clock.passed = seen[0]
        raise TimedOut

    one, two = Backend("one", slow), Backend("two", hits("two.com"))
    searching = Searcher((one, two), Guards(settings(), clock, Told()), MemoryStore(clock, 1_000_000))
    caller = Caller(deadline=clock.monotonic() + 10)
    assert urls((await searching.search(ask(caller=caller))).hits) == ["two.com"]
    assert 4 < seen[0] <= 5


async def test_other_settings_of_a_backend_are_other_answers() -> None:
    clock, store = TurnedClock(), MemoryStore(TurnedClock(), 1_000_000)
    for revision, host in (("a", "one.com"), ("b", "two.com")):
        guards = Guards(settings(), clock, Told(), revision=lambda _, revision=revision: revision)
        searching = Searcher((Backend("one", hits(host)),), guards, store)
        assert urls((await searching.search(ask())).hits) == [host]


@pytest.mark.parametrize(("strategy", "others"), [("fuse", 3), ("fuse", 2), ("fallback", 2)])
async def test_who_is_asked_at_once_leaves_time_to_those_who_wait(strategy: str, others: int) -> None:
    seen: list[float] = []
    clock = TurnedClock()

    def look(request: SearchRequest) -> Answer:
        seen.append((request.caller.deadline or 0) - clock.monotonic())
        return Answer()

    backends = [Backend(f"b{number}", look) for number in range(others)]
    chain = settings(strategy=strategy, fuse=2, backend_timeout_s=20)
    searching = Searcher(backends, Guards(chain, clock, Told()), MemoryStore(clock, 1_000_000))
    await searching.search(ask(caller=Caller(deadline=clock.monotonic() + 10)))
    first_are_halved = others > (2 if strategy == "fuse" else 1)
    assert (seen[0] <= 5) is first_are_halved
    assert seen[-1] > 5
