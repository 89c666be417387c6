"""Lets Exa read a page: POST /contents, one address a call."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from websearch_core import Drift, Fetcher, FetchRequest, NotFound, Page

from .failures import answered, of_page
from .results import address, dollars, published, rows, text_of

if TYPE_CHECKING:
    from websearch_core import Api, Clock


class ExaContents(Fetcher):
    """Exa's reader: asked after those that read pages themselves."""

    name = "exa"
    priority = 60
    remote = True

    def __init__(self, api: Api, clock: Clock, *, max_age_hours: int | None = None) -> None:
        """`max_age_hours` counts where a request does not say."""
        self._api = api
        self._clock = clock
        self._max_age_hours = max_age_hours

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    def can_fetch(self, request: FetchRequest) -> bool:
        """Web pages only."""
        return request.url.lower().startswith(("http://", "https://"))

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

    def _page(self, request: FetchRequest, answer: Mapping[str, Any]) -> Page:
        status = _status(request.url, answer)
        if text_of(status, "status") == "error":
            raise of_page(status)
        row = _row(request.url, rows(answer), known_good=bool(status))
        text = text_of(row, "text")
        if not text:
            raise NotFound("Exa has no text of this page")
        body, size, truncated = _capped(text, request.max_bytes)
        return Page.from_markdown(
            body,
            url=request.url,
            final_url=address(row, "url"),
            title=" ".join(text_of(row, "title").split()),
            author=text_of(row, "author"),
            published=published(row),
            media_type="text/markdown",
            truncated=truncated,
            bytes_read=size,
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
            cost=dollars(answer),
        )


def _status(url: str, answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Exa's word on this address; empty when it says nothing."""
    statuses = rows(answer, "statuses") if "statuses" in answer else []
    about_it = [status for status in statuses if _same(text_of(status, "id"), url)]
    return about_it[0] if about_it else {}


def _row(url: str, results: list[Mapping[str, Any]], *, known_good: bool) -> Mapping[str, Any]:
    """The result for this address: by its id (what was asked for), its URL, or because the status vouches for it."""
    for key in ("id", "url"):
        for row in results:
            if _same(text_of(row, key), url):
                return row
    if known_good and len(results) == 1:  # a redirect: Exa names the last address in both fields
        return results[0]
    raise Drift("results") if results else NotFound("Exa has no text of this page")


def _same(one: str, other: str) -> bool:
    """Whether two spellings mean one page, to the extent that Exa changes them."""
    return _page_of(one) == _page_of(other)


def _page_of(url: str) -> tuple[str, str]:
    host, _, path = url.partition("#")[0].partition("://")[2].partition("/")
    return host.lower(), path.rstrip("/")


def _capped(text: str, max_bytes: int | None) -> tuple[str, int, bool]:
    """The text, its size in bytes, and whether it was cut, between two characters."""
    encoded = text.encode("utf-8", "replace")
    if max_bytes is None or len(encoded) <= max_bytes:
        return text, len(encoded), False
    kept = encoded[:max_bytes].decode("utf-8", "ignore")
    return f"{kept}\n\n[truncated at {max_bytes} bytes]", max_bytes, True
