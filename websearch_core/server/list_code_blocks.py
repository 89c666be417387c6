"""Fenced code under the items of a list: blocks of its own, so that a piece of a page cuts it like any other code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..kit.markdown_blocks import TextBlock, blocks_of

_LONGEST = 200_000
"""How far after the text that is looked at the end of such code is looked for."""
# a line break first: the search then runs from line to line
_FENCE = re.compile(r"\n(?P<indent>[ \t]*+)(?P<mark>`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+)(?P<info>[^\n]*+)")
_OUTSIDE = re.compile(r"\n\S[^\n]*+")


def apart(blocks: list[TextBlock], text: str, stop: int) -> list[TextBlock]:
    """The blocks of the text up to `stop`, lists parted at their code, which may end later."""
    found: list[TextBlock] = []
    for block in blocks:
        parts = list(_parted(block, text, stop)) if block.kind == "list" else [block]
        found += parts
        if parts[-1].end > block.end:  # code that the end of what was looked at had hidden
            return found + (apart(blocks_of(text, parts[-1].end, stop), text, stop) if parts[-1].end < stop else [])
    return found


def _parted(block: TextBlock, text: str, stop: int) -> Iterator[TextBlock]:
    at = item_end = block.start
    for opening in _FENCE.finditer(text, block.start, block.end):
        if opening.start() < at or not opening["indent"]:
            continue
        if opening.end() > item_end:  # looked for once for all the code within, which may be much
            item_end = _item_end(text, opening.end(), stop)
        closing = next((one for one in _FENCE.finditer(text, opening.end(), item_end) if _closes(one, opening)), None)
        if closing is None:
            break
        start = opening.start() + 1
        if text[at:start].strip():
            yield TextBlock("list", at, at + len(text[at:start].rstrip()))
        yield TextBlock("code", start, closing.end())
        at = min(closing.end() + 1, len(text))
    if text[at : block.end].strip():
        yield TextBlock("list", at, block.end)


def _item_end(text: str, at: int, stop: int) -> int:
    """Where an item ends, and its code with it: after the next line that is not indented, which may close the code."""
    last = min(len(text), stop + _LONGEST)
    outside = _OUTSIDE.search(text, at, last)
    return outside.end() if outside else last


def _closes(match: re.Match[str], opening: re.Match[str]) -> bool:
    return match["mark"].startswith(opening["mark"]) and not match["info"].strip()
