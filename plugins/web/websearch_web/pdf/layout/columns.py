"""Text in columns and cards that a layout reader took for a table: cut along the blank space around it (XY-cut)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

_SAME = 20
"""Characters that two cells of a row have in common only where one line was given to both."""
_DEEPEST = 12
_WIDE, _HIGH = 9.0, 3.0
"""Points of blank space between columns, and between blocks."""


def is_misread(block: Any) -> bool:
    """Whether a table says the same in two cells of a row: a line that crosses its columns, so that they are none."""
    for row in (block.header or (), *(block.rows or ())):
        texts = [cell.text[:_SAME] for cell in row if cell.text and len(cell.text) >= _SAME]
        if len(set(texts)) < len(texts):
            return True
    return False


def cut(items: Sequence[Any], depth: int = 0) -> list[list[Any]]:
    """The blocks in the order of reading, each with its items: columns from the left, blocks from the top."""
    if depth == _DEEPEST or len(items) < 2:
        return [list(items)] if items else []
    sides = _split(items, lambda item: (item.x, item.x + item.width), _WIDE) or _split(
        items, lambda item: (item.y, item.y + item.height), _HIGH
    )
    if sides is None:
        return [sorted(items, key=lambda item: (round(item.y), item.x))]
    return [block for side in sides for block in cut(side, depth + 1)]


def _split(
    items: Sequence[Any], ends: Callable[[Any], tuple[float, float]], least: float
) -> tuple[list[Any], list[Any]] | None:
    """Both sides of the widest blank space; None where there is none of this width."""
    widest, place, reached = least, 0.0, float("-inf")
    for begin, end in sorted(map(ends, items)):
        if reached > float("-inf") and begin - reached >= widest:
            widest, place = begin - reached, begin
        reached = max(reached, end)
    if not place:
        return None
    before = [item for item in items if ends(item)[0] < place]
    return before, [item for item in items if ends(item)[0] >= place]
