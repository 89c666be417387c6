"""Whose fault it is when Tavily does not answer: by status, by its word to callers without a key, by the page."""

from __future__ import annotations

import re
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
    TooLarge,
    Unsupported,
)

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_SET_KEY = "set WEBSEARCH_TAVILY__API_KEY to a free one from app.tavily.com"
_BAD_ARGUMENT = "Tavily did not accept one of the arguments"
_SHORT = ("minute", "hour", "day")
"""Windows of a limit that are worth waiting for."""

_OF_PAGE: tuple[tuple[re.Pattern[str], type[BackendError], str], ...] = (
    (re.compile(r"time[d-]?\s?out|\b(408|504)\b"), TimedOut, "the site did not answer Tavily in time"),
    (re.compile(r"\b(404|410)\b|not found"), NotFound, "Tavily found nothing at this address"),
    (re.compile(r"\b402\b|pay-?wall|payment required"), Paywalled, "the site wants payment"),
    (
        re.compile(r"\b(401|403|429|451)\b|forbidden|unauthorized|access denied|blocked|captcha|robots"),
        BlockedBySite,
        "the site refused Tavily",
    ),
    (re.compile(r"unsupported|invalid url"), Unsupported, "Tavily does not read addresses of this kind"),
    (re.compile(r"too large"), TooLarge, "the page is too large for Tavily"),
)
"""What is known to stand in the free text of a page's failure, and what it means. The first that fits counts."""


def explain(response: EngineResponse) -> BackendError | None:
    """Tavily's statuses for a caller with a key; None for those that mean what they always mean (5xx among them)."""
    match response.status:
        case 400 | 422:
            return InvalidRequest(_BAD_ARGUMENT)
        case 401:
            return AuthFailed("Tavily refused the key: set WEBSEARCH_TAVILY__API_KEY to one from app.tavily.com")
        case 403:
            return PlanMismatch("Tavily does not allow this call with this key or plan: see app.tavily.com")
        case 429:
            return RateLimited("Tavily takes 100 calls a minute with a development key, 1,000 with a production key")
        case 432:
            return QuotaExceeded(
                "the plan's credits, or this key's limit, are used up: see app.tavily.com, or wait for the next month"
            )
        case 433:
            return QuotaExceeded("Tavily's pay-as-you-go limit is reached: raise it at app.tavily.com")
        case _:
            return None


def explain_keyless(response: EngineResponse) -> BackendError | None:
    """The same for a caller without a key: Tavily then says in the body which limit was met, and for how long."""
    said = Row.of_error(response)
    if 400 <= response.status < 500 and said.text("error", "code"):
        return _of_limit(said.row("error"))
    match response.status:
        case 400 | 422:
            return InvalidRequest(_BAD_ARGUMENT)
        # Never AuthFailed: no key was refused, and keyless use may be open again without anybody changing a setting.
        case 401 | 403 if "error" in said or "detail" in said:
            return PlanMismatch(f"Tavily does not answer here without a key: {_SET_KEY}")
        case 401 | 403:
            return BlockedBySite("what guards Tavily refuses this machine: ask another engine")
        case 402 | 432 | 433:
            return QuotaExceeded(f"Tavily gives no more without a key: {_SET_KEY}")
        case 429:
            return RateLimited(f"Tavily gives little without a key: wait, or {_SET_KEY}")
        case _:
            return None


def _of_limit(limit: Row) -> BackendError:
    """What Tavily says to a caller without a key: a cap of the hour, the day or the month, or that a key is needed."""
    code, window = limit.text("code").lower(), limit.text("window").lower()
    seconds = limit.number("retry_after_seconds")
    wait = seconds if seconds is not None and seconds >= 0 else None
    if window == "month" or code.startswith("month"):
        return QuotaExceeded(f"Tavily gives no more this month without a key: {_SET_KEY}", retry_after=wait)
    if window in _SHORT or wait is not None or re.search(r"cap_|limit", code):
        return RateLimited(f"Tavily gives no more for now without a key: wait, or {_SET_KEY}", retry_after=wait)
    return QuotaExceeded(f"Tavily does not do this without a key: {_SET_KEY}")


def of_page(failure: Row) -> BackendError:
    """Why Tavily could not read a page: an entry of `failed_results`. Its text is looked at, and never passed on."""
    # the text may repeat the address, whose words say nothing of the failure
    said = failure.text("error").replace(failure.text("url") or "\0", "").lower()
    for pattern, error, meaning in _OF_PAGE:
        if pattern.search(said):
            return error(meaning)
    return ServerFailed("Tavily could not read this page")
