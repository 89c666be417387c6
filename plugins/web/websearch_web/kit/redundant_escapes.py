"""Takes out the backslash escapes that CommonMark reads the same without, as a person would not write them.

A renderer that looks at one character at a time escapes every `_`, `*` and `[`, and every `-` or `1.` that begins a
text. Whether a character is markup depends on its neighbours: https://spec.commonmark.org/0.31.2/#delimiter-run.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_BEGINS_UNIT = re.compile(r"[ >]*(?:[-*+] |\d{1,9}[.)] |#{1,6} |\||$)")
"""A line that the lines before it cannot share emphasis, a link or code with."""
_TOKEN = re.compile(r"\\([!-/:-@\[-`{-~])|(`+)|([\[\]])")
_DESTINATION = re.compile(
    r"\((?:<[^<>\n]{0,4000}>|[^\s()]{0,4000}(?:\([^\s()]{0,4000}\)[^\s()]{0,4000}){0,9})"
    r"(?: \"[^\"\n]{0,1000}\")?\)"
)
_CONTAINERS = re.compile(r"(?:[ >]|[-*+] |\d{1,9}[.)] |: |\[[ x]\] )*")
_HEADING = re.compile(_CONTAINERS.pattern + "#{1,6} ")
_HEADING_MARK = re.compile(r"(?:\\?#){0,5}(?:[ \t]|$)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_RUNS = {mark: re.compile(rf"{re.escape(mark)}+") for mark in "*_~"}
_LINE_END = re.compile(r"\n")
_CLOSING_CHARS = 1000
"""From a `#` to the end of its heading; further from it, it closes nothing."""
_BEGINS_TAG = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def without_needless_escapes(text: str) -> str:
    """The same prose (no code blocks) with only the escapes that keep its meaning; done twice, nothing changes."""
    if "\\" not in text:
        return text
    return "\n\n".join(_block(block) if "\\" in block else block for block in text.split("\n\n"))


def _block(text: str) -> str:
    return "\n".join(_rewritten(unit) if "\\" in unit else unit for unit in _units(text))


def _units(text: str) -> Iterator[str]:
    """Lines that are read together: a paragraph, an item, a heading, a table's row."""
    unit: list[str] = []
    for line in text.split("\n"):
        if unit and _BEGINS_UNIT.match(line):
            yield "\n".join(unit)
            unit = []
        unit.append(line)
    if unit:
        yield "\n".join(unit)


class _Escape(NamedTuple):
    at: int
    char: str
    linked: bool
    """Whether it stands in the text of a link or an image."""


def _rewritten(text: str) -> str:
    escapes, prose = _parsed(text)
    needed = _Needed(text, prose)
    pairs = _pairs(escapes)
    pieces: list[str] = []
    place = 0
    for escape in escapes:
        kept = needed.bracket(escape, pairs.get(escape.at)) if escape.char in "[]" else needed.char(escape)
        if not kept:
            pieces.append(text[place : escape.at])
            place = escape.at + 1
    return "".join((*pieces, text[place:]))


def _parsed(text: str) -> tuple[list[_Escape], str]:
    """The escapes, and the text without code spans and the destinations of links."""
    escapes: list[_Escape] = []
    prose: list[str] = []
    runs: dict[int, list[int]] | None = None
    depth = begin = place = 0
    while match := _TOKEN.search(text, place):
        place = match.end()
        if match[1]:
            escapes.append(_Escape(match.start(), match[1], depth > 0))
            continue
        if match[2]:
            if runs is None:
                runs = _backticks(text)
            ends = runs.get(len(match[2]), [])
            while ends and ends[-1] < place:
                ends.pop()
            if not ends:
                continue
            end = ends.pop() + len(match[2])
        else:
            depth = max(0, depth + (1 if match[3] == "[" else -1))
            target = _DESTINATION.match(text, place) if match[3] == "]" else None
            if target is None:
                continue
            end = target.end()
        prose.append(text[begin:place])
        begin = place = end
    return escapes, "".join((*prose, text[begin:]))


def _backticks(text: str) -> dict[int, list[int]]:
    """Where runs of backticks begin, by their length, the last first."""
    found: dict[int, list[int]] = {}
    for match in re.finditer("`+", text):
        found.setdefault(len(match[0]), []).append(match.start())
    for places in found.values():
        places.reverse()
    return found


def _pairs(escapes: list[_Escape]) -> dict[int, tuple[int, int]]:
    """Of each escaped bracket that has a partner, where the two stand."""
    waiting: list[int] = []
    found: dict[int, tuple[int, int]] = {}
    for escape in escapes:
        if escape.char == "[":
            waiting.append(escape.at)
        elif escape.char == "]" and waiting:
            pair = (waiting.pop(), escape.at)
            found[pair[0]] = found[pair[1]] = pair
    return found


class _Needed:
    """Says of one unit's escapes, asked in their order, whether its meaning depends on them."""

    def __init__(self, text: str, prose: str) -> None:
        self._text = text
        self._prose = prose
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._ticks = text.count("`")
        self._last_tag_end = text.rfind(">")
        self._may_pair: dict[str, bool] = {}
        self._run = (-1, -1)

    def bracket(self, escape: _Escape, pair: tuple[int, int] | None) -> bool:
        """Whether a bracket could open or close a link, a definition, a footnote or a task."""
        if escape.linked:
            return True
        if pair is None:
            return False
        opening, closing = pair
        text = self._text
        task = closing - opening == 3 and text[opening + 2] in " xX"
        return task or text[opening + 2] == "^" or text[closing + 2 : closing + 3] in {"(", ":"}

    def char(self, escape: _Escape) -> bool:
        """Whether any other character would be read as markup."""
        at, char, _ = escape
        match char:
            case "*" | "_" | "~":
                return self._delimits(at, char)
            case "\\":
                after = self._text[at + 2 : at + 3]
                return after in _PUNCTUATION or after == "\n" or (not after and self._begins_line(at))
            case "`":
                return self._ticks > 1
            case "<":
                tag = self._text[at + 2 : at + 3] in _BEGINS_TAG
                return tag and (self._last_tag_end > at or self._begins_line(at))
            case "-" | "+" | "#" | ">" | "=":
                return self._marks_line(at, char)
            case "." | ")":
                return self._numbers_item(at)
            case "$":
                return False
            case _:
                return True

    def _delimits(self, at: int, char: str) -> bool:
        begin, end = self._run_at(at, char)
        before, after = self._text[begin - 1 : begin], self._text[end : end + 1]
        if char == "_" and before.isalnum() and after.isalnum():
            return False
        if self._begins_line(begin) and (char == "*" or self._is_rule_or_fence(begin, end)):
            return True
        if not before.strip() and not after.strip():
            return False
        if char not in self._may_pair:
            self._may_pair[char] = _may_pair(self._prose, char)
        return self._may_pair[char]

    def _is_rule_or_fence(self, begin: int, end: int) -> bool:
        return end - begin >= 6 or not self._text[begin : self._line(begin)[1]].strip("\\_ ")

    def _run_at(self, at: int, char: str) -> tuple[int, int]:
        """Where the run of the same escapes begins and ends."""
        begin, end = self._run
        if not begin <= at < end:
            begin, end = at, at + 2
            while self._text.startswith(f"\\{char}", end):
                end += 2
            self._run = begin, end
        return begin, end

    def _line(self, at: int) -> tuple[int, int]:
        number = bisect_right(self._lines, at)
        return self._lines[number - 1], self._lines[number] - 1 if number < len(self._lines) else len(self._text)

    def _begins_line(self, at: int) -> bool:
        return _CONTAINERS.fullmatch(self._text, self._line(at)[0], at) is not None

    def _marks_line(self, at: int, char: str) -> bool:
        """Whether the character would begin an item, a heading, a quotation, a rule or an underline."""
        start, end = self._line(at)
        begins = _CONTAINERS.fullmatch(self._text, start, at) is not None
        if not begins and (char != "#" or end - at > _CLOSING_CHARS):
            return False
        rest = self._text[at + 2 : end]
        if not begins:  # it may close a heading
            return self._text[at - 1] == " " and not rest.strip("# \\") and bool(_HEADING.match(self._text, start))
        match char:
            case "#":
                return _HEADING_MARK.match(rest) is not None
            case "=":
                return start > 0 and not rest.strip("= \\")
            case "-":
                return not rest.strip("-| :\t\\") or rest[0] in " \t"
            case "+":
                return not rest or rest[0] in " \t"
            case _:
                return True

    def _numbers_item(self, at: int) -> bool:
        first = at
        while first and self._text[first - 1] in "0123456789" and at - first < 10:
            first -= 1
        after = self._text[at + 2 : at + 3]
        return first < at and not after.strip() and self._begins_line(first)


def _may_pair(prose: str, char: str) -> bool:
    """Whether any run of these characters could open what a later one closes."""
    if char != "_" and char in _ESCAPED.sub("", prose):  # emphasis proper: theirs could pair with those
        return True
    plain = _ESCAPED.sub(lambda match: match[1], prose)
    opened = False
    for run in _RUNS[char].finditer(plain):
        before, after = plain[max(0, run.start() - 1) : run.start()], plain[run.end() : run.end() + 1]
        if char == "_" and before.isalnum() and after.isalnum():
            continue
        if opened and before.strip():
            return True
        opened = opened or bool(after.strip())
    return False
