"""Asks SearchApi for Google's web pages, news and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.kit import ResultPage, read_pages

from .request_params import CEILING, PAGE, parameters
from .results import page_of

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient

_PICTURES = frozenset({"language", "safesearch", "time_range", "user_location_country"})
_NEWS = frozenset({"end_published_date", "language", "start_published_date", "time_range", "user_location_country"})


class SearchApi(SearchBackend):
    """Google's results, sold by searchapi.io. Each page of results is one paid search."""

    name = "searchapi"
    paid = True
    unit = "search"
    index_owner = "google"
    max_results = CEILING
    max_site_operators = 10
    max_query_words = 32
    verticals: Mapping[str, frozenset[str]] = {"web": _NEWS | _PICTURES, "news": _NEWS, "images": _PICTURES}

    def __init__(self, api: EngineClient, clock: Clock, *, usd_per_unit: float) -> None:
        """`usd_per_unit` is what one page costs."""
        self._api = api
        self._clock = clock
        self._usd_per_unit = usd_per_unit

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def units_for(self, request: SearchRequest) -> float:
        """A search for each page of ten."""
        return pages_of(request)

    async def search(self, request: SearchRequest) -> Answer:
        """As many pages as so many results need, one after the other. What was found is never lost.

        Google often gives a few less than ten on a page; no further page is bought for those.
        """
        asked, notes = parameters(request, now=self._clock.now())

        async def read(number: int) -> ResultPage:
            page = {**asked, "page": str(number + 1)}
            response = await self._api.get("search", params=page, deadline=request.caller.deadline, paid=True)
            return page_of(response, images=request.vertical == "images")

        return await read_pages(
            read,
            request,
            self._clock,
            engine="SearchApi",
            most=pages_of(request),
            notes=notes,
            usd_per_page=self._usd_per_unit,
        )


def pages_of(request: SearchRequest) -> int:
    """How many pages of results the request may take."""
    return -(-min(request.max_results, CEILING) // PAGE)
