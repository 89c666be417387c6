"""One reading of a text, and the way back to the places that it was read from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """`text[start:end]` of a view was read from `origin_start:origin_end`; between edits both run alike."""

    start: int
    end: int
    origin_start: int
    origin_end: int


class View(NamedTuple):
    """One reading of a text: immutable, picklable, with a map to the code points of the original."""

    kind: str
    """`plain`, `canonical`, `base64`, `percent`, …: how it was read."""
    text: str
    edits: tuple[Edit, ...] = ()
    """Where the reading differs from what it was read from, in order."""
    source: View | None = None
    """The reading that this one was read from in turn; None: the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The code points of the original that `text[start:end]` was read from; never less, and monotone."""
        if self.edits:
            start, end = (self._of(start)[0], self._of(end - 1)[1]) if end > start else self._point(start)
        return self.source.span(start, end) if self.source else (start, end)

    @property
    def whole(self) -> tuple[int, int]:
        """The code points of the original that all of this was read from."""
        return self.span(0, len(self.text))

    def _of(self, position: int) -> tuple[int, int]:
        index = bisect_right(self.edits, position, key=_start) - 1
        if index < 0:
            return position, position + 1
        edit = self.edits[index]
        if position < edit.end:
            return edit.origin_start, edit.origin_end
        return (place := edit.origin_end + position - edit.end), place + 1

    def _point(self, position: int) -> tuple[int, int]:
        place = self._of(position)[0] if position < len(self.text) else self._of(position - 1)[1] if position else 0
        return place, place


class Piece(NamedTuple):
    """What stands in a reading for `start:end` of its source."""

    start: int
    end: int
    text: str


def rewritten(text: str, pieces: Iterable[Piece], start: int = 0, end: int | None = None) -> tuple[str, list[Edit]]:
    """`text[start:end]` with the pieces (in order, apart) put in their places."""
    end = len(text) if end is None else end
    out: list[str] = []
    edits: list[Edit] = [Edit(0, 0, start, start)] if start else []
    place, written = start, 0
    for piece in pieces:
        out += (text[place : piece.start], piece.text)
        written += piece.start - place
        length = len(piece.text)
        if length != piece.end - piece.start:
            edits.append(Edit(written, written + length, piece.start, piece.end))
        written += length
        place = piece.end
    out.append(text[place:end])
    return "".join(out), edits


def blob(kind: str, text: str, start: int, end: int, source: View | None = None) -> View:
    """A reading that was made of `start:end` as a whole."""
    return View(kind, text, (Edit(0, len(text), start, end),), source)


def _start(edit: Edit) -> int:
    return edit.start
