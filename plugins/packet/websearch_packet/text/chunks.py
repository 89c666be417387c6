"""A Markdown text in chunks of so many tokens: by blocks, code and tables whole or dressed anew, each with its span."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from websearch_core.kit import Heading, MarkedText, TextBlock, blocks_of, estimate_tokens, outline_of, paths_of

from ..choices import Strategy
from .sentences import begins_in, block_at, items_in

_TOP = 3
"""Headings down to this level begin a chunk with `headings_first`."""
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_CHEAPEST = 0.2
"""Tokens a character, at the very least: what is so long need not be counted."""
_WARNING = 50
"""Tokens of the warnings that a chunk repeats and closes, at its beginning and its end."""
_CLOSING = 4.0
"""What a fence's end costs at most."""


class Chunk(NamedTuple):
    """A part of the text. The spans of all chunks lie end to end and together are the text."""

    start: int
    end: int
    overlap: int
    """So many characters before `start` are said again at the beginning."""
    path: tuple[str, ...]
    """The headings that its beginning stands under."""
    text: str
    """The span and its overlap; code that was cut has its fence, a table its head, a marked passage its warning."""
    tokens: int


class _Unit(NamedTuple):
    """What is never cut."""

    start: int
    end: int
    cost: float
    block: int
    opens: float = 0.0
    """What it costs more at the beginning of a chunk: the head of its code or table."""
    closes: float = 0.0
    """What it costs more at the end of one."""


def chunks_of(
    text: str,
    max_tokens: int,
    *,
    margin: float = 0.1,
    overlap: int = 0,
    strategy: Strategy = "headings_first",
) -> list[Chunk]:
    """Chunks that cost at most `max_tokens` less `margin`, the overlap included; only a larger table row is more.

    `headings_first` begins one at each heading down to level 3; `balanced` makes as few as it can of about one size.
    No heading ends a chunk.
    """
    if not text.strip():
        return []
    blocks, marked = blocks_of(text), MarkedText(text)
    whole = max(1, math.floor(max_tokens * (1 - margin) - (_WARNING if marked.passages else 0)))
    repeated = min(overlap, whole // 2)
    budget = whole - repeated
    units = [unit for number in range(len(blocks)) for unit in _units(text, blocks, number, budget)]
    outline = outline_of(text)
    deepest = _TOP if strategy == "headings_first" else 0
    tops = {heading.offset for heading in outline if heading.level <= deepest}
    target = math.inf
    if strategy == "balanced":
        total = sum(unit.cost for unit in units)
        target = total / math.ceil(total / budget)
    starts = [0, *_cuts(units, blocks, budget, tops, target), len(text)]
    paths = _Paths(text, outline)
    begins = [begins_in(text, block) for block in blocks] if repeated else []
    chunks: list[Chunk] = []
    for start, end in pairwise(starts):
        again = _repeated(text, blocks, begins, chunks[-1].start, start, repeated) if chunks and repeated else 0
        shown = dressed(marked, blocks, start - again, end)
        chunks.append(Chunk(start, end, again, paths.at(start), shown, math.ceil(estimate_tokens(shown))))
    return chunks


def dressed(marked: MarkedText, blocks: Sequence[TextBlock], start: int, end: int) -> str:
    """A part of the text as Markdown of its own."""
    text = marked.text
    first, last = block_at(blocks, start), block_at(blocks, max(start, end - 1))
    opening = closing = ""
    if first >= 0:
        block, head = blocks[first], _head(text, blocks[first])
        if head and block.start + len(head) <= start < block.end:
            opening = marked.cut(block.start, block.start + len(head))
    if last >= 0 and blocks[last].kind == "code":
        block, mark = blocks[last], _mark(text, blocks[last])
        if end < block.end or not _is_closed(text, block, mark):
            closing = mark
    piece = f"{opening}{marked.cut(start, end)}".strip("\n")
    return f"{piece}\n{closing}" if closing else piece.rstrip()


def _units(text: str, blocks: Sequence[TextBlock], number: int, budget: float) -> Iterator[_Unit]:
    """A block with the blank lines after it, or its parts where it is too large."""
    block = blocks[number]
    start = block.start if number else 0
    end = blocks[number + 1].start if number + 1 < len(blocks) else len(text)
    cost = estimate_tokens(text[start:end])
    closes = _CLOSING if block.kind == "code" else 0.0
    if cost + closes <= budget:
        yield _Unit(start, end, cost, number, 0.0, closes)
        return
    head = _head(text, block)
    opens = estimate_tokens(head) if head else 0.0
    room = max(budget - opens - closes, 1.0)
    places = [*sorted(set(_places(text, block, len(head), room)) - {block.start}), end]
    for begin, stop in zip([start, *places], places, strict=False):
        within = begin >= block.start + len(head) if head else False
        yield _Unit(begin, stop, estimate_tokens(text[begin:stop]), number, opens if within else 0.0, closes)


def _places(text: str, block: TextBlock, head: int, room: float) -> Iterator[int]:
    """Where a block that is too large may be cut: finer only where a part is still too large."""
    if block.kind in ("code", "table"):
        lines = [match.end() for match in re.finditer(r"\n", text[block.start + head : block.end])]
        places = [block.start + head + end for end in lines]
        if block.kind == "code" and places and _is_closed(text, block, _mark(text, block)):
            places.pop()  # the closing fence stays with the last line
        yield from places
        if block.kind == "code":
            yield from _finer(text, [block.start + head, *places, block.end], room)
        return
    if block.kind == "list":
        items = [block.start, *items_in(text, block), block.end]
        yield from items[:-1]
        sentences = begins_in(text, block)
        for start, end in pairwise(items):
            if estimate_tokens(text[start:end]) > room:
                inner = sentences[bisect_right(sentences, start) : bisect_left(sentences, end)]
                yield from inner
                if "```" not in text[start:end] and "~~~" not in text[start:end]:
                    yield from _finer(text, [start, *inner, end], room)
        return
    begins = [*begins_in(text, block), block.end]
    yield from begins[:-1]
    yield from _finer(text, begins, room)


def _finer(text: str, places: Sequence[int], room: float) -> Iterator[int]:
    """Cuts between words, or anywhere, within what is larger than a chunk."""
    for start, end in pairwise(places):
        at = start
        while (end - at) * _CHEAPEST > room or estimate_tokens(text[at:end]) > room:
            size = max(1, int(room))
            while size > 1 and estimate_tokens(text[at : at + size]) > room:
                size //= 2
            while at + 2 * size < end and estimate_tokens(text[at : at + size + size // 4 + 1]) <= room:
                size += size // 4 + 1
            word = text.rfind(" ", at + 1, at + size) + 1
            at = word if word > at + size // 2 else at + size
            if at >= end:
                break
            yield at


def _cuts(
    units: Sequence[_Unit], blocks: Sequence[TextBlock], budget: float, tops: set[int], target: float
) -> Iterator[int]:
    """Where the second and later chunks begin."""
    held: list[_Unit] = []
    cost, bare = 0.0, True
    for unit in units:
        fresh = unit.start == blocks[unit.block].start
        wanted = not bare and fresh and (unit.start in tops or cost >= target)
        if held and (wanted or cost + unit.cost + unit.closes > budget):
            taken = _heads(held, blocks)
            moved = sum(one.cost for one in taken)
            if moved + unit.cost + unit.closes > budget:
                taken, moved = [], 0.0
            yield taken[0].start if taken else unit.start
            held, cost, bare = list(taken), moved or unit.opens, True
        held.append(unit)
        cost += unit.cost
        bare = bare and blocks[unit.block].kind == "heading"


def _heads(held: Sequence[_Unit], blocks: Sequence[TextBlock]) -> list[_Unit]:
    """The headings at the end, which go with what follows; none when there is nothing else."""
    count = 0
    while count < len(held) and blocks[held[-1 - count].block].kind == "heading":
        count += 1
    return list(held[len(held) - count :]) if 0 < count < len(held) else []


def _repeated(
    text: str, blocks: Sequence[TextBlock], begins: Sequence[list[int]], since: int, start: int, tokens: int
) -> int:
    """How many characters before `start` are whole sentences of at most so many tokens; none out of code or a table."""
    best = start
    number = block_at(blocks, start - 1)
    if number >= 0 and blocks[number].kind in ("code", "table") and start < blocks[number].end:
        return 0
    while number >= 0 and blocks[number].end > since:
        for index in range(bisect_left(begins[number], start) - 1, -1, -1):
            begin = begins[number][index]
            if begin < since or estimate_tokens(text[begin:start]) > tokens:
                return start - best
            best = begin
        number -= 1
    return start - best


class _Paths:
    """Which headings a place stands under."""

    def __init__(self, text: str, outline: Sequence[Heading]) -> None:
        self._text = text
        self._offsets = [heading.offset for heading in outline]
        self._paths = [(), *paths_of(outline)]

    def at(self, place: int) -> tuple[str, ...]:
        rest = self._text[place : place + 10_000]
        return self._paths[bisect_right(self._offsets, place + len(rest) - len(rest.lstrip()))]


def _head(text: str, block: TextBlock) -> str:
    """The line that opens code, the first two lines of a table."""
    lines = {"code": 1, "table": 2}.get(block.kind, 0)
    end = block.start
    for _ in range(lines):
        found = text.find("\n", end, block.end)
        if found < 0:
            return ""
        end = found + 1
    return text[block.start : end]


def _mark(text: str, block: TextBlock) -> str:
    found = _FENCE.match(text, block.start)
    return found[1] if found else "```"


def _is_closed(text: str, block: TextBlock, mark: str) -> bool:
    line = text.rfind("\n", block.start, block.end) + 1
    last = text[line : block.end].strip()
    return line > block.start and last.startswith(mark) and not last.strip(mark[0])
