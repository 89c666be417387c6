"""How Brave is asked: pages, text of pages, keys, what it costs."""

from __future__ import annotations

import pytest

from websearch_brave import request_params
from websearch_brave.backend import NO_TEXT
from websearch_brave.results import ALTERED
from websearch_core import Caller, SearchRequest
from websearch_core.kit import AuthFailed, InvalidRequest, RateLimited, ServerFailed, UnexpectedResponse
from websearch_core.testing.site import answer

WEB, NEWS, IMAGES, TEXT = (f"/res/v1/{path}" for path in ("web/search", "news/search", "images/search", "llm/context"))


def rows(start, count):
    return [{"url": f"https://example.com/{n}", "title": f"Title {n}"} for n in range(start, start + count)]


def page(results, more=None, **query):
    said = {"original": "asyncio", **query} | ({} if more is None else {"more_results_available": more})
    return {"type": "search", "query": said, "web": {"type": "search", "results": results}}


def pages(*answers):
    """A Brave whose pages of web results are these."""

    def handle(request):
        return answer(json=answers[int(request.query.get("offset", 0))])

    return handle


def code(status, said):
    return answer(status, json={"type": "ErrorResponse", "error": {"code": said, "status": status, "meta": {}}})


async def test_one_page_is_one_request_with_the_key_in_its_header(site, ask, sample):
    site.route(WEB, answer(json=sample("web")))
    found = await ask(max_results=20)
    assert len(found.hits) == 20
    [request] = site.requests
    assert (request.method, request.path) == ("GET", WEB)
    assert request.headers["x-subscription-token"] == "BSA-test"
    assert "offset" not in request.query
    assert "api-version" not in request.headers
    assert (found.units, found.cost, found.notes) == (1, pytest.approx(0.005), ())


async def test_more_results_take_more_pages_and_each_is_paid_for(site, ask):
    site.route(WEB, pages(page(rows(0, 20), True), page(rows(20, 20), True), page(rows(40, 20), True)))
    found = await ask(max_results=50)
    assert [hit.title for hit in found.hits] == [f"Title {n}" for n in range(50)]
    assert [request.query.get("offset", "0") for request in site.requests] == ["0", "1", "2"]
    assert {request.query["count"] for request in site.requests} == {"20"}
    assert (found.units, found.cost) == (3, pytest.approx(0.015))


async def test_what_pages_have_in_common_counts_once(site, ask):
    site.route(WEB, pages(page(rows(0, 20), True), page(rows(10, 20), True), page(rows(30, 20), True)))
    found = await ask(max_results=40)
    assert [hit.title for hit in found.hits] == [f"Title {n}" for n in range(40)]


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        (page(rows(0, 20), False), 1),
        (page(rows(0, 7), False), 1),
        (page(rows(0, 7), True), 2),
        (page(rows(0, 7)), 1),
        (page(rows(0, 20)), 2),
        (page([], True), 1),
    ],
)
async def test_no_page_is_asked_for_that_is_not_there(site, ask, first, asked):
    site.route(WEB, pages(first, page(rows(20, 5), False)))
    found = await ask(max_results=50)
    assert len(site.requests) == found.units == asked


async def test_a_page_that_brings_nothing_new_is_the_last(site, ask):
    site.route(WEB, answer(json=page(rows(0, 20), True)))
    found = await ask(max_results=50)
    assert (len(found.hits), len(site.requests)) == (20, 2)


@pytest.mark.parametrize(
    ("second", "note", "units"),
    [
        (answer(500), "Brave: page 2 of the results failed (server)", 1),
        (answer(json={"type": "search"}), "Brave: page 2 of the results failed (drift)", 2),
    ],
)
async def test_a_later_page_that_fails_costs_only_itself(site, ask, second, note, units):
    site.route(WEB, lambda request: second if "offset" in request.query else answer(json=page(rows(0, 20), True)))
    found = await ask(max_results=50)
    assert len(found.hits) == 20
    assert (found.notes, found.units) == ((note,), units)


async def test_a_first_page_that_fails_is_a_failure(site, ask):
    site.route(WEB, answer(500))
    with pytest.raises(ServerFailed):
        await ask()
    assert len(site.requests) == 1


async def test_no_page_is_begun_that_would_miss_the_deadline(site, ask, clock):
    def handle(request):
        clock.advance(3)
        return answer(json=page(rows(20 * int(request.query.get("offset", 0)), 20), True))

    site.route(WEB, handle)
    found = await ask(max_results=50, caller=Caller(deadline=clock.monotonic() + 5))
    assert (len(found.hits), len(site.requests)) == (20, 1)


async def test_news_and_pictures_come_in_one_page(site, ask, sample):
    site.route(NEWS, answer(json=sample("news")))
    site.route(IMAGES, answer(json=sample("images")))
    assert len((await ask(vertical="news", max_results=50)).hits) == 20
    assert len((await ask(vertical="images", max_results=50)).hits) == 20
    assert [request.query["count"] for request in site.requests] == ["50", "50"]


@pytest.mark.parametrize("vertical", ["web", "news", "images"])
async def test_nothing_found_is_an_empty_answer_that_is_paid_for(site, ask, vertical):
    empty = {
        "web": page([], False),
        "news": {"type": "news", "results": []},
        "images": {"type": "images", "results": []},
    }
    site.route("/res/v1/*", answer(json=empty[vertical]))
    found = await ask(vertical=vertical)
    assert (found.hits, found.units) == ((), 1)


async def test_a_query_that_brave_altered_is_told_without_its_words(site, ask):
    site.route(WEB, answer(json=page(rows(0, 3), False, altered="python")))
    assert (await ask()).notes == (ALTERED,)


async def test_notes_are_said_once(site, ask):
    site.route(WEB, pages(page(rows(0, 20), True, altered="x"), page(rows(20, 20), False, altered="x")))
    assert (await ask("!g python", max_results=40)).notes == (request_params.BANGS, ALTERED)


async def test_the_price_is_the_operators(site, make):
    site.route(WEB, answer(json=page(rows(0, 3), False)))
    found = await make(usd_per_unit=0.009).search(SearchRequest(query="x"))
    assert (found.cost, found.units) == (pytest.approx(0.009), 1)


async def test_goggles_are_sent_as_several_parameters(site, make):
    site.route(WEB, answer(json=page(rows(0, 3), False)))
    mine = ("https://example.com/a.goggle", "https://example.com/b.goggle")
    await make(goggles=mine).search(SearchRequest(query="x", goggle="https://example.com/lens.goggle"))
    assert site.requests[0].target.count("goggles=https%3A%2F%2Fexample.com%2F") == 3
    assert site.requests[0].target.index("lens.goggle") < site.requests[0].target.index("a.goggle")


async def test_a_period_without_a_day_costs_no_request(site, ask):
    with pytest.raises(InvalidRequest):
        await ask(time_range="day", end_published_date="2020-01-01T00:00:00Z")
    assert site.requests == []


async def test_text_of_pages_comes_from_llm_context(site, ask, sample):
    site.route(TEXT, answer(json=sample("llm_context")))
    found = await ask(content_mode="text", max_results=3, max_content_chars=5000, language="de", time_range="week")
    assert [bool(hit.body) for hit in found.hits] == [True, True, True]
    [request] = site.requests
    assert request.query["maximum_number_of_urls"] == "3"
    assert (request.query["search_lang"], request.query["country"], request.query["freshness"]) == ("de", "ALL", "pw")
    assert "count" in request.query
    assert "result_filter" not in request.query
    assert (found.units, found.cost, found.notes) == (1, pytest.approx(0.005), ())


async def test_text_that_is_not_there_is_an_empty_answer(site, ask):
    site.route(TEXT, answer(json={"grounding": {"generic": [], "map": []}, "sources": {}}))
    assert (await ask(content_mode="text")).hits == ()


NOT_IN_PLAN = {
    "documented and seen": code(400, "OPTION_NOT_IN_PLAN"),
    "documented": code(403, "RESOURCE_NOT_ALLOWED"),
    "documented, too": code(404, "SUBSCRIPTION_NOT_FOUND"),
    "unauthorized": answer(401, json={}),
    "forbidden": answer(403, "Forbidden"),
    "another plan's key": code(422, "SUBSCRIPTION_TOKEN_INVALID"),
}


@pytest.mark.parametrize("name", NOT_IN_PLAN)
async def test_a_plan_without_llm_context_gives_excerpts_in_the_same_call(site, ask, sample, name):
    site.route(TEXT, NOT_IN_PLAN[name])
    site.route(WEB, answer(json=sample("web")))
    found = await ask(content_mode="text", max_results=5, safesearch="strict")
    assert len(found.hits) == 5
    assert all(hit.snippet and not hit.body for hit in found.hits)
    assert found.notes == (NO_TEXT,)
    assert [request.path for request in site.requests] == [TEXT, WEB]
    assert site.requests[1].query["safesearch"] == "strict"
    assert found.units == 1


async def test_llm_context_is_left_alone_for_an_hour_when_the_plan_lacks_it(site, ask, sample, clock):
    site.route(TEXT, code(400, "OPTION_NOT_IN_PLAN"))
    site.route(WEB, answer(json=sample("web")))
    await ask(content_mode="text")
    clock.advance(3599)
    assert (await ask(content_mode="text")).notes == (NO_TEXT,)
    assert [request.path for request in site.requests] == [TEXT, WEB, WEB]
    site.route(TEXT, answer(json=sample("llm_context")))
    clock.advance(2)
    found = await ask(content_mode="text")
    assert (site.requests[-1].path, found.notes, bool(found.hits[0].body)) == (TEXT, (), True)


async def test_a_key_that_is_bad_everywhere_is_a_bad_key(site, ask):
    site.route("/res/v1/*", code(422, "SUBSCRIPTION_TOKEN_INVALID"))
    with pytest.raises(AuthFailed):
        await ask(content_mode="text")


FAILURES = {
    "a bad argument": (code(422, "VALIDATION"), InvalidRequest),
    "a failure": (answer(500), ServerFailed),
    "another form": (answer(json={}), UnexpectedResponse),
    "the rate": (answer(429, json={}, headers={"retry-after": "3600"}), RateLimited),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_what_is_no_matter_of_the_plan_is_a_failure_of_llm_context(site, ask, sample, name):
    said, expected = FAILURES[name]
    site.route(TEXT, said)
    site.route(WEB, answer(json=sample("web")))
    with pytest.raises(expected):
        await ask(content_mode="text")
    assert WEB not in [request.path for request in site.requests]


async def test_without_llm_context_it_is_never_asked(site, make, sample):
    site.route(WEB, answer(json=sample("web")))
    backend = make(llm_context=False)
    found = await backend.search(SearchRequest(query="x", content_mode="text"))
    assert [request.path for request in site.requests] == [WEB]
    assert found.notes == ()
    assert "content_mode" not in backend.verticals["web"]
    assert "content_mode" in make().verticals["web"]


async def test_several_keys_are_used_in_turn(site, make):
    site.route(WEB, answer(json=page(rows(0, 3), False)))
    backend = make(api_key="one, two")
    for _ in range(2):
        await backend.search(SearchRequest(query="x"))
    assert {request.headers["x-subscription-token"] for request in site.requests} == {"one", "two"}


async def test_keys_that_may_not_read_text_still_search(site, make, sample):
    site.route(TEXT, code(422, "SUBSCRIPTION_TOKEN_INVALID"))
    site.route(WEB, answer(json=sample("web")))
    found = await make(api_key="one, two").search(SearchRequest(query="x", content_mode="text"))
    assert found.notes == (NO_TEXT,)
    assert found.hits


@pytest.mark.parametrize(
    ("fields", "units"),
    [({"max_results": 20}, 1), ({"max_results": 21}, 3), ({"max_results": 50}, 4), ({"vertical": "news"}, 1)],
)
async def test_what_a_request_takes_at_most_is_known_before(make, fields, units):
    assert make().units_for(SearchRequest(query="x", **fields)) == units


async def test_no_more_pages_are_walked_than_were_held_back(site, ask):
    site.route(WEB, lambda request: answer(json=page(rows(int(request.query.get("offset", 0)), 1), True)))
    found = await ask(max_results=50)
    assert (found.units, len(found.hits)) == (4, 4)


async def test_what_a_later_page_met_is_told(site, ask):
    site.route(WEB, lambda request: answer(429) if "offset" in request.query else answer(json=page(rows(0, 20), True)))
    assert (await ask(max_results=40)).trouble == "rate_limited"
