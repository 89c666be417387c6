"""Backend and fetcher against a loopback server that answers like Exa."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest, SearchRequest, StartupError
from websearch_core.contract.errors import MissingSetting
from websearch_core.kit import (
    AuthFailed,
    BlockedBySite,
    InvalidRequest,
    NotFound,
    Paywalled,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    UnexpectedResponse,
    Unsupported,
)
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, answer
from websearch_exa.plugin import ExaSettings, websearch_fetchers, websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
KEY = "exa-key-0123"
ASKED = "https://arxiv.org/abs/2307.06435"


def sample(name):
    return json.loads((SAMPLES / name).read_text())


@pytest.fixture
async def site():
    async with LoopbackSite() as site:
        yield site


@pytest.fixture
async def make(site):
    made = []

    def make(hook, **settings):
        ctx = context("exa", {"api_key": KEY, "base_url": site.url, **settings})
        made.extend(hook(ctx))
        return made[-1]

    yield make
    for component in made:
        await component.aclose()


@pytest.fixture
def search(make):
    async def search(settings=(), **fields):
        backend = make(websearch_search_backends, **dict(settings))
        return await backend.search(SearchRequest(**{"query": "language models", **fields}))

    return search


@pytest.fixture
def fetch(make):
    async def fetch(url=ASKED, settings=(), **fields):
        return await make(websearch_fetchers, **dict(settings)).fetch(FetchRequest(url=url, **fields))

    return fetch


async def test_a_search_becomes_hits_with_their_cost(site, search):
    site.route("POST /search", answer(json=sample("search.json")))
    found = await search()
    assert [hit.url for hit in found.hits] == [
        "https://arxiv.org/pdf/2307.06435.pdf",
        "https://example.com/notes",
        "https://example.org/",
    ]
    first = found.hits[0]
    assert first.title == "A Comprehensive Overview of Large Language Models"
    assert first.snippet == "Such requirements have limited their adoption..."
    assert first.favicon == "https://arxiv.org/favicon.ico"
    assert first.score == pytest.approx(0.46, abs=0.01)
    assert found.hits[1].title == ""
    assert found.hits[1].snippet == "First.\n\nSecond."
    assert (found.cost, found.units) == (0.005, 1)
    assert found.notes == ()


async def test_the_key_is_sent_as_exa_wants_it(site, search):
    site.route("POST /search", answer(json=sample("search.json")))
    await search()
    [request] = site.requests
    assert request.headers["x-api-key"] == KEY
    assert request.json()["type"] == "fast"


async def test_the_operator_chooses_type_and_age(site, search):
    site.route("POST /search", answer(json=sample("search.json")))
    await search(settings={"type": "auto", "max_age_hours": 12})
    body = site.requests[0].json()
    assert (body["type"], body["contents"]["maxAgeHours"]) == ("auto", 12)


async def test_domain_patterns_that_exa_does_not_know_are_mentioned(site, search):
    site.route("POST /search", answer(json=sample("search.json")))
    assert len((await search(allowed_domains=("docs.*",))).notes) == 1
    assert (await search(allowed_domains=("arxiv.org",))).notes == ()


async def test_nothing_found_is_an_empty_answer(site, search):
    site.route("POST /search", answer(json={"results": [], "costDollars": {"total": 0.005}}))
    found = await search()
    assert (found.hits, found.cost) == ((), 0.005)


FAILURES = [
    (400, {"tag": "INVALID_REQUEST_BODY"}, InvalidRequest),
    (400, {"tag": "INVALID_URLS"}, InvalidRequest),
    (400, {"tag": "NUM_RESULTS_EXCEEDED"}, PlanMismatch),
    (400, {"tag": "NO_MORE_CREDITS"}, QuotaExceeded),
    (400, {"error": {"type": "x"}}, InvalidRequest),
    (401, {"tag": "INVALID_API_KEY"}, AuthFailed),
    (402, {"tag": "NO_MORE_CREDITS"}, QuotaExceeded),
    (402, {"tag": "API_KEY_BUDGET_EXCEEDED"}, QuotaExceeded),
    (403, {}, AuthFailed),
    (422, {}, InvalidRequest),
    (429, {}, RateLimited),
    (500, {}, ServerFailed),
    (200, {"tag": "NO_MORE_CREDITS"}, QuotaExceeded),
    (200, {}, ServerFailed),
]


@pytest.mark.parametrize(("status", "body", "error"), FAILURES)
@pytest.mark.parametrize("path", ["/search", "/contents"])
async def test_each_failure_has_its_class_and_tells_nothing(site, search, fetch, path, status, body, error):
    told = {"requestId": "r", "error": f"wrong {KEY} language models", **body}
    site.route(f"POST {path}", answer(status, json=told))
    with pytest.raises(error) as caught:
        await (search() if path == "/search" else fetch())
    for secret in (KEY, "language models", "wrong", ASKED):
        assert secret not in str(caught.value)


@pytest.mark.parametrize("path", ["/search", "/contents"])
async def test_a_call_that_may_have_been_charged_is_not_repeated(site, search, fetch, path):
    site.route(f"POST {path}", answer(500, json={}))
    with pytest.raises(ServerFailed):
        await (search() if path == "/search" else fetch())
    assert len(site.requests) == 1


def test_exa_says_that_it_costs_money():
    ctx = context("exa", {"api_key": KEY})
    [backend], [fetcher] = websearch_search_backends(ctx), websearch_fetchers(ctx)
    assert (backend.paid, backend.unit, backend.max_results, backend.priority) == (True, "request", 100, 50)
    assert (fetcher.paid, fetcher.unit) == (True, "page")


@pytest.mark.parametrize(("headers", "seconds"), [({}, 1), ({"retry-after": "7"}, 7)])
@pytest.mark.parametrize("path", ["/search", "/contents"])
async def test_exa_counts_by_the_second(site, search, fetch, path, headers, seconds):
    site.route(f"POST {path}", answer(429, json={"error": "rate"}, headers=headers))
    with pytest.raises(RateLimited) as caught:
        await (search() if path == "/search" else fetch())
    assert caught.value.retry_after == seconds


async def test_several_keys_are_used_in_turn(site, search, make):
    site.route("POST /search", answer(json={"results": []}))
    backend = make(websearch_search_backends, api_key=f"{KEY}, another")
    for _ in range(3):
        await backend.search(SearchRequest(query="q"))
    assert {request.headers["x-api-key"] for request in site.requests} == {KEY, "another"}


async def test_no_more_searches_a_second_than_exa_takes(site):
    clock = FakeClock()
    site.route("POST /search", answer(json={"results": []}))
    ctx = context("exa", {"api_key": KEY, "base_url": site.url, "searches_per_second": 2}, clock=clock)
    [backend] = websearch_search_backends(ctx)
    began = clock.monotonic()
    for _ in range(9):
        await backend.search(SearchRequest(query="q"))
    await backend.aclose()
    assert clock.monotonic() - began >= 3.5


RENAMED = b'{"results": [{"link": "https://example.com/", "title": "T"}]}'


@pytest.mark.parametrize("body", [b"<html>", b'{"results": 5}', b"[]", b'"text"', b"{}", RENAMED])
async def test_an_answer_of_another_form_is_drift(site, search, body):
    site.route("POST /search", answer(200, body, content_type="application/json"))
    with pytest.raises(UnexpectedResponse):
        await search()


async def test_a_page_is_read(site, fetch):
    site.route("POST /contents", answer(json=sample("contents.json")))
    page = await fetch()
    assert page.url == ASKED
    assert page.final_url == "https://arxiv.org/pdf/2307.06435.pdf"
    assert page.title == "A Comprehensive Overview of Large Language Models"
    assert page.body.startswith("# A Comprehensive Overview")
    assert [heading.text for heading in page.outline] == ["A Comprehensive Overview", "Introduction"]
    assert page.published is not None
    assert page.fetched_at is not None
    assert not page.truncated
    assert page.bytes_read == len(page.body.encode())
    assert (page.cost, page.units) == (0.001, 1)
    assert site.requests[0].json() == {"urls": [ASKED], "text": True}
    assert site.requests[0].headers["x-api-key"] == KEY


@pytest.mark.parametrize(
    ("asked", "setting", "sent"), [(None, None, None), (None, 2, 2), (0, 2, 0), (-1, None, -1), (7, None, 7)]
)
async def test_the_age_of_a_page_is_the_callers_or_the_operators(site, fetch, asked, setting, sent):
    site.route("POST /contents", answer(json=sample("contents.json")))
    await fetch(settings={} if setting is None else {"max_age_hours": setting}, max_age_hours=asked)
    assert site.requests[0].json().get("maxAgeHours") == sent


async def test_a_long_page_is_cut_between_characters_and_marked(site, fetch):
    row = {"id": ASKED, "url": ASKED, "text": "ä" * 100}
    site.route("POST /contents", answer(json={"results": [row]}))
    page = await fetch(max_bytes=11)
    assert page.body == "äääää\n\n[truncated at 11 bytes]"
    assert page.truncated
    assert site.requests[0].json()["text"] == {"maxCharacters": 11}


@pytest.mark.parametrize(
    ("tag", "http", "error"),
    [
        ("CRAWL_NOT_FOUND", 404, NotFound),
        ("CRAWL_TIMEOUT", None, TimedOut),
        ("CRAWL_LIVECRAWL_TIMEOUT", 408, TimedOut),
        ("LIVECRAWL_TIMEOUT", None, TimedOut),
        ("SOURCE_NOT_AVAILABLE", 403, BlockedBySite),
        ("UNSUPPORTED_URL", None, Unsupported),
        ("CRAWL_UNKNOWN_ERROR", 500, ServerFailed),
        ("CRAWL_UNKNOWN_ERROR", None, ServerFailed),
        ("CRAWL_UNKNOWN_ERROR", 403, BlockedBySite),
        ("CRAWL_HTTP_403", None, BlockedBySite),
        ("CRAWL_HTTP_401", 500, BlockedBySite),
        ("CRAWL_HTTP_402", None, Paywalled),
        ("CRAWL_HTTP_429", None, BlockedBySite),
        ("CRAWL_UNKNOWN_ERROR", 429, BlockedBySite),
        ("CRAWL_HTTP_410", None, NotFound),
        ("CRAWL_HTTP_504", None, TimedOut),
        ("CRAWL_HTTP_503", None, ServerFailed),
        ("CRAWL_HTTP_", None, ServerFailed),
        ("SOMETHING_NEW", None, ServerFailed),
        (None, None, ServerFailed),
    ],
)
async def test_each_state_of_a_page_has_its_class(site, fetch, tag, http, error):
    failed = sample("contents_failed.json")
    failed["statuses"][0]["error"] = {"tag": tag, "httpStatusCode": http}
    site.route("POST /contents", answer(json=failed))
    with pytest.raises(error):
        await fetch()


OTHER = {"id": "https://other.example/", "url": "https://other.example/", "text": "Somebody else's."}


@pytest.mark.parametrize(
    "rows",
    [
        [OTHER, {"id": ASKED, "url": "https://arxiv.org/redirected", "text": "Mine."}],
        [OTHER, {"url": ASKED, "text": "Mine."}],
        [OTHER, {"url": ASKED + "/#part", "text": "Mine."}],
        [OTHER, {"url": ASKED.replace("https://arxiv", "http://ARXIV"), "text": "Mine."}],
    ],
)
async def test_a_page_is_found_by_its_name_not_by_its_place(site, fetch, rows):
    site.route("POST /contents", answer(json={"results": rows}))
    assert (await fetch()).body == "Mine."


async def test_a_redirected_page_is_taken_when_its_status_vouches_for_it(site, fetch):
    moved = {"id": "https://new.example/", "url": "https://new.example/", "text": "Moved."}
    site.route("POST /contents", answer(json={"results": [moved], "statuses": [{"id": ASKED, "status": "success"}]}))
    page = await fetch()
    assert (page.url, page.final_url, page.body) == (ASKED, "https://new.example/", "Moved.")


async def test_another_page_is_never_taken_for_this_one(site, fetch):
    site.route("POST /contents", answer(json={"results": [OTHER]}))
    with pytest.raises(UnexpectedResponse):
        await fetch()
    site.route("POST /contents", answer(json={"results": [{**OTHER, "url": ASKED.upper(), "id": ""}]}))
    with pytest.raises(UnexpectedResponse):
        await fetch()


@pytest.mark.parametrize("rows", [[], [{"id": ASKED, "text": ""}], [{"id": ASKED, "text": None}], [{"id": ASKED}]])
async def test_a_page_without_text_is_not_found(site, fetch, rows):
    site.route("POST /contents", answer(json={"results": rows}))
    with pytest.raises(NotFound):
        await fetch()


async def test_exa_reads_after_the_readers_on_this_machine(make):
    fetcher = make(websearch_fetchers)
    assert (fetcher.remote, fetcher.priority) == (True, 60)
    assert fetcher.can_fetch(FetchRequest(url="https://example.com/"))
    assert not fetcher.can_fetch(FetchRequest(url="ftp://example.com/"))


def test_exa_reads_nothing_when_the_operator_says_so():
    assert list(websearch_fetchers(context("exa", {"api_key": KEY, "fetch": False}))) == []


@pytest.mark.parametrize("hook", [websearch_search_backends, websearch_fetchers])
def test_without_a_key_both_are_off(hook):
    with pytest.raises(MissingSetting) as caught:
        list(hook(context("exa")))
    assert caught.value.names == ("WEBSEARCH_EXA__API_KEY",)


def test_the_usual_variable_is_understood():
    settings = context("exa", environ={"EXA_API_KEY": f" {KEY}\n"}).settings(ExaSettings)
    assert [key.get_secret_value() for key in settings.api_key] == [KEY]
    assert KEY not in repr(settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": "no good\r\nkey"},
        {"api_key": "  "},
        {"type": "slow"},
        {"max_age_hours": -2},
        {"searches_per_second": 0},
        {"kye": 1},
    ],
)
def test_wrong_settings_stop_the_start_without_telling_the_key(settings):
    with pytest.raises(StartupError) as caught:
        context("exa", {"api_key": KEY, **settings}).settings(ExaSettings)
    assert not isinstance(caught.value, MissingSetting)
    assert KEY not in str(caught.value)
    assert "no good" not in str(caught.value)


def test_where_queries_go_is_known():
    ctx = context("exa", {"api_key": KEY})
    list(websearch_search_backends(ctx))
    assert tuple(ctx.origins) == ("https://api.exa.ai",)


@pytest.mark.parametrize("setting", ExaSettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"| `{setting}` |" in (SAMPLES.parents[1] / "README.md").read_text()
