"""The rows of one sheet: what its cells say, by one pass of expat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.parsers import expat

from websearch_core.kit import Unsupported

from ...kit.long_tables import HEAD_ROWS, WHOLE_ROWS
from .hidden_cells import shared_text
from .number_formats import NumberFormats
from .table_styles import Area, area_of, column_number

_CELL_CHARS = 32_767
"""Of one cell: no more fits into Excel's."""
_MERGED_ROWS = 2_000_000
"""Of all merged cells together, as far as their rows are shown."""
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")


class CellPosition(NamedTuple):
    """A cell's, from 1."""

    row: int
    column: int


class SheetRows:
    """The first rows that say anything, and how many there are."""

    def __init__(self, content: bytes, texts: Sequence[str], formats: NumberFormats, most_chars: int) -> None:
        """`content`: checked XML; `texts`: the shared strings; `most_chars`: of all cells together.

        Raises `Unsupported` where cells are merged over and over.
        """
        self.rows: dict[int, dict[int, str]] = {}
        """Row → column → text."""
        self.count = self.chars = 0
        self.links: dict[CellPosition, str] = {}
        """Of cells, the names of their relations."""
        self.covered: list[str] = []
        """What is said by cells that lie under a merged one."""
        self._texts = texts
        self._formats = formats
        self._most_chars = most_chars
        self._row: dict[int, str] = {}
        self._place = CellPosition(0, 0)
        self._cell: Mapping[str, str] = {}
        self._said: dict[str, list[str]] = {}
        self._takes = ""
        self._is_counted = True
        self._merged: dict[Area, None] = {}
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(content, True)
        if self.count > len(self.rows) or self.count > WHOLE_ROWS + 1:
            self.rows = dict(list(self.rows.items())[: HEAD_ROWS + 1])
        if sum(min(merged.bottom - merged.top + 1, len(self.rows)) for merged in self._merged) > _MERGED_ROWS:
            raise Unsupported("the workbook merges more cells than can be read")
        for merged in self._merged:
            self._cover(merged)

    def _start(self, name: str, given: Mapping[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "row":
                row = given.get("r", "")
                self._place = CellPosition(int(row[:7]) if row.isdecimal() else self._place.row + 1, 0)
                self._row = {}
            case "c":
                found = _PLACE.match(given.get("r", ""))
                self._place = self._place._replace(column=column_number(found[1]) if found else self._place.column + 1)
                self._cell = given
                self._said = {}
            case "v" | "t" | "f" as kind if self._takes != "rPh":
                self._takes = kind
            case "rPh":  # how to pronounce it
                self._takes = "rPh"
            case "hyperlink" | "mergeCell" as kind:
                self._told(kind, given)
            case _:
                pass

    def _text(self, text: str) -> None:
        if self._takes:
            self._said.setdefault(self._takes, []).append(text)

    def _end(self, name: str) -> None:
        match name.rpartition(":")[2]:
            case "v" | "t" | "f" if self._takes != "rPh":
                self._takes = ""
            case "rPh":
                self._takes = ""
            case "c":
                if self.chars <= self._most_chars and (text := self._value()[:_CELL_CHARS]):
                    self._row[self._place.column] = text
                    self.chars += len(text)
            case "row" if self._row:
                self.count += self._place.row not in self.rows
                self.rows.setdefault(self._place.row, {}).update(self._row)
                if self.count > WHOLE_ROWS or self.chars > self._most_chars:
                    self._parser.StartElementHandler = self._counted
                    self._parser.EndElementHandler = self._parser.CharacterDataHandler = None
            case _:
                pass

    def _counted(self, name: str, given: Mapping[str, str]) -> None:
        """The rows that are not shown."""
        local = name.rpartition(":")[2]
        if local == "row":
            self._is_counted = False
        elif local in ("v", "t", "f") and not self._is_counted:
            self.count += 1
            self._is_counted = True
        else:
            self._told(local, given)

    def _told(self, kind: str, given: Mapping[str, str]) -> None:
        """What stands after the rows."""
        area = area_of(given.get("ref", ""))
        if area and kind == "mergeCell":
            self._merged[area] = None
        elif area and kind == "hyperlink":
            name = next((value for key, value in given.items() if key.rpartition(":")[2] == "id"), "")
            self.links[CellPosition(area.top, area.left)] = name

    def _cover(self, area: Area) -> None:
        """Of merged cells only the first one shows."""
        numbers = range(area.top, area.bottom + 1)
        for number in numbers if len(numbers) < len(self.rows) else list(self.rows):
            row = self.rows.get(number, {}) if number in numbers else {}
            for column in [column for column in row if area.left <= column <= area.right]:
                if (number, column) != (area.top, area.left):
                    self.covered.append(row.pop(column))

    def _value(self) -> str:
        """What the cell shows; a formula that nobody has worked out yet as it is."""
        said = {kind: "".join(texts) for kind, texts in self._said.items() if kind != "rPh"}
        value = said.get("v", "")
        match self._cell.get("t", "n"):
            case "s":
                return shared_text(self._texts, value)
            case "inlineStr":
                return said.get("t", "")
            case "b":
                return {"0": "FALSE", "1": "TRUE"}.get(value, value)
            case "n":
                value = self._formats.written(value, self._cell.get("s", "0"))
            case _:
                pass
        return value or (f"={said['f']}" if said.get("f") else "")
