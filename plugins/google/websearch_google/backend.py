"""Asks Google Programmable Search for web pages and pictures."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.kit import ResultPage, read_pages

from .request_params import CEILING, PAGE, parameters
from .results import page_of

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient

log = logging.getLogger(__name__)

_PICTURES = frozenset({"language", "max_results", "safesearch", "time_range", "user_location_country"})
_PAGES = _PICTURES | {"end_published_date", "start_published_date"}

END = datetime(2027, 1, 1, tzinfo=UTC)
"""From this day on, Google does not answer searches of the whole web any more."""
_ENDS = (
    "Google ends the Custom Search JSON API on 2027-01-01, and search engines made since 2026-01-20 cover at most 50 "
    "sites: plan for another backend"
)
_ENDED = (
    "Google announced the end of the Custom Search JSON API for 2027-01-01; it is still tried: set up another backend"
)


class Google(SearchBackend):
    """Google Programmable Search, for those who have it still. A page of ten results is one paid request."""

    name = "google"
    paid = True
    index_owner = "google"
    max_results = CEILING
    max_site_operators = 10
    max_query_words = 32
    verticals: Mapping[str, frozenset[str]] = {"web": _PAGES, "news": _PAGES, "images": _PICTURES}

    def __init__(self, api: EngineClient, clock: Clock, *, cx: str, usd_per_unit: float) -> None:
        """`cx` is the search engine's ID; `usd_per_unit` what one request costs."""
        self._api = api
        self._clock = clock
        self._cx = cx
        self._usd_per_unit = usd_per_unit

    async def start(self) -> None:
        """Say in the log that this service ends."""
        over = self._clock.now() >= END.timestamp()
        log.warning(_ENDED if over else _ENDS)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def units_for(self, request: SearchRequest) -> float:
        """A request for each page of ten."""
        return pages_of(request)

    async def search(self, request: SearchRequest) -> Answer:
        """Page after page, until there are enough results, or no more, or no time. What was found is never lost."""
        asked, notes = parameters(request, cx=self._cx, now=self._clock.now())

        async def read(number: int) -> ResultPage:
            start = number * PAGE
            part = {**asked, "num": str(min(request.max_results - start, PAGE)), "start": str(start + 1)}
            response = await self._api.get("", params=part, deadline=request.caller.deadline, paid=True)
            return page_of(response, images=request.vertical == "images")

        return await read_pages(
            read,
            request,
            self._clock,
            engine="Google",
            most=pages_of(request),
            notes=notes,
            usd_per_page=self._usd_per_unit,
        )


def pages_of(request: SearchRequest) -> int:
    """How many pages of results the request may take."""
    return -(-min(request.max_results, CEILING) // PAGE)
