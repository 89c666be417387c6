"""The words of several texts, found at once: what rules and readers of shuffled words look up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from websearch_guard.deobfuscation.characters import strange

from ..text.tokens import Ints
from .literals import SHUFFLED, literals

_STRANGE = re.compile(r"[^\x00-\x7f\w]")
_FEW = 8
"""Up to so many different signs beyond ASCII are quicker replaced one after the other."""
_APART = bytes(code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256))


class Wording(NamedTuple):
    """Lower-case texts, and their words — letters and digits — as if the texts stood one after the other."""

    texts: Sequence[str]
    joined: str
    begins: Sequence[int]
    """Where each text begins, and where one more would: there is a line break between two."""
    numbers: Ints
    """What each word is to the rules, and whether its letters were shuffled."""
    places: Ints
    """Where each word begins."""
    blanks: Ints
    """Where spaces, tabs and line breaks are."""

    @property
    def shuffled(self) -> list[list[int]]:
        """For each text, where words begin whose letters were."""
        found = self.places[self.numbers >= SHUFFLED]
        cuts = np.searchsorted(found, self.begins).tolist()
        return [(found[a:b] - begin).tolist() for begin, (a, b) in zip(self.begins, pairwise(cuts), strict=False)]


def wording(texts: Sequence[str]) -> Wording:
    """The time is linear in the texts; places are the same in each text as it was given."""
    lowered = [text.replace("İ", "i").lower() for text in texts]  # the only letter that grows when lowered
    joined = "\n".join(lowered)
    apart = _parted(joined)
    spaces, words = _spaces(apart), apart.split()
    return Wording(
        lowered,
        joined,
        [*accumulate((len(text) + 1 for text in lowered), initial=0)],
        np.fromiter(map(literals().numbers.__getitem__, words), np.int64, len(words)),
        np.flatnonzero(~spaces & np.concatenate(([True], spaces[:-1]))),
        np.flatnonzero(_spaces(joined.replace("\n", " ").replace("\t", " "))),
    )


def _parted(text: str) -> str:
    """The same length, with a space for whatever is in no word."""
    if not text.isascii():
        signs = {*_STRANGE.findall(strange(text))}
        if len(signs) > _FEW:
            text = _STRANGE.sub(" ", text)
        else:
            for sign in signs:
                text = text.replace(sign, " ")
    return text.encode().translate(_APART).decode()


def _spaces(text: str) -> npt.NDArray[np.bool_]:
    """Whether each character is one: one byte for each tells."""
    return np.frombuffer(text.encode("latin-1", "replace"), np.uint8) == ord(" ")
