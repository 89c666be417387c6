"""When a page was published and changed, and where that was read: declared dates first, then what the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from ...kit.dates import parse_date

if TYPE_CHECKING:
    from turbohtml import Document

_LD_KEYS = ("datePublished", "dateCreated", "uploadDate")
_META_KEYS = (
    "article:published_time", "og:article:published_time", "datepublished", "date", "dc.date", "dc.date.issued",
    "dcterms.created", "dcterms.date", "citation_publication_date", "citation_date", "parsely-pub-date", "pubdate",
    "publishdate", "publish-date", "sailthru.date", "article.published", "og:published_time", "originalpublicationdate",
)  # fmt: skip
_MODIFIED_KEYS = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "last-modified",
    "lastmod",
)
_TIMES = "[itemprop=datePublished], time[pubdate], article time[datetime], time[datetime], time"
_SHOWN = (
    "[class*=date], [class*=Date], [class*=publish], [class*=posted], [class*=byline], [class*=meta], [class*=time]"
)
_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:/|$|-)")


class PageDates(NamedTuple):
    """Aware moments; None where the page says nothing that can be true."""

    published: datetime | None = None
    source: str = ""
    """`json-ld`, `meta`, `time`, `text` or `url`, the surest first."""
    modified: datetime | None = None


def when(document: Document, meta: Mapping[str, str], things: list[Mapping[str, Any]], url: str) -> PageDates:
    """Declared dates, then `<time>`, then a short line made for a date, then the address."""
    finders: tuple[tuple[str, Callable[[], datetime | None]], ...] = (
        ("json-ld", lambda: _first(thing.get(key) for key in _LD_KEYS for thing in things)),
        ("meta", lambda: _first(meta.get(key) for key in _META_KEYS)),
        ("time", lambda: _in_time_elements(document)),
        ("text", lambda: _in_text(document)),
        ("url", lambda: _in_address(url)),
    )
    found = ((date, source) for source, find in finders if (date := find()))
    published, source = next(found, (None, ""))
    modified = _first([*(thing.get("dateModified") for thing in things), *(meta.get(key) for key in _MODIFIED_KEYS)])
    if published is None and modified is not None:
        published, source = modified, "meta"
    return PageDates(published, source, modified)


def _first(values: Iterable[Any]) -> datetime | None:
    return next((date for value in values if (date := parse_date(value))), None)


def _in_time_elements(document: Document) -> datetime | None:
    return _first(
        element.attr("datetime") or element.attr("content") or element.text for element in document.select(_TIMES)[:5]
    )


def _in_text(document: Document) -> datetime | None:
    for element in document.select(_SHOWN)[:40]:
        text = " ".join(element.text[:400].split())
        if 6 <= len(text) <= 150 and not element.closest("footer, aside, nav, .related") and (date := parse_date(text)):
            return date
    return None


def _in_address(url: str) -> datetime | None:
    match = _IN_ADDRESS.search(url)
    return parse_date(f"{match[1]}-{match[2]}-{match[3]}") if match else None
