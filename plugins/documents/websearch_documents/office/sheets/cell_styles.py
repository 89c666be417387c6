"""Which styles of a workbook's cells keep their text from being seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar
from xml.parsers import expat

from ...kit.colours import WHITE, Colour, Theme, alike, colour_of, darker, lighter

_INDEXED = ("000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF")
_TINY_MOST = 2.5
"""Points."""
_UNSEEN_FORMAT = ";;;"
_T = TypeVar("_T")


class CellStyles:
    """Of styles.xml."""

    def __init__(self, content: bytes, theme: Theme) -> None:
        """`content`: checked XML, or empty."""
        self.unformatted: set[str] = set()
        """Cells whose number format shows nothing, or whose letters are too small."""
        self.unreadable: set[str] = set()
        """Cells whose ink has the colour of their ground."""
        self._theme = theme
        self._within: list[str] = []
        self._formats: set[str] = set()
        self._inks: list[tuple[Colour | None, bool]] = []
        self._grounds: list[Colour | None] = []
        self._cells = 0
        if content:
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._start
            parser.EndElementHandler = lambda _: self._within.pop()
            parser.Parse(content, True)

    def _start(self, name: str, given: Mapping[str, str]) -> None:
        kind = name.rpartition(":")[2]
        match (self._within[-1] if self._within else ""), kind:
            case "numFmts", "numFmt" if given.get("formatCode", "").strip().startswith(_UNSEEN_FORMAT):
                self._formats.add(given.get("numFmtId", ""))
            case "fonts", "font":
                self._inks.append((None, False))
            case "font", "color" if "fonts" in self._within:
                self._inks[-1] = (self._colour(given), self._inks[-1][1])
            case "font", "sz" if "fonts" in self._within:
                self._inks[-1] = (self._inks[-1][0], _number(given.get("val", "")) <= _TINY_MOST)
            case "fills", "fill":
                self._grounds.append(WHITE)
            case "fill", "gradientFill" if "fills" in self._within:
                self._grounds[-1] = None
            case "fill", "patternFill" if "fills" in self._within:
                self._grounds[-1] = WHITE if given.get("patternType", "none") == "none" else None
                self._solid = given.get("patternType") == "solid"
            case "patternFill", "fgColor" if "fills" in self._within and self._solid:
                self._grounds[-1] = self._colour(given)
            case "cellXfs", "xf":
                self._cell(given)
            case _:
                pass
        self._within.append(kind)

    def _cell(self, given: Mapping[str, str]) -> None:
        number, self._cells = str(self._cells), self._cells + 1
        ink, tiny = _at(self._inks, given.get("fontId", "")) or (None, False)
        if tiny or given.get("numFmtId", "") in self._formats:
            self.unformatted.add(number)
        if alike(ink, _at(self._grounds, given.get("fillId", "0"))):
            self.unreadable.add(number)

    def _colour(self, given: Mapping[str, str]) -> Colour | None:
        if "theme" in given:
            colour = self._theme.by_number(given["theme"])
        elif "indexed" in given:
            number = given["indexed"]
            colour = colour_of(_INDEXED[int(number) % 8]) if number.isdecimal() and int(number[:3]) < 16 else None
        else:
            colour = colour_of(given.get("rgb", ""))
        tint = _number(given.get("tint", "0"))
        return lighter(colour, tint) if tint > 0 else darker(colour, -tint)


def _at(items: Sequence[_T], number: str) -> _T | None:
    return items[int(number)] if number.isdecimal() and len(number) < 6 and int(number) < len(items) else None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
