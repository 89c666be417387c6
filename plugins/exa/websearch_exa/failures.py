"""Whose fault it is when Exa does not answer: by status, by the error's tag, and by the state of one page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from websearch_core import (
    AuthFailed,
    BackendError,
    BlockedBySite,
    Drift,
    InvalidRequest,
    NotFound,
    Paywalled,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    Unsupported,
)

if TYPE_CHECKING:
    from websearch_core import ApiResponse

_NO_CREDIT = "Exa's credit is used up: add credit at dashboard.exa.ai, or wait for the next month"
_BAD_KEY = "Exa refused the key: set WEBSEARCH_EXA__API_KEY to one from dashboard.exa.ai"


def explain(response: ApiResponse) -> BackendError | None:
    """Exa's statuses; None for those that mean what they always mean (5xx among them)."""
    match response.status:
        case 400:
            return _of_tag(_tag(response)) or InvalidRequest("Exa did not accept one of the arguments")
        case 401 | 403:
            return AuthFailed(_BAD_KEY)
        case 402:
            return QuotaExceeded(_NO_CREDIT)
        case 422:
            return InvalidRequest("Exa did not accept one of the arguments")
        case 429:
            return RateLimited("Exa takes 10 searches and 100 reads a second", retry_after=response.retry_after)
        case _:
            return None


def answered(response: ApiResponse) -> Mapping[str, Any]:
    """The body of a 200. Raises Drift when it is no JSON object, and what it says when it says that it failed."""
    body = response.json()
    if not isinstance(body, Mapping):
        raise Drift("body")
    answer = cast("Mapping[str, Any]", body)
    if answer.get("error"):
        raise _of_tag(answer.get("tag")) or ServerFailed("Exa answered with an error")
    return answer


def of_page(status: Mapping[str, Any]) -> BackendError:
    """Why Exa could not read one page: an entry of `statuses` whose status is `error`."""
    error = status.get("error")
    details: Mapping[str, Any] = cast("Mapping[str, Any]", error) if isinstance(error, Mapping) else {}
    tag: Any = details.get("tag")
    http: Any = details.get("httpStatusCode")
    if isinstance(tag, str) and tag.startswith("CRAWL_HTTP_") and tag[11:].isdigit():
        http = int(tag[11:])
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


def _of_site(http: Any) -> BackendError:
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


def _of_tag(tag: Any) -> BackendError | None:
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


def _tag(response: ApiResponse) -> Any:
    try:
        body = response.json()
    except BackendError:
        return None
    return cast("Mapping[str, Any]", body).get("tag") if isinstance(body, Mapping) else None
