"""The tables of a sheet, whose style may give their cells a ground."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat

from ..relationships import relations

_MOST = 100
"""Of one sheet; further ones count as if they were not there."""
_REF = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")


class Area(NamedTuple):
    """Columns and rows, from one."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, column: int, row: int) -> bool:
        """Whether a cell is in it."""
        return self.left <= column <= self.right and self.top <= row <= self.bottom


def column_number(letters: str) -> int:
    """Of a column's capital letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def styled_tables(parts: Mapping[str, bytes], sheet: str) -> tuple[Area, ...]:
    """Where the sheet shows tables that have a style; `parts` are checked XML."""
    tables = {one.name: one.part for one in relations(parts, sheet) if one.kind == "table" and one.part in parts}
    if not tables:
        return ()
    shown = [given.get("id", "") for given in elements(parts[sheet], "tablePart")]
    found: list[Area] = []
    for part in dict.fromkeys(tables[name] for name in shown if name in tables):
        content = parts[part]
        if len(found) < _MOST and any(given.get("name") for given in elements(content, "tableStyleInfo")):
            found += [area for given in elements(content, "table") if (area := area_of(given.get("ref", "")))]
    return tuple(found[:_MOST])


def area_of(ref: str) -> Area | None:
    """Of a reference to cells of one sheet."""
    match = _REF.fullmatch(ref)
    if match is None:
        return None
    left, top = column_number(match[1]), int(match[2])
    return Area(left, top, column_number(match[3]) if match[3] else left, int(match[4] or top))


def elements(content: bytes, local: str) -> list[dict[str, str]]:
    """The attributes of each element of this name, in order, all names without prefixes; `content`: checked XML."""
    found: list[dict[str, str]] = []

    def start(name: str, given: Mapping[str, str]) -> None:
        if name.rpartition(":")[2] == local:
            found.append({key.rpartition(":")[2]: value.strip() for key, value in given.items()})

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.Parse(content, True)
    return found
