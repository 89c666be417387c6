"""Words with inline Markdown in or around them, as a page shows them: `**Ig**nore`, `[all](/x) [of](/x)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_view import Piece, View, rewritten

_SIGN = r"(?:\*{1,3}|~~|`|_{2,3})"
_LINK = r"\]\([^()\s]{0,300}\)"
_LETTER = r"[^\W\d_]"
_BEGUN = ((r"\*", r"\*{0,2}"), ("~", "~"), ("`", ""), ("_", "_{1,2}"))
_WITHIN = re.compile(
    rf"{_LINK}(?=\w| \[)|\[(?<={_LETTER}\[)(?={_LETTER})|"
    + "|".join(rf"{a}(?:(?<={_LETTER}{a}){b}(?={_LETTER})|{b} {_SIGN}(?=\w))" for a, b in _BEGUN)
)
"""Where a sign parts the letters of a word, a link ends before a letter or another link, or each word has its own.

Each of these begins with a sign, so that what is none is passed over quickly.
"""
_ANY = re.compile(rf"{_SIGN}|{_LINK}|(?<!!)\[(?=[^\]\n]{{1,60}}\]\()")
_LEAST = 3
_GAP = 80
_AROUND = 160


def unmarked(text: str) -> Iterator[View]:
    """The places where words have markup in them or one by one, without it and with the words around."""
    # one character is found much sooner than two
    if not (
        "*" in text
        or "`" in text
        or ("~" in text and "~~" in text)
        or ("_" in text and "__" in text)
        or ("]" in text and "](" in text)
    ):
        return
    first = last = count = 0
    for match in _WITHIN.finditer(text):
        if count and match.start() - last > _GAP:
            if count >= _LEAST:
                yield _without(text, first, last)
            count = 0
        first, last, count = (match.start() if not count else first), match.end(), count + 1
    if count >= _LEAST:
        yield _without(text, first, last)


def _without(text: str, first: int, last: int) -> View:
    start = max(text.rfind("\n\n", max(0, first - _AROUND), first) + 1, first - _AROUND, 0)
    end = text.find("\n\n", last, last + _AROUND)
    end = min(last + _AROUND, len(text)) if end < 0 else end
    read, edits = rewritten(text, (Piece(*match.span(), "") for match in _ANY.finditer(text, start, end)), start, end)
    return View("markup", read, tuple(edits))
