"""Reads the tables of a Markdown page: which table stands under which heading, and the numbers in its cells."""

from __future__ import annotations

import re

Table = dict[str, list[str]]
"""First cell of each row → its other cells."""

_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def tables_of(markdown: str) -> dict[str, Table]:
    """Heading (the page's title is one) → the rows of the first table under it, without the table's head."""
    found: dict[str, Table] = {}
    heading, rows, table = "", 0, Table()
    for line in markdown.splitlines():
        if line.startswith("#"):
            heading, rows = line.lstrip("# "), 0
        elif line.startswith("|"):
            rows += 1
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if rows == 1:
                table = Table()
                found.setdefault(heading, table)
            elif rows > 2:
                table[cells[0]] = cells[1:]
        else:
            rows = 0
    return found


def number(cell: str) -> float | None:
    """The first number in a cell: `507 ms`, `≤ 1.3`, `1,379`; None where there is none."""
    match = _NUMBER.search(cell)
    return float(match[0].replace(",", "")) if match else None
