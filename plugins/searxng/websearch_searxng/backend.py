"""Asks SearXNG for web pages, news and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.kit import ResultPage, Row, ServerFailed, UnexpectedResponse, read_pages

from .error_mapping import page_instead_of_json
from .request_params import CATEGORIES, parameters
from .results import hits, silence, silent_engines

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient

_PUSHED_DOWN = frozenset({"language", "safesearch", "time_range", "user_location_country"})

# SearXNG's limiter turns away clients whose Accept lacks text/html or that send no Accept-Language
# (searx/botdetection). We do read its HTML, to tell a page for people from an answer; and a language named here would
# become the language of the search where the request says none.
_HEADERS = {"Accept": "application/json, text/html;q=0.5", "Accept-Language": "*"}


class Searxng(SearchBackend):
    """A SearXNG (or searx) of the operator's."""

    name = "searxng"
    index_owner = "metasearch"
    priority = 60
    verticals: Mapping[str, frozenset[str]] = dict.fromkeys(CATEGORIES, _PUSHED_DOWN)

    def __init__(
        self,
        api: EngineClient,
        clock: Clock,
        *,
        method: Literal["POST", "GET"] = "POST",
        max_pages: int = 5,
        sites: int = 0,
    ) -> None:
        """`api` is the client for SearXNG's start page; `sites` how many `site:` terms the engines behind it take."""
        self.max_site_operators = sites
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
        silent: list[str] = []

        async def read(number: int) -> ResultPage:
            answer = await self._page(request, {**sent, "pageno": str(number + 1)})
            found = hits(answer, images=request.vertical == "images")
            silent.extend(silent_engines(answer))
            return ResultPage(found)

        answer = await read_pages(read, request, self._clock, engine="SearXNG", most=self._max_pages, notes=notes)
        if silent and not answer.hits:
            raise ServerFailed("some of SearXNG's engines did not answer, and the others found nothing")
        return answer.model_copy(update={"notes": (*answer.notes, silence(silent))}) if silent else answer

    async def _page(self, request: SearchRequest, sent: Mapping[str, str]) -> Row:
        deadline = request.caller.deadline
        if self._method == "GET":
            response = await self._api.get("search", params=sent, headers=_HEADERS, deadline=deadline)
        else:
            response = await self._api.post("search", data=sent, headers=_HEADERS, deadline=deadline)
        try:
            return Row.of(response)
        except UnexpectedResponse:
            if "html" in response.headers.get("content-type", ""):
                raise page_instead_of_json() from None
            raise
