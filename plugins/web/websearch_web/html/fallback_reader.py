"""The second reader of HTML: what is asked when the first one fails, finds nothing, or takes too long."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core.kit import Workers

    from .hidden.hidden_text import HiddenText

MAX_CHARS = 1_000_000
"""Of markup: the first reader may have failed at the size."""
SECONDS = 6.0
CPU_SECONDS = 2.0
_NOTE = "This page was read in a simpler way than usual: its text may hold menus, or lack tables and links."
_NOT_SHOWN = "iframe, svg, select, textarea"
_POOR_CHARS = 200
_LEFT_OUT = re.compile(
    r"<(script|style|template|noscript|svg|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"<[^<>]{0,2000}>")


class FallbackHtmlExtractor(Extractor):
    """The parser's own main content, else the plain text of the body, else the text between the tags."""

    name: str = "html-second"
    priority: int = 80
    media_types: frozenset[str] = frozenset({"text/html", "application/xhtml+xml"})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Always in a worker: the document has already given trouble."""
        from ..kit.extraction import MEMORY_BYTES

        return await self._workers.run(
            read_simply, download, seconds=SECONDS, cpu_seconds=CPU_SECONDS, memory_bytes=MEMORY_BYTES
        )


def read_simply(download: Download) -> Page:
    """Something of every document that holds text. What its markup hides is left out, and kept for filters."""
    from ..kit.charset import decode
    from ..kit.extraction import page_of
    from ..kit.invisible_characters import visible
    from ..kit.truncation_marker import without_marker
    from .hidden.hidden_text import HiddenText

    text = decode(download.body, download.charset)[:MAX_CHARS]
    source = without_marker(text) if download.truncated else text
    try:
        title, markdown, hidden = _parsed(source)
    except Exception:  # noqa: BLE001 - the parser may be what failed
        title, markdown, hidden = "", between_tags(source), HiddenText("")
    shown, spelt = visible(markdown)
    return page_of(
        download,
        shown.strip(),
        title=visible(title)[0][:500],
        hidden="\n".join(filter(None, (hidden.text, spelt))),
        notes=(_NOTE, *hidden.notes),
    )


def _parsed(source: str) -> tuple[str, str, HiddenText]:
    from turbohtml import parse

    from .hidden.hidden_text import take_hidden

    document = parse(source, positions=False, allow_declarative_shadow_roots=False)
    title = document.select_one("head > title")
    hidden = take_hidden(document)
    aside = document.select(_NOT_SHOWN)
    hidden = hidden._replace(
        text="\n".join((hidden.text, *(" ".join(element.text.split()) for element in aside))).strip("\n")
    )
    for element in aside:
        element.extract()
    body = document.select_one("body")
    plain = body.to_text() if body is not None else ""
    found = document.main_content()
    markdown = found.to_text() if found is not None else ""
    enough = len(markdown) >= max(_POOR_CHARS, len(plain) * 0.2)
    return (" ".join(title.text.split()) if title is not None else ""), markdown if enough else plain, hidden


def between_tags(source: str) -> str:
    """The text of a document that no parser reads, line by line."""
    text = html.unescape(_TAG.sub(" ", _LEFT_OUT.sub(" ", source)))
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
