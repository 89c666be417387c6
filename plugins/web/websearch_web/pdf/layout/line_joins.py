"""Sentences that a line, column or page cuts in two."""

from __future__ import annotations

import re

_HYPHEN = re.compile(r"[^\W\d_]-\Z")
_LONG = 60
"""Characters of a line that its margin ended, and not its writer."""
_GOES_ON = re.compile(r"[^\W\d_][,;]?\Z")
_WORD = re.compile(r"[^\W\d_]+[^\w\s]*(?:[ ]|\Z)")


def continued(before: str, after: str) -> str:
    """Two pieces of prose as one, where the second goes on with the first one's word or sentence; else empty."""
    if not after[:1].islower():
        return ""
    if _HYPHEN.search(before):
        return before[:-1] + after
    if len(before) > _LONG and "\n" not in before.strip("\n") and _GOES_ON.search(before):
        return f"{before} {after}"
    return ""


def joined_words(pages: list[str]) -> list[str]:
    """Pages whose last word ends on the same page: what the next page begins with belongs to it."""
    found = list(pages)
    for number in range(len(found) - 1):
        before, after = found[number], found[number + 1]
        if _HYPHEN.search(before) and after[:1].islower() and (rest := _WORD.match(after)):
            found[number] = before[:-1] + rest[0].strip()
            found[number + 1] = after[rest.end() :].lstrip(" ")
    return found
