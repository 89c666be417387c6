"""Cuts of a text that holds warnings: each repeats and closes the warning of a passage that it cuts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from .wording import BRACKET, CLOSING, OPENING

_WARNING = re.compile(f"(?P<opening>{re.escape(OPENING)})|{re.escape(CLOSING)}")


class _Mark(NamedTuple):
    """A warning's start, the span of the passage that it is about, and the end of its close.

    The first is -1, or the last behind the text, where that half is missing.
    """

    start: int
    passage: int
    close: int
    end: int


class MarkedText:
    """A text of an inspected document, to be cut. Make it once where there are many cuts of one text."""

    def __init__(self, text: str) -> None:
        """Without warnings in the text, its cuts are plain slices."""
        self.text = text
        self._marks = _marks_in(text) if BRACKET in text else []
        self._starts = [mark.start for mark in self._marks]

    @property
    def passages(self) -> tuple[tuple[int, int], ...]:
        """The marked passages, without their warnings: offsets in this text."""
        return tuple((mark.passage, mark.close) for mark in self._marks)

    def cut(self, start: int = 0, end: int | None = None) -> str:
        """`text[start:end]`; the warning is repeated where that begins in a passage, and closed where it ends in one.

        A warning is shown whole or not at all, so what the cut has of one may be more or less than the slice.
        """
        end = len(self.text) if end is None else min(end, len(self.text))
        first, last = self._mark_at(start), self._mark_at(end)
        if first and start < first.passage:
            start, first = first.start, None
        elif first and not self.text[start : first.close].strip():
            start, first = first.end, None
        if last and not self.text[last.passage : end].strip():
            end, last = last.start, None
        elif last and end > last.close:
            end, last = last.end, None
        piece = self.text[start:end]
        if not piece.strip():
            return piece
        from .places import Insertion, closing_at, opening_at  # late: listing plugins cuts no text

        edits: list[Insertion] = []
        if first:
            edits.append(opening_at(piece, 0, min(first.close - start, len(piece))))
        if last:
            edits.append(closing_at(piece, max(last.passage - start, 0), len(piece)))
        if first and first is last and not all(edit.text for edit in edits):
            return piece  # of the passage there are only signs of Markdown
        for edit, words in zip(reversed(edits), (f" {CLOSING}", f"{OPENING} ")[not last :], strict=False):
            piece = f"{piece[: edit.place]}{edit.text or words}{piece[edit.place :]}"
        return piece

    def touched(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` holds a part of a mark."""
        number = bisect_left(self._starts, end)
        return number > 0 and self._marks[number - 1].end > start

    def _mark_at(self, place: int) -> _Mark | None:
        """The mark that this place is inside of, its warnings included."""
        number = bisect_right(self._starts, place) - 1
        mark = self._marks[number] if number >= 0 else None
        return mark if mark and mark.start < place < mark.end else None


def marked_slice(text: str, start: int = 0, end: int | None = None) -> str:
    """One cut of a text: as `MarkedText.cut`."""
    return MarkedText(text).cut(start, end) if BRACKET in text else text[start:end]


def _marks_in(text: str) -> list[_Mark]:
    """The marks in order. One whose other half was cut off begins or ends with the text."""
    marks: list[_Mark] = []
    opened: tuple[int, int] | None = None
    for match in _WARNING.finditer(text):
        if match["opening"]:
            if opened:
                marks.append(_Mark(*opened, match.start(), match.start()))
            opened = match.span()
        elif opened or not marks:
            marks.append(_Mark(*(opened or (-1, 0)), match.start(), match.end()))
            opened = None
    if opened:
        marks.append(_Mark(*opened, len(text), len(text) + 1))
    return marks
