"""What pictures and links are described as: machines read that, people hardly ever."""

from __future__ import annotations

import re
from collections.abc import Iterator

from websearch_guard.deobfuscation import View
from websearch_guard.deobfuscation.text_view import rewritten

DESCRIBED = "described"
_LEAST = 24
"""Shorter ones say next to nothing."""
_PICTURE = re.compile(rf"!\[((?:[^\[\]\\\n]|\\.){{{_LEAST},2000}})\]\(")
_TITLE = re.compile(rf"\]\([^()\s]{{1,300}} {{1,3}}\"((?:[^\"\\\n]|\\.){{{_LEAST},2000}})\"\)")
_LINKED = re.compile(r"\]\([^()\[\]{}<>\s]{1,2000}(?=[)\s])")


def unlinked(text: str) -> str:
    """The same length, with blanks for where links go: their words are nobody's speech."""
    return _LINKED.sub(lambda link: "](".ljust(len(link[0])), text) if _links(text) else text


def described(view: View) -> Iterator[View]:
    """Each picture's description and each title of a picture or link, by itself."""
    text = view.text
    if _links(text):
        for pattern in (_PICTURE, _TITLE):
            for match in pattern.finditer(text):
                read, edits = rewritten(text, (), *match.span(1))
                yield View(DESCRIBED, read, tuple(edits), view)


def _links(text: str) -> bool:
    return "]" in text and "](" in text  # one character is found much sooner than two
