"""Cuts a page into passages of about 2,000 characters, and says which text of each is indexed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

LIMIT = 2000
MOST_CHARS = 32_000_000
"""The most characters of one page that are kept: passages are numbered with 16 bits."""

_HEADING = re.compile(r"\n#{1,6}[ \t]+(.+)")
_FENCE = re.compile(r"^[ \t>]*(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$", re.MULTILINE)
_BOUNDARIES = (("\n#", 1), ("\n\n", 2), ("\n", 1), (". ", 2), ("。", 1), (" ", 1))
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:[ \t]+\"[^\"\n]*\")?\)")
# Scripts that are written without spaces between words; Hangul too, whose words carry their particles.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)


class Passage(NamedTuple):
    """A piece of a page; the pieces in order, joined, are the page's whole body."""

    heading: str
    """The heading that the piece stands under; empty where it stands under none."""
    text: str


def cut(body: str) -> Iterator[Passage]:
    """The passages of a body: cut before a heading, else at a paragraph, line, sentence or word."""
    # The line feed in front makes the pattern begin with a literal, which `re` looks for several times faster.
    headings = [(match.start(), match[1].strip()) for match in _HEADING.finditer(f"\n{body}")]
    starts = [start for start, _ in headings]
    start = 0
    while start < len(body):
        end = _end(body, start)
        under = bisect_right(starts, start) - 1
        yield Passage(headings[under][1] if under >= 0 else "", body[start:end])
        start = end


def _end(body: str, start: int) -> int:
    if len(body) - start <= LIMIT:
        return len(body)
    for boundary, length in _BOUNDARIES:
        at = body.rfind(boundary, start + LIMIT // 2, start + LIMIT)
        if at >= 0:
            return at + length
    return start + LIMIT


def fence_open_after(pieces: Iterable[str]) -> str:
    """The mark of the fenced code in which these pieces of a page end; empty where they end in none."""
    opened = ""
    for piece in pieces:
        for fence in _FENCE.finditer(piece):
            mark = fence[1]
            if not opened:
                opened = mark
            elif mark.startswith(opened) and not fence[2].strip():
                opened = ""
    return opened


def plain(text: str) -> str:
    """Markdown with each link or picture replaced by its text: addresses are no words of the page."""
    return _LINK.sub(r"\1", text) if "](" in text else text


def spaced(text: str) -> str:
    """The text with each run of unspaced script as overlapping pairs, so that a part of a run can be found."""
    if text.isascii() or not _UNSPACED.search(text):
        return text
    return _UNSPACED.sub(lambda run: f" {pairs(run[0])} ", text)


def pairs(run: str) -> str:
    """`東京都` → `東京 京都`; a single character stays."""
    return " ".join(run[i : i + 2] for i in range(max(1, len(run) - 1)))


def unspaced(text: str) -> list[str]:
    """The runs of unspaced script in a text."""
    return [] if text.isascii() else _UNSPACED.findall(text)


def without_unspaced(text: str) -> str:
    """The text less its runs of unspaced script."""
    return text if text.isascii() else _UNSPACED.sub(" ", text)
