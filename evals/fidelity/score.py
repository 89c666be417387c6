"""How much of a page's truth a reading holds, and how much of the reading comes from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from .truth import KINDS, Block, Kind, Truth, file_name, key

_FENCE = re.compile(r"^[\s>*+:-]{0,40}(?:\d{1,9}[.)]\s{0,4})?(`{3,}|~{3,})")
_TARGET = re.compile(
    r"\]\((?:<([^>\n]*)>|((?:https?:|mailto:)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?:[ \t]+\"[^\"\n]*\")?\)"
)
_QUOTE = re.compile(r"^ *(?:> ?)+", re.MULTILINE)
_BLANK = re.compile(r"[\s\u200b\u2060\ufeff\u00ad]")
_NEAR = 4000
"""Letters within which the next block is looked for first; a short one may stand in many places."""
_SHORT = 12
_CELL = re.compile(r"(?<!\\)\|")


class Score(NamedTuple):
    """Of one page."""

    kept: dict[Kind, int]
    of: dict[Kind, int]
    lost: list[Block]
    links: Counter[str]
    """Those that are lost."""
    of_links: int
    outside: int
    """Letters that come from outside of the main element."""
    letters: int
    title_right: bool


def score(body: str, title: str, truth: Truth, site: str) -> Score:
    """Blocks must stand in the text whole, letter by letter, and in the page's order."""
    text, targets = _without_markup(body)
    stream = key(text)
    code = _unspaced(body) + _unspaced(_QUOTE.sub("", body))
    headings = {key(line) for line in text.split("\n") if line.lstrip("> ").startswith("#")}
    kept, of = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    lost: list[Block] = []
    at = 0
    for block in truth.blocks:
        of[block.kind] += 1
        if not block.key:
            found = _unspaced(block.text) in code
        else:
            place = stream.find(block.key, at, at + _NEAR + len(block.key))
            long = len(block.key) > _SHORT
            if place < 0 and long and stream.count(block.key) == 1:
                place = stream.find(block.key)
            found = place >= 0 or (long and block.key in stream) or block.key in stream[max(0, at - _NEAR) : at]
            found = found or (block.kind == "heading" and block.key in headings)
            at = place + len(block.key) if place >= 0 and long else at
        if found and block.kind == "code" and block.key:
            found = _unspaced(block.text) in code or _as_cell(block.text) in code
        if found:
            kept[block.kind] += 1
        else:
            lost.append(block)
    have = Counter(targets)
    want = Counter(truth.links)
    outside, letters = _outside(text, truth)
    return Score(
        kept,
        of,
        lost,
        want - have,
        sum(want.values()),
        outside,
        letters,
        _title_right(title, truth.titles, site),
    )


def _unspaced(text: str) -> str:
    return _BLANK.sub("", text)


def _as_cell(text: str) -> str:
    """Code in a cell of a table."""
    return _unspaced(text).replace("|", "\\|")


def _without_markup(body: str) -> tuple[str, list[str]]:
    """The text without the targets of links, which come apart, and without the lines of fences."""
    lines: list[str] = []
    targets: list[str] = []
    fence = ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif fence:
            lines.append(line)
        else:
            targets += [file_name(found[1] or found[2] or "") for found in _TARGET.finditer(line)]
            lines.append(_TARGET.sub("]", line))
    return "\n".join(lines), targets


def _outside(text: str, truth: Truth) -> tuple[int, int]:
    outside = letters = 0
    for line in text.split("\n"):
        for piece in _CELL.split(line):
            letter = key(piece)
            letters += len(letter)
            if letter and letter not in truth.inside and letter in truth.outside:
                outside += len(letter)
    return outside, letters


def _title_right(title: str, accepted: list[str], site: str) -> bool:
    if not title or "¶" in title or "\uf0c1" in title or (site and site.lower() in title.lower()):
        return False
    return key(title) in {key(one) for one in accepted}
