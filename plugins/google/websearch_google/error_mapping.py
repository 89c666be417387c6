"""Whose fault it is when Google does not answer: by the error's reasons, then by its status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, InvalidRequest, PlanMismatch, QuotaExceeded, RateLimited, Row, ServerFailed

if TYPE_CHECKING:
    from websearch_core import Clock, EngineResponse

_BAD_KEY = {
    "API_KEY_HTTP_REFERRER_BLOCKED",
    "API_KEY_INVALID",
    "API_KEY_IP_ADDRESS_BLOCKED",
    "API_KEY_SERVICE_BLOCKED",
    "ipRefererBlocked",
    "keyExpired",
    "keyInvalid",
}
_NOT_ENABLED = {"SERVICE_DISABLED", "accessNotConfigured"}
_NO_BILLING = {"BILLING_DISABLED", "CONSUMER_SUSPENDED"}
_DAY_IS_OVER = {"dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded"}
_TOO_FAST = {"RATE_LIMIT_EXCEEDED", "rateLimitExceeded", "userRateLimitExceeded"}

# Google's own words, where two failures share one reason
_CLOSED = "does not have the access to Custom Search JSON API"
_PER_DAY = "limit 'Queries per day'"
_PER_MINUTE = "limit 'Queries per minute"

_MINUTE_S = 60.0
_DAY_S = 86_400.0
_MIDNIGHT_PACIFIC_S = 8 * 3600.0
"""When the day's quota is new: midnight in California, which is 08:00 UTC at the latest, winter or summer."""


def explain(response: EngineResponse, clock: Clock) -> BackendError | None:
    """Google's errors; None for good answers, and for statuses that mean what they always mean (5xx among them)."""
    good = 200 <= response.status < 300
    if good and b'"error"' not in response.content:
        return None
    error = Row.of_error(response).row("error")
    if good and not error:
        return None
    status = int(error.number("code") or 0) if good else response.status
    told = _of_reasons(error, clock.now()) or _of_status(status)
    return told or (ServerFailed("Google answered with an error") if good else None)


def _of_reasons(error: Row, now: float) -> BackendError | None:
    listed = [*error.rows("errors"), *error.rows("details")]
    reasons = {entry.text("reason") for entry in listed}
    message = error.text("message")
    if reasons & _BAD_KEY:
        return AuthFailed("Google refused the key: check it, and its restrictions, at console.cloud.google.com")
    if reasons & _NOT_ENABLED:
        return PlanMismatch("the Custom Search API is not enabled in the key's project: enable it in Google's console")
    if _CLOSED in message:
        return PlanMismatch("Google gives new projects no access to the Custom Search JSON API: use another backend")
    if reasons & _NO_BILLING:
        return PlanMismatch("Google suspended the key's project, or its billing is off: see console.cloud.google.com")
    daily = any("PerDay" in entry.text("metadata", "quota_limit") for entry in listed)
    if reasons & _DAY_IS_OVER or daily or _PER_DAY in message:
        wait = (_MIDNIGHT_PACIFIC_S - now) % _DAY_S
        return QuotaExceeded(
            "the day's quota of Google searches is used up; it is renewed at midnight in California", retry_after=wait
        )
    if reasons & _TOO_FAST:
        return RateLimited(
            "Google takes fewer searches a minute", retry_after=_MINUTE_S if _PER_MINUTE in message else None
        )
    return None


def _of_status(status: int) -> BackendError | None:
    match status:
        case 400:
            return InvalidRequest("Google did not accept an argument; if it accepts none, cx names no search engine")
        case 401 | 403:
            return AuthFailed("Google refused the key: check it, and its restrictions, at console.cloud.google.com")
        case 429:
            return RateLimited("Google takes fewer searches a minute")
        case _:
            return None
