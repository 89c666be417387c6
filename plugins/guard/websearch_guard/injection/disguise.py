"""Whether letters are not what they look like: nobody disguises what may be read."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Iterable

import numpy as np

from websearch_guard.canon import View

DISGUISED = 12
"""So many letters that are not what they look like are no accident."""
DIFFERENT = 4
"""Fewer characters than these that are read otherwise disguise no sentence."""
_REPLACED = ord("?")
_LETTERS = np.array([chr(code).isalpha() for code in range(128)])
_UNSEEN = r"[\u200b-\u200f\u2060-\u2064\ufeff]"
_PARTED = re.compile(f"{_UNSEEN}(?<=[A-Za-z]{_UNSEEN}){_UNSEEN}{{0,8}}(?=[A-Za-z])")
"""It begins with what is rare, so that a long text is passed over quickly."""


def disguised(text: str, plain: View) -> bool:
    """Whether many letters are not what they look like (full-width, mathematical, another script's) or kept apart."""
    if plain.kind != "canonical":
        return False
    if len(plain.text) != len(text):
        return _enough(_PARTED.finditer(text))
    written, read = (np.frombuffer(said.encode("ascii", "replace"), np.uint8) for said in (text, plain.text))
    places = np.flatnonzero((written == _REPLACED) & _LETTERS[read])
    return _enough(place for place in places.tolist() if text[place] > "\x7f")


def _enough(found: Iterable[object]) -> bool:
    return sum(1 for _ in itertools.islice(found, DISGUISED)) == DISGUISED


def differs(view: View, original: str, start: int, end: int) -> bool:
    """Whether this part of the reading is written otherwise in the original text."""
    first, last = view.span(start, end)
    length = abs(last - first - (end - start))
    return length + sum(map(operator.ne, view.text[start:end], original[first:last])) >= DIFFERENT
