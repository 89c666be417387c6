"""The `html` extractor: small pages here, large ones in a worker."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from websearch_core import BackendError, Download, Extractor, Page
from websearch_core.kit import BlockedBySite, NeedsRendering, NotFound, Paywalled, RateLimited, UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core.kit import Workers

SECONDS = 8.0
"""Then the second reader has its turn within the time of one answer."""
CPU_SECONDS = 3.0
"""Thirty times what the slowest real pages take; ten megabytes of markup take 2. With the second reader's share of 2,
no page has more than five of a worker."""


class HtmlExtractor(Extractor):
    """HTML and XHTML to Markdown of the main content. A page without any text gives an empty body."""

    name: str = "html"
    media_types: frozenset[str] = frozenset({"text/html", "application/xhtml+xml"})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    def warm(self) -> None:
        """Load the parser and what works with it."""
        importlib.import_module(".page_reader", __package__)

    async def extract(self, download: Download) -> Page:
        """Raises `NeedsRendering` for an empty shell of scripts, `UnexpectedResponse` for what no parser can read."""
        from ..kit.extraction import read_by

        return await read_by(read_page, download, self._workers, seconds=SECONDS, cpu_seconds=CPU_SECONDS)


_TEASER_CHARS = 200
_PAYWALL_NOTE = "The site shows only a part of this page without payment or registration."
_WALLS: dict[str, tuple[type[BackendError], str]] = {
    "challenge": (BlockedBySite, "the site asks for proof that its visitor is a person"),
    "consent": (BlockedBySite, "the site shows nothing until its visitor accepts cookies"),
    "login": (BlockedBySite, "the site asks its visitor to log in"),
    "missing": (NotFound, "the site says that there is no such page, though with a status of success"),
    "slower": (RateLimited, "the site asks us to slow down"),
    "scripts": (NeedsRendering, "the page has no text until its scripts run"),
}


def read_page(download: Download) -> Page:
    """The page of an HTML document. Raises as `HtmlExtractor.extract`."""
    from ..kit.extraction import page_of
    from .content.walls import says_something
    from .page_reader import read_html

    try:
        url = download.final_url or download.url
        reading = read_html(download.body, url, download.charset, download.truncated, download.url)
    except BackendError:
        raise
    except Exception:  # noqa: BLE001 - whatever a hostile document provokes in the parser, the chain goes on
        raise UnexpectedResponse("document", "the HTML could not be read") from None
    if reading.wall:
        kind, detail = _WALLS[reading.wall]
        raise kind(detail)
    if reading.paywalled and len(reading.body) < _TEASER_CHARS and not says_something(reading.body):
        raise Paywalled("the site shows nothing of the page without payment")
    return page_of(
        download,
        reading.body,
        title=reading.title,
        author=reading.author,
        site=reading.site,
        published=reading.when.published,
        published_from=reading.when.source,
        modified=reading.when.modified,
        description=reading.description,
        canonical_url=reading.canonical,
        favicon=reading.favicon,
        kind=reading.kind,
        language=reading.language,
        links=reading.links,
        hidden=reading.hidden,
        paywalled=reading.paywalled,
        notes=(*reading.notes, _PAYWALL_NOTE) if reading.paywalled else reading.notes,
    )
