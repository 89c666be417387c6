"""Asks Serper for Google's web pages, news and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.kit import Row

from .request_params import CEILING, PATHS, body
from .results import credits_for, credits_of, hits_of

if TYPE_CHECKING:
    from websearch_core import EngineClient

_PUSHED_DOWN = frozenset({"language", "max_results", "time_range", "user_location_country"})


class Serper(SearchBackend):
    """Google's results, sold by serper.dev. One call a search."""

    name = "serper"
    paid = True
    unit = "credit"
    index_owner = "google"
    max_results = CEILING
    max_site_operators = 10
    max_query_words = 32
    verticals: Mapping[str, frozenset[str]] = dict.fromkeys(PATHS, _PUSHED_DOWN)

    def __init__(self, api: EngineClient, *, usd_per_unit: float) -> None:
        """`usd_per_unit` is what a credit costs."""
        self._api = api
        self._usd_per_unit = usd_per_unit

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def units_for(self, request: SearchRequest) -> float:
        """What the price list says for so many results."""
        return credits_for(min(request.max_results, CEILING))

    async def search(self, request: SearchRequest) -> Answer:
        """One call. It costs what Serper says that it cost, else what the price list says."""
        asked, notes = body(request)
        path = PATHS[request.vertical]
        answer = Row.of(await self._api.post(path, json=asked, deadline=request.caller.deadline, paid=True))
        hits = hits_of(answer, request.vertical)
        units = credits_of(answer, asked["num"])
        return Answer(
            hits=hits[: request.max_results], notes=tuple(notes), cost=units * self._usd_per_unit, units=units
        )
