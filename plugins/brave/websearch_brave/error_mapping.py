"""Whose fault it is when Brave does not answer: by the error's code, then by the status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, InvalidRequest, NotFound, PlanMismatch, QuotaExceeded, RateLimited, Row

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_SITE = "api-dashboard.search.brave.com"
_BAD_KEY = f"Brave refused the key: set WEBSEARCH_BRAVE__API_KEY to one from {_SITE}"
_PLAN = f"the key's Brave plan lacks this: it takes the Search plan, see {_SITE}"
_USED_UP = f"the month's requests or credit at Brave are used up: wait for the next month, or see {_SITE}"
_TOO_FAST = "the Brave plan allows fewer requests a second"

_ENDPOINTS = {
    "web/search": "web search",
    "news/search": "news search",
    "images/search": "image search",
    "llm/context": "LLM context",
}
_QUOTA_S = 3600
"""A window of the rate limit that is longer than this is a quota."""


def explain(response: EngineResponse) -> BackendError | None:
    """Brave's statuses and codes; None for those that mean what they always mean (5xx among them)."""
    if response.status < 400:
        return None
    error = Row.of_error(response).row("error")
    match response.status, error.text("code"):
        case 429, code:
            return _limited(response, error, code)
        case 402, _:
            return QuotaExceeded(_USED_UP)
        case ((400 | 401 | 403 | 404 | 422), "OPTION_NOT_IN_PLAN" | "RESOURCE_NOT_ALLOWED" | "SUBSCRIPTION_NOT_FOUND"):
            return PlanMismatch(_PLAN)
        case 401, _:
            return AuthFailed(_BAD_KEY)
        case 403, _:
            return PlanMismatch(_PLAN)
        case 404, _:
            return NotFound("Brave has nothing at this address: check base_url")
        case 422, "SUBSCRIPTION_TOKEN_INVALID":
            return AuthFailed(_BAD_KEY)
        case 422, _ if _without_key(error):
            return AuthFailed(_BAD_KEY)
        case ((400 | 422), _):
            return InvalidRequest("Brave did not accept one of the arguments")
        case _:
            return None


def explain_llm_context(response: EngineResponse) -> BackendError | None:
    """The same for LLM context, which may call the key of another plan a bad one: web search will tell which it is."""
    error = explain(response)
    return PlanMismatch(_PLAN) if isinstance(error, AuthFailed) else error


def lacking(endpoint: str, *, extra_snippets: bool) -> PlanMismatch:
    """A plan that lacks this endpoint, or what it was asked for."""
    hint = "; extra_snippets = true may be the reason" if extra_snippets else ""
    return PlanMismatch(
        f"the key's Brave plan lacks {_ENDPOINTS[endpoint]}: it takes the Search plan, see {_SITE}{hint}"
    )


def _limited(response: EngineResponse, error: Row, code: str) -> BackendError:
    """A used-up quota, of a month or a second. The engine client reads from the headers how long it lasts."""
    if code == "QUOTA_LIMITED" or _used_up(error.row("meta")) or _month_is_used_up(response.headers):
        return QuotaExceeded(_USED_UP)
    return RateLimited(_TOO_FAST)


def _month_is_used_up(headers: Mapping[str, str]) -> bool:
    """Whether nothing is left in a long window. A limit of 0 is none: such a plan is billed by use.

    `X-RateLimit-Policy: 1;w=1, 15000;w=2592000`, `X-RateLimit-Remaining: 1, 14999`.
    """
    policies, left = (headers.get(f"x-ratelimit-{name}", "").split(",") for name in ("policy", "remaining"))
    return any(
        _whole(limit) > 0 and _whole(seconds) > _QUOTA_S and remaining.strip() == "0"
        for (limit, _, seconds), remaining in zip((policy.partition(";w=") for policy in policies), left, strict=False)
    )


def _whole(text: str) -> int:
    text = text.strip()
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _used_up(meta: Row) -> bool:
    limit, current = meta.number("quota_limit"), meta.number("quota_current")
    return limit is not None and current is not None and current >= limit > 0


def _without_key(error: Row) -> bool:
    """Whether what did not validate is the header with the key, which was missing."""
    return any("x-subscription-token" in problem.texts("loc") for problem in error.rows("meta", "errors"))
