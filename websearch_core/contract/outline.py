"""The headings of a Markdown text, and what makes two texts the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_HEADINGS = 5000
"""Of an outline: a text that is all headings would otherwise grow tenfold by it."""

MAX_CHARS = 500
"""Of a heading: its text stands again in the outline, and before each passage under it."""

# a line break first: the search then runs from line to line
_MARKED_LINE = re.compile(
    r"\n[^\S\n]*+(?:(?P<level>#{1,6})[ \t]|(?P<fence>`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}))(?P<rest>[^\n]*)"
)


class Heading(NamedTuple):
    """One heading of a page: level 1 to 6, the first 500 characters of its text, where its line starts."""

    level: int
    text: str
    offset: int


def paths_of(outline: Sequence[Heading]) -> list[tuple[str, ...]]:
    """For each heading the texts of those that it stands under, from the top, and its own."""
    paths: list[tuple[str, ...]] = []
    over: list[Heading] = []
    for heading in outline:
        over = [*(one for one in over if one.level < heading.level), heading]
        paths.append(tuple(one.text for one in over))
    return paths


def content_hash(text: str) -> str:
    """SHA-256 of the text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def headed(markdown: str, outline: Sequence[Heading]) -> bool:
    """Whether each of these headings stands where it says: its text within the line that begins there."""
    ends = ((heading, markdown.find("\n", heading.offset)) for heading in outline)
    return all(
        heading.offset >= 0 and markdown.find(heading.text, heading.offset, end if end >= 0 else len(markdown)) >= 0
        for heading, end in ends
    )


def outline_of(markdown: str) -> tuple[Heading, ...]:
    """The ATX headings of a Markdown text, fenced code left out (CommonMark 0.31, §4.2 and §4.5); the first 5000.

    One in a passage that is marked as suspect has its warning in the heading's text.
    """
    if "#" not in markdown:
        return ()
    from ..marks import MarkedText  # late: listing plugins reads no text

    marked = MarkedText(markdown)
    headings: list[Heading] = []
    fence = ""
    for match in _MARKED_LINE.finditer(f"\n{markdown}"):
        level, mark, rest = len(match["level"] or ""), match["fence"] or "", match["rest"].strip()
        if fence:
            if mark.startswith(fence) and not rest:
                fence = ""
        elif mark:
            fence = mark
        elif text := rest.rstrip("#").strip():
            start = markdown.find(text, match.start("rest") - 1)
            headings.append(Heading(level, marked.cut(start, start + min(len(text), MAX_CHARS)), match.start()))
            if len(headings) == MAX_HEADINGS:
                break
    return tuple(headings)
