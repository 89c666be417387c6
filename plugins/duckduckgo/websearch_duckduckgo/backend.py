"""Asks DuckDuckGo for web pages, by the forms on its own pages."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from websearch_core import Answer, BackendError, Code, Hit, SearchBackend, SearchRequest
from websearch_core.kit import BlockedBySite, NetworkFailed, NotFound, RateLimited, ServerFailed, UnexpectedResponse

from .error_mapping import challenged
from .request_params import MAX_QUERY_CHARS, Asking, asking
from .results import Reading, read_html, read_lite

if TYPE_CHECKING:
    from websearch_core import EngineClient

_FIRST_PAGE = 10
_FURTHER_PAGE = 15
_SPARE_S = 0.25
"""So much less time than there is gets a later page: what was found before must not be lost with it."""

_LITE_MAY_DO_BETTER = (UnexpectedResponse, NetworkFailed, NotFound, ServerFailed)
"""Not a challenge, a refusal or a 429: those are for this machine, whichever page it asks, and each further request
prolongs them. Not a timeout: there is hardly any time left."""
_OF_THIS_MACHINE = (BlockedBySite, RateLimited)


class _Reader(Protocol):
    def __call__(self, text: str, *, after: int) -> Reading: ...


class _Front(NamedTuple):
    """One of DuckDuckGo's two pages."""

    api: EngineClient
    path: str
    read: _Reader
    first: Mapping[str, str]
    """What its form sends for the first page only."""


class DuckDuckGo(SearchBackend):
    """DuckDuckGo without JavaScript. There is no programming interface: these are the pages for people."""

    name = "duckduckgo"
    priority = 90
    keyless = True
    index_owner = "bing"
    verticals: Mapping[str, frozenset[str]] = {
        "web": frozenset({"language", "safesearch", "time_range", "user_location_country"})
    }
    max_query_chars = MAX_QUERY_CHARS
    max_site_operators = 4
    """Each query risks a challenge, so few with several sites are better than many with one; DuckDuckGo documents
    `site:` but not how many it takes, so no more than a handful."""

    def __init__(self, html: EngineClient, lite: EngineClient | None = None, *, max_pages: int = 2) -> None:
        """`html` and `lite` are the clients for the two pages; without `lite` only the first is asked."""
        self._html = _Front(html, "html/", read_html, {"b": ""})
        self._lite = None if lite is None else _Front(lite, "lite/", read_lite, {})
        self._max_pages = max_pages
        self.max_results = _FIRST_PAGE + _FURTHER_PAGE * (max_pages - 1)

    def warm(self) -> None:
        """Load the parser: with the first search that would hold the event loop for some 80 ms."""
        import_module("turbohtml")

    async def aclose(self) -> None:
        """Close the connections."""
        for front in (self._html, self._lite):
            if front is not None:
                await front.api.aclose()

    async def search(self, request: SearchRequest) -> Answer:
        """Page after page, until there are enough results or no more; of the lite page where the other one fails."""
        asked = asking(request)
        try:
            return await self._walk(self._html, request, asked)
        except _LITE_MAY_DO_BETTER as error:
            if self._lite is None:
                raise
            note = f"DuckDuckGo: its html page failed ({error.code}), so its lite page was asked"
            try:
                return await self._walk(self._lite, request, asked._replace(notes=(*asked.notes, note)))
            except _OF_THIS_MACHINE:
                raise
            except BackendError:
                raise error from None

    async def _walk(self, front: _Front, request: SearchRequest, asked: Asking) -> Answer:
        found: dict[str, Hit] = {}
        notes = list(asked.notes)
        onward: Mapping[str, str] = {}
        deadline = request.caller.deadline
        trouble: Code | None = None
        retry_after: float | None = None
        page = 0
        for page in range(1, self._max_pages + 1):
            before = len(found)
            try:
                reading = await _page(front, asked, onward, deadline)
            except BackendError as error:
                if page == 1:
                    raise
                notes.append(f"DuckDuckGo: page {page} of the results failed ({error.code})")
                trouble, retry_after = (None, None) if error.unsent else (error.code, error.retry_after)
                break
            for hit in reading.hits:
                found.setdefault(hit.url, hit)
            onward = reading.onward
            # Without the form's token a further page would be the end of our welcome.
            if not onward or len(found) == before or len(found) >= request.max_results:
                break
            if page == 1 and deadline is not None:
                deadline -= _SPARE_S
        hits = tuple(found.values())[: request.max_results]
        return Answer(hits=hits, notes=tuple(notes), units=page, trouble=trouble, retry_after=retry_after)


async def _page(front: _Front, asked: Asking, onward: Mapping[str, str], deadline: float | None) -> Reading:
    """One page. A status of 202 is that of challenges, also of those that we cannot read."""
    form = {**asked.form, **(onward or front.first)}
    response = await front.api.post(front.path, data=form, headers=asked.headers, deadline=deadline)
    try:
        return front.read(response.content.decode("utf-8", "replace"), after=int(onward.get("s", "0")))
    except UnexpectedResponse:
        if response.status == 202:
            raise challenged() from None
        raise
