"""Asks Tavily for web pages and news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.kit import Row, require_hits

from .request_params import CEILING, SAFE_DEPTHS, search_body
from .results import CREDITS, hit, spent

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient

_PUSHED_DOWN = frozenset(
    {
        "allowed_domains",
        "content_mode",
        "end_published_date",
        "excluded_domains",
        "language",
        "max_results",
        "start_published_date",
        "time_range",
    }
)


class Tavily(SearchBackend):
    """Tavily's search. With a key, `Answer.units` are credits; without one, a call costs nothing."""

    name = "tavily"
    unit = "credit"
    max_results = CEILING
    max_query_chars = 400

    def __init__(
        self,
        api: EngineClient,
        clock: Clock,
        *,
        depth: str = "basic",
        keyless: bool = False,
        usd_per_unit: float = 0.008,
    ) -> None:
        """`keyless`: `api` sends no key, so Tavily answers a little, for nothing; it is then asked late."""
        self.keyless = keyless
        self.paid = not keyless
        self.priority = 80 if keyless else 50
        everywhere = _PUSHED_DOWN | {"safesearch"} if depth in SAFE_DEPTHS else _PUSHED_DOWN
        self.verticals = {"web": everywhere | {"user_location_country"}, "news": everywhere}
        self._api = api
        self._clock = clock
        self._depth = depth
        self._usd_per_unit = usd_per_unit

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def units_for(self, request: SearchRequest) -> float:  # noqa: ARG002 - all requests cost the same
        """What the price list says for this depth."""
        return CREDITS[self._depth]

    async def search(self, request: SearchRequest) -> Answer:
        """One call, with the pages' texts where the request asks for them."""
        body, notes = search_body(request, depth=self._depth, now=self._clock.now())
        response = await self._api.post("search", json=body, deadline=request.caller.deadline, paid=self.paid)
        answer = Row.of(response)
        found = (hit(row, whole_text=request.content_mode == "text") for row in answer.required_rows("results"))
        hits = require_hits(found, "results.url")[: request.max_results]
        if (undated := sum(one.published is None for one in hits)) and _is_dated(request):
            # these dates are pushed down, so the core takes them for checked; but Tavily keeps what has no date
            notes = (*notes, f"{self.name}: {undated} of its results carry no date, so the dates could not be checked")
        if self.keyless:
            return Answer(hits=hits, notes=notes)
        units = spent(answer, self._depth)
        return Answer(hits=hits, notes=notes, units=units, cost=units * self._usd_per_unit)


def _is_dated(request: SearchRequest) -> bool:
    return any((request.start_published_date, request.end_published_date, request.time_range))
