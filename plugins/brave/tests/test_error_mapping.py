"""Every status and body that Brave documents, or was seen to send, says whose fault it is."""

from __future__ import annotations

import gzip
import json

import pytest

from websearch_core import BackendError, SearchRequest
from websearch_core.kit import (
    AuthFailed,
    InvalidRequest,
    NotFound,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    UnexpectedResponse,
)
from websearch_core.testing.site import answer

ENDPOINTS = {"web": "web/search", "news": "news/search", "images": "images/search"}


def body(code=None, status=422, **meta):
    error = {"id": "5d832250-9396-4f6e-b84a-2a1fe524cd7d", "status": status, "detail": "Some detail.", "meta": meta}
    return {"type": "ErrorResponse", "error": error | ({"code": code} if code else {}), "time": 1754364294}


RATE = {"plan": "Free", "rate_limit": 1, "rate_current": 1, "quota_limit": 2000, "quota_current": 15}
MISSING_KEY = [{"type": "missing", "loc": ["header", "x-subscription-token"], "msg": "Field required"}]
MISSING_QUERY = [{"type": "missing", "loc": ["query", "q"], "msg": "Field required"}]

ERRORS = {
    "a plan without the option": (400, body("OPTION_NOT_IN_PLAN", 400, component="authentication"), PlanMismatch),
    "the same with another status": (403, body("OPTION_NOT_IN_PLAN", 403), PlanMismatch),
    "a resource that is not allowed": (403, body("RESOURCE_NOT_ALLOWED", 403, component="api"), PlanMismatch),
    "no subscription": (404, body("SUBSCRIPTION_NOT_FOUND", 404, component="subscriptions"), PlanMismatch),
    "forbidden, no more": (403, "Forbidden", PlanMismatch),
    "forbidden with the token's code": (403, body("SUBSCRIPTION_TOKEN_INVALID", 403), PlanMismatch),
    "a bad key": (422, body("SUBSCRIPTION_TOKEN_INVALID", component="authentication"), AuthFailed),
    "no key": (422, body("VALIDATION", errors=MISSING_KEY), AuthFailed),
    "no key, no code": (422, body(errors=MISSING_KEY), AuthFailed),
    "unauthorized": (401, body("UNAUTHORIZED", 401), AuthFailed),
    "no query": (422, body(errors=MISSING_QUERY), InvalidRequest),
    "a bad parameter": (422, body("VALIDATION"), InvalidRequest),
    "a bad request": (400, body("BAD_REQUEST", 400), InvalidRequest),
    "no such address": (404, "not found", NotFound),
    "an unknown version": (404, body("NOT_FOUND", 404), NotFound),
    "no credit": (402, body("PAYMENT_REQUIRED", 402), QuotaExceeded),
    "too fast": (429, body("RATE_LIMITED", 429, **RATE, component="rate_limiter"), RateLimited),
    "too fast, as documented": (429, body("RATE_LIMITED", 429, component="rate_limiter"), RateLimited),
    "a month used up": (429, body("QUOTA_LIMITED", 429, component="rate_limiter"), QuotaExceeded),
    "a month used up, by the count": (429, body("RATE_LIMITED", 429, **{**RATE, "quota_current": 2000}), QuotaExceeded),
    "billed by use": (429, body("RATE_LIMITED", 429, **{**RATE, "quota_limit": 0}), RateLimited),
    "a quota that is no number": (429, body("RATE_LIMITED", 429, **{**RATE, "quota_limit": None}), RateLimited),
    "a 429 without a body": (429, "", RateLimited),
    "a failure": (500, body("INTERNAL", 500), ServerFailed),
    "a gateway": (502, "<html>Bad gateway</html>", ServerFailed),
    "overloaded": (503, "", ServerFailed),
    "a slow gateway": (504, "", TimedOut),
    "a redirect": (301, "", UnexpectedResponse),
    "an error of another form": (400, {"error": "bad"}, InvalidRequest),
    "no JSON": (422, "<html>", InvalidRequest),
}


@pytest.mark.parametrize("vertical", ENDPOINTS)
@pytest.mark.parametrize("name", ERRORS)
async def test_an_error_says_whose_fault_it_is(site, ask, vertical, name):
    status, said, expected = ERRORS[name]
    site.route("/res/v1/*", answer(status, json=said) if isinstance(said, dict) else answer(status, said))
    with pytest.raises(BackendError) as caught:
        await ask(vertical=vertical)
    assert type(caught.value) is expected
    assert "Some detail" not in str(caught.value)


async def test_errors_come_compressed(site, ask):
    packed = gzip.compress(json.dumps(body("OPTION_NOT_IN_PLAN", 400)).encode())
    site.route("/res/v1/*", answer(400, packed, headers={"content-encoding": "gzip"}, content_type="application/json"))
    with pytest.raises(PlanMismatch):
        await ask()


@pytest.mark.parametrize(
    ("vertical", "words"),
    [("web", "lacks web search"), ("news", "lacks news search"), ("images", "lacks image search")],
)
async def test_a_plan_mismatch_names_what_is_missing(site, ask, vertical, words):
    site.route("/res/v1/*", answer(400, json=body("OPTION_NOT_IN_PLAN", 400)))
    with pytest.raises(PlanMismatch, match=words):
        await ask(vertical=vertical)


async def test_a_plan_mismatch_names_the_setting_that_may_be_the_reason(site, make):
    site.route("/res/v1/*", answer(400, json=body("OPTION_NOT_IN_PLAN", 400)))
    with pytest.raises(PlanMismatch, match="extra_snippets = true may be the reason"):
        await make(extra_snippets=True).search(SearchRequest(query="x"))


def limits(remaining, reset, limit="1, 15000", policy="1;w=1, 15000;w=2592000", **more):
    said = {
        "x-ratelimit-limit": limit,
        "x-ratelimit-policy": policy,
        "x-ratelimit-remaining": remaining,
        "x-ratelimit-reset": reset,
    }
    return {**said, **more}


WAITS = {
    "the second": (limits("0, 14523", "1, 1419704"), RateLimited, 1),
    "a longer second": (limits("0, 14523", "7, 1419704"), RateLimited, 7),
    "the month": (limits("1, 0", "1, 1419704"), QuotaExceeded, 1_419_704),
    "both": (limits("0, 0", "1, 1419704"), QuotaExceeded, 1_419_704),
    "the month, in its last minute": (limits("0, 0", "1, 42"), QuotaExceeded, 42),
    "a month that is billed by use": (limits("0, 0", "1, 1419704", "50, 0", "50;w=1, 0;w=2592000"), RateLimited, 1),
    "one window": (limits("0", "2", "1", "1;w=1"), RateLimited, 2),
    "nothing is used up": (limits("1, 14523", "1, 1419704"), RateLimited, None),
    "nonsense": (limits("none, -, ²", "soon, later", ",,", ";;;w=, a;w=b, ²;w=²"), RateLimited, None),
    "no headers": ({}, RateLimited, None),
    "its own word": (limits("0, 14523", "1, 1419704", **{"retry-after": "30"}), RateLimited, 30),
}


@pytest.mark.parametrize("name", WAITS)
async def test_the_wait_is_that_of_the_exhausted_window_alone(site, ask, name):
    headers, expected, seconds = WAITS[name]
    site.route("/res/v1/*", answer(429, json=body("RATE_LIMITED", 429, **RATE), headers=headers))
    with pytest.raises(expected) as caught:
        await ask()
    assert caught.value.retry_after == (None if seconds is None else pytest.approx(seconds, abs=1))
