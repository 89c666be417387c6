"""The backend against a loopback server that answers like SearchApi."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from websearch_core import Caller, SearchRequest
from websearch_core.kit import (
    AuthFailed,
    InvalidRequest,
    NotFound,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    UnexpectedResponse,
)
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, answer
from websearch_searchapi.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
KEY = "searchapi-key-0123"
NOTHING = {"search_metadata": {"status": "Success"}, "error": "Google didn't return any results."}
MONTH = {"error": "You have used all of the searches for the month. Please upgrade your plan on SearchApi.io."}
TOO_LATE = "SearchApi: there was no time for a further page of results"


def sample(name):
    return json.loads((SAMPLES / name).read_text())


def page(number, count=10, *, more=True):
    """A page of results, as SearchApi numbers them."""
    rows = [{"link": f"https://example.com/{number}-{n}", "title": "T"} for n in range(count)]
    return {"organic_results": rows, "pagination": {"current": number, **({"next": "https://x.test"} if more else {})}}


@pytest.fixture
async def site():
    async with LoopbackSite() as site:
        yield site


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
async def search(site, clock):
    ctx = context("searchapi", {"api_key": KEY, "base_url": f"{site.url}/api/v1"}, clock=clock)
    [backend] = websearch_search_backends(ctx)

    async def search(**fields):
        return await backend.search(SearchRequest(**{"query": "chatgpt", **fields}))

    yield search
    await backend.aclose()


async def test_a_recorded_answer_becomes_hits_with_its_price(site, search):
    site.route("/*", answer(json=sample("web.json")))
    found = await search()
    assert len(found.hits) == 6
    first = found.hits[0]
    assert (first.url, first.title) == ("https://openai.com/chatgpt/", "ChatGPT | OpenAI")
    assert first.snippet.startswith("ChatGPT helps you get answers")
    [dated] = [hit for hit in found.hits if hit.age_text]
    assert (dated.age_text, dated.published) == ("Jun 17, 2024", datetime(2024, 6, 17, tzinfo=UTC))
    assert (found.cost, found.units, found.notes) == (0.004, 1, ())


@pytest.mark.parametrize(("vertical", "name"), [("web", "web.json"), ("news", "news.json"), ("images", "images.json")])
async def test_no_picture_inside_the_answer_reaches_a_hit(site, search, vertical, name):
    assert ";base64," in (SAMPLES / name).read_text()
    site.route("/*", answer(json=sample(name)))
    for hit in (await search(vertical=vertical)).hits:
        assert "base64" not in hit.model_dump_json()


async def test_news_have_the_moment_that_searchapi_reckons_and_googles_words(site, search):
    site.route("/*", answer(json=sample("news.json")))
    found = await search(vertical="news")
    assert [(hit.age_text, hit.published) for hit in found.hits] == [
        ("15 hours ago", datetime(2026, 1, 4, 19, tzinfo=UTC)),
        ("Jan 2, 2026", datetime(2026, 1, 2, tzinfo=UTC)),
        ("3 days ago", None),
    ]
    assert [hit.favicon for hit in found.hits] == ["", "", "https://news.example.org/favicon.ico"]
    assert site.requests[0].query["engine"] == "google_news"


async def test_pictures_have_their_page_and_an_address_of_their_own(site, search):
    site.route("/*", answer(json=sample("images.json")))
    found = await search(vertical="images")
    assert len(found.hits) == 5
    assert found.hits[0].url == "https://en.wikipedia.org/wiki/ChatGPT"
    assert found.hits[0].image == "https://upload.wikimedia.org/wikipedia/commons/e/ef/ChatGPT-Logo.svg"
    assert found.hits[4].url == "https://www.example.org/page"
    assert found.hits[4].image == "https://encrypted-tbn0.gstatic.com/images?q=tbn:five"
    assert site.requests[0].query["engine"] == "google_images"


async def test_the_key_and_the_query_are_sent_as_searchapi_wants_them(site, search):
    site.route("/*", answer(json=sample("web.json")))
    await search()
    [request] = site.requests
    assert (request.method, request.path) == ("GET", "/api/v1/search")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.query == {"engine": "google", "q": "chatgpt", "nfpr": "1", "page": "1"}


async def test_as_many_pages_are_bought_as_so_many_results_need(site, search):
    site.route("/*", lambda request: answer(json=page(int(request.query["page"]))))
    found = await search(max_results=23)
    assert [r.query["page"] for r in site.requests] == ["1", "2", "3"]
    assert (len(found.hits), found.units, found.cost) == (23, 3, pytest.approx(0.012))
    assert found.hits[22].url == "https://example.com/3-2"


@pytest.mark.parametrize(("wanted", "pages"), [(1, 1), (6, 1), (8, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
async def test_no_page_is_bought_to_make_up_for_short_ones(site, search, wanted, pages):
    site.route("/*", lambda request: answer(json=page(int(request.query["page"]), 6)))
    found = await search(max_results=wanted)
    assert (len(site.requests), found.units, len(found.hits)) == (pages, pages, min(wanted, 6 * pages))


@pytest.mark.parametrize(
    ("first", "hits"), [(page(1, 30), 30), (page(1, more=False), 10), ({**page(1), "pagination": None}, 10)]
)
async def test_no_page_is_bought_that_is_not_needed_or_not_there(site, search, first, hits):
    site.route("/*", answer(json=first))
    found = await search(max_results=30)
    assert (len(found.hits), len(site.requests)) == (hits, 1)


@pytest.mark.parametrize(
    ("bad", "code", "paid"),
    [
        (answer(429, json=MONTH), "quota", 1),
        (answer(500, "no"), "server", 1),
        (answer(200, "{}"), "drift", 2),
        (answer(401, json={}), "auth", 1),
    ],
)
async def test_a_later_page_that_fails_costs_only_itself(site, search, bad, code, paid):
    site.route("/*", lambda request: answer(json=page(1)) if request.query["page"] == "1" else bad)
    found = await search(max_results=20)
    assert (len(found.hits), found.units, found.trouble) == (10, paid, code)
    assert found.notes == (f"SearchApi: page 2 of the results failed ({code})",)


async def test_an_empty_later_page_ends_the_search(site, search):
    site.route("/*", lambda request: answer(json=page(1) if request.query["page"] == "1" else NOTHING))
    found = await search(max_results=30)
    assert (len(found.hits), found.units, found.notes) == (10, 2, ())


async def test_no_further_page_is_asked_for_when_it_would_come_too_late(site, search, clock):
    def slow(request):
        clock.advance(3)
        return answer(json=page(int(request.query["page"])))

    site.route("/*", slow)
    found = await search(max_results=30, caller=Caller(deadline=clock.monotonic() + 8))
    assert (len(found.hits), len(site.requests), found.notes) == (20, 2, (TOO_LATE,))
    found = await search(max_results=20, caller=Caller(deadline=clock.monotonic() + 8))
    assert (len(found.hits), found.notes) == (20, ())


@pytest.mark.parametrize(
    "body",
    [
        NOTHING,
        {"error": "Google News didn't return any results."},
        {"search_information": {"total_results": 0}},
        {"organic_results": [], "images": []},
    ],
)
@pytest.mark.parametrize("vertical", ["web", "news", "images"])
async def test_nothing_found_is_an_empty_answer_that_was_paid_for(site, search, body, vertical):
    site.route("/*", answer(json=body))
    found = await search(vertical=vertical)
    assert (found.hits, found.units, found.cost) == ((), 1, 0.004)


@pytest.mark.parametrize(("vertical", "field"), [("web", "organic_results"), ("images", "images")])
@pytest.mark.parametrize("said", [{}, {"search_information": {"total_results": 12}}, {"search_information": None}])
async def test_missing_results_are_drift_unless_searchapi_says_that_there_are_none(site, search, vertical, field, said):
    site.route("/*", answer(json={**said, "search_metadata": {"status": "Success"}}))
    with pytest.raises(UnexpectedResponse) as caught:
        await search(vertical=vertical)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("vertical", "name", "field"),
    [("web", "organic_results", "organic_results.link"), ("images", "images", "images.source.link")],
)
async def test_results_without_addresses_are_drift_and_not_nothing(site, search, vertical, name, field):
    site.route("/*", answer(json={name: [{"url": "https://example.com/", "title": "T"}]}))
    with pytest.raises(UnexpectedResponse) as caught:
        await search(vertical=vertical)
    assert caught.value.field == field


FAILURES = [
    (400, {"error": "Missing required parameter"}, InvalidRequest),
    (401, {"error": "Invalid API key."}, AuthFailed),
    (403, {"error": "Forbidden"}, AuthFailed),
    (404, {"error": "Not found"}, NotFound),
    (429, MONTH, QuotaExceeded),
    (429, {"error": "You are running too many searches."}, RateLimited),
    (429, {}, RateLimited),
    (500, {"error": "Oops"}, ServerFailed),
    (503, {"error": "Oops"}, ServerFailed),
    (200, MONTH, QuotaExceeded),
    (200, {"error": "Invalid API key."}, AuthFailed),
    (200, {"error": "Oops"}, ServerFailed),
    (200, {"error": {"message": "Oops"}}, ServerFailed),
]


@pytest.mark.parametrize(("status", "told", "kind"), FAILURES)
async def test_each_failure_has_its_class_and_tells_nothing(site, search, status, told, kind):
    site.route("/*", answer(status, json={**told, "search_parameters": {"q": f"chatgpt {KEY}"}}))
    with pytest.raises(kind) as caught:
        await search()
    for secret in (KEY, "chatgpt", "Oops", "too many searches"):
        assert secret not in str(caught.value)


@pytest.mark.parametrize("error", [None, "", {}])
async def test_an_error_that_says_nothing_is_none(site, search, error):
    site.route("/*", answer(json={**page(1), "error": error}))
    assert len((await search()).hits) == 8


@pytest.mark.parametrize(("wanted", "units"), [(1, 1), (10, 1), (11, 2), (50, 5)])
def test_what_a_request_takes_at_most_is_known_before(wanted, units):
    [backend] = websearch_search_backends(context("searchapi", {"api_key": KEY}))
    assert backend.units_for(SearchRequest(query="x", max_results=wanted)) == units


async def test_what_a_later_page_met_is_told(site, search):
    site.route("/*", lambda request: answer(json=sample("web.json")) if request.query["page"] == "1" else answer(429))
    assert (await search(max_results=20)).trouble == "rate_limited"
