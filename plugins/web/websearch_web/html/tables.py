"""A table as a grid: spans expanded, one line a row, in GFM."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Element

MAX_SPAN = 100
"""Of rows or columns; more is a mistake or an attack."""
MAX_CELLS = 100_000
MAX_REPEATED = 20_000
"""Characters that one spanning cell may come to; beyond that its text stands once."""
_FENCE = re.compile(r"^(?:```|~~~)\S*$", re.MULTILINE)
_PIPE = re.compile(r"(?<!\\)\|")
_ALIGN = re.compile(r"text-align:\s*(left|right|center)")
_RULES = {"left": ":---", "right": "---:", "center": ":---:", "": "---"}
_BLOCKS = "p, h1, h2, h3, h4, h5, h6, pre, blockquote, figure, section, article, hr"


def is_layout(table: Element) -> bool:
    """Whether the table only places things: one column or row, headings or paragraphs of prose in its cells."""
    if table.attr("role") in {"presentation", "none"}:
        return True
    if table.select_one("th, caption, thead"):
        return False
    rows = own_rows(table)
    if max((len(cells_of(row)) for row in rows), default=0) <= 1:
        return True
    if table.select_one("table, h1, h2, h3, pre, blockquote"):
        return True
    longest = max((len(cell.text) for row in rows for cell in cells_of(row)), default=0)
    return longest > 800


def own_rows(table: Element) -> list[Element]:
    """Rows of this table, not of one inside it: head, bodies, foot, in that order."""
    rows: list[Element] = []
    later: list[Element] = []
    for part in table.children:
        tag = getattr(part, "tag", "")
        if tag == "tr":
            rows.append(part)  # pyright: ignore[reportArgumentType] - has a tag
        elif tag in {"thead", "tbody", "tfoot"}:
            found = [row for row in part.children if getattr(row, "tag", "") == "tr"]
            (later if tag == "tfoot" else rows).extend(found)  # pyright: ignore[reportArgumentType]
    return rows + later


def cells_of(row: Element) -> list[Element]:
    """The cells of one row."""
    return [cell for cell in row.children if getattr(cell, "tag", "") in {"td", "th"}]  # pyright: ignore[reportReturnType]


def to_gfm(table: Element, render: Callable[[Element], str]) -> str:
    """The table in GFM; `render` gives a cell's Markdown. Empty when no cell has text."""
    rows = own_rows(table)
    grid = _grid(rows, render)
    if not any(text for line in grid for text in line):
        return ""
    width = max(len(line) for line in grid)
    grid = [line + [""] * (width - len(line)) for line in grid]
    kept = [column for column in range(width) if any(line[column] for line in grid)]
    lines = [[line[column] for column in kept] for line in grid if any(line)]
    aligned = _alignment(rows, width)
    head, *rest = lines
    rule = [_RULES[aligned[column]] for column in kept]
    caption = next((c for c in table.children if getattr(c, "tag", "") == "caption"), None)
    title = " ".join(caption.text.split()) if caption is not None else ""
    written = "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *rest))
    return f"{title}\n\n{written}" if title else written


def _grid(rows: list[Element], render: Callable[[Element], str]) -> list[list[str]]:
    grid: list[list[str]] = []
    waiting: dict[int, tuple[int, str]] = {}
    cells = 0
    for row in rows:
        line: list[str] = []
        for cell in cells_of(row):
            _fill(line, waiting)
            text = _one_line(render(cell))
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            repeated = text if len(text) * down * across <= MAX_REPEATED else ""
            for number in range(across):
                if down > 1:
                    waiting[len(line)] = (down - 1, repeated)
                line.append(text if number == 0 else repeated)
            cells += across
        _fill(line, waiting)
        grid.append(line)
        if cells > MAX_CELLS:
            break
    return grid


def _fill(line: list[str], waiting: dict[int, tuple[int, str]]) -> None:
    """Put in the cells that reach down from the rows above."""
    while (column := len(line)) in waiting:
        left, text = waiting.pop(column)
        line.append(text)
        if left > 1:
            waiting[column] = (left - 1, text)


def _span(cell: Element, name: str) -> int:
    value = cell.attr(name)
    if not value:
        return 1
    return min(int(value), MAX_SPAN) or 1 if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _one_line(markdown: str) -> str:
    fenced = "```" in markdown or "~~~" in markdown
    text = " ".join((_FENCE.sub("", markdown) if fenced else markdown).split())
    return _PIPE.sub(r"\\|", text) if "|" in text else text


def _alignment(rows: list[Element], width: int) -> list[str]:
    aligned = [""] * width
    for row in rows[:2]:
        for column, cell in enumerate(cells_of(row)):
            match = _ALIGN.search((cell.attr("style") or "").lower())
            value = (cell.attr("align") or (match[1] if match else "")).lower()
            if column < width and not aligned[column] and value in _RULES:
                aligned[column] = value
    return aligned
