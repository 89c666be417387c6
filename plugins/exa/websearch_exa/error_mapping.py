"""Whose fault it is when Exa does not answer: by status, by the error's tag, and by the state of one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import (
    AuthFailed,
    BlockedBySite,
    InvalidRequest,
    NotFound,
    Paywalled,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    Row,
    ServerFailed,
    TimedOut,
    Unsupported,
)

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_NO_CREDIT = "Exa's credit is used up: add credit at dashboard.exa.ai, or wait for the next month"
_BAD_KEY = "Exa refused the key: set WEBSEARCH_EXA__API_KEY to one from dashboard.exa.ai"
_BAD_ARGUMENT = "Exa did not accept one of the arguments"
_WINDOW_S = 1.0
"""Exa counts by the second, and does not always say when to come back."""


def explain(response: EngineResponse) -> BackendError | None:
    """Exa's statuses; None for those that mean what they always mean (5xx among them)."""
    match response.status:
        case 400:
            return _of_tag(Row.of_error(response).text("tag")) or InvalidRequest(_BAD_ARGUMENT)
        case 401 | 403:
            return AuthFailed(_BAD_KEY)
        case 402:
            return QuotaExceeded(_NO_CREDIT)
        case 422:
            return InvalidRequest(_BAD_ARGUMENT)
        case 429:
            wait = _WINDOW_S if response.retry_after is None else response.retry_after
            return RateLimited("Exa takes 10 searches and 100 reads a second", retry_after=wait)
        case _:
            return None


def answered(response: EngineResponse) -> Row:
    """The body of a 200. Raises UnexpectedResponse when it is no JSON object, or the error that it names."""
    answer = Row.of(response)
    if answer.value("error"):
        raise _of_tag(answer.text("tag")) or ServerFailed("Exa answered with an error")
    return answer


def of_page(status: Row) -> BackendError:
    """Why Exa could not read one page: an entry of `statuses` whose status is `error`."""
    tag = status.text("error", "tag")
    http = status.number("error", "httpStatusCode")
    if tag.startswith("CRAWL_HTTP_") and tag[11:].isdecimal():
        http = float(tag[11:])
    match tag:
        case "CRAWL_NOT_FOUND":
            return NotFound("Exa found nothing at this address")
        case "CRAWL_TIMEOUT" | "CRAWL_LIVECRAWL_TIMEOUT" | "LIVECRAWL_TIMEOUT":
            return TimedOut("the site did not answer Exa in time")
        case "SOURCE_NOT_AVAILABLE":
            return BlockedBySite("the site does not let Exa read this page")
        case "UNSUPPORTED_URL":
            return Unsupported("Exa does not read addresses of this kind")
        case _:
            return _of_site(http)


def _of_site(http: float | None) -> BackendError:
    match http:
        case 401 | 403 | 429 | 451:
            return BlockedBySite("the site refused Exa")
        case 402:
            return Paywalled()
        case 404 | 410:
            return NotFound("Exa found nothing at this address")
        case 408 | 504:
            return TimedOut("the site did not answer Exa in time")
        case _:
            return ServerFailed("Exa could not read this page")


def _of_tag(tag: str) -> BackendError | None:
    match tag:
        case "NO_MORE_CREDITS" | "API_KEY_BUDGET_EXCEEDED":
            return QuotaExceeded(_NO_CREDIT)
        case "NUM_RESULTS_EXCEEDED":
            return PlanMismatch("the Exa plan allows fewer results: lower max_results")
        case "INVALID_API_KEY":
            return AuthFailed(_BAD_KEY)
        case "INVALID_URLS":
            return InvalidRequest("Exa did not accept the address")
        case _:
            return None
