"""Where in Markdown a warning can stand, so that headings, lists, tables, code and links stay what they are."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from .wording import CLOSING, OPENING

_STRUCTURE = re.compile(r"(?:[`~\-=_*|:+#>\\.]|[^\S\n]){0,4000}+(?=\n|\Z)")
"""The rest of a line that holds no word: a rule, a delimiter row, a fence without a name, nothing."""
_PREFIX = re.compile(r"[^\S\n]*+(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]++|[>|][ \t]*+){0,64}+(?:\[[ xX]\][ \t]++)?")
"""What begins a line and is no part of its words; no deeper, as each mark of a line asks for it."""
_FENCE = re.compile(
    r"(?P<indent>[ \t]*+(?:>[ \t]*+){0,64}+)(?:(?:[-*+]|\d{1,9}[.)])[ \t]++){0,64}+"
    r"(?:`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+)"
)
_WHOLE = re.compile(
    r"\]\((?:\\.|[^()\\\n]++|\([^()\n]{0,1000}+\)){0,4000}+\)"  # where a link leads
    r"|<[/!]?[A-Za-z][^<>\n]{0,2000}+>"  # a tag or an address between angle brackets
)
"""What hides a warning that stands inside of it."""
_RUNS = "`*_~"
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts whose words no blank parts."""
_LONGEST_WORD = 40


class Insertion(NamedTuple):
    """What is to be written, and before which character."""

    place: int
    text: str


def opening_at(text: str, start: int, end: int) -> Insertion:
    """How to open a mark of `text[start:end]`; at `end` where nothing in it can be marked."""
    while start < end:
        if text[start].isspace():
            start += 1
            continue
        line = text.rfind("\n", 0, start) + 1
        stop = _line_end(text, start)
        fence = _FENCE.match(text, line)
        if fence and not _STRUCTURE.match(text, fence.end()):  # a fence's name can hold no warning
            return Insertion(line, ("\n" if line else "") + f"{fence['indent']}{OPENING}\n\n")
        if _STRUCTURE.match(text, start):
            start = stop
            continue
        prefix = _PREFIX.match(text, line)
        place = max(start, prefix.end() if prefix else start)
        while place < stop and (text[place] == "|" or text[place].isspace()):
            place += 1
        return Insertion(min(place, end), f"{OPENING} ")
    return Insertion(end, "")


def closing_at(text: str, start: int, end: int) -> Insertion:
    """How to close a mark of `text[start:end]`; at `start` where nothing in it can be marked."""
    while end > start:
        if text[end - 1].isspace() or (text[end - 1] == "|" and not _escaped(text, end - 1)):
            end -= 1
            continue
        line = text.rfind("\n", 0, end) + 1
        stop = _line_end(text, end)
        fence = _FENCE.match(text, line)
        if fence and end > fence.end() and not _STRUCTURE.match(text, fence.end()):
            return Insertion(stop, f"\n{fence['indent']}{CLOSING}" + ("\n" if stop < len(text) else ""))
        prefix = _PREFIX.match(text, line)
        if _STRUCTURE.match(text, line) or (fence and end <= fence.end()) or (prefix and end <= prefix.end()):
            end = line
            continue
        return Insertion(end - _escaped(text, end), f" {CLOSING}")
    return Insertion(start, "")


def grown(text: str, start: int, end: int) -> tuple[int, int]:
    """The span, both ends moved outwards where a warning would split a word, an escape, a link's address or a tag."""
    first, last = max(0, start), min(len(text), end)
    if first >= last:
        return first, first
    while first > max(0, start - _LONGEST_WORD) and joined(text, first):
        first -= 1
    while last < min(len(text), end + _LONGEST_WORD) and joined(text, last):
        last += 1
    first = _outside(text, first)[0]
    last = _outside(text, last)[1]
    return first - _escaped(text, first), last + _escaped(text, last)


def joined(text: str, place: int) -> bool:
    """Whether the characters before and after this place belong together."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if after in _RUNS and before == after:
        return True
    if unicodedata.combining(after) or unicodedata.category(after) in {"Mn", "Mc", "Me", "Cf"} or before == "\u200d":
        return True
    return before.isalnum() and after.isalnum() and not (_UNSPACED.match(before) or _UNSPACED.match(after))


def _outside(text: str, place: int) -> tuple[int, int]:
    """Round the link's address or tag that this place is inside of; else the place itself, twice."""
    line = text.rfind("\n", 0, place) + 1
    for match in _WHOLE.finditer(text, max(line, place - 4000), min(_line_end(text, place), place + 4000)):
        if match.start() < place < match.end():
            return match.span()
    return place, place


def _escaped(text: str, place: int) -> bool:
    """Whether a backslash takes away the meaning of the character here."""
    before = text[max(0, place - _LONGEST_WORD) : place]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return end if end >= 0 else len(text)
