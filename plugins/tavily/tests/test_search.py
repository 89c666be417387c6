"""The backend against a loopback server that answers like Tavily."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websearch_core import SearchRequest
from websearch_core.kit import (
    AuthFailed,
    BlockedBySite,
    InvalidRequest,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    UnexpectedResponse,
)
from websearch_core.testing.fakes import context
from websearch_core.testing.site import answer
from websearch_tavily.plugin import websearch_search_backends
from websearch_tavily.request_params import NO_PATTERNS

KEYLESS = {"api_key": ""}
RENAMED = b'{"results": [{"link": "https://example.com/", "title": "T"}]}'


async def test_a_recorded_search_becomes_hits(site, search, sample):
    site.route("POST /search", answer(json=sample("search.json")))
    found = await search()
    assert [hit.url for hit in found.hits] == [
        "https://medium.com/ai-agent-insider/pydantic-ai-agent-framework-02b138e8db71",
        "https://ai.pydantic.dev/",
        "https://www.youtube.com/watch?v=-WB0T0XmDrY",
        "https://medium.com/@tahirbalarabe2/what-is-pydantic-ai-15cc81dea3c3",
        "https://www.reddit.com/r/LLMDevs/comments/1iih8az/pydantic_ai/",
    ]
    second = found.hits[1]
    assert second.title == "Pydantic AI - Pydantic AI"
    assert second.snippet.startswith("Pydantic AI is a Python agent framework")
    assert second.score == pytest.approx(0.99997807)
    assert (second.body, second.published, second.favicon) == ("", None, "")
    assert found.notes == ()


@pytest.mark.parametrize(("name", "count"), [("search_two.json", 2), ("search_domains.json", 5)])
async def test_recorded_searches_within_a_domain_are_understood(site, search, sample, name, count):
    site.route("POST /search", answer(json=sample(name)))
    found = await search(allowed_domains=("arxiv.org",))
    assert len(found.hits) == count
    assert all("arxiv.org/" in hit.url and hit.title and hit.snippet for hit in found.hits)


async def test_news_have_dates(site, search, sample):
    site.route("POST /search", answer(json=sample("news.json")))
    found = await search(vertical="news")
    assert [hit.published for hit in found.hits] == [
        datetime(2025, 3, 11, 17, tzinfo=UTC),
        None,
        datetime(2025, 3, 9, tzinfo=UTC),
    ]
    assert found.hits[0].favicon == "https://news.example.com/favicon.ico"
    assert site.requests[0].json()["topic"] == "news"


async def test_the_text_of_a_page_is_the_hits_body_and_without_it_the_snippet_stays(site, search, sample):
    site.route("POST /search", answer(json=sample("text.json")))
    whole, without = (await search(content_mode="text")).hits
    assert whole.body.startswith("# Solar power\n\nSunlight becomes electricity.\n\n| year |")
    assert whole.snippet == ""
    assert (without.body, without.snippet) == ("", "Moving air becomes electricity.")


async def test_text_that_nobody_asked_for_is_left_out(site, search, sample):
    site.route("POST /search", answer(json=sample("text.json")))
    assert [hit.body for hit in (await search()).hits] == ["", ""]


@pytest.mark.parametrize(
    ("usage", "depth", "units"),
    [
        ({"credits": 2}, "basic", 2),
        ({"credits": 0}, "basic", 0),
        ({"credits": "1"}, "advanced", 1),
        ({"credits": -1}, "basic", 1),
        ({"credits": None}, "advanced", 2),
        ({}, "fast", 1),
        (None, "ultra-fast", 1),
        ("2", "basic", 1),
    ],
)
async def test_credits_are_tavilys_word_or_the_price_lists(site, search, sample, usage, depth, units):
    site.route("POST /search", answer(json={**sample("search.json"), "usage": usage}))
    found = await search(settings={"search_depth": depth})
    assert found.units == units
    assert found.cost == pytest.approx(units * 0.008)


async def test_the_price_of_a_credit_is_the_operators(site, search, sample):
    site.route("POST /search", answer(json=sample("news.json")))
    assert (await search(settings={"usd_per_unit": 0.005})).cost == pytest.approx(0.01)


async def test_without_a_key_nothing_is_paid(site, search, sample):
    site.route("POST /search", answer(json=sample("news.json")))
    found = await search(settings=KEYLESS)
    assert (len(found.hits), found.units, found.cost) == (3, None, None)


async def test_domain_patterns_that_tavily_does_not_know_are_mentioned(site, search, sample):
    site.route("POST /search", answer(json=sample("search.json")))
    assert (await search(allowed_domains=("docs.*",))).notes == (NO_PATTERNS,)


DATED = {"start_published_date": "2025-03-01T00:00:00Z"}, {"end_published_date": "2025-04-01T00:00:00Z"}


@pytest.mark.parametrize("fields", [*DATED, {"time_range": "week"}])
async def test_hits_without_a_date_are_mentioned_where_dates_were_asked_for(site, search, sample, fields):
    site.route("POST /search", answer(json=sample("news.json")))
    unchecked = "tavily: 1 of its results carry no date, so the dates could not be checked"
    assert (await search(vertical="news", **fields)).notes == (unchecked,)
    assert (await search(vertical="news", settings=KEYLESS, **fields)).notes == (unchecked,)
    assert (await search(vertical="news", max_results=1, **fields)).notes == ()
    assert (await search(vertical="news")).notes == ()


async def test_nothing_found_is_an_empty_answer(site, search):
    site.route("POST /search", answer(json={"results": [], "usage": {"credits": 1}}))
    found = await search()
    assert (found.hits, found.units) == ((), 1)


@pytest.mark.parametrize(
    "row", [{"title": "No address"}, {"url": "javascript:alert(1)"}, {"url": None}, {"url": 5}, {"url": "https://[::1"}]
)
async def test_a_result_without_a_web_address_is_left_out(site, search, row):
    good = {"url": "https://example.com/", "title": None, "content": None, "favicon": "data:image/png;base64,AAAA"}
    site.route("POST /search", answer(json={"results": [row, None, good]}))
    [hit] = (await search()).hits
    assert (hit.title, hit.favicon) == ("https://example.com/", "")


@pytest.mark.parametrize("body", [b"<html>", b'{"results": 5}', b"[]", b'"text"', b"{}", b'{"results": {}}', RENAMED])
@pytest.mark.parametrize("settings", [{}, KEYLESS])
async def test_an_answer_of_another_form_is_drift(site, search, body, settings):
    site.route("POST /search", answer(200, body, content_type="application/json"))
    with pytest.raises(UnexpectedResponse):
        await search(settings=settings)


TOLD = {"detail": {"error": "provider-said solar power tvly-dev-0123456789"}}
LISTED = {"detail": [{"type": "string_type", "loc": ["body", "query"], "msg": "provider-said", "input": "solar power"}]}
FAILURES = [
    (400, TOLD, InvalidRequest),
    (401, TOLD, AuthFailed),
    (402, TOLD, QuotaExceeded),
    (403, TOLD, PlanMismatch),
    (408, TOLD, TimedOut),
    (422, LISTED, InvalidRequest),
    (429, TOLD, RateLimited),
    (432, TOLD, QuotaExceeded),
    (433, TOLD, QuotaExceeded),
    (500, TOLD, ServerFailed),
    (503, TOLD, ServerFailed),
]


@pytest.mark.parametrize(("status", "body", "error"), FAILURES)
@pytest.mark.parametrize("path", ["/search", "/extract"])
async def test_each_status_has_its_class_and_tells_nothing(site, search, fetch, path, status, body, error):
    site.route(f"POST {path}", answer(status, json=body))
    with pytest.raises(error) as caught:
        await (search() if path == "/search" else fetch())
    for secret in ("provider-said", "solar power", "tvly-dev", "wikipedia"):
        assert secret not in str(caught.value)


@pytest.mark.parametrize("status", [401, 402, 403, 432, 433, 429])
async def test_without_a_key_the_remedy_is_a_key(site, search, status):
    site.route("POST /search", answer(status, json=TOLD))
    kind = {401: PlanMismatch, 403: PlanMismatch, 429: RateLimited}.get(status, QuotaExceeded)
    with pytest.raises(kind, match="WEBSEARCH_TAVILY__API_KEY"):
        await search(settings=KEYLESS)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("body", ["<html><h1>Access denied</h1></html>", '{"message": "Forbidden"}', "[]", ""])
async def test_without_a_key_a_refusal_that_is_not_tavilys_own_passes_by_itself(site, search, status, body):
    site.route("POST /search", answer(status, body))
    with pytest.raises(BlockedBySite):
        await search(settings=KEYLESS)


async def test_no_wait_is_beyond_all_measure(site, search, sample):
    envelope = sample("keyless_limit.json")
    envelope["error"] = {"code": "cap_reached", "window": "hour", "retry_after_seconds": 1e300}
    site.route("POST /search", answer(429, json=envelope))
    with pytest.raises(RateLimited) as caught:
        await search(settings=KEYLESS)
    assert caught.value.retry_after <= 32 * 86_400


LIMITS = [
    ({"code": "hourly_cap_reached", "window": "hour", "retry_after_seconds": 2400}, 429, RateLimited, 2400),
    ({"code": "daily_cap_reached", "window": "day", "retry_after_seconds": 60_000}, 429, RateLimited, 60_000),
    ({"code": "daily_cap_reached", "window": "day", "retry_after_seconds": "60000"}, 403, RateLimited, 60_000),
    ({"code": "keyless_daily_limit", "retry_after_seconds": None}, 429, RateLimited, None),
    ({"code": "rate_limited", "retry_after_seconds": -5}, 429, RateLimited, None),
    ({"code": "something_new", "retry_after_seconds": 900}, 403, RateLimited, 900),
    ({"code": "monthly_cap_reached_bonus_eligible", "retry_after_seconds": None}, 429, QuotaExceeded, None),
    ({"code": "cap_reached", "window": "month", "retry_after_seconds": 864_000}, 429, QuotaExceeded, 864_000),
    ({"code": "account_required", "retry_after_seconds": None}, 403, QuotaExceeded, None),
    ({"code": "endpoint_needs_key"}, 401, QuotaExceeded, None),
    ({"code": "generate_key_first"}, 429, QuotaExceeded, None),
    ({"code": "used_up", "window": "hour"}, 429, RateLimited, None),
]


@pytest.mark.parametrize(("limit", "status", "error", "seconds"), LIMITS)
@pytest.mark.parametrize("path", ["/search", "/extract"])
async def test_a_limit_of_those_without_a_key_says_how_long(
    site, search, fetch, sample, path, limit, status, error, seconds
):
    envelope = sample("keyless_limit.json")
    envelope["error"] = {"message": "provider-said", "next_actions": envelope["error"]["next_actions"], **limit}
    site.route(f"POST {path}", answer(status, json=envelope))
    with pytest.raises(error) as caught:
        await (search(settings=KEYLESS) if path == "/search" else fetch(settings=KEYLESS))
    assert caught.value.retry_after == seconds
    assert "WEBSEARCH_TAVILY__API_KEY" in str(caught.value)
    assert "provider-said" not in str(caught.value)


async def test_a_limits_header_counts_where_the_body_does_not_say(site, search, sample):
    envelope = sample("keyless_limit.json")
    del envelope["error"]["retry_after_seconds"]
    site.route("POST /search", answer(429, json=envelope, headers={"retry-after": "1800"}))
    with pytest.raises(RateLimited) as caught:
        await search(settings=KEYLESS)
    assert caught.value.retry_after == 1800


async def test_a_server_that_fails_is_no_limit_whatever_its_body_says(site, search, sample):
    site.route("POST /search", answer(500, json=sample("keyless_limit.json")))
    with pytest.raises(ServerFailed):
        await search(settings=KEYLESS)


async def test_with_a_key_the_envelope_of_those_without_one_means_nothing(site, search, sample):
    site.route("POST /search", answer(401, json=sample("keyless_limit.json")))
    with pytest.raises(AuthFailed):
        await search()


def made(**settings):
    [backend] = websearch_search_backends(context("tavily", settings))
    return backend


def test_a_key_makes_it_paid_and_early_and_none_makes_it_keyless_and_late():
    keyed, keyless = made(api_key="tvly-1"), made()
    assert (keyed.keyless, keyed.paid, keyed.priority, keyed.unit) == (False, True, 50, "credit")
    assert (keyless.keyless, keyless.paid, keyless.priority) == (True, False, 80)
    assert (keyed.max_results, keyed.max_query_chars, keyed.max_site_operators, keyed.index_owner) == (20, 400, 0, "")


@pytest.mark.parametrize(
    ("depth", "safe"), [("basic", True), ("advanced", True), ("fast", False), ("ultra-fast", False)]
)
def test_safe_search_is_declared_where_the_depth_knows_it(depth, safe):
    verticals = made(search_depth=depth).verticals
    assert all(("safesearch" in fields) is safe for fields in verticals.values())


def test_a_country_is_declared_for_the_web_only():
    verticals = made().verticals
    assert verticals["web"] - verticals["news"] == {"user_location_country"}


@pytest.mark.parametrize(("depth", "units"), [("basic", 1), ("advanced", 2)])
async def test_what_a_request_takes_at_most_is_known_before(make, depth, units):
    backend = make(websearch_search_backends, search_depth=depth)
    assert backend.units_for(SearchRequest(query="x")) == units
