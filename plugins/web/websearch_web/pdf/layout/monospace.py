"""Which lines of a PDF page are code: those that are set in a typewriter font from end to end.

A font is known by its name, or by its letters: where lines are as wide as they have characters, all have one width.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import mean, mode
from typing import Any, NamedTuple

_NAMES = re.compile(
    r"^[a-z0-9]{1,8}tt\d{0,4}$|^cmtcsc|^lmmono|^nimbusmon|mono(?!type|tone)|courier|typewriter"
    r"|consol|menlo|monaco|inconsolata|sourcecode|firacode|cascadia|anonymous|andale|lettergothic|^pcr[rb]|^hack-|fixed",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"^cmv?vtt", re.IGNORECASE)
"""A typewriter's letters, each of its own width: prose."""
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_MEASURED_CHARS, _MEASURED_MOST = 5, 40
_MEASURED_ITEMS = 8
_REMEMBERED = 200
_OFTEN = 4
_EVEN = 0.008
_SURE = 5
_USUAL, _TEX = 0.6, 0.525
"""Widths of a character in sizes of the font: of Courier and most others, of Computer Modern."""
_TEX_NAMES = re.compile(r"[a-z0-9]{1,8}tt\d{0,4}$|cmtcsc|lmmono", re.IGNORECASE)
_TOUCHING = 0.4
"""Characters between two pieces of a line that have no blank between them."""
_LEAST_EVEN = 0.85
_TYPEWRITTEN = 0.6
"""Of a document's characters: so many in typewriter fonts, and it is typewritten, prose and all."""


class Line(NamedTuple):
    """One line of code."""

    top: float
    bottom: float
    left: float
    items: tuple[Any, ...]
    """From left to right."""

    @property
    def height(self) -> float:
        """Of its letters, no less than their size."""
        return max(self.bottom - self.top, *(item.font_size or 1.0 for item in self.items), 1.0)

    @property
    def advance(self) -> float:
        """The width of a character."""
        widest = max(self.items, key=lambda item: len(item.text))
        return widest.width / max(1, len(widest.text))

    def text(self, left: float, advance: float) -> str:
        """With the blanks that its places stand for, from where the block begins."""
        written, ended = "", 0.0
        for item in self.items:
            column = min(200, round((item.x - left) / advance)) if advance > 0 else 0
            touches = written != "" and item.x - ended < _TOUCHING * advance
            least = len(written) + (written != "" and not touches)
            written = written.ljust(least if touches else max(column, least)) + item.text.rstrip()
            ended = item.x + item.width * len(item.text.rstrip()) / max(1, len(item.text))
        return written


class MonospaceFonts:
    """Knows a document's typewriter fonts, page after page."""

    def __init__(self) -> None:
        self._ratios: dict[str, dict[str, float]] = {}
        """Of each font, by what is said in it: the same words twice prove nothing."""
        self._known: dict[str, tuple[int, float]] = {}
        self._chars = self._typed = 0

    def lines(self, items: Sequence[Any]) -> list[Line]:
        """The lines of a page that hold only typewriter letters, from the top."""
        spoken = [item for item in items if item.text.strip() and not item.rotation]
        for item in spoken:
            ratios = self._ratios.setdefault(item.font_name or "", {})
            if len(item.text) >= _MEASURED_CHARS and item.font_size and len(ratios) < _REMEMBERED:
                ratios[item.text[:_MEASURED_MOST]] = _ratio(item)
        fonts = {name: self._advance(name) for name in {item.font_name or "" for item in spoken}}
        typed = [item for item in spoken if _fits(item, fonts[item.font_name or ""])]
        self._chars += sum(len(item.text) for item in spoken)
        self._typed += sum(len(item.text) for item in typed)
        if self.is_typewritten:
            return []
        rows: list[list[Any]] = []
        for item in sorted(typed, key=lambda item: (item.y + item.height / 2, item.x)):
            if rows and _are_level(rows[-1][0], item):
                rows[-1].append(item)
            else:
                rows.append([item])
        return [_line(row) for row in rows]

    @property
    def is_typewritten(self) -> bool:
        """Whether prose, too, is set in a typewriter font, which says nothing then."""
        return self._typed > _TYPEWRITTEN * self._chars

    def _advance(self, font: str) -> float:
        """The width of a character, in sizes of the font; 0 for one whose letters differ."""
        ratios = self._ratios.get(font, {})
        count = len(ratios)
        known = self._known.get(font)
        if known is None or known[0] != count // _OFTEN:
            known = self._known[font] = count // _OFTEN, _advance(font, list(ratios.values()))
        return known[1]


def _advance(font: str, ratios: Sequence[float]) -> float:
    usual = mode(round(ratio, 2) for ratio in ratios) if ratios else 0.0
    even = [ratio for ratio in ratios if abs(ratio - usual) <= _EVEN]
    if len(ratios) >= _MEASURED_ITEMS and len(even) >= _LEAST_EVEN * len(ratios):
        return mean(even)
    if not _is_typewriter(font):
        return 0.0
    if len(even) >= _SURE or (len(even) > 1 and 2 * len(even) >= len(ratios)):  # others only begin with code
        return mean(even)  # a size may be told before it is scaled
    return _TEX if _TEX_NAMES.search(_SUBSET.sub("", font)) else _USUAL


def _is_typewriter(font: str) -> bool:
    name = _SUBSET.sub("", font)
    return _NAMES.search(name) is not None and not _VARIABLE.match(name)


def _ratio(item: Any) -> float:
    return item.width / len(item.text) / item.font_size


def _fits(item: Any, advance: float) -> bool:
    """Whether the item is as wide as its characters: one that only begins with code is not."""
    if not advance or not item.font_size:
        return False
    text = item.text.strip()
    more = item.width / (advance * item.font_size) - len(text)
    blanks = 3 * text.count(" ")  # several in a row are read as one
    return -max(0.7, 0.03 * len(text)) <= more <= blanks + max(0.7, 0.03 * len(text))


def _are_level(one: Any, other: Any) -> bool:
    middle = other.y + other.height / 2
    return one.y <= middle <= one.y + one.height


def _line(items: Sequence[Any]) -> Line:
    ordered = tuple(sorted(items, key=lambda item: item.x))
    return Line(min(i.y for i in items), max(i.y + i.height for i in items), ordered[0].x, ordered)
