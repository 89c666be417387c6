"""Cutting spans out of a text: a marker says what went and how much, and the text around it stays readable."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

SUSPECTED = "suspected instruction to an AI"
_MARKER = re.compile(r"\[removed: [^\]\n]{1,80}, (\d{1,9}) characters\]")
_LINE_START = re.compile(r"[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\|)[ \t]+|\|)*(?:\[[ xX]\][ \t]+)?")
_FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})", re.MULTILINE)
_PIPE = re.compile(r"(?<!\\)\|")


class Kept(NamedTuple):
    """Where the places of a text are after a cut."""

    cuts: tuple[tuple[int, int, int, int], ...]
    """Start and end of what was cut, start and end of what stands for it."""

    def __call__(self, place: int) -> int:
        """The new offset of an old one; within what was cut, where the marker begins."""
        index = bisect_right(self.cuts, place, key=_first) - 1
        if index < 0:
            return place
        _, end, new_start, new_end = self.cuts[index]
        return new_start if place < end else new_end + place - end


class Cut(NamedTuple):
    """The text that is left, and where its places are now."""

    text: str
    kept: Kept


def cut(text: str, spans: Iterable[tuple[int, int]], what: str = SUSPECTED) -> Cut:
    """The text without these spans (code points, in any order): each leaves `[removed: …, N characters]`.

    Spans that overlap or touch are one. A bullet, a heading sign or a table's pipes at a line's start stay, as does
    a code fence's end. No character loses its accents. Cutting what is a marker already changes nothing.
    """
    out: list[str] = []
    cuts: list[tuple[int, int, int, int]] = []
    place = written = 0
    for start, end in _merged(text, spans):
        marker = _in_place_of(text, start, end, what)
        if marker == text[start:end]:
            continue
        out += (text[place:start], marker)
        written += start - place
        cuts.append((start, end, written, written + len(marker)))
        written += len(marker)
        place = end
    return Cut("".join((*out, text[place:])), Kept(tuple(cuts)))


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Whole characters and whole markers, in order; what only blank space parts is one."""
    markers = [match.span() for match in _MARKER.finditer(text)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(_within(text, *span, markers) for span in spans):
        if start >= end:
            continue
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip()):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _within(text: str, start: int, end: int, markers: list[tuple[int, int]]) -> tuple[int, int]:
    """The span without the blanks at its ends and without the signs of a line's start, its characters whole."""
    start, end = max(0, start), min(len(text), end)
    if start >= end:
        return start, start
    while start > 0 and _continues(text, start):
        start -= 1
    while end < len(text) and _continues(text, end):
        end += 1
    for first, last in markers:
        if first < end and start < last:
            start, end = min(start, first), max(end, last)
    line = text.rfind("\n", 0, start) + 1
    signs = _LINE_START.match(text, line)
    if signs and signs.end() > start:
        start = signs.end()
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _continues(text: str, place: int) -> bool:
    """Whether the character here belongs to the one before it."""
    here, before = text[place], text[place - 1]
    if here < "\x7f":
        return False
    if "\ud800" <= before <= "\udbff" and "\udc00" <= here <= "\udfff":
        return True
    return (
        unicodedata.category(here) in {"Mn", "Me", "Mc"}
        or here == "\u200d"
        or (before == "\u200d" and not here.isspace())
        or "\U0001f3fb" <= here <= "\U0001f3ff"
        or "\U000e0020" <= here <= "\U000e007f"
    )


def _in_place_of(text: str, start: int, end: int, what: str) -> str:
    removed = text[start:end]
    if _MARKER.fullmatch(removed):
        return removed
    earlier = sum(int(match[1]) - len(match[0]) for match in _MARKER.finditer(removed))
    marker = f"[removed: {what}, {len(removed) + earlier} characters]"
    line = text.rfind("\n", 0, start) + 1
    if "\n" not in removed:
        pipes = len(_PIPE.findall(removed)) if text[line : line + 4].lstrip().startswith("|") else 0
        return marker + " |" * pipes
    fences = _FENCE.findall(removed)
    return f"{marker}\n{fences[-1]}" if len(fences) % 2 else marker


def _first(entry: tuple[int, int, int, int]) -> int:
    return entry[0]
