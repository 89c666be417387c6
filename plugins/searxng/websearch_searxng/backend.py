"""Asks SearXNG for web pages, news and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from websearch_core import (
    Answer,
    BackendError,
    Code,
    Drift,
    Hit,
    Row,
    SearchBackend,
    SearchRequest,
    ServerFailed,
)

from .asking import CATEGORIES, parameters
from .failures import page_instead_of_json
from .results import hits, silence, silent_engines

if TYPE_CHECKING:
    from websearch_core import Api, Clock

_PUSHED_DOWN = frozenset({"language", "safesearch", "time_range", "user_location_country"})

# SearXNG's limiter turns away clients whose Accept lacks text/html or that send no Accept-Language
# (searx/botdetection). We do read its HTML, to tell a page for people from an answer; and a language named here would
# become the language of the search where the request says none.
_HEADERS = {"Accept": "application/json, text/html;q=0.5", "Accept-Language": "*"}


class Searxng(SearchBackend):
    """A SearXNG (or searx) of the operator's."""

    name = "searxng"
    lineage = "metasearch"
    priority = 60
    verticals: Mapping[str, frozenset[str]] = dict.fromkeys(CATEGORIES, _PUSHED_DOWN)

    def __init__(
        self, api: Api, clock: Clock, *, method: Literal["POST", "GET"] = "POST", max_pages: int = 5, sites: int = 0
    ) -> None:
        """`api` is the door to SearXNG's start page; `sites` how many `site:` terms the engines behind it take."""
        self.sites = sites
        self._api = api
        self._clock = clock
        self._method = method
        self._max_pages = max_pages

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    async def search(self, request: SearchRequest) -> Answer:
        """Page after page, until there are enough results or no more."""
        sent, notes = parameters(request)
        found: dict[tuple[str, str], Hit] = {}
        silent: list[str] = []
        trouble: Code | None = None
        for page in range(1, self._max_pages + 1):
            began, before = self._clock.monotonic(), len(found)
            try:
                answer = await self._page(request, {**sent, "pageno": str(page)})
                for hit in hits(answer, images=request.vertical == "images"):
                    found.setdefault((hit.url, hit.image), hit)
            except BackendError as error:
                if not found:
                    raise
                notes.append(f"SearXNG: page {page} of the results failed ({error.code})")
                trouble = None if error.unsent else error.code
                break
            silent += silent_engines(answer)
            enough = len(found) == before or len(found) >= request.max_results
            now = self._clock.monotonic()
            if enough or not request.caller.has_time(now, now - began):
                break
        if silent and not found:
            raise ServerFailed("some of SearXNG's engines did not answer, and the others found nothing")
        if silent:
            notes.append(silence(silent))
        return Answer(hits=tuple(found.values())[: request.max_results], notes=tuple(notes), trouble=trouble)

    async def _page(self, request: SearchRequest, sent: Mapping[str, str]) -> Row:
        deadline = request.caller.deadline
        if self._method == "GET":
            response = await self._api.get("search", params=sent, headers=_HEADERS, deadline=deadline)
        else:
            response = await self._api.post("search", data=sent, headers=_HEADERS, deadline=deadline)
        try:
            return Row.of(response)
        except Drift:
            if "html" in response.headers.get("content-type", ""):
                raise page_instead_of_json() from None
            raise
