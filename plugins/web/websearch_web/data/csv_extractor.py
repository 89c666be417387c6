"""The `csv` extractor: a table in Markdown; of a long one, the head and the counts."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, NamedTuple

from websearch_core import Download, Extractor, Page

from ..kit.markdown_escaping import one_line, table

if TYPE_CHECKING:
    from websearch_core.kit import Workers

WHOLE_ROWS = 1000
"""Up to so many rows are shown, all of them."""
HEAD_ROWS = 100
"""Of a longer table."""
_COLUMNS = 60
_CELL_CHARS = 500
_SAMPLE_CHARS = 20_000
_SEPARATOR = re.compile(r"\ufeff?\"?sep=([,;|\t])\"?\r?\n", re.IGNORECASE)
"""A first line for Excel."""
_TABS = "text/tab-separated-values"


class CsvExtractor(Extractor):
    """Comma-, semicolon-, tab- or bar-separated values; the first row is the table's head."""

    name: str = "csv"
    media_types: frozenset[str] = frozenset({"text/csv", "application/csv", "text/x-csv", _TABS})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text."""
        from ..kit.extraction import read_by

        return await read_by(read_csv, download, self._workers)


class CsvRows(NamedTuple):
    """The beginning of a table, and how much there is of it."""

    head: list[list[str]]
    rows: int
    columns: int
    unclosed: int = 0
    """The line with a quotation mark that is never closed; 0: there is none."""


def read_csv(download: Download) -> Page:
    """The page of a table. Raises `Unsupported` when the bytes are no text."""
    from ..kit.extraction import page_of, text_of
    from ..kit.invisible_characters import visible

    text, spelt = visible(text_of(download))
    said = _SEPARATOR.match(text)
    text = text[said.end() :] if said else text
    delimiter = "\t" if download.media_type == _TABS else said[1] if said else _delimiter(text)
    found = rows_of(text, delimiter)
    body = table([[one_line(cell, _CELL_CHARS) for cell in row[:_COLUMNS]] for row in found.head])
    if more := found.rows - max(0, len(found.head) - 1):
        body += f"\n\n… {more:,} more rows. The table has {found.rows:,} rows and {found.columns} columns."
    notes = [f"only the first {_COLUMNS} of {found.columns} columns are shown"] if found.columns > _COLUMNS else []
    if found.unclosed and not download.truncated:
        notes.append(
            f"a quotation mark in line {found.unclosed:,} is never closed: from there on every line is taken for a row"
        )
    return page_of(download, body, hidden=spelt, notes=tuple(notes))


def rows_of(text: str, delimiter: str) -> CsvRows:
    """The rows to show, and the numbers of rows below the head and of columns. Never raises."""
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(lines, delimiter=delimiter)
    head: list[list[str]] = []
    count = columns = begun = unclosed = 0
    while begun < len(lines):
        try:
            row = _row(lines[begun], delimiter) if unclosed else next(reader)
        except csv.Error:  # one field of more than 128 KB
            row = None
        except StopIteration:
            break
        end = begun + 1 if unclosed else reader.line_num
        if row is None or (end > begun + 1 and end == len(lines) and not _is_closed(lines[begun:], delimiter)):
            if not unclosed:
                unclosed = begun + 1
                continue
            row = []
        begun = max(end, begun + 1)
        if not any(row):
            continue
        count += 1
        columns = max(columns, len(row))
        if count <= WHOLE_ROWS + 1:
            head.append(row)
    if count > WHOLE_ROWS + 1:
        del head[HEAD_ROWS + 1 :]
    return CsvRows(head, max(0, count - 1), columns, unclosed)


def _row(line: str, delimiter: str) -> list[str]:
    rows = list(csv.reader([line], delimiter=delimiter))
    return rows[0] if rows else []


def _is_closed(lines: list[str], delimiter: str) -> bool:
    """Whether the last row, of several lines, ends where its quotation marks say."""
    try:
        return next(csv.reader(lines, delimiter=delimiter, strict=True), None) is not None
    except csv.Error:
        return False


def _delimiter(text: str) -> str:
    """The one that cuts the first lines into the most columns alike."""
    sample = text[:_SAMPLE_CHARS].split("\n")[:30]
    sample = sample[:-1] if len(text) > _SAMPLE_CHARS and len(sample) > 1 else sample
    best, most = ",", 1.0
    for delimiter in (",", ";", "\t", "|"):
        widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=0)
        score = usual * widths.count(usual) / max(1, len(widths)) if usual > 1 else 0.0
        if score > most:
            best, most = delimiter, score
    return best
