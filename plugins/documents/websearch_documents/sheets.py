"""What a workbook does not show: hidden sheets, rows and columns, and cells whose style shows nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

from .cell_styles import CellStyles
from .cutting import OFF, Cutter, Span

_MAY_HIDE = tuple(
    map(re.compile, (rb"hidden", rb"ht\s*=\s*[\"']0", rb"width\s*=\s*[\"']0", rb"\A(?:\xff|\xfe|.?\x00)"))
)
"""One by one, since a search for words that begin alike is ten times as fast."""
_COLUMN = re.compile(r"([A-Z]{1,3})\d")
_COLUMNS = 16_384
_NOTHING = re.compile(r"0+(?:\.0*)?")


class Workbook(Cutter):
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


class Sheet(Cutter):
    """One sheet's cells, without those that are not shown; `whole` hides them all."""

    def __init__(self, content: bytes, styles: CellStyles, texts: list[str], *, whole: bool = False) -> None:
        """`texts`: the shared strings."""
        super().__init__(content)
        self._texts = texts
        self._styles = styles.unformatted
        if b"tableParts" not in content:  # a table has grounds of its own
            self._styles = styles.unformatted | styles.unreadable
        self._row_hidden = self._whole = whole
        self._columns: set[int] = set()
        self._number = self._last = 0
        self._cell = Span(0)
        self._hidden = self._shared = self._takes = False
        self._value: list[str] = []
        if whole or self._styles or any(sign.search(content) for sign in _MAY_HIDE):
            self.read()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Columns come first; a cell is in a row."""
        match name:
            case "col" if _is_hidden(attributes, "width"):
                first, last = attributes.get("min", ""), attributes.get("max", "")
                if first.isdecimal() and last.isdecimal():  # they come in order, each once
                    begin, self._last = max(int(first[:6]), self._last + 1), min(int(last[:6]), _COLUMNS)
                    self._columns.update(range(begin, self._last + 1))
            case "row":
                self._row_hidden = self._whole or _is_hidden(attributes, "ht")
                self._number = 0
            case "c":
                place = _COLUMN.match(attributes.get("r", ""))
                self._number = _number(place[1]) if place else self._number + 1
                style = attributes.get("s", "0")
                self._hidden = self._row_hidden or self._number in self._columns or style in self._styles
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
            self.cut(self._cell, f"{self._shared_text(value) if self._shared else value} ")

    def text(self, text: str) -> None:
        """A value."""
        if self._takes and self._hidden:
            self._value.append(text)

    def _shared_text(self, value: str) -> str:
        return self._texts[int(value)] if value.isdecimal() and int(value[:8]) < len(self._texts) else ""


def shared_strings(content: bytes) -> list[str]:
    """The texts that cells share, by number."""
    found: list[list[str]] = []
    takes = False

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal takes
        takes = name.rpartition(":")[2] == "t"
        if name.rpartition(":")[2] == "si":
            found.append([])

    def text(said: str) -> None:
        if takes and found:
            found[-1].append(said)

    def end(_: str) -> None:
        nonlocal takes
        takes = False

    if content:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
        parser.Parse(content, True)
    return ["".join(said) for said in found]


def _is_hidden(given: Mapping[str, str], length: str) -> bool:
    return given.get("hidden", "0").lower() not in OFF or bool(_NOTHING.fullmatch(given.get(length, "1")))


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
