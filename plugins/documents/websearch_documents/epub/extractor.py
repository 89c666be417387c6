"""The `epub` extractor: a book's chapters in the order of reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core.kit import Workers


class EpubExtractor(Extractor):
    """EPUB 2 and 3 to Markdown; scripts, styles and pictures are not unpacked."""

    name: str = "epub"
    media_types: frozenset[str] = frozenset({"application/epub+zip"})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for a protected book, `TooLarge` for a bomb, `UnexpectedResponse` when damaged."""
        from ..kit.extraction import read_by

        return await read_by(read_epub, download, self._workers)


def read_epub(download: Download) -> Page:
    """The page of a book. Raises as `EpubExtractor.extract`."""
    from ..kit.extraction import page_of
    from .reader import read

    return page_of(download, read)
