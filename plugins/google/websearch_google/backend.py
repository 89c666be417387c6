"""Asks Google Programmable Search for web pages and pictures."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Answer, BackendError, Code, Hit, SearchBackend, SearchRequest

from .asking import CEILING, PAGE, parameters
from .results import Page, page_of

if TYPE_CHECKING:
    from websearch_core import Api, Clock

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

_PAGE_FAILED = "Google: a further page of results failed, so there are fewer than asked for"
_TOO_LATE = "Google: there was no time for a further page of results"


class Google(SearchBackend):
    """Google Programmable Search, for those who have it still. A page of ten results is one paid request."""

    name = "google"
    paid = True
    lineage = "google"
    ceiling = CEILING
    sites = 10
    max_query_words = 32
    verticals: Mapping[str, frozenset[str]] = {"web": _PAGES, "news": _PAGES, "images": _PICTURES}

    def __init__(self, api: Api, clock: Clock, *, cx: str, usd_per_unit: float) -> None:
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
        return -(-min(request.max_results, CEILING) // PAGE)

    async def search(self, request: SearchRequest) -> Answer:
        """Page after page, until there are enough results, or no more, or no time. What was found is never lost."""
        asked, notes = parameters(request, cx=self._cx, now=self._clock.now())
        wanted = min(request.max_results, CEILING)
        hits: list[Hit] = []
        paid = 0
        trouble: Code | None = None
        for start in range(0, wanted, PAGE):
            began = self._clock.monotonic()
            left = wanted - start
            try:
                page = await self._page(request, {**asked, "num": str(min(left, PAGE)), "start": str(start + 1)})
            except BackendError as error:
                if not paid:
                    raise
                notes.append(_PAGE_FAILED)
                trouble = None if error.unsent else error.code
                break
            paid += 1
            hits += page.hits
            if not page.more:
                break
            now = self._clock.monotonic()
            if left > PAGE and not request.caller.has_time(now, now - began):
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
        response = await self._api.get("", params=asked, deadline=request.caller.deadline, paid=True)
        return page_of(response, images=request.vertical == "images")
