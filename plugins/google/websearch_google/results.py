"""Reads one page of Google's results."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Hit
from websearch_core.kit import ResultPage, Row, hit_of, moment, require_hits

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_KINDS = ("metatags", "newsarticle", "article", "blogposting")
"""Where Google's PageMap keeps what a page says of itself."""
_PUBLISHED = (
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "pubdate",
    "publishdate",
    "parsely-pub-date",
    "sailthru.date",
    "dc.date.issued",
    "dc.date",
    "dcterms.date",
    "citation_publication_date",
    "date",
)
"""Names under which pages say when they were published."""
_OLDEST = datetime(1990, 1, 1, tzinfo=UTC)
"""The web is younger: what is older is a date that a site's software never filled in."""
_LED = re.compile(r"(?P<age>\S+(?: \S+){0,5}?) \.\.\. (?P<rest>.+)")
"""A snippet before which Google may have put the page's age, in the language of the search."""
_BARE = re.compile(r"\d+ ?\w+")
"""A number and a word: in a text of its own that need not be an age."""
_SOME_TIME = 1e9


def page_of(response: EngineResponse, *, images: bool) -> ResultPage:
    """The hits, in Google's order. Raises `UnexpectedResponse` when there is none, unless Google says so."""
    answer = Row.of(response)
    if "items" not in answer and answer.number("searchInformation", "totalResults") == 0:
        return ResultPage((), more=False)
    found = (_picture(item) if images else _page(item) for item in answer.required_rows("items"))
    return ResultPage(require_hits(found, "items.link"), more=bool(answer.rows("queries", "nextPage")))


def _page(item: Row) -> Hit | None:
    age, snippet = _led(item.text("snippet"))
    return hit_of(
        url=item.address("link"),
        title=item.text("title"),
        snippet=snippet,
        age_text=age,
        published=_published(item, age),
    )


def _picture(item: Row) -> Hit | None:
    image = item.address("link")
    if not image:
        return None
    title, snippet = item.text("title"), item.text("snippet")
    return hit_of(
        url=item.address("image", "contextLink"), title=title, snippet="" if snippet == title else snippet, image=image
    )


def _led(snippet: str) -> tuple[str, str]:
    match = _LED.match(snippet)
    is_age = match and not _BARE.fullmatch(match["age"]) and moment(match["age"], _SOME_TIME)
    return (match["age"], match["rest"]) if match and is_age else ("", snippet)


def _published(item: Row, age: str) -> datetime | None:
    """When the page says that it was published, else the day that Google put before the snippet."""
    said = (data.moment(name) for kind in _KINDS for data in item.rows("pagemap", kind) for name in _PUBLISHED)
    return next((when for when in (*said, moment(age)) if when is not None and when >= _OLDEST), None)
