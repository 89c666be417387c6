"""The backend against a loopback server that answers like Serper."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import SearchRequest
from websearch_core.kit import (
    AuthFailed,
    InvalidRequest,
    NotFound,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    UnexpectedResponse,
)
from websearch_core.testing.fakes import context
from websearch_core.testing.site import LoopbackSite, answer
from websearch_serper.plugin import websearch_search_backends
from websearch_serper.request_params import body

SAMPLES = Path(__file__).with_name("samples")
KEY = "serper-key-0123"


def sample(name):
    return json.loads((SAMPLES / name).read_text())


@pytest.fixture
async def site():
    async with LoopbackSite() as site:
        site.route("POST /search", answer(json=sample("web.json")))
        site.route("POST /news", answer(json=sample("news.json")))
        site.route("POST /images", answer(json=sample("images.json")))
        yield site


@pytest.fixture
async def search(site):
    [backend] = websearch_search_backends(context("serper", {"api_key": KEY, "base_url": site.url}))

    async def search(**fields):
        return await backend.search(SearchRequest(**{"query": "google search", **fields}))

    yield search
    await backend.aclose()


async def test_web_pages(search):
    found = await search()
    assert [hit.url for hit in found.hits] == [
        "https://www.google.com/?gws_rd=ssl",
        "https://www.google.com/search/about/",
        "https://www.example.org/new",
    ]
    first, dated, recent = found.hits
    assert (first.title, first.age_text, first.published) == ("Google", "", None)
    assert first.snippet == "Search the world's information, including webpages, images, videos and more."
    assert (dated.age_text, dated.published) == ("Aug 31, 2022", datetime(2022, 8, 31, tzinfo=UTC))
    assert (recent.age_text, recent.published) == ("3 days ago", None)
    assert (found.cost, found.units, found.notes) == (0.001, 1, ())


async def test_news(search):
    found = await search(vertical="news")
    assert [(hit.age_text, hit.published) for hit in found.hits] == [
        ("2 weeks ago", None),
        ("Jan 5, 2026", datetime(2026, 1, 5, tzinfo=UTC)),
        ("7 hours ago", None),
    ]
    assert found.hits[0].url == "https://scr.zacks.com/news/news-details/2024/ALAR-example"
    assert not any(hit.image or hit.favicon for hit in found.hits)


async def test_pictures_have_their_page_and_an_address_of_their_own(search):
    found = await search(vertical="images")
    assert [(hit.url, hit.title) for hit in found.hits] == [
        ("https://en.wikipedia.org/wiki/Lion", "Lion - Wikipedia"),
        ("https://www.example.net/cubs", "Lion cubs"),
        ("https://www.example.org/lions", "A lion at rest"),
    ]
    assert found.hits[0].image.startswith("https://upload.wikimedia.org/")
    assert found.hits[1].image == "https://encrypted-tbn0.gstatic.com/images?q=tbn:cubs"
    assert (found.units, found.cost) == (2, 0.002)


async def test_no_picture_inside_the_answer_reaches_a_hit(search):
    for vertical in ("web", "news", "images"):
        for hit in (await search(vertical=vertical)).hits:
            assert "base64" not in hit.model_dump_json()


async def test_the_key_and_the_query_are_sent_as_serper_wants_them(site, search):
    await search(max_results=5)
    [request] = site.requests
    assert request.headers["x-api-key"] == KEY
    assert request.json() == {"q": "google search", "num": 5, "autocorrect": False}
    assert KEY not in request.target + request.text


@pytest.mark.parametrize(
    ("said", "asked_for", "units"), [(3, 5, 3), (0, 5, 0), (None, 10, 1), (None, 11, 2), ("x", 50, 2), (-1, 5, 1)]
)
async def test_the_price_is_what_serper_says_else_the_price_list(site, search, said, asked_for, units):
    site.route("POST /search", answer(json={"organic": [], "credits": said}))
    found = await search(max_results=asked_for)
    assert (found.hits, found.units, found.cost) == ((), units, pytest.approx(units * 0.001))


FAILURES = [
    (400, {"message": "Not enough credits", "statusCode": 400}, QuotaExceeded),
    (400, {"message": "not enough credits"}, QuotaExceeded),
    (400, {"message": "Missing query parameter", "statusCode": 400}, InvalidRequest),
    (400, {}, InvalidRequest),
    (401, {"message": "Unauthorized."}, AuthFailed),
    (403, {"message": "Unauthorized.", "statusCode": 403}, AuthFailed),
    (403, {"message": "Not enough credits", "statusCode": 403}, QuotaExceeded),
    (404, {"message": "Not found"}, NotFound),
    (429, {"message": "Too many requests", "statusCode": 429}, RateLimited),
    (500, {"message": "Internal server error", "statusCode": 500}, ServerFailed),
    (200, {"message": "Not enough credits", "statusCode": 400}, QuotaExceeded),
    (200, {"message": "Unauthorized.", "statusCode": 403}, AuthFailed),
    (200, {"message": "Oops", "statusCode": 500}, ServerFailed),
    (200, {"message": "Oops", "statusCode": None}, UnexpectedResponse),
    (200, {"message": "Oops", "statusCode": 200}, UnexpectedResponse),
]


@pytest.mark.parametrize(("status", "told", "kind"), FAILURES)
async def test_each_failure_has_its_class_and_tells_nothing(site, search, status, told, kind):
    site.route("POST /search", answer(status, json={**told, "query": f"{KEY} google search"}))
    with pytest.raises(kind) as caught:
        await search()
    for secret in (KEY, "google search", "Oops", "Unauthorized"):
        assert secret not in str(caught.value)


@pytest.mark.parametrize(("vertical", "field"), [("web", "organic"), ("news", "news"), ("images", "images")])
@pytest.mark.parametrize("value", [None, {}, "none"])
async def test_an_answer_without_its_list_is_drift(site, search, vertical, field, value):
    site.route("/*", answer(json={field: value, "credits": 1}))
    with pytest.raises(UnexpectedResponse) as caught:
        await search(vertical=vertical)
    assert caught.value.field == field


@pytest.mark.parametrize(("vertical", "name"), [("web", "organic"), ("news", "news"), ("images", "images")])
async def test_results_without_addresses_are_drift_and_not_nothing(site, search, vertical, name):
    site.route("/*", answer(json={name: [{"href": "https://example.com/", "title": "T"}], "credits": 1}))
    with pytest.raises(UnexpectedResponse) as caught:
        await search(vertical=vertical)
    assert caught.value.field == f"{name}.link"


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({}, {}),
        ({"time_range": "day"}, {"tbs": "qdr:d"}),
        ({"time_range": "week"}, {"tbs": "qdr:w"}),
        ({"time_range": "month"}, {"tbs": "qdr:m"}),
        ({"time_range": "year"}, {"tbs": "qdr:y"}),
        ({"language": "zh-Hant", "user_location_country": "HK"}, {"hl": "zh-tw", "gl": "hk"}),
        ({"max_results": 50}, {"num": 50}),
        ({"safesearch": "strict", "start_published_date": "2026-01-02T00:00:00Z"}, {}),
    ],
)
def test_each_field_has_its_parameter(fields, sent):
    asked, notes = body(SearchRequest(query="q", **fields))
    assert asked == {"q": "q", "num": 8, "autocorrect": False, **sent}
    assert notes == []


@given(st.text(alphabet="aC:cache -+\"'é", min_size=1, max_size=40).filter(str.strip))
def test_no_query_reaches_googles_copies_and_no_note_holds_the_query(query):
    asked, notes = body(SearchRequest(query=query))
    assert not any(word.lstrip('-+"').lower().startswith("cache:") for word in asked["q"].split())
    changed = asked["q"] != " ".join(query.split())
    assert notes == (["Serper: cache: in the query was taken as a plain word"] if changed else [])


@pytest.mark.parametrize(("wanted", "units"), [(10, 1), (11, 2), (50, 2)])
def test_what_a_request_takes_at_most_is_known_before(wanted, units):
    [backend] = websearch_search_backends(context("serper", {"api_key": KEY}))
    assert backend.units_for(SearchRequest(query="x", max_results=wanted)) == units
