"""Asks Exa for web pages and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.kit import require_hits

from .error_mapping import answered
from .request_params import CEILING, search_body
from .results import dollars, hit

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient

_PUSHED_DOWN = frozenset(
    {
        "allowed_domains",
        "content_mode",
        "end_published_date",
        "excluded_domains",
        "max_age_hours",
        "max_content_chars",
        "max_results",
        "safesearch",
        "start_published_date",
        "time_range",
        "user_location_country",
    }
)


class Exa(SearchBackend):
    """Exa's search: an index of its own."""

    name = "exa"
    paid = True
    max_results = CEILING
    verticals: Mapping[str, frozenset[str]] = {"web": _PUSHED_DOWN | {"category"}, "news": _PUSHED_DOWN}

    def __init__(
        self,
        api: EngineClient,
        clock: Clock,
        *,
        type: str = "fast",  # noqa: A002 - Exa's word
        max_age_hours: int | None = None,
    ) -> None:
        """`max_age_hours` counts where a request does not say."""
        self._api = api
        self._clock = clock
        self._type = type
        self._max_age_hours = max_age_hours

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    async def search(self, request: SearchRequest) -> Answer:
        """One call, with the contents that the request asks for."""
        body = search_body(request, search_type=self._type, now=self._clock.now(), max_age_hours=self._max_age_hours)
        response = await self._api.post("search", json=body, deadline=request.caller.deadline, paid=True)
        answer = answered(response)
        found = (hit(row, whole_text=request.content_mode == "text") for row in answer.required_rows("results"))
        hits = require_hits(found, "results.url")
        unsaid = request.allowed_domains and "includeDomains" not in body
        notes = ("Exa: allowed_domains with patterns were applied to the results only",) if unsaid else ()
        return Answer(hits=hits[: request.max_results], notes=notes, cost=dollars(answer), units=1)
