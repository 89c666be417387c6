"""Cutting sentences out of a text: a marker says how much was removed, and old offsets map to new ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MARKER = re.compile(r"\[removed: [^\]\n]{1,80}, \d{1,9} characters\]")
"""What stands for text that this filter, or one before it, took out."""
_BREAK = re.compile(r"[.!?…]['\"”’)\]*_]{0,3}(?=\s)|[。！？।؟]|\n")  # noqa: RUF001 - other scripts' full stops
_SIGNS = re.compile(r"[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+)+")
"""What makes a line a heading, a quotation or an item of a list: it stays."""
_REACH = 240
"""A sentence that goes on for longer is cut at a blank."""


class Cut(NamedTuple):
    """The text that is left, and what went: start, end, length of the marker."""

    text: str
    removed: tuple[tuple[int, int, int], ...]

    def moved(self, place: int) -> int:
        """The new offset of an old one; within what was cut, where its marker begins."""
        shift = 0
        for start, end, marker in self.removed:
            if place < end:
                return min(place, start) + shift
            shift += marker - (end - start)
        return place + shift


def cut(text: str, spans: Iterable[tuple[int, int]]) -> Cut:
    """The text without these spans (code points, any order), each replaced by a marker. Markers stay as they are."""
    out: list[str] = []
    removed: list[tuple[int, int, int]] = []
    at = 0
    for start, end in _merged(text, spans):
        marker = f"[removed: suspected instruction to an AI, {end - start} characters]"
        out += (text[at:start], marker)
        removed.append((start, end, len(marker)))
        at = end
    return Cut("".join((*out, text[at:])), tuple(removed))


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(piece for span in spans for piece in _without_markers(text, *span)):
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip()):
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _without_markers(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    # a marker may reach into the span from outside
    for marker in MARKER.finditer(text, max(0, start - 120), min(len(text), end + 120)):
        if marker.end() > start and marker.start() < end:
            yield from _stripped(text, at, marker.start())
            at = max(at, marker.end())
    yield from _stripped(text, at, end)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if (not start or text[start - 1] == "\n") and (signs := _SIGNS.match(text, start, end)):
        start = signs.end()
    piece = text[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences and lines that the span touches, whole where they are not very long; no blanks, no markers."""
    begin, stop = _begin(text, start), _end(text, end)
    found: list[tuple[int, int]] = []
    at = begin
    while at < stop:
        broken = _BREAK.search(text, at, stop)
        past = broken.end() if broken else stop
        if past - at > 2 * _REACH:
            past = _blank(text, at + 2 * _REACH, past)
        found += _without_markers(text, at, past)
        at = past
    return found


def _begin(text: str, start: int) -> int:
    base = max(0, start - _REACH)
    ends = [broken.end() for broken in _BREAK.finditer(text, base, min(len(text), start + 1)) if broken.end() <= start]
    if ends:
        return ends[-1]
    return base if base == 0 else _blank(text, base, start)


def _end(text: str, end: int) -> int:
    limit = min(len(text), end + _REACH)
    if broken := _BREAK.search(text, max(0, end - 1), min(len(text), limit + 1)):
        return broken.end()
    return limit if limit == len(text) else _blank(text, limit, len(text))


def _blank(text: str, start: int, end: int) -> int:
    """The next blank that is near; where words are not apart, the place itself."""
    for at in range(start, min(end, start + 40)):
        if text[at].isspace():
            return at
    return start
