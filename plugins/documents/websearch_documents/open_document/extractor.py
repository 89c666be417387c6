"""The `open-document` extractor: OpenDocument text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core.kit import Workers


class OpenDocumentExtractor(Extractor):
    """ODT to Markdown: headings, text, lists and tables."""

    name: str = "open-document"
    media_types: frozenset[str] = frozenset({"application/vnd.oasis.opendocument.text"})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for a password, `TooLarge` for a bomb, `UnexpectedResponse` when damaged."""
        from ..kit.extraction import read_by

        return await read_by(read_open_document, download, self._workers)


def read_open_document(download: Download) -> Page:
    """The page of an OpenDocument text. Raises as `OpenDocumentExtractor.extract`."""
    from ..kit.extraction import page_of
    from .reader import read

    return page_of(download, read)
