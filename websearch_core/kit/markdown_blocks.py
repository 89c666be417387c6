"""A Markdown text as the blocks that a reader sees: headings, paragraphs, lists, tables, code, quotes."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "quote"]

_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,})(?P<info>[^\n]*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
_INDENTED = re.compile(r"(?: {2,}|\t)\S")


class TextBlock(NamedTuple):
    """`text[start:end]`, without the blank lines round it."""

    kind: BlockKind
    start: int
    end: int


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def blocks_of(markdown: str, start: int = 0, end: int | None = None) -> list[TextBlock]:
    """The blocks of a Markdown text (CommonMark 0.31, GFM) in order, apart; together they hold all that is not blank.

    `start` and `end` narrow it to a part that begins where a block does. A list is one block with all that is indented
    under its items; fenced code that is never closed ends with the text.
    """
    lines = [
        _Line(match.start(), match[0].rstrip("\n"))
        for match in _LINE.finditer(markdown, start, len(markdown) if end is None else end)
    ]
    blocks: list[TextBlock] = []
    unclosed: dict[str, int] = {}
    at = 0
    while at < len(lines):
        if not lines[at].text.strip():
            at += 1
            continue
        kind, after = _block(lines, at, unclosed)
        last = after - 1
        while not lines[last].text.strip():
            last -= 1
        blocks.append(TextBlock(kind, lines[at].start, lines[last].end))
        at = after
    return blocks


def _block(lines: list[_Line], at: int, unclosed: dict[str, int]) -> tuple[BlockKind, int]:
    """What begins at this line, and the first line after it."""
    text = lines[at].text
    if fence := _FENCE.match(text):
        return "code", _after_fence(lines, at, fence["mark"])
    if _HEADING.match(text):
        return "heading", at + 1
    if text.lstrip(" ").startswith(">"):
        return "quote", _after_run(lines, at)
    if _ITEM.match(text):
        return "list", _after_list(lines, at, unclosed)
    if "|" in text and at + 1 < len(lines) and "|" in lines[at + 1].text and _DELIMITER.match(lines[at + 1].text):
        return "table", _after_run(lines, at)
    return "paragraph", _after_run(lines, at)


def _after_fence(lines: list[_Line], at: int, mark: str) -> int:
    for number in range(at + 1, len(lines)):
        closing = _FENCE.match(lines[number].text)
        if closing and closing["mark"].startswith(mark) and not closing["info"].strip():
            return number + 1
    return len(lines)


def _after_run(lines: list[_Line], at: int) -> int:
    """Up to a blank line, a heading or fenced code."""
    for number in range(at + 1, len(lines)):
        text = lines[number].text
        if not text.strip() or _HEADING.match(text) or _FENCE.match(text):
            return number
    return len(lines)


def _after_list(lines: list[_Line], at: int, unclosed: dict[str, int]) -> int:
    """Items, what is indented under them, and blank lines between; fenced code under an item goes whole."""
    number = at + 1
    while number < len(lines):
        text = lines[number].text
        if not text.strip():
            following = next((line.text for line in lines[number + 1 : number + 3] if line.text.strip()), "")
            if not (_ITEM.match(following) or _INDENTED.match(following)):
                return number
        elif fence := _FENCE.match(text.lstrip(" \t")):
            if not _INDENTED.match(text):
                return number
            number = _after_indented_fence(lines, number, fence["mark"], unclosed)
            continue
        elif _HEADING.match(text):
            return number
        number += 1
    return number


def _after_indented_fence(lines: list[_Line], at: int, mark: str, unclosed: dict[str, int]) -> int:
    """`unclosed`: sign → length of the shortest fence that nothing in the rest of the text closes."""
    if len(mark) >= unclosed.get(mark[0], len(lines[at].text) + 1):
        return at + 1
    for number in range(at + 1, len(lines)):
        closing = _FENCE.match(lines[number].text.lstrip(" \t"))
        if closing and closing["mark"].startswith(mark) and not closing["info"].strip():
            return number + 1
    unclosed[mark[0]] = len(mark)
    return at + 1


def head_of(markdown: str, block: TextBlock) -> str:
    """What every part of the block needs before it: the line that opens code, the first two lines of a table."""
    end = block.start
    for _ in range({"code": 1, "table": 2}.get(block.kind, 0)):
        end = markdown.find("\n", end, block.end) + 1 or block.end
    return markdown[block.start : end]
