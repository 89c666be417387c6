"""What a workbook does not show: hidden sheets, rows and columns, and cells whose style shows nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.parsers import expat

from ...kit.lengths import number
from ...kit.xml_cutter import OFF, Span, XmlCutter
from .cell_styles import CellStyles
from .table_styles import Area, column_number

_LITTLE = rb"\s*=\s*[\"'](?:[^1-9]|[\d.]+[eE])"
_MAY_HIDE = tuple(
    map(re.compile, (rb"hidden", rb"ht%s" % _LITTLE, rb"[wW]idth%s" % _LITTLE, rb"\A(?:\xff|\xfe|.?\x00)"))
)
"""One by one, since a search for words that begin alike is ten times as fast."""
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_COLUMNS = 16_384
_DIGITS = 8
"""Of a shared text's number."""
_LEAST = {"ht": 0.75, "defaultRowHeight": 0.75, "width": 0.1, "defaultColWidth": 0.1}
"""A row or column that is no wider is a line at most: points, or widths of a digit."""


class VisibleWorkbook(XmlCutter):
    """Its list of sheets, without the hidden."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.hidden: list[str] = []
        """The names of their relations."""
        self._sheet: tuple[Span, bool] = (Span(0), False)
        self.read()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """A sheet is hidden by its state."""
        if name == "sheet":
            hidden = attributes.get("state", "").lower() in ("hidden", "veryhidden")
            self._sheet = (self.here, hidden)
            self.hidden += [attributes.get("id", "")] if hidden else []

    def end(self, name: str) -> None:
        """Its element goes."""
        if name == "sheet" and self._sheet[1]:
            self.finish(self._sheet[0])
            self.cut(self._sheet[0])


class VisibleSheet(XmlCutter):
    """One sheet's cells, without those that are not shown; `whole` hides them all."""

    def __init__(
        self,
        content: bytes,
        styles: CellStyles,
        texts: list[str],
        tables: tuple[Area, ...] = (),
        *,
        whole: bool = False,
    ) -> None:
        """`texts`: the shared strings; `tables`: where a style may give cells another ground."""
        super().__init__(content)
        self._texts = texts
        self._styles = styles
        self._tables = tables
        self._row_hidden = self._whole = whole
        self._columns: set[int] = set()
        self._wide: set[int] = set()
        self._flat = self._narrow = False
        self._number = self._row = self._last = 0
        self._cell = Span(0)
        self._hidden = self._shared = self._takes = False
        self._value: list[str] = []
        if whole or styles.unformatted or styles.unreadable or any(sign.search(content) for sign in _MAY_HIDE):
            self.read()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Columns come first; a cell is in a row."""
        match name:
            case "sheetFormatPr":  # `zeroHeight` is about rows that are not written, which hold nothing
                self._flat = _is_little(attributes, "defaultRowHeight")
                self._narrow = _is_little(attributes, "defaultColWidth")
            case "col":
                first, last = attributes.get("min", ""), attributes.get("max", "")
                if first.isdecimal() and last.isdecimal():  # they come in order, each once
                    begin, self._last = max(int(first[:6]), self._last + 1), min(int(last[:6]), _COLUMNS)
                    hidden = _is_hidden(attributes, "width", usual=self._narrow)
                    (self._columns if hidden else self._wide).update(range(begin, self._last + 1))
            case "row":
                self._row_hidden = self._whole or _is_hidden(attributes, "ht", usual=self._flat)
                row = attributes.get("r", "")
                self._row = int(row[:7]) if row.isdecimal() else self._row + 1
                self._number = 0
            case "c":
                place = _PLACE.match(attributes.get("r", ""))
                self._number = column_number(place[1]) if place else self._number + 1
                row = int(place[2]) if place else self._row
                self._hidden = self._is_away() or self._is_blank(attributes.get("s", "0"), row)
                self._shared = attributes.get("t") == "s"
                self._cell = self.here
                self._value.clear()
            case "v" | "t":
                self._takes = True
            case _:
                pass

    def end(self, name: str) -> None:
        """A cell is cut, and said."""
        if name in ("v", "t"):
            self._takes = False
        elif name == "c" and self._hidden:
            self.finish(self._cell)
            value = "".join(self._value)
            self.cut(self._cell, f"{shared_text(self._texts, value) if self._shared else value} ")

    def text(self, text: str) -> None:
        """A value."""
        if self._takes and self._hidden:
            self._value.append(text)

    def _is_away(self) -> bool:
        return self._row_hidden or self._number in self._columns or (self._narrow and self._number not in self._wide)

    def _is_blank(self, style: str, row: int) -> bool:
        if style in self._styles.unformatted:
            return True
        return style in self._styles.unreadable and not any(area.holds(self._number, row) for area in self._tables)


def shared_strings(content: bytes) -> list[str]:
    """The texts that cells share, by number."""
    found: list[list[str]] = []
    takes = aside = False  # aside: how to pronounce it

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal takes, aside
        local = name.rpartition(":")[2]
        aside = aside or local == "rPh"
        takes = local == "t" and not aside
        if local == "si":
            found.append([])

    def text(said: str) -> None:
        if takes and found:
            found[-1].append(said)

    def end(name: str) -> None:
        nonlocal takes, aside
        takes = False
        aside = aside and name.rpartition(":")[2] != "rPh"

    if content:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
        parser.Parse(content, True)
    return ["".join(said) for said in found]


def shared_text(texts: Sequence[str], number: str) -> str:
    """The one of this number; empty where there is none."""
    is_number = number.isdecimal() and len(number) <= _DIGITS
    return texts[int(number)] if is_number and int(number) < len(texts) else ""


def _is_hidden(given: Mapping[str, str], length: str, *, usual: bool) -> bool:
    """Of a row or column; `usual`: whether those without a length of their own are."""
    return given.get("hidden", "0").lower() not in OFF or (_is_little(given, length) if length in given else usual)


def _is_little(given: Mapping[str, str], length: str) -> bool:
    said = number(given.get(length, ""))
    return said is not None and said < _LEAST[length]
