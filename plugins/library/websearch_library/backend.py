"""The library as a search backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, SearchBackend, SearchRequest

if TYPE_CHECKING:
    from websearch_core import Clock

    from .index.library import Library


class LibraryBackend(SearchBackend):
    """Finds the best passage of each page; in the built-in documentation only where `asking.ask` says so."""

    name = "library"
    priority = 95
    is_corpus = True
    verticals: Mapping[str, frozenset[str]] = {
        "web": frozenset(
            (
                "allowed_domains",
                "content_mode",
                "end_published_date",
                "excluded_domains",
                "max_content_chars",
                "start_published_date",
                "time_range",
            )
        )
    }

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock

    async def start(self) -> None:
        """Open the library's file."""
        await self._library.open()

    async def aclose(self) -> None:
        """Close the library's file."""
        await self._library.aclose()

    @property
    def always_merged(self) -> bool:
        """True as soon as something was added: then the library's hits are fused into every answer."""
        return self._library.holds_more

    @property
    def alone(self) -> bool:
        """True until something was added: websearch's own documentation does not answer for the web."""
        return not self._library.holds_more

    @property
    def revision(self) -> str:
        """Another text within a second of every change, also of one by another process."""
        return self._library.revision

    async def search(self, request: SearchRequest) -> Answer:
        """Hits, best first; their snippets are the part of a passage in which the query's words stand closest."""
        from .search import ask

        return await ask(self._library, request, self._clock.now())
