"""The sentences of a Markdown text, each with its place and its block. Headings and list items are sentences, too."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from websearch_core.kit import TextBlock, blocks_of

_END = re.compile(r"(?:(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|[。！？]+[”’」』）]*)\s*")  # noqa: RUF001 - CJK full stops are meant
_SHORT = re.compile(r"(?:^|[\s(])(?:[A-Za-z]|e\.g|i\.e|Mr|Mrs|Ms|Dr|Prof|St|vs|cf|al|No|Nr|Fig|approx|Inc|Ltd|z\.B)\.$")
_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_CODE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*(?:\n(?![ \t]*(?P=mark))[^\n]*)*+(?:\n[^\n]*)?", re.MULTILINE)
_MARK = re.compile(r"^(?: {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+)+")
_WHOLE = frozenset(("heading", "code", "table"))


class Sentence(NamedTuple):
    """`text[start:end]`, without blanks round it; code and tables are one each."""

    start: int
    end: int
    block: int
    """Which of the text's blocks it is in."""
    kind: str


def sentences_of(text: str, blocks: Sequence[TextBlock] | None = None) -> list[Sentence]:
    """All of them, in order, apart."""
    found: list[Sentence] = []
    for number, block in enumerate(blocks_of(text) if blocks is None else blocks):
        begins = [*begins_in(text, block), block.end]
        for start, following in pairwise(begins):
            end = start + len(text[start:following].rstrip())
            if start < end:
                found.append(Sentence(start, end, number, block.kind))
    return found


def begins_in(text: str, block: TextBlock) -> list[int]:
    """Where the sentences of a block begin, its own beginning first."""
    begins = [block.start]
    if block.kind in _WHOLE:
        return begins
    items = items_in(text, block) if block.kind == "list" else []
    fences = _fences(text, block) if block.kind == "list" else []
    for start, end in zip([block.start, *items], [*items, block.end], strict=False):
        begins += [start, *(at for at in _ends(text, start, end) if not _within(at, fences))]
    return sorted({begin for begin in begins if begin < block.end})


def items_in(text: str, block: TextBlock) -> list[int]:
    """Where the outermost items of a list begin, but the first."""
    fences = _fences(text, block)
    starts = [match.start() for match in _ITEM.finditer(text, block.start, block.end)]
    return [at for at in starts if at > block.start and not _within(at, fences)]


def plainly(text: str) -> str:
    """A sentence without the marks of its line, on one line; fenced code under a list item is no part of it."""
    return " ".join(_MARK.sub("", _CODE.sub("", text)).split())


def block_at(blocks: Sequence[TextBlock], place: int) -> int:
    """The last block that begins at or before a place; -1: none."""
    return bisect_right(blocks, place, key=lambda block: block.start) - 1


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    mark = _MARK.match(text[start : min(end, start + 100)])
    after = start + mark.end() if mark else start  # "1." of an item ends nothing
    for match in _END.finditer(text, start, end):
        at = match.end()
        if match.start() < after or at >= end or text[at].islower():
            continue
        if not _SHORT.search(text, max(start, match.start() - 8), match.start() + 1):
            yield at


def _fences(text: str, block: TextBlock) -> list[tuple[int, int]]:
    """Fenced code under the items of a list."""
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for match in _FENCED.finditer(text, block.start, block.end):
        if opened is None:
            opened = match
        elif match["mark"].startswith(opened["mark"]) and not match[0].strip(" \t`~"):
            spans.append((opened.start(), match.end()))
            opened = None
    return [*spans, (opened.start(), block.end)] if opened else spans


def _within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    number = bisect_left(spans, at, key=lambda span: span[0]) - 1
    return number >= 0 and at < spans[number][1]
