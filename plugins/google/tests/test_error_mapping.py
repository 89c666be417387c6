"""Each of Google's errors has its class, and tells nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import EngineResponse
from websearch_core.kit import AuthFailed, InvalidRequest, PlanMismatch, QuotaExceeded, RateLimited, ServerFailed
from websearch_core.testing.fakes import FakeClock
from websearch_core.testing.site import answer
from websearch_google.error_mapping import explain

SECRET = "google-key-0123"
CONSUMER = "of service 'customsearch.googleapis.com' for consumer 'project_number:1'."
DAY = f"Quota exceeded for quota metric 'Queries' and limit 'Queries per day' {CONSUMER}"
MINUTE = f"Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' {CONSUMER}"
CLOSED = "This project does not have the access to Custom Search JSON API."


def error(code, message=f"said {SECRET}", *, reason="", status="", info=None):
    """An error as Google writes it: old reasons in `errors`, new ones in `details`."""
    body = {"code": code, "message": message, "status": status}
    if reason:
        body["errors"] = [{"message": message, "domain": "global", "reason": reason}]
    if info:
        body["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", **info}]
    return {"error": body}


def explained(status, body, now=0.0):
    return explain(EngineResponse(status, {}, answer(json=body).body), FakeClock(now=now))


FAILURES = [
    (400, error(400, reason="badRequest", status="INVALID_ARGUMENT"), InvalidRequest),
    (400, error(400, reason="badRequest", info={"reason": "API_KEY_INVALID"}), AuthFailed),
    (400, error(400, reason="keyInvalid"), AuthFailed),
    (400, error(400, reason="invalid"), InvalidRequest),
    (401, error(401, reason="required"), AuthFailed),
    (403, error(403, CLOSED, reason="forbidden", status="PERMISSION_DENIED"), PlanMismatch),
    (403, error(403, reason="forbidden", status="PERMISSION_DENIED"), AuthFailed),
    (403, error(403, reason="forbidden", info={"reason": "API_KEY_HTTP_REFERRER_BLOCKED"}), AuthFailed),
    (403, error(403, reason="forbidden", info={"reason": "API_KEY_IP_ADDRESS_BLOCKED"}), AuthFailed),
    (403, error(403, reason="forbidden", info={"reason": "API_KEY_SERVICE_BLOCKED"}), AuthFailed),
    (403, error(403, reason="accessNotConfigured"), PlanMismatch),
    (403, error(403, reason="forbidden", info={"reason": "SERVICE_DISABLED"}), PlanMismatch),
    (403, error(403, reason="forbidden", info={"reason": "BILLING_DISABLED"}), PlanMismatch),
    (403, error(403, reason="forbidden", info={"reason": "CONSUMER_SUSPENDED"}), PlanMismatch),
    (403, error(403, reason="dailyLimitExceeded"), QuotaExceeded),
    (403, error(403, reason="dailyLimitExceededUnreg"), QuotaExceeded),
    (403, error(403, reason="quotaExceeded"), QuotaExceeded),
    (403, error(403, reason="rateLimitExceeded"), RateLimited),
    (403, error(403, reason="userRateLimitExceeded"), RateLimited),
    (429, error(429, DAY, reason="rateLimitExceeded", status="RESOURCE_EXHAUSTED"), QuotaExceeded),
    (
        429,
        error(
            429,
            reason="rateLimitExceeded",
            info={"reason": "RATE_LIMIT_EXCEEDED", "metadata": {"quota_limit": "DefaultPerDayPerProject"}},
        ),
        QuotaExceeded,
    ),
    (429, error(429, MINUTE, reason="rateLimitExceeded", status="RESOURCE_EXHAUSTED"), RateLimited),
    (429, error(429, reason="dailyLimitExceeded"), QuotaExceeded),
    (429, error(429), RateLimited),
    (429, {}, RateLimited),
    (200, error(403, CLOSED, reason="forbidden"), PlanMismatch),
    (200, error(429, DAY, reason="rateLimitExceeded"), QuotaExceeded),
    (200, error(400, reason="badRequest"), InvalidRequest),
    (200, error(503, reason="backendError"), ServerFailed),
    (200, error("?"), ServerFailed),
]


@pytest.mark.parametrize(("status", "body", "kind"), FAILURES)
def test_each_failure_has_its_class_and_tells_nothing(status, body, kind):
    told = explained(status, body)
    assert type(told) is kind
    assert SECRET not in str(told)
    assert "project_number" not in str(told)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"items": [{"title": 'An "error" in a title'}]}),
        (200, {"items": [], "error": {}}),
        (200, {"items": [], "error": None}),
        (404, error(404)),
        (500, error(500, reason="backendError")),
        (503, {}),
    ],
)
def test_what_means_what_it_always_means_is_left_to_the_general_table(status, body):
    assert explained(status, body) is None


@pytest.mark.parametrize(
    ("now", "wait"),
    [
        (datetime(2026, 7, 1, 7, 59, tzinfo=UTC), 60.0),
        (datetime(2026, 7, 1, 8, 0, 1, tzinfo=UTC), 86_399.0),
        (datetime(2026, 1, 1, 20, tzinfo=UTC), 12 * 3600.0),
    ],
)
def test_the_days_quota_is_new_at_midnight_in_california(now, wait):
    assert explained(429, error(429, DAY), now=now.timestamp()).retry_after == wait


def test_a_minutes_quota_is_new_after_a_minute():
    assert explained(429, error(429, MINUTE, reason="rateLimitExceeded")).retry_after == 60.0
    assert explained(429, {}).retry_after is None


ODD = st.recursive(
    st.none() | st.integers() | st.text(max_size=5), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
)


@given(st.integers(200, 599), ODD, ODD, ODD)
def test_an_error_of_any_shape_is_survived(status, code, errors, details):
    body = {"error": {"code": code, "message": errors, "errors": errors, "details": details}}
    told = explained(status, body)
    assert told is not None or status not in (200, 400, 401, 403, 429)
