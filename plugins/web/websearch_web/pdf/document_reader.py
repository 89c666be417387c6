"""From the bytes of a PDF to everything that a page holds; runs in a worker."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from websearch_core.kit import UnexpectedResponse, Unsupported

from ..kit.dates import parse_date
from ..kit.invisible_characters import visible
from .decompression_bombs import defused
from .engines import BATCH, by_layout, opened, plain, trimmed
from .hidden_text import HiddenText
from .layout.line_joins import joined_words
from .layout.page_markdown import PageMarkdown

MAX_PAGES = 1000
"""Of one document; the rest is counted and named in a note."""
MAX_CHARS = 4_000_000
_TITLE_CHARS = 200
_NAMES = frozenset({"NAME", "NOM", "NOMBRE", "NOME", "BEZEICHNUNG", "名称", "名前"})
"""What manual pages call their first section (man-pages(7))."""
_NO_TITLES = frozenset({"CONTENTS", "TABLE OF CONTENTS", "ABSTRACT", "SYNOPSIS", "INHALTSVERZEICHNIS", "SOMMAIRE"})
_READING_S = 12.0
"""After so long no further batch of pages is begun."""


class PdfContent(NamedTuple):
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


class _Pages(NamedTuple):
    """Markdown by page, and what was seen on the way."""

    texts: list[str]
    layout: PageMarkdown
    pictures: bool


def read(body: bytes, url: str, *, cut: bool = False) -> PdfContent:
    """Every page's text by its layout, or plain where the layout cannot be read. `cut`: there was more of the file."""
    body = defused(trimmed(body))
    document = opened(body, cut=cut)
    count = len(document)
    if not count:
        raise UnexpectedResponse("document", "the PDF has no pages")
    facts: Mapping[str, str] = document.get_metadata_dict()
    pages = _pages(body, document, url)
    if not any(pages.texts):
        if pages.pictures:
            raise Unsupported("the PDF holds no text, only pictures: it seems to be scanned")
        raise Unsupported("the PDF holds no text that can be read")
    return PdfContent(
        body=_joined(joined_words(pages.texts)),
        hidden="\n".join(pages.layout.hidden),
        title=_line(facts.get("Title", "")) or _line(_heading(pages.texts[0])),
        author=_line(facts.get("Author", "")),
        published=_date(facts.get("CreationDate", "")),
        modified=_date(facts.get("ModDate", "")),
        page_count=count,
        links=tuple(pages.layout.links),
        notes=tuple(_notes(pages.texts, count)),
    )


def _pages(body: bytes, document: Any, url: str) -> _Pages:
    """As many pages as time and space allow, in order."""
    most = min(len(document), MAX_PAGES)
    deadline = time.monotonic() + _READING_S
    layout = PageMarkdown(url)
    texts: list[str] = []
    pictures = False
    chars = 0
    for page in by_layout(body):
        try:
            unseen = HiddenText(document, len(texts))
            text, spelt = visible(layout.markdown(page, unseen))
        except (AttributeError, TypeError, ValueError, RuntimeError):
            break
        pictures = pictures or unseen.pictures
        layout.hidden += [spelt] if spelt else []
        texts.append(text)
        chars += len(text)
        late = len(texts) % BATCH == 0 and time.monotonic() > deadline
        if len(texts) >= most or chars > MAX_CHARS or late:
            return _Pages(texts, layout, pictures)
    while len(texts) < most and chars <= MAX_CHARS and time.monotonic() < deadline:
        texts.append(visible(plain(document, len(texts)))[0])
        chars += len(texts[-1])
    return _Pages(texts, layout, pictures)


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


def _heading(text: str) -> str:
    """The first that is a title; of a manual page, the line under NAME. Empty when there is none."""
    lines = [line for line in text.split("\n") if line.strip()]
    for number, line in enumerate(lines):
        said = line.lstrip("#").strip()
        if line.startswith("#") and said.upper() in _NAMES:
            return next(iter(lines[number + 1 :]), "")[:_TITLE_CHARS]
        if line.startswith("#") and said.upper() not in _NO_TITLES:
            return said
    return ""


def _line(text: str) -> str:
    return " ".join(visible(text)[0].split())[:500]


def _date(text: str) -> datetime | None:
    """`D:20250304101112+01'00'` of ISO 32000-2, 7.9.4."""
    return parse_date(text.removeprefix("D:")[:8])
