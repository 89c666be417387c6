"""A page in pieces: where to end one, so that nothing is lost and code and tables stay what they are."""

from __future__ import annotations

import re

from ..kit.markdown_blocks import TextBlock, blocks_of, head_of
from ..marks import marked_slice
from .list_code_blocks import apart

_LOOK_BACK = 20_000
"""How far before a piece the block is looked for that it begins in, except code and tables."""
_LONGEST_TABLE = 200_000
"""How far before a piece the head of its table is looked for."""
_MOST_FENCES = 100_000
"""How many lines with a fence are looked at, at most, to know whether a piece begins in code."""
_LOOK_ON = 2_000
"""How far after a piece the block that it ends in is looked at."""
LONGEST_HEAD = 400
"""Characters that a piece is given on top, at most: it is the page that decides how long a table's first row is."""
_LONGEST_MARK = 20
_TRIES = 3
_WHOLE = frozenset(("code", "table"))
# a line break first: the search then runs from line to line
_FENCE_LINE = re.compile(r"\n(?P<indent> {0,3})(?P<mark>`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+)(?P<info>[^\n]*+)")
_ENDS_TABLE = re.compile(r"\n(?:[^\S\n]*+\n| {0,3}(?:#{1,6}[ \t\n]|`{3}|~{3}))")
_LINK = re.compile(
    r"\\.|!?\[(?:\\.|[^\[\]\\]++|!?\[(?:\\.|[^\[\]\\]++)*+\](?:\([^()\n]{0,1000}+\))?)*+\]"
    r"\((?:\\.|[^()\\\n]++|\([^()\n]{0,1000}+\)){0,1000}+\)",
    re.DOTALL,
)
"""Also round a picture; what is escaped begins none."""
_LONGEST_LINK = 4_000
_SENTENCE = re.compile(r"[.!?…。！？]\s")  # noqa: RUF001 - CJK full stops are meant


def cut(text: str, start: int, end: int) -> int:
    """Where to end a piece of Markdown that may go from `start` to at most `end`. The next piece begins exactly there.

    Before the block that does not fit, if that leaves half of a piece, and always if that is code or a table that the
    next piece can hold; else after a line, a sentence or a word. Only code and tables that are larger than a piece are
    cut, after a line or row, and only links that are larger.
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
    if boundary > middle or (boundary > start and last.kind in _WHOLE and last.end - last.start <= end - start):
        return boundary
    if last.end <= end:
        return end
    if last.kind in _WHOLE and boundary > start and not _row(last, text, start, end):
        return boundary
    place = _within(last, text, start, end)
    first, after = _link_round(text, start, place)
    if place == first:
        return place
    if marked_slice(text, start, first).strip():
        return first
    return after if after <= end else place


def cut_dressed(text: str, start: int, end: int, most: int) -> int:
    """As `cut`, so that the piece as it is `dressed` has at most `most` characters, or half of it is of the text.

    A piece that is one link may have more: its warning is what is too much.
    """
    end = cut(text, start, end)
    for _ in range(_TRIES):
        over = len(dressed(text, start, end)) - most
        floor = start + max(most // 2, 1)
        if over <= 0 or end <= floor:
            break
        shorter = cut(text, start, max(end - over, floor))
        if _link_round(text, start, shorter)[0] < shorter and _link_round(text, start, end)[0] == end:
            break
        end = shorter
    return end


def cut_plainly(text: str, start: int, end: int) -> int:
    """Where to end a piece of a text that is no Markdown: after a line, a sentence or a word."""
    if end >= len(text):
        return len(text)
    middle = start + (end - start) // 2
    line = text.rfind("\n", middle, end) + 1
    return line if line > middle else _after_words(text, start, middle, end)


def dressed(text: str, start: int, end: int) -> str:
    """`text[start:end]` as Markdown of its own.

    Code that was cut has its fence, a table's rows have their head, a passage that is marked as suspect its warning.
    """
    closing = _closing(text, start, end)
    piece = marked_slice(text, start, end)
    if closing and not piece.endswith("\n"):
        closing = f"\n{closing}"
    return f"{opening(text, start)}{piece}{closing}"


def opening(text: str, start: int) -> str:
    """What a piece that begins here is dressed with: the head of the code or table that it begins in."""
    for block in _blocks(text, start, start) if start else ():
        if block.kind in _WHOLE and block.start < start < block.end:
            head = head_of(text, block)
            if block.start + len(head) > start:
                return ""
            head = marked_slice(text, block.start, block.start + len(head))
            if len(head) <= LONGEST_HEAD:
                return head
            mark = _mark(head) if block.kind == "code" else ""
            return f"{mark}\n" if mark else ""
    return ""


def _closing(text: str, start: int, end: int) -> str:
    for block in _blocks(text, start, end) if end < len(text) and ("```" in text or "~~~" in text) else ():
        if block.kind == "code" and block.start < end < block.end:
            return _mark(head_of(text, block))
    return ""


def _mark(head: str) -> str:
    """The fence alone, as far in as it stands; nothing where it is longer than the code deserves."""
    fence = head.strip()
    mark = head[: head.index(fence)] + fence[: len(fence) - len(fence.lstrip(fence[0]))]
    return mark if len(mark) <= _LONGEST_MARK else ""


def _blocks(text: str, start: int, end: int) -> list[TextBlock]:
    """Those round a piece. Of what lies far before it only code and tables are known; else a block begins there."""
    begin = text.rfind("\n", 0, max(0, start - _LOOK_BACK)) + 1
    stop = min(len(text), end + _LOOK_ON)
    opened = _opened(text, begin)
    if opened is None:
        blocks = apart(blocks_of(text, begin, stop), text, stop)
        if blocks and blocks[0].start == begin and (head := _table_over(text, begin)) is not None:
            blocks[0] = TextBlock("table", head, blocks[0].end)
        return blocks
    window = text[begin - 1 : stop]
    closing = next((match for match in _FENCE_LINE.finditer(window) if _closes(match, opened[1])), None)
    after = begin - 1 + closing.end() if closing else stop
    return [TextBlock("code", opened[0], after), *blocks_of(text, after, stop)]


def _table_over(text: str, begin: int) -> int | None:
    """Where the table begins that the line at `begin` is a row of, with neither head nor blank line in between."""
    floor = max(0, begin - _LONGEST_TABLE)
    blank = text.rfind("\n\n", floor, begin)
    if blank == begin - 2 or (blank < 0 and floor):
        return None
    start = blank + 2 if blank >= 0 else 0
    second = text.find("\n", text.find("\n", start, begin) + 1, begin)
    above = blocks_of(text, start, second) if second >= 0 else []
    is_table = bool(above) and above[0].kind == "table" and not _ENDS_TABLE.search(text, second, begin)
    return start if is_table else None


def _opened(text: str, end: int) -> tuple[int, str] | None:
    """Where the fence stands that is open when the line at `end` begins, and its mark."""
    if text.find("```", 0, end) < 0 and text.find("~~~", 0, end) < 0:
        return None
    at, mark, listed = 0, "", False
    for number, match in enumerate(_FENCE_LINE.finditer(f"\n{text[:end]}")):
        if number == _MOST_FENCES:
            return None
        if mark and _closes(match, mark):
            mark = ""
        elif not mark or (listed and len(match["indent"]) < 2):
            # an indented one mostly belongs to a list item, and ends with that at the latest
            at, mark, listed = match.start(), match["mark"], len(match["indent"]) >= 2
    return (at, mark) if mark and not listed else None


def _closes(match: re.Match[str], mark: str) -> bool:
    return match["mark"].startswith(mark) and not match["info"].strip()


def _within(block: TextBlock, text: str, start: int, end: int) -> int:
    """A place inside of a block that is too large for a piece."""
    if block.kind in _WHOLE:
        return _row(block, text, start, end) or _after_words(text, start, start, end)
    middle = start + (end - start) // 2
    line = text.rfind("\n", middle, end) + 1
    return line if line > middle else _after_words(text, start, middle, end)


def _row(block: TextBlock, text: str, start: int, end: int) -> int:
    """The end of the last line of code or row of a table that fits; 0 where none does, besides the head."""
    line = text.rfind("\n", start, end) + 1
    return line if line > max(block.start + len(head_of(text, block)), start) else 0


def _link_round(text: str, start: int, place: int) -> tuple[int, int]:
    """Where the link begins and ends that this place of a piece is inside of; else the place itself, twice."""
    for match in _LINK.finditer(text, max(start, place - _LONGEST_LINK), place + _LONGEST_LINK):
        if match.end() > place:
            return match.span() if match.start() < place else (place, place)
    return place, place


def _after_words(text: str, start: int, middle: int, end: int) -> int:
    sentences = [match.end() for match in _SENTENCE.finditer(text, middle, end) if match.end() <= end]
    if sentences:
        return sentences[-1]
    word = text.rfind(" ", middle, end) + 1
    return word if word > start else end
