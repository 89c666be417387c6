"""A cell's number as its format means it: dates, times of day, lengths of time; any other as it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Literal
from xml.parsers import expat

Meaning = Literal["", "date", "time", "span"]

_BUILT_IN: Mapping[str, Meaning] = {
    **{str(number): "date" for number in (*range(14, 18), 22, *range(27, 37), *range(50, 59))},
    **{str(number): "time" for number in range(18, 22)},
    **{str(number): "span" for number in range(45, 48)},
}
"""ECMA-376, part 1, 18.8.30."""
_SAID = re.compile(r'"[^"]*"?|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general|am/pm|a/p|e[+-]', re.IGNORECASE)
_SPAN = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_LONG = re.compile(r"\d{16}")
_CODE_CHARS = 255
"""Of one format: no more fits into Excel's."""
_LAST_DAY = 2_958_466
"""10000-01-01."""
_MAC_DAYS = 1462
"""Between 1 January 1900 and 1904, as Excel counts."""
_NO_LEAP_DAY = 60
"""Excel counts a 29 February 1900."""


class NumberFormats:
    """Of styles.xml and the workbook."""

    def __init__(self, styles: bytes, *, since_1904: bool = False) -> None:
        """`styles`: checked XML, or empty."""
        self._since_1904 = since_1904
        self._codes: dict[str, str] = {}
        self._cells: list[str] = []
        self._in_cells = False
        if styles:
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._start
            parser.EndElementHandler = self._end
            parser.Parse(styles, True)
        self._meanings: dict[str, Meaning] = {
            number: _meaning(number, self._codes.get(number)) for number in set(self._cells)
        }

    def written(self, number: str, style: str) -> str:
        """What a cell of this style shows of a number, without its unit."""
        is_known = style.isdecimal() and int(style[:7]) < len(self._cells)
        meaning: Meaning = self._meanings[self._cells[int(style[:7])]] if is_known else ""
        try:
            value = float(number)
        except ValueError:
            return number
        if meaning and 0 <= value < _LAST_DAY:
            return _moment(value, meaning, since_1904=self._since_1904)
        return f"{value:.15g}" if _LONG.search(number.replace(".", "")) and "." in number else number

    def _start(self, name: str, given: Mapping[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "numFmt":
                self._codes[given.get("numFmtId", "")] = given.get("formatCode", "")[:_CODE_CHARS]
            case "cellXfs":
                self._in_cells = True
            case "xf" if self._in_cells:
                self._cells.append(given.get("numFmtId", "0"))
            case _:
                pass

    def _end(self, name: str) -> None:
        if name.rpartition(":")[2] == "cellXfs":
            self._in_cells = False


def _meaning(number: str, code: str | None) -> Meaning:
    if code is None:
        return _BUILT_IN.get(number, "")
    signs = _SAID.sub("", code).partition(";")[0].lower()
    if _SPAN.search(signs):
        return "span"
    if "y" in signs or "d" in signs:
        return "date"
    if "h" in signs or "s" in signs:
        return "time"
    return "date" if "m" in signs else ""


def _moment(value: float, meaning: Meaning, *, since_1904: bool) -> str:
    seconds = round(value * 86_400)
    if meaning == "span" or (meaning == "time" and value < 1):
        hours, rest = divmod(seconds, 3600)
        return f"{hours:02}:{rest // 60:02}:{rest % 60:02}"
    days = _MAC_DAYS if since_1904 else int(value < _NO_LEAP_DAY)
    try:
        moment = datetime(1899, 12, 30) + timedelta(days=days, seconds=seconds)  # noqa: DTZ001 - no cell says its zone
    except OverflowError:
        return f"{value:.15g}"
    return moment.isoformat() if seconds % 86_400 else moment.date().isoformat()
