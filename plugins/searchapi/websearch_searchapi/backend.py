"""Asks SearchApi for Google's web pages, news and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, BackendError, Code, Hit, SearchBackend, SearchRequest

from .asking import CEILING, PAGE, parameters
from .results import Page, page_of

if TYPE_CHECKING:
    from websearch_core import Api, Clock

_PICTURES = frozenset({"language", "safesearch", "time_range", "user_location_country"})
_NEWS = frozenset({"end_published_date", "language", "start_published_date", "time_range", "user_location_country"})

_PAGE_FAILED = "SearchApi: a further page of results failed, so there are fewer than asked for"
_TOO_LATE = "SearchApi: there was no time for a further page of results"


class SearchApi(SearchBackend):
    """Google's results, sold by searchapi.io. Each page of results is one paid search."""

    name = "searchapi"
    paid = True
    unit = "search"
    lineage = "google"
    ceiling = CEILING
    sites = 10
    max_query_words = 32
    verticals: Mapping[str, frozenset[str]] = {"web": _NEWS | _PICTURES, "news": _NEWS, "images": _PICTURES}

    def __init__(self, api: Api, clock: Clock, *, usd_per_unit: float) -> None:
        """`usd_per_unit` is what one page costs."""
        self._api = api
        self._clock = clock
        self._usd_per_unit = usd_per_unit

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def units_for(self, request: SearchRequest) -> float:
        """A search for each page of ten."""
        return -(-min(request.max_results, CEILING) // PAGE)

    async def search(self, request: SearchRequest) -> Answer:
        """As many pages as so many results need, one after the other. What was found is never lost.

        Google often gives a few less than ten on a page; no further page is bought for those.
        """
        asked, notes = parameters(request, now=self._clock.now())
        wanted = min(request.max_results, CEILING)
        most = -(-wanted // PAGE)
        hits: list[Hit] = []
        paid = 0
        trouble: Code | None = None
        for number in range(1, most + 1):
            began = self._clock.monotonic()
            try:
                page = await self._page(request, {**asked, "page": str(number)})
            except BackendError as error:
                if not paid:
                    raise
                notes.append(_PAGE_FAILED)
                trouble = None if error.unsent else error.code
                break
            paid = number
            hits += page.hits
            if len(hits) >= wanted or not page.more:
                break
            now = self._clock.monotonic()
            if number < most and not request.caller.has_time(now, now - began):
                notes.append(_TOO_LATE)
                break
        return Answer(
            hits=tuple(hits[:wanted]),
            notes=tuple(notes),
            cost=paid * self._usd_per_unit,
            units=paid,
            trouble=trouble,
        )

    async def _page(self, request: SearchRequest, asked: Mapping[str, str]) -> Page:
        response = await self._api.get("search", params=asked, deadline=request.caller.deadline, paid=True)
        return page_of(response, images=request.vertical == "images")
