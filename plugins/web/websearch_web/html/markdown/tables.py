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
_REPEATED_SHARE, _REPEATED_CHARS = 8, 200
"""What a table's spans may add to it: so many times its own length, and so many characters. Cells that would add more
stand once."""
_FENCE = re.compile(r"^(?:```|~~~)[^\s`]*$", re.MULTILINE)
_ALIGN = re.compile(r"text-align:\s*(left|right|center)")
_RULES = {"left": ":---", "right": "---:", "center": ":---:", "": "---"}
LAYOUT_TAGS = "table, tbody, thead, tfoot, tr, td, th, caption, colgroup, col"
_BOX_ROWS = 2
_PROSE_CHARS = 800
"""In one cell."""


def is_layout(table: Element) -> bool:
    """Whether the table only places things.

    That is one column or row, or headings, paragraphs of prose or code in its cells, where it has no header of its own.
    """
    if table.attr("role") in {"presentation", "none"}:
        return True
    rows = own_rows(table)
    cells = [cells_of(row) for row in rows]
    if _has_much_code(table, len(rows)):
        return True
    if any(getattr(part, "tag", "") in {"caption", "thead"} for part in table.children):
        return False
    if any(cell.tag == "th" for row in cells for cell in row):
        return False
    if len(rows) <= 1 or max(map(len, cells), default=0) <= 1:
        return True
    if table.select_one("table, h1, h2, h3, pre, blockquote"):
        return True
    return max((len(cell.text) for row in cells for cell in row), default=0) > _PROSE_CHARS


def open_box(table: Element) -> bool:
    """Make a remark in a frame plain blocks: an icon beside a label and its text. Whether it is one."""
    rows = [cells_of(row) for row in own_rows(table)]
    if len(rows) != _BOX_ROWS or [len(row) for row in rows] != [2, 1]:
        return False
    icon, label = rows[0]
    if icon.attr("rowspan") != str(_BOX_ROWS) or icon.text.strip() or icon.select_one("img") is None:
        return False
    icon.extract()
    label.tag = "strong"
    return True


def _has_much_code(table: Element, rows: int) -> bool:
    """Whether a good part of the rows holds code of several lines, for which a line of GFM has no room."""
    return sum("\n" in block.text.strip() for block in table.select("pre")) * 4 > rows


def flatten(table: Element) -> None:
    """Make a table within a cell of another plain text, a row a block."""
    from turbohtml import Text

    for cell in table.select("td, th, caption"):
        cell.insert_after(Text(" "))
        cell.tag = "span"
    for part in [table, *table.select(LAYOUT_TAGS)]:
        part.tag = "div"


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
    cells = _rendered(rows, render)
    if not any(text for row in cells for text, *_ in row):
        return ""
    most = _REPEATED_SHARE * sum(len(text) + 3 for row in cells for text, *_ in row) + _REPEATED_CHARS
    grid, begun = _grid(cells, most)
    width = max(len(line) for line in grid)
    if width * len(grid) <= most:
        grid = [line + [""] * (width - len(line)) for line in grid]
    kept = [column for column in range(width) if column in begun]
    lines = [[line[column] for column in kept if column < len(line)] for line in grid if any(line)]
    aligned = _alignment(rows, width)
    head, *rest = lines
    head += [""] * (len(kept) - len(head))
    rule = [_RULES[aligned[column]] for column in kept]
    caption = next((c for c in table.children if getattr(c, "tag", "") == "caption"), None)
    title = " ".join(caption.text.split()) if caption is not None else ""
    written = "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *rest))
    return f"{title}\n\n{written}" if title else written


_Cell = tuple[str, int, int]
"""Its text, and how many rows and columns it spans."""


def _rendered(rows: list[Element], render: Callable[[Element], str]) -> list[list[_Cell]]:
    found: list[list[_Cell]] = []
    cells = 0
    for row in rows:
        found.append([(_one_line(render(c)), _span(c, "rowspan"), _span(c, "colspan")) for c in cells_of(row)])
        cells += len(found[-1])
        if cells > MAX_CELLS:
            break
    return found


def _grid(rows: list[list[_Cell]], most: int) -> tuple[list[list[str]], set[int]]:
    """Each row's texts, spans filled while they add no more than `most`, and the columns in which a cell begins."""
    grid: list[list[str]] = []
    begun: set[int] = set()
    waiting: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows):
        line: list[str] = []
        for text, rowspan, colspan in row:
            _fill(line, waiting)
            down, across = min(rowspan, len(rows) - number), colspan
            added = (len(text) + 3) * (down * across - 1)
            if added > most:
                down = across = 1
            else:
                most -= added
            if text:
                begun.add(len(line))
            for _ in range(across):
                if down > 1:
                    waiting[len(line)] = (down - 1, text)
                line.append(text)
        _fill(line, waiting)
        grid.append(line)
    return grid, begun


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
    return text.replace("|", "\\|")


def _alignment(rows: list[Element], width: int) -> list[str]:
    aligned = [""] * width
    for row in rows[:2]:
        for column, cell in enumerate(cells_of(row)):
            match = _ALIGN.search((cell.attr("style") or "").lower())
            value = (cell.attr("align") or (match[1] if match else "")).lower()
            if column < width and not aligned[column] and value in _RULES:
                aligned[column] = value
    return aligned
