"""The `office` extractor: DOCX, PPTX and XLSX; of older and locked documents it says what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core.kit import Workers

_OPEN = "application/vnd.openxmlformats-officedocument"
_MS = "application/vnd.ms"


class OfficeExtractor(Extractor):
    """Office Open XML to Markdown; macros, pictures and embedded files are not unpacked."""

    name: str = "office"
    media_types: frozenset[str] = frozenset(
        {f"{_OPEN}.wordprocessingml.document", f"{_OPEN}.presentationml.presentation"}
        | {f"{_OPEN}.spreadsheetml.sheet", f"{_OPEN}.wordprocessingml.template"}
        | {f"{_MS}-word.document.macroenabled.12", f"{_MS}-excel.sheet.macroenabled.12"}
        | {f"{_MS}-powerpoint.presentation.macroenabled.12", f"{_MS}-excel", f"{_MS}-powerpoint", "application/msword"}
        | {"application/x-ole-storage"}
    )

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for passwords, old formats, `TooLarge` for a bomb, `UnexpectedResponse` if damaged."""
        from ..kit.extraction import read_by

        return await read_by(read_office, download, self._workers)


def read_office(download: Download) -> Page:
    """The page of an Office document. Raises as `OfficeExtractor.extract`."""
    from ..kit.extraction import page_of
    from .reader import read

    return page_of(download, read)
