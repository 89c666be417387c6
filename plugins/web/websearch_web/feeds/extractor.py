"""The `feed` extractor: RSS, Atom and JSON feeds as a list of their items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError, Download, Extractor, Page
from websearch_core.kit import UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core.kit import Workers


class FeedExtractor(Extractor):
    """RSS 0.9 to 2.0, Atom, JSON Feed: title, link, date, author and the beginning of each item's text."""

    name: str = "feed"
    media_types: frozenset[str] = frozenset(
        {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"}
    )

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `UnexpectedResponse` for what is no feed."""
        from ..kit.extraction import INLINE_XML_BYTES, read_by

        return await read_by(read_feed, download, self._workers, inline_bytes=INLINE_XML_BYTES)


def read_feed(download: Download) -> Page:
    """The page of a feed. Raises as `FeedExtractor.extract`."""
    from ..kit.extraction import page_of, text_of
    from .items import read

    try:
        reading = read(text_of(download), download.final_url or download.url)
    except (BackendError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - whatever a hostile document provokes in the parser, the chain goes on
        raise UnexpectedResponse("document", "the feed could not be read") from None
    return page_of(
        download,
        reading.body,
        title=reading.title,
        published=reading.published,
        published_from="feed" if reading.published else "",
        links=reading.links,
        hidden=reading.hidden,
        notes=reading.notes,
    )
