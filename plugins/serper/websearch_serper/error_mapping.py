"""Whose fault it is when Serper does not answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, InvalidRequest, QuotaExceeded, RateLimited, Row, ServerFailed

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_NO_CREDIT = "not enough credits"
"""Serper's own words, in lower case: it answers 400 when the credit is used up."""


def explain(response: EngineResponse) -> BackendError | None:
    """Serper's errors; None for good answers, and for statuses that mean what they always mean (5xx among them)."""
    good = 200 <= response.status < 300
    if good and b'"statusCode"' not in response.content:
        return None
    error = Row.of_error(response)
    status = response.status
    if good:
        status = int(error.number("statusCode") or status)
        if status < 400:
            return None
    return _of_status(status, error.text("message")) or (
        ServerFailed("Serper answered with an error") if good else None
    )


def _of_status(status: int, message: str) -> BackendError | None:
    if _NO_CREDIT in message.lower():
        return QuotaExceeded("Serper's credits are used up: buy some at serper.dev")
    match status:
        case 400:
            return InvalidRequest("Serper did not accept one of the arguments")
        case 401 | 403:
            return AuthFailed("Serper refused the key: set WEBSEARCH_SERPER__API_KEY to one from serper.dev")
        case 429:
            return RateLimited("Serper takes fewer searches a second: lower requests_per_second of [plugin.serper]")
        case _:
            return None
