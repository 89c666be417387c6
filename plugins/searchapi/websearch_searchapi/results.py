"""Reads one page of SearchApi's results. Pictures inside the answer (`data:`) are no addresses, and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Hit
from websearch_core.kit import ResultPage, Row, hit_of, require_hits

from .error_mapping import found_nothing

if TYPE_CHECKING:
    from websearch_core import EngineResponse


def page_of(response: EngineResponse, *, images: bool) -> ResultPage:
    """The hits, in Google's order. Raises `UnexpectedResponse` when there is none, unless it says so."""
    answer = Row.of(response)
    name = "images" if images else "organic_results"
    if name not in answer and _empty(answer):
        return ResultPage((), more=False)
    found = (_picture(row) if images else _page(row) for row in answer.required_rows(name))
    hits = require_hits(found, "images.source.link" if images else "organic_results.link")
    return ResultPage(hits, more=bool(answer.text("pagination", "next")))


def _empty(answer: Row) -> bool:
    return found_nothing(answer) or answer.number("search_information", "total_results") == 0


def _page(row: Row) -> Hit | None:
    age = row.text("date")
    return hit_of(
        url=row.address("link"),
        title=row.text("title"),
        snippet=row.text("snippet"),
        age_text=age,
        published=row.moment("iso_date") or row.moment("date"),
        favicon=row.address("favicon"),
    )


def _picture(row: Row) -> Hit | None:
    """A picture on its page. Where Google gives no address of the picture itself, the small copy stands for it."""
    image = row.address("original", "link") or row.address("thumbnail")
    return hit_of(url=row.address("source", "link"), title=row.text("title"), image=image) if image else None
