"""Where a cut may begin and end: at sentences and lines, never in the middle of a word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_REACH = 240
"""A sentence that goes on for longer is cut at a word."""
_LONGEST = 2 * _REACH
_MARGIN = 64
_BREAK = re.compile(
    r"[.!?…]['\"”’)\]*_]{0,3}(?=\s)|[。！？।؟]|\n"  # noqa: RUF001 - they are meant
    r"|</(?!(?:a|b|i|u|em|strong|span|code|font|sub|sup|small|mark|del|ins|s)>)[A-Za-z][\w:.-]{0,30}>|\"[}\]]{0,3},(?=\s?[\"{\[])"
)
"""In files that are one line also where an element or a member of a list ends."""
_PARAGRAPH = re.compile(
    r"\n[ \t\r]{0,40}\n"
    r"|</?(?:p|div|li|ul|ol|dl|dd|dt|t[dhr]|table|h[1-6]|blockquote|section|article|aside|figure|figcaption|pre)\b"
    r"[^<>]{0,200}>",
    re.IGNORECASE,
)
"""A blank line; in a page's source the edge of a block."""
_TAG = len("</blockquote>")
"""A sentence of a page's source ends with the tag that ends its block."""
_WORDS_END = re.compile(r"\s")


class Piece(NamedTuple):
    """A sentence, or a line that is none; without outer blanks."""

    start: int
    end: int


def pieces(text: str, start: int, end: int) -> list[Piece]:
    """The sentences that the span touches, whole where they are not very long."""
    begin = _before(text, start)
    stop = _after(text, end)
    found: list[Piece] = []
    at = begin
    while at < stop:
        broken = _BREAK.search(text, at, min(stop, at + _LONGEST + _MARGIN))  # no further: each piece would read all
        past = broken.end() if broken else stop
        if past - at > _LONGEST:
            past = _at_word(text, at + _LONGEST, past)
        if piece := _stripped(text, at, past):
            found.append(piece)
        at = past
    return found


def runs(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, with what stands between two of them unless they are paragraphs of their own."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and (start < found[-1][1] or not _PARAGRAPH.search(text, found[-1][1] - _TAG, start)):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _before(text: str, start: int) -> int:
    """Where the sentence round `start` begins."""
    base = max(0, start - _REACH)
    last = base if base == 0 else None
    for broken in _BREAK.finditer(text, base, min(len(text), start + 1)):
        if broken.end() <= start:
            last = broken.end()
    if last is not None:
        return last
    return _at_word(text, base, start)


def _after(text: str, end: int) -> int:
    """Where the sentence round `end` ends."""
    limit = min(len(text), end + _REACH)
    if broken := _BREAK.search(text, max(0, end - 1), min(len(text), limit + 1)):
        return broken.end()
    return limit if limit == len(text) else _at_word(text, limit, len(text))


def _at_word(text: str, start: int, end: int) -> int:
    """The next blank; where words are not apart, the place itself."""
    blank = _WORDS_END.search(text, start, min(end, start + 40))
    return blank.start() if blank else start


def _stripped(text: str, start: int, end: int) -> Piece | None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return Piece(start + left, start + len(piece.rstrip())) if left < len(piece) else None
