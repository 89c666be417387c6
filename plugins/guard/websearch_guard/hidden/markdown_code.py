"""Where a Markdown text is code: examples of markup are not markup."""

from __future__ import annotations

import re
from bisect import bisect_right

_FENCE = re.compile(r"^[ ]{0,3}(?:[>*+-] {0,3}|\d{1,9}[.)] {1,3}){0,4}(`{3,}|~{3,})([^\n]*)", re.MULTILINE)
_SPAN = re.compile(r"(?<![`\\])(`{1,3})(?!`)([^\n]{1,500}?)(?<!`)\1(?!`)")
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?:(?: {4}|\t)[^\n]*(?:\n|\Z)){1,2000}")


class Code:
    """The stretches of a text that are code: fenced, indented, or between backticks."""

    def __init__(self, text: str) -> None:
        """Reads the text once."""
        found = _fenced(text) if "```" in text or "~~~" in text else []
        if "    " in text or "\t" in text:
            found += [match.span() for match in _INDENTED.finditer(text)]
        if "`" in text:
            # a comment that holds a backtick is a comment
            found += [match.span() for match in _SPAN.finditer(text) if "-->" not in match[0] or "<!--" in match[0]]
        found.sort()
        self._starts = [start for start, _ in found]
        self._found = found

    def holds(self, place: int) -> bool:
        """Whether this place is within code."""
        index = bisect_right(self._starts, place) - 1
        # a span of backticks may lie within a block that began before it
        return any(start <= place < end for start, end in self._found[max(0, index - 8) : index + 1])


def _fenced(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    opened, fence = -1, ""
    for match in _FENCE.finditer(text):
        if opened < 0:
            opened, fence = match.start(), match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            found.append((opened, match.end()))
            opened = -1
    if opened >= 0:
        found.append((opened, len(text)))
    return found
