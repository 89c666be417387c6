"""A workbook's sheets as tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote
from xml.parsers import expat

from ...kit.extraction import MAILS_AND_WEB
from ...kit.long_tables import HEAD_ROWS, WHOLE_ROWS
from ..relationships import relations
from .hidden_cells import shared_strings
from .number_formats import NumberFormats
from .rows import CellPosition, SheetRows
from .table_styles import area_of, elements

MAX_CHARS = 4_000_000
_COLUMNS = 256
_LARGE = "the workbook is larger than what is shown of it"
_MARKUP = re.compile(r"([`*\[\]|]|\\(?=[!-/:-@\[-`{-~])|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?]))")


class WorkbookMarkdown:
    """Of all sheets, in their order."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        """`parts`: checked XML, without what is not shown."""
        self.notes: dict[str, None] = {}
        self.covered: list[str] = []
        """What is said by cells that lie under merged ones."""
        self._parts = parts
        self._texts = shared_strings(parts.get("xl/sharedStrings.xml", b""))
        main = parts["xl/workbook.xml"]
        since_1904 = any(given.get("date1904", "0") in ("1", "true") for given in elements(main, "workbookPr"))
        self._formats = NumberFormats(parts.get("xl/styles.xml", b""), since_1904=since_1904)
        self._left = MAX_CHARS
        by_name = {one.name: one.part for one in relations(parts, "xl/workbook.xml")}
        sheets = elements(main, "sheet")
        self.count = len(sheets)
        blocks: list[str] = []
        for one in sheets:
            if self._left < 0:
                self.notes[_LARGE] = None
                break
            for block in self._sheet(one.get("name", ""), by_name.get(one.get("id", ""), "")):
                blocks.append(block)
                self._left -= len(block)
        self.body = "\n\n".join(blocks)

    def _sheet(self, name: str, part: str) -> Iterator[str]:
        yield f"## {_cell(name)}"
        if part not in self._parts:
            return
        sheet = SheetRows(self._parts[part], self._texts, self._formats, self._left)
        if sheet.chars > self._left:
            self.notes[_LARGE] = None
        self.covered += sheet.covered
        rows = {row: {column: _cell(text) for column, text in cells.items()} for row, cells in sheet.rows.items()}
        self._add_links(rows, part, sheet.links)
        self._add_comments(rows, part)
        columns = sorted({column for row in rows.values() for column in row})
        if len(columns) > _COLUMNS:
            self.notes[f"of tables with more than {_COLUMNS} columns, the first {_COLUMNS} are shown"] = None
            columns = columns[:_COLUMNS]
        lines = [f"| {' | '.join(row.get(column, '') for column in columns)} |" for row in rows.values()]
        if lines:
            yield "\n".join((lines[0], f"|{' --- |' * len(columns)}", *lines[1:]))
        if more := sheet.count - len(rows):
            if sheet.count > WHOLE_ROWS:
                self.notes[f"of tables with more than {WHOLE_ROWS:,} rows, the first {HEAD_ROWS} are shown"] = None
            yield f"… {more:,} more rows"

    def _add_links(self, rows: Mapping[int, dict[int, str]], part: str, links: Mapping[CellPosition, str]) -> None:
        targets = {
            one.name: one.target
            for one in relations(self._parts, part)
            if one.kind == "hyperlink" and one.target.lower().startswith(MAILS_AND_WEB)
        }
        for place, name in links.items():
            text = rows.get(place.row, {}).get(place.column)
            if text and name in targets:
                address = quote(targets[name], safe="!#$%&'*+,/:;=?@~")
                rows[place.row][place.column] = f"[{text}]({address})"

    def _add_comments(self, rows: Mapping[int, dict[int, str]], part: str) -> None:
        name = next((one.part for one in relations(self._parts, part) if one.kind == "comments"), "")
        for place, text in _comments(self._parts.get(name, b"")).items():
            if shown := rows.get(place.row, {}).get(place.column):
                rows[place.row][place.column] = f"{shown} \\[comment: {_cell(text)}\\]"


def _comments(content: bytes) -> dict[CellPosition, str]:
    found: dict[CellPosition, list[str]] = {}
    said: list[list[str]] = [[]]

    def start(name: str, given: Mapping[str, str]) -> None:
        if name.rpartition(":")[2] == "comment" and (area := area_of(given.get("ref", ""))):
            said.append(found.setdefault(CellPosition(area.top, area.left), []))

    def heard(text: str) -> None:
        said[-1].append(text)

    if content:
        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.CharacterDataHandler = heard
        parser.Parse(content, True)
    return {place: "".join(texts) for place, texts in found.items()}


def _cell(text: str) -> str:
    """Text on one line that no reader takes for markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
