"""The library as a fetcher: of pages that are nowhere else, and of stored copies when no live fetcher has an answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from websearch_core import Fetcher, FetchRequest, Page
from websearch_core.kit import NotFound, ServerFailed

from .index.page_keys import DOCS_HOST, FILES_HOST, normal

if TYPE_CHECKING:
    from websearch_core import Clock
    from websearch_core.kit import GuardedClient

    from .index.library import Library
    from .index.page_copy import PageCopy

_UNREADABLE = "the library's file cannot be read; see `websearch library stats`"


class _FromLibrary(Fetcher):
    stored = True

    def __init__(self, library: Library) -> None:
        self._library = library
        self._started = False

    async def start(self) -> None:
        """Open the library's file."""
        await self._library.open()
        self._started = True

    async def aclose(self) -> None:
        """Close the library's file; the fetchers share it, so only one that opened it may."""
        if self._started:
            self._started = False
            await self._library.aclose()


class OwnPages(_FromLibrary):
    """Reads the built-in documentation and local files that were added: nobody else has these addresses."""

    name = "library-pages"
    priority = 5

    def can_fetch(self, request: FetchRequest) -> bool:
        """Whether the address is on one of the library's own hosts."""
        return _host(request.url) in (DOCS_HOST, FILES_HOST)

    async def fetch(self, request: FetchRequest) -> Page:
        """The page, whole."""
        copy = await _copy(self._library, request)
        if copy is None:
            raise NotFound("the library has no such page; search for it")
        return _page(copy, request, None)


class StoredCopies(_FromLibrary):
    """Reads the copies that `websearch library add` made. Asked last: a live page is better than a stored one."""

    name = "library"
    priority = 95

    def __init__(self, library: Library, web: GuardedClient, clock: Clock) -> None:
        super().__init__(library)
        self._web = web
        self._clock = clock

    def can_fetch(self, request: FetchRequest) -> bool:
        """Whether there is a copy, and the caller does not insist on a live page."""
        return request.max_age_hours != 0 and not request.raw and self._library.knows(normal(request.url))

    async def fetch(self, request: FetchRequest) -> Page:
        """The stored copy; a note says of when."""
        copy = await _copy(self._library, request)
        if copy is None:
            raise NotFound("the library has no copy of this page")
        age = max(0.0, self._clock.now() - copy.fetched_at)
        hours = request.max_age_hours
        if hours is not None and hours > 0 and age > hours * 3600:
            raise NotFound("the library's copy of this page is older than asked for")
        if _host(copy.url) != _host(request.url):
            # The copy was made through a redirect: its address is judged like that of any other hop.
            await self._web.screened(request.model_copy(update={"url": copy.url}))
        return _page(copy, request, age)


async def _copy(library: Library, request: FetchRequest) -> PageCopy | None:
    import sqlite3

    url = normal(request.url)
    try:
        return await library.read(lambda index: index.find(url))
    except sqlite3.Error:
        raise ServerFailed(_UNREADABLE) from None


def _page(copy: PageCopy, request: FetchRequest, age: float | None) -> Page:
    fetched = datetime.fromtimestamp(copy.fetched_at, UTC)
    return Page.from_text(
        copy.body,
        max_bytes=request.max_bytes,
        url=request.url,
        final_url=copy.url,
        title=copy.title,
        author=copy.author,
        site=copy.site,
        language=copy.language,
        published=None if copy.published is None else datetime.fromtimestamp(copy.published, UTC),
        fetched_at=fetched,
        age=age,
        media_type="text/markdown",
        notes=() if age is None else (f"This is the library's stored copy of {fetched:%Y-%m-%d}.",),
    )


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return ""
