"""What GitHub says when it does not answer, and where something has moved to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, BlockedBySite, NotFound, RateLimited, Row, UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_AT_LEAST_S = 60.0
"""To wait for where GitHub names a limit and no time (docs.github.com/rest, rate limits)."""


class Moved(UnexpectedResponse):
    """Renamed or transferred: `address` is below the same base address."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__("status", "GitHub has moved this")


def explain(base_url: str, response: EngineResponse) -> BackendError | None:
    """GitHub's statuses; None for those that mean what they always mean (docs.github.com/rest, troubleshooting)."""
    headers = response.headers
    match response.status:
        case 301 | 302 | 307 | 308 if headers.get("location", "").startswith(f"{base_url.rstrip('/')}/"):
            return Moved(headers["location"])
        case 401:
            return AuthFailed("GitHub refused the token: see WEBSEARCH_GITHUB__TOKEN")
        case 403 if headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers:
            return RateLimited("GitHub's limit is reached: a token raises it")
        case 403 if "rate limit" in Row.of_error(response).text("message").lower():
            return RateLimited("GitHub asks us to slow down", retry_after=_AT_LEAST_S)
        case 403 | 451:
            return BlockedBySite("GitHub does not show this to us")
        case 404 | 410:
            return NotFound("GitHub has no such thing, or it is private")
        case _:
            return None
