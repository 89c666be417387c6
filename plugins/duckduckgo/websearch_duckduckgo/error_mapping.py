"""Whose fault it is when DuckDuckGo does not answer with results, and what the operator can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import BlockedBySite, InvalidRequest, NotFound, RateLimited

if TYPE_CHECKING:
    from websearch_core import EngineResponse

REST_S = 3600.0
"""How long to keep away: DuckDuckGo blocks an address, not a session, and as far as is known for about an hour."""


def challenged() -> BlockedBySite:
    """For a page that asks whether we are human: answering for a person is not for programs."""
    return BlockedBySite(
        "DuckDuckGo asks this machine to prove that it is human: ask another engine, or wait for about an hour",
        retry_after=REST_S,
    )


def explain(response: EngineResponse) -> BackendError | None:
    """DuckDuckGo's own statuses; None for those that mean what they always mean."""
    match response.status:
        case 303:  # so it answers bangs; ours are taken out before
            return InvalidRequest("DuckDuckGo took the query for a command that leads to another site")
        case 401 | 403 | 418:
            return BlockedBySite("DuckDuckGo refuses this machine: ask another engine", retry_after=REST_S)
        case 404:
            return NotFound("DuckDuckGo has no search page at this address: check html_url and lite_url")
        case 429:
            return RateLimited(
                "DuckDuckGo asks us to slow down",
                retry_after=REST_S if response.retry_after is None else response.retry_after,
            )
        case _:
            return None
