"""Words that may be part of a disguise: encoded, respelt, run together. Most texts have few."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import filterfalse

from .word_lists import telling

ENDS = "\"'()[],.;:?"
"""What stands at a word's ends and is none of it."""
_SHORT, _LONG = 2, 12
"""Shorter words may be letters that were parted; as long ones may be packed."""
_MOST = 1 << 15
_innocent: set[str] = set()
_telling: set[str] = set()
"""Words that were seen before: a second look costs next to nothing."""


def suspicious_words(tokens: Iterable[str]) -> set[str]:
    """The words without the innocent: letters alone, in a usual case, neither short nor long, no known word turned."""
    left = {*filterfalse(_innocent.__contains__, tokens)}
    if new := left - _telling:
        innocent = {token for token in new if _is_innocent(token)}
        left -= innocent
        _remember(_innocent, innocent)
        _remember(_telling, {token for token in new - innocent if len(token) < _LONG})
    return left


def _remember(known: set[str], found: set[str]) -> None:
    if len(known) > _MOST:
        known.clear()
    known.update(found)


def _is_innocent(token: str) -> bool:
    return (
        _SHORT <= len(token) < _LONG
        and token.strip(ENDS).isalpha()
        and (token.islower() or token.istitle() or token.isupper())
        and token not in telling("rot13")
        and token not in telling("reversed")
    )
