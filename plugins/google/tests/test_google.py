"""The backend against a loopback server that answers like Google."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from websearch_core import Caller, SearchRequest
from websearch_core.kit import AuthFailed, UnexpectedResponse
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, answer
from websearch_google.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
KEY = "google-key-0123"
CX = "0473ef98502d44e18"
TOO_LATE = "Google: there was no time for a further page of results"


def sample(name):
    return json.loads((SAMPLES / name).read_text())


def page(first, count, *, more=True):
    """A page of results, as Google numbers them."""
    items = [{"link": f"https://example.com/{n}", "title": f"Title {n}"} for n in range(first, first + count)]
    return {
        "queries": {"nextPage": [{"startIndex": first + count}]} if more else {},
        "searchInformation": {"totalResults": "1000"},
        "items": items,
    }


@pytest.fixture
async def site():
    async with LoopbackSite() as site:
        yield site


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
async def search(site, clock):
    ctx = context("google", {"api_key": KEY, "cx": CX, "base_url": site.url}, clock=clock)
    [backend] = websearch_search_backends(ctx)

    async def search(**fields):
        return await backend.search(SearchRequest(**{"query": "lectures", **fields}))

    yield search
    await backend.aclose()


async def test_a_recorded_answer_becomes_hits_with_its_price(site, search):
    site.route("/*", answer(json=sample("web.json")))
    found = await search(max_results=10)
    assert len(found.hits) == 10
    first = found.hits[0]
    assert (first.url, first.title) == ("https://www.feynmanlectures.caltech.edu/", "The Feynman Lectures on Physics")
    assert first.snippet.startswith("This edition has been designed for ease of reading")
    assert (first.published, first.age_text) == (None, "")
    assert (found.cost, found.units, found.notes) == (0.005, 1, ())


async def test_the_age_before_a_snippet_is_taken_from_it(site, search):
    site.route("/*", answer(json=sample("web.json")))
    [dated] = [hit for hit in (await search(max_results=10)).hits if hit.age_text]
    assert dated.url.startswith("https://community.canvaslms.com/")
    assert dated.age_text == "Mar 19, 2020"
    assert dated.snippet.startswith("I believe the issue is")
    assert dated.published == datetime(2020, 3, 19, 15, 50, 3, 409000, tzinfo=UTC)


async def test_the_key_and_the_engine_are_sent_as_google_wants_them(site, search):
    site.route("/*", answer(json=sample("web.json")))
    await search(max_results=4)
    [request] = site.requests
    assert request.query == {"cx": CX, "q": "lectures", "num": "4", "start": "1", "key": KEY}
    assert request.method == "GET"


async def test_pictures_have_their_page_and_their_own_address(site, search):
    site.route("/*", answer(json=sample("images.json")))
    found = await search(vertical="images")
    assert [hit.url for hit in found.hits] == [
        "https://en.wikipedia.org/wiki/Lion",
        "https://www.example.org/lions",
        "https://www.example.net/cubs",
    ]
    assert found.hits[0].image == "https://upload.wikimedia.org/wikipedia/commons/7/73/Lion_waiting_in_Namibia.jpg"
    assert (found.hits[0].title, found.hits[0].snippet) == ("Lion - Wikipedia", "")
    assert found.hits[1].snippet == "A male lion rests in the shade of an acacia."
    assert site.requests[0].query["searchType"] == "image"


async def test_news_are_web_pages_with_recent_ones_preferred_and_say_so(site, search):
    site.route("/*", answer(json=sample("web.json")))
    found = await search(vertical="news")
    assert found.notes == (
        "Google: Programmable Search has no news search; these are web pages, recent ones preferred",
    )
    assert site.requests[0].query["sort"] == "date:d:s"


async def test_pages_are_walked_and_each_is_a_paid_request(site, search):
    site.route("/*", lambda request: answer(json=page(int(request.query["start"]), int(request.query["num"]))))
    found = await search(max_results=23)
    assert [hit.url for hit in found.hits] == [f"https://example.com/{n}" for n in range(1, 24)]
    assert [(r.query["start"], r.query["num"]) for r in site.requests] == [("1", "10"), ("11", "10"), ("21", "3")]
    assert (found.units, found.cost) == (3, pytest.approx(0.015))


async def test_no_page_is_bought_after_the_last(site, search):
    site.route("/*", answer(json=page(1, 10, more=False)))
    found = await search(max_results=30)
    assert (len(found.hits), found.units, len(site.requests)) == (10, 1, 1)


@pytest.mark.parametrize(
    ("bad", "code", "paid"),
    [
        (answer(429, json={}), "rate_limited", 1),
        (answer(500, "no"), "server", 1),
        (answer(200, "{}"), "drift", 2),
        (answer(403, json={}), "auth", 1),
    ],
)
async def test_a_later_page_that_fails_costs_only_itself(site, search, bad, code, paid):
    site.route("/*", lambda request: answer(json=page(1, 10)) if request.query["start"] == "1" else bad)
    found = await search(max_results=20)
    assert (len(found.hits), found.units, found.cost, found.trouble) == (10, paid, paid * 0.005, code)
    assert found.notes == (f"Google: page 2 of the results failed ({code})",)


async def test_a_first_page_that_fails_is_the_failure(site, search):
    site.route("/*", answer(403, json={}))
    with pytest.raises(AuthFailed):
        await search(max_results=20)


async def test_no_further_page_is_asked_for_when_it_would_come_too_late(site, search, clock):
    def slow(request):
        clock.advance(3)
        return answer(json=page(int(request.query["start"]), 10))

    site.route("/*", slow)
    found = await search(max_results=30, caller=Caller(deadline=clock.monotonic() + 8))
    assert (len(found.hits), len(site.requests), found.notes) == (20, 2, (TOO_LATE,))
    found = await search(max_results=20, caller=Caller(deadline=clock.monotonic() + 8))
    assert (len(found.hits), found.notes) == (20, ())


async def test_nothing_found_is_an_empty_answer_that_was_paid_for(site, search):
    site.route("/*", answer(json={"searchInformation": {"totalResults": "0"}, "queries": {"request": [{}]}}))
    found = await search()
    assert (found.hits, found.units, found.cost) == ((), 1, 0.005)


@pytest.mark.parametrize(
    "body",
    [
        {"searchInformation": {"totalResults": "12"}},
        {"searchInformation": {"totalResults": "none"}},
        {"searchInformation": {}},
        {"items": None, "searchInformation": {"totalResults": "0"}},
        {"items": {}},
    ],
)
async def test_missing_results_are_drift_unless_google_says_that_there_are_none(site, search, body):
    site.route("/*", answer(json=body))
    with pytest.raises(UnexpectedResponse) as caught:
        await search()
    assert caught.value.field == "items"


async def test_results_without_addresses_are_drift_and_not_nothing(site, search):
    site.route("/*", answer(json={"items": [{"url": "https://example.com/", "title": "T"}]}))
    with pytest.raises(UnexpectedResponse) as caught:
        await search()
    assert caught.value.field == "items.link"


@pytest.mark.parametrize(
    ("today", "words"),
    [
        (datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), "Google ends the Custom Search JSON API on 2027-01-01"),
        (datetime(2027, 1, 1, tzinfo=UTC), "Google announced the end of the Custom Search JSON API for 2027-01-01"),
    ],
)
async def test_the_start_warns_that_the_service_ends(caplog, today, words):
    ctx = context("google", {"api_key": KEY, "cx": CX}, clock=FakeClock(now=today.timestamp()))
    [backend] = websearch_search_backends(ctx)
    await backend.start()
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(words)


async def test_after_the_end_google_is_still_tried(site, search, clock):
    clock.advance(datetime(2027, 6, 1, tzinfo=UTC).timestamp() - clock.now())
    site.route("/*", answer(json=sample("web.json")))
    assert (await search()).hits


@pytest.mark.parametrize(("wanted", "units"), [(1, 1), (10, 1), (11, 2), (50, 5)])
def test_what_a_request_takes_at_most_is_known_before(wanted, units):
    [backend] = websearch_search_backends(context("google", {"api_key": KEY, "cx": CX}))
    assert backend.units_for(SearchRequest(query="x", max_results=wanted)) == units


async def test_what_a_later_page_met_is_told(site, search):
    site.route("/*", lambda request: answer(json=sample("web.json")) if request.query["start"] == "1" else answer(429))
    assert (await search(max_results=20)).trouble == "rate_limited"
