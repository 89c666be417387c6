"""Lets Tavily read a page: POST /extract, one address a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from websearch_core import Fetcher, FetchRequest, Page
from websearch_core.kit import NotFound, Row, UnexpectedResponse

from .error_mapping import of_page

if TYPE_CHECKING:
    from websearch_core import EngineClient

NO_AGE = "Tavily: cannot be told how old its copy of a page may be"

_CREDITS = {"basic": 1 / 5, "advanced": 2 / 5}
"""Tavily's price list: credits for a page that was read, per depth. Tavily itself counts in fives."""


class TavilyExtract(Fetcher):
    """Tavily's reader: asked after those that read pages themselves, and after Exa."""

    name = "tavily"
    priority = 70
    remote = True
    unit = "credit"

    def __init__(
        self, api: EngineClient, *, depth: str = "basic", keyless: bool = False, usd_per_unit: float = 0.008
    ) -> None:
        """`keyless`: `api` sends no key, so Tavily reads a little, for nothing."""
        self.keyless = keyless
        self.paid = not keyless
        self._api = api
        self._depth = depth
        self._usd_per_unit = usd_per_unit

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def can_fetch(self, request: FetchRequest) -> bool:
        """Web pages, as text and not raw."""
        return not request.raw and request.url.lower().startswith(("http://", "https://"))

    async def fetch(self, request: FetchRequest) -> Page:
        """The page's text, as Tavily extracted it."""
        asked: dict[str, Any] = {"urls": [request.url], "extract_depth": self._depth, "format": "markdown"}
        response = await self._api.post("extract", json=asked, deadline=request.caller.deadline, paid=self.paid)
        row = _result(request.url, Row.of(response))
        text, address = row.block("raw_content"), row.address("url")
        if not text:
            raise NotFound("Tavily has no text of this page")
        if not address:
            raise UnexpectedResponse("results.url")
        units = None if self.keyless else _CREDITS[self._depth]
        page = Page.from_text(
            text,
            max_bytes=request.max_bytes,
            url=request.url,
            final_url=address,
            media_type="text/markdown",
            units=units,
            cost=None if units is None else units * self._usd_per_unit,
            notes=() if request.max_age_hours is None else (NO_AGE,),
        )
        first = next((heading.text for heading in page.outline if heading.level == 1), "")
        return page.model_copy(update={"title": row.text("title") or first})


def _result(url: str, answer: Row) -> Row:
    """The result for this address. Raises what Tavily says of its failure."""
    results = answer.required_rows("results")
    for row in results:
        if _same(row.text("url"), url):
            return row
    failures = answer.rows("failed_results")
    if failures:
        raise of_page(failures[0])
    if len(results) == 1:  # one address was asked for: this is where it led
        return results[0]
    raise UnexpectedResponse("results") if results else NotFound("Tavily has no text of this page")


def _same(one: str, other: str) -> bool:
    """Whether two spellings mean one page: scheme, case of the host, last slash and fragment do not count."""
    return _page_of(one) == _page_of(other)


def _page_of(url: str) -> tuple[str, str]:
    host, _, path = url.partition("#")[0].partition("://")[2].partition("/")
    return host.lower(), path.rstrip("/")
