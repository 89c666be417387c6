"""The `pdf` extractor: always in a worker, because what reads PDF is written in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError, Download, Extractor, Page
from websearch_core.kit import UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core.kit import Workers


class PdfExtractor(Extractor):
    """PDF to Markdown: headings, lists, tables, code, a mark where each page begins."""

    name: str = "pdf"
    media_types: frozenset[str] = frozenset({"application/pdf", "application/x-pdf"})

    def __init__(self, workers: Workers, *, seconds: float = 16.0) -> None:
        """A document that takes longer than `seconds` is given up."""
        self._workers = workers
        self._seconds = seconds

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for a password or a scan, `UnexpectedResponse` if damaged, `TooLarge` if cut."""
        from ..kit.extraction import MEMORY_BYTES

        return await self._workers.run(read_pdf, download, seconds=self._seconds, memory_bytes=MEMORY_BYTES)


def read_pdf(download: Download) -> Page:
    """The page of a PDF. Raises as `PdfExtractor.extract`."""
    from ..kit.extraction import page_of
    from .document_reader import read

    try:
        reading = read(download.body, download.final_url or download.url, cut=download.truncated)
    except (BackendError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - whatever a hostile document provokes in the parser, the chain goes on
        raise UnexpectedResponse("document", "the PDF could not be read") from None
    return page_of(
        download,
        reading.body,
        title=reading.title,
        author=reading.author,
        published=reading.published,
        published_from="file" if reading.published else "",
        modified=reading.modified,
        page_count=reading.page_count,
        links=reading.links,
        hidden=reading.hidden,
        notes=reading.notes,
    )
