"""A page in pieces: where to end one, so that nothing is lost and code and tables stay what they are."""

from __future__ import annotations

import re

from ..blocks import TextBlock, blocks_of, head_of

_LOOK_BACK = 20_000
"""How far before a piece the block is looked for that it begins in: a page decides how much that is."""
_LOOK_ON = 2_000
"""How far after a piece the block that it ends in is looked at."""
LONGEST_HEAD = 400
"""Characters that a piece is given on top, at most: it is the page that decides how long a table's first row is."""
_LONGEST_MARK = 20
_WHOLE = frozenset(("code", "table"))
_SENTENCE = re.compile(r"[.!?…。！？]\s")  # noqa: RUF001 - CJK full stops are meant


def cut(text: str, start: int, end: int) -> int:
    """Where to end a piece of Markdown that may go from `start` to at most `end`. The next piece begins exactly there.

    Before the block that does not fit, if that leaves half of a piece, and always if that is code or a table; else
    after a line, a sentence or a word. Only code and tables that are larger than a piece are cut, after a line or row.
    """
    if end >= len(text):
        return len(text)
    blocks = [block for block in _blocks(text, start, end) if block.start < end and block.end > start]
    if not blocks:
        return end
    last = blocks[-1]
    boundary = last.start if last.end > end else end
    for block in reversed(blocks):  # a heading goes with what it heads
        if block.kind == "heading" and start < block.start < boundary and not text[block.end : boundary].strip():
            boundary = block.start
    middle = start + (end - start) // 2
    if boundary > middle or (boundary > start and last.kind in _WHOLE):
        return boundary
    return end if last.end <= end else _within(last, text, start, end)


def dressed(text: str, start: int, end: int) -> str:
    """`text[start:end]` as Markdown of its own: code that was cut has its fence, a table's rows have their head."""
    closing = _closing(text, start, end)
    piece = text[start:end]
    if closing and not piece.endswith("\n"):
        closing = f"\n{closing}"
    return f"{opening(text, start)}{piece}{closing}"


def opening(text: str, start: int) -> str:
    """What a piece that begins here is dressed with: the head of the code or table that it begins in."""
    for block in _blocks(text, start, start):
        if block.kind in _WHOLE and block.start < start < block.end:
            head = head_of(text, block)
            if block.start + len(head) > start:
                return ""
            if len(head) <= LONGEST_HEAD:
                return head
            mark = _mark(head) if block.kind == "code" else ""
            return f"{mark}\n" if mark else ""
    return ""


def _closing(text: str, start: int, end: int) -> str:
    for block in _blocks(text, start, end):
        if block.kind == "code" and block.start < end < block.end:
            return _mark(head_of(text, block))
    return ""


def _mark(head: str) -> str:
    """The fence alone; nothing where it is longer than the code deserves."""
    fence = head.strip()
    mark = fence[: len(fence) - len(fence.lstrip(fence[0]))]
    return mark if len(mark) <= _LONGEST_MARK else ""


def _blocks(text: str, start: int, end: int) -> list[TextBlock]:
    """Those round a piece. What lies far before it is not looked at: there a block is taken to begin."""
    begin = max(0, start - _LOOK_BACK)
    return blocks_of(text, text.rfind("\n", 0, begin) + 1 if begin else 0, min(len(text), end + _LOOK_ON))


def _within(block: TextBlock, text: str, start: int, end: int) -> int:
    """A place inside of a block that is too large for a piece."""
    middle = start + (end - start) // 2
    head = 0
    if block.kind in _WHOLE:
        head, middle = block.start + len(head_of(text, block)), start
    line = text.rfind("\n", middle, end) + 1
    if line > max(head, middle):
        return line
    sentences = [match.end() for match in _SENTENCE.finditer(text, middle, end) if match.end() <= end]
    if sentences:
        return sentences[-1]
    word = text.rfind(" ", middle, end) + 1
    return word if word > start else end
