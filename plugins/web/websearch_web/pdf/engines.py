"""The two readers of PDF: PDFium for facts and plain text, liteparse for the layout."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from websearch_core.kit import TooLarge, UnexpectedResponse, Unsupported

BATCH = 20
"""Pages that are held at once."""
_POOLS = ("RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS")
_MAGIC = b"%PDF-"
_MAGIC_BYTES = 1024
_PASSWORD, _SECURITY = 4, 5
"""PDFium's numbers for what it cannot open (fpdfview.h, FPDF_GetLastError)."""


def trimmed(body: bytes) -> bytes:
    """The file from its header on: some servers put a few bytes before it. Raises `Unsupported` if it is no PDF."""
    start = body.find(_MAGIC, 0, _MAGIC_BYTES)
    if start < 0:
        raise Unsupported("the document calls itself a PDF but is none")
    return body[start:]


def opened(body: bytes, *, cut: bool) -> Any:
    """PDFium's document. Raises `Unsupported`, `TooLarge` or `UnexpectedResponse`, and says which of all it is."""
    pdfium: Any = import_module("pypdfium2")
    code: int | None
    try:
        return pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        code = error.err_code
    if code == _PASSWORD:
        raise Unsupported("the PDF is password-protected")
    if code == _SECURITY:
        raise Unsupported("the PDF is encrypted in a way that cannot be read")
    if cut:
        raise TooLarge("the PDF is larger than the limit on downloads")
    raise UnexpectedResponse("document", "the PDF is damaged")


def by_layout(body: bytes) -> Iterator[Any]:
    """Each page with its blocks, None for one that cannot be read; ends early where nothing more can be."""
    for name in _POOLS:  # a thread for each of a large machine's processors would use up the worker's memory
        os.environ.setdefault(name, "1")
    try:
        liteparse: Any = import_module("liteparse")
    except (ImportError, OSError):  # no wheel for this platform
        return
    parser = liteparse.LiteParse(
        ocr_enabled=False,
        output_format="markdown",
        image_mode="off",
        quiet=True,
        continue_on_page_error=True,
        extract_blocks=True,
        keep_headers_footers=True,  # what it takes for these are titles and last lines, too
        num_workers=1,
    )
    try:
        for batch in parser.parse_batches(body, BATCH):
            read = {page.page_num: page for page in batch.result.pages}
            for number in range(batch.start_page, batch.end_page + 1):
                yield read.get(number)
    except (liteparse.ParseError, RuntimeError, ValueError, OSError):
        return


def plain(document: Any, number: int) -> str:
    """The text of a page in the order of the file; empty for a page that cannot be read."""
    pdfium: Any = import_module("pypdfium2")
    try:
        page = document[number]
        text = page.get_textpage()
        found: str = text.get_text_bounded()
        text.close()
        page.close()
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return ""
    return found.replace("\r\n", "\n").replace("<", "\\<").strip()
