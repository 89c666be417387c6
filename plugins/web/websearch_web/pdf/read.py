"""From the bytes of a PDF to everything that a page holds; runs in a worker."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from websearch_core import Drift, TooLarge, Unsupported

from ..characters import visible
from ..html.dates import parse_date
from .layout import Layout

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MAX_PAGES = 1000
"""Of one document; the rest is counted and named in a note."""
MAX_CHARS = 4_000_000
_READING_S = 18.0
"""After so long no further batch of pages is begun."""
_BATCH = 20
_MAGIC = b"%PDF-"
_MAGIC_BYTES = 1024
_PASSWORD, _SECURITY = 4, 5
"""PDFium's numbers for what it cannot open."""


class PdfReading(NamedTuple):
    """What was read."""

    body: str
    hidden: str
    title: str
    author: str
    published: datetime | None
    modified: datetime | None
    page_count: int
    links: tuple[str, ...]
    notes: tuple[str, ...]


def read(body: bytes, url: str, *, cut: bool = False) -> PdfReading:
    """Every page's text by its layout, or plain where the layout cannot be read. `cut`: there was more of the file."""
    document = _opened(body, cut=cut)
    count = len(document)
    if not count:
        raise Drift("document", "the PDF has no pages")
    facts: Mapping[str, str] = document.get_metadata_dict()
    pages, links, hidden = _pages(body, document, url)
    if not any(text for text in pages):
        raise Unsupported("the PDF holds no text, only pictures: it seems to be scanned")
    return PdfReading(
        body=_joined(pages),
        hidden="\n".join(hidden),
        title=_line(facts.get("Title", "")),
        author=_line(facts.get("Author", "")),
        published=_date(facts.get("CreationDate", "")),
        modified=_date(facts.get("ModDate", "")),
        page_count=count,
        links=links,
        notes=tuple(_notes(pages, count)),
    )


def _opened(body: bytes, *, cut: bool) -> PdfDocument:
    import pypdfium2

    if _MAGIC not in body[:_MAGIC_BYTES]:
        raise Unsupported("the document calls itself a PDF but is none")
    try:
        return pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        code: int | None = error.err_code
    if code == _PASSWORD:
        raise Unsupported("the PDF is password-protected")
    if code == _SECURITY:
        raise Unsupported("the PDF is encrypted in a way that cannot be read")
    if cut:
        raise TooLarge("the PDF is larger than the limit on downloads")
    raise Drift("document", "the PDF is damaged")


def _pages(body: bytes, document: PdfDocument, url: str) -> tuple[list[str], tuple[str, ...], list[str]]:
    """The Markdown of each page that was read, in order."""
    most = min(len(document), MAX_PAGES)
    deadline = time.monotonic() + _READING_S
    layout = Layout(url)
    pages: list[str] = []
    chars = 0
    for page in _by_layout(body):
        try:
            text, spelt = visible(layout.markdown(page))
        except (AttributeError, TypeError, ValueError):
            break
        layout.hidden += [spelt] if spelt else []
        pages.append(text)
        chars += len(text)
        late = len(pages) % _BATCH == 0 and time.monotonic() > deadline
        if len(pages) >= most or chars > MAX_CHARS or late:
            return pages, tuple(layout.links), layout.hidden
    while len(pages) < most and chars <= MAX_CHARS and time.monotonic() < deadline:
        pages.append(visible(_plain(document, len(pages)))[0])
        chars += len(pages[-1])
    return pages, tuple(layout.links), layout.hidden


def _by_layout(body: bytes) -> Iterator[Any]:
    """Pages with their blocks; ends early where the layout cannot be read."""
    try:
        from liteparse import LiteParse, ParseError
    except (ImportError, OSError):  # no wheel for this platform
        return
    parser = LiteParse(
        ocr_enabled=False,
        output_format="markdown",
        image_mode="off",
        quiet=True,
        continue_on_page_error=True,
        extract_blocks=True,
        num_workers=1,
    )
    try:
        for batch in parser.parse_batches(body, _BATCH):
            read = {page.page_num: page for page in batch.result.pages}
            for number in range(batch.start_page, batch.end_page + 1):
                yield read.get(number)
    except (ParseError, RuntimeError, ValueError, OSError):
        return


def _plain(document: PdfDocument, number: int) -> str:
    """The text in the order of the file; empty for a page that cannot be read."""
    import pypdfium2

    try:
        page = document[number]
        text = page.get_textpage()
        found: str = text.get_text_bounded()
        text.close()
        page.close()
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return ""
    return found.replace("\r\n", "\n").replace("<", "\\<").strip()


def _joined(pages: list[str]) -> str:
    """A mark before each page, where there is more than one."""
    if len(pages) == 1:
        return pages[0]
    return "\n\n".join(f"[page {number}]\n\n{text}" for number, text in enumerate(pages, 1) if text)


def _notes(pages: list[str], count: int) -> Iterator[str]:
    if len(pages) < count:
        yield f"only the first {len(pages)} of {count} pages were read"
    empty = [number for number, text in enumerate(pages, 1) if not text]
    if empty:
        few = ", ".join(map(str, empty[:10])) + (", …" if len(empty) > 10 else "")
        yield f"{len(empty)} of {len(pages)} pages hold no text (pictures or scans): {few}"


def _line(text: str) -> str:
    return " ".join(visible(text)[0].split())[:500]


def _date(text: str) -> datetime | None:
    """`D:20250304101112+01'00'` of ISO 32000-2, 7.9.4."""
    return parse_date(text.removeprefix("D:")[:8])
