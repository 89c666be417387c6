"""Whose fault it is when SearchApi does not answer; and when it found nothing, which it reports like an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, InvalidRequest, QuotaExceeded, RateLimited, Row, ServerFailed

if TYPE_CHECKING:
    from websearch_core import EngineResponse

# SearchApi's own words, in lower case: its errors have no codes, and one status stands for two failures
_NOTHING = "didn't return any results"
_MONTH_IS_OVER = "used all of the searches"
_BAD_KEY = "invalid api key"


def explain(response: EngineResponse) -> BackendError | None:
    """SearchApi's errors; None for answers, empty ones too, and for statuses that mean what they always mean."""
    good = 200 <= response.status < 300
    if good and b'"error"' not in response.content:
        return None
    body = Row.of_error(response)
    message = body.text("error").lower()
    if good and (not body.value("error") or found_nothing(body)):
        return None
    if _MONTH_IS_OVER in message:
        return QuotaExceeded(
            "SearchApi's searches of this month are used up: upgrade the plan at searchapi.io, or wait"
        )
    if good and _BAD_KEY in message:
        return _refused()
    return ServerFailed("SearchApi answered with an error") if good else _of_status(response.status)


def found_nothing(answer: Row) -> bool:
    """Whether the answer says that Google found nothing: an `error` in a good answer."""
    return _NOTHING in answer.text("error").lower()


def _of_status(status: int) -> BackendError | None:
    match status:
        case 400:
            return InvalidRequest("SearchApi did not accept one of the arguments")
        case 401 | 403:
            return _refused()
        case 429:
            return RateLimited("SearchApi takes about a fifth of the plan's searches in one hour")
        case _:
            return None


def _refused() -> AuthFailed:
    return AuthFailed("SearchApi refused the key: set WEBSEARCH_SEARCHAPI__API_KEY to one from searchapi.io")
