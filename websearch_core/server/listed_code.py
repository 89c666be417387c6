"""Fenced code under the items of a list: blocks of its own, so that a piece of a page cuts it like any other code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..blocks import TextBlock, blocks_of

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
    at = block.start
    for opening in _FENCE.finditer(text, block.start, block.end):
        if opening.start() < at or not opening["indent"]:
            continue
        closing = _closing(text, opening, stop)
        if closing is None:
            break
        start = opening.start() + 1
        if text[at:start].strip():
            yield TextBlock("list", at, at + len(text[at:start].rstrip()))
        yield TextBlock("code", start, closing.end())
        at = min(closing.end() + 1, len(text))
    if text[at : block.end].strip():
        yield TextBlock("list", at, block.end)


def _closing(text: str, opening: re.Match[str], stop: int) -> re.Match[str] | None:
    """The fence that closes; a line that is not indented ends the item, and its code with it."""
    last = min(len(text), stop + _LONGEST)
    outside = _OUTSIDE.search(text, opening.end(), last)
    within = _FENCE.finditer(text, opening.end(), outside.end() if outside else last)
    return next((one for one in within if _closes(one, opening["mark"])), None)


def _closes(match: re.Match[str], mark: str) -> bool:
    return match["mark"].startswith(mark) and not match["info"].strip()
