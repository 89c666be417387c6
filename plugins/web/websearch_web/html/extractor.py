"""The `html` extractor: small pages here, large ones in a worker."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, ClassVar, cast

from websearch_core import BackendError, Download, Drift, Extractor, NeedsRendering, Page

if TYPE_CHECKING:
    from websearch_core import Workers

    from .read import HtmlReading

INLINE_BYTES = 32_768
"""Larger documents would hold the event loop for more than 20 ms."""


class HtmlExtractor(Extractor):
    """HTML and XHTML to Markdown of the main content. A page without any text gives an empty body."""

    name: ClassVar[str] = "html"
    media_types: ClassVar[frozenset[str]] = frozenset({"text/html", "application/xhtml+xml"})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def start(self) -> None:
        """Load the parser and what works with it before the first request."""
        importlib.import_module(".read", __package__)

    async def extract(self, download: Download) -> Page:
        """Raises `NeedsRendering` for an empty shell of scripts, `Drift` for what no parser can read."""
        from ..pages import page_of

        url = download.final_url or download.url
        given = (download.body, url, download.charset, download.truncated)
        if len(download.body) <= INLINE_BYTES:
            reading = _read(*given)
        else:
            reading = cast("HtmlReading", await self._workers.run(_read, *given))
        if reading.shell:
            raise NeedsRendering("the page has no text until its scripts run")
        return page_of(
            download,
            reading.body,
            title=reading.title,
            author=reading.author,
            site=reading.site,
            published=reading.published,
            language=reading.language,
            links=reading.links,
            hidden=reading.hidden,
        )


def _read(body: bytes, url: str, charset: str, truncated: bool) -> HtmlReading:
    from .read import read_html

    try:
        return read_html(body, url, charset, truncated)
    except BackendError:
        raise
    except Exception:  # noqa: BLE001 - whatever a hostile document provokes in the parser, the chain goes on
        raise Drift("document", "the HTML could not be read") from None
