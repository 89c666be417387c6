"""Lets Exa read a page: POST /contents, one address a call."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from websearch_core import Fetcher, FetchRequest, Page
from websearch_core.kit import NotFound, Row, UnexpectedResponse

from .error_mapping import answered, of_page
from .results import dollars

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient


class ExaContents(Fetcher):
    """Exa's reader: asked after those that read pages themselves."""

    name = "exa"
    priority = 60
    remote = True
    paid = True
    unit = "page"

    def __init__(self, api: EngineClient, clock: Clock, *, max_age_hours: int | None = None) -> None:
        """`max_age_hours` counts where a request does not say."""
        self._api = api
        self._clock = clock
        self._max_age_hours = max_age_hours

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def can_fetch(self, request: FetchRequest) -> bool:
        """Web pages, as text and not raw."""
        return not request.raw and request.url.lower().startswith(("http://", "https://"))

    async def fetch(self, request: FetchRequest) -> Page:
        """The page's text, as Exa extracted it."""
        age = self._max_age_hours if request.max_age_hours is None else request.max_age_hours
        body: dict[str, Any] = {"urls": [request.url], "text": True}
        if request.max_bytes is not None:
            body["text"] = {"maxCharacters": request.max_bytes}  # a character has at least one byte
        if age is not None:
            body["maxAgeHours"] = age
        response = await self._api.post("contents", json=body, deadline=request.caller.deadline, paid=True)
        return self._page(request, answered(response))

    def _page(self, request: FetchRequest, answer: Row) -> Page:
        status = _status(request.url, answer)
        if status.text("status") == "error":
            raise of_page(status)
        row = _row(request.url, answer.required_rows("results"), known_good=bool(status))
        text = row.block("text")
        if not text:
            raise NotFound("Exa has no text of this page")
        return Page.from_text(
            text,
            max_bytes=request.max_bytes,
            url=request.url,
            final_url=row.address("url"),
            title=row.text("title"),
            author=row.text("author"),
            published=row.moment("publishedDate"),
            media_type="text/markdown",
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
            cost=dollars(answer),
            units=1,
        )


def _status(url: str, answer: Row) -> Row:
    """Exa's word on this address; empty when it says nothing."""
    return next((status for status in answer.rows("statuses") if _same(status.text("id"), url)), Row())


def _row(url: str, results: list[Row], *, known_good: bool) -> Row:
    """The result for this address: by its id (what was asked for), its URL, or because the status vouches for it."""
    for key in ("id", "url"):
        for row in results:
            if _same(row.text(key), url):
                return row
    if known_good and len(results) == 1:  # a redirect: Exa names the last address in both fields
        return results[0]
    raise UnexpectedResponse("results") if results else NotFound("Exa has no text of this page")


def _same(one: str, other: str) -> bool:
    """Whether two spellings mean one page, to the extent that Exa changes them."""
    return _page_of(one) == _page_of(other)


def _page_of(url: str) -> tuple[str, str]:
    host, _, path = url.partition("#")[0].partition("://")[2].partition("/")
    return host.lower(), path.rstrip("/")
