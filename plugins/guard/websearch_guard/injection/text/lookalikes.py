"""Whether letters are not what they look like: nobody disguises what may be read."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from websearch_guard.deobfuscation import View

from .alt_texts import DESCRIBED
from .tokens import Ints
from .url_words import LINKED

DISGUISED = 12
"""So many letters that are not what they look like are no accident."""
DIFFERENT = 4
"""Fewer characters than these that are read otherwise disguise no sentence."""
PLAIN = frozenset({"plain", "canonical"})
"""Readings of the whole text as it stands."""
ESCAPES = frozenset({"percent", "entities", "escapes"})
ORDINARY = {"percent": 0.5, "entities": 0.5, "escapes": 0.3, "markup": 0.3, "camel": 0.1, DESCRIBED: 0.4, LINKED: 0.4}
"""Disguises that harmless pages are full of, and what part of the others they count."""
PACKED = 0.3
"""The same of an address that is packed as a whole: links carry where to go on to."""
_ADDRESS = re.compile(r"https?://\S+")
_REPLACED = ord("?")
_LETTERS = np.array([chr(code).isalpha() for code in range(128)])
_UNSEEN = r"[\u200b-\u200f\u2060-\u2064\ufeff]"
_PARTED = re.compile(f"{_UNSEEN}(?<=[A-Za-z]{_UNSEEN}){_UNSEEN}{{0,8}}(?=[A-Za-z])")
"""It begins with what is rare, so that a long text is passed over quickly."""


def disguised(text: str, plain: View) -> bool:
    """Whether many letters are not what they look like (full-width, mathematical, another script's) or kept apart."""
    return _enough(_worn(text, plain))


class Worn:
    """Where a reading is disguised: what one passage wears says nothing of another."""

    def __init__(self, view: View, original: str, extra: float) -> None:
        """`extra` is what the disguise adds, 0 if there is none."""
        self.extra = extra
        self._view, self._original = view, original
        self._plain = view.kind in PLAIN
        self._places = np.array([*_worn(original, view)] if extra and self._plain else [], np.int64)

    def at(self, starts: Ints, ends: Ints) -> npt.NDArray[np.bool_]:
        """Whether each stretch of the reading is."""
        if not self.extra or self._view.kind == DESCRIBED:  # such a description is apart as a whole
            return np.full(len(starts), bool(self.extra))
        stretches = zip(starts.tolist(), ends.tolist(), strict=True)
        if not self._plain:
            return np.array([differs(self._view, self._original, *stretch) for stretch in stretches], np.bool_)
        spans = np.array([self._view.span(*stretch) for stretch in stretches], np.int64).reshape(-1, 2)
        first, last = (np.searchsorted(self._places, spans[:, side]) for side in (0, 1))
        return last - first >= DIFFERENT


def _worn(text: str, plain: View) -> Iterator[int]:
    """Where letters of the text are that are read otherwise, or parted by what nobody sees; in order."""
    if plain.kind != "canonical":
        return
    written, read = (np.frombuffer(said.encode("ascii", "replace"), np.uint8) for said in (text, plain.text))
    parted: list[int] = []
    places = np.flatnonzero(_LETTERS[read])
    if len(plain.text) != len(text):
        parted = [match.start() for match in _PARTED.finditer(text)]
        places = _origins(plain, places)
        places = places[places >= 0]
    places = places[written[places] == _REPLACED]
    yield from sorted([*parted, *(place for place in places.tolist() if text[place] > "\x7f")])


def _origins(view: View, places: Ints) -> Ints:
    """Where in the original these characters of a reading stand; -1 for those that stand for more or fewer."""
    read: View | None = view
    while read:
        if read.edits:
            edits = np.array(read.edits, np.int64)
            last = np.searchsorted(edits[:, 0], places, "right") - 1
            past = places + edits[last, 3] - edits[last, 1]
            outside = np.where(places < edits[last, 1], -1, past)
            places = np.where((last < 0) | (places < 0), places, outside)
        read = read.source
    return places


def share(view: View) -> float:
    """What part of a disguise's weight this reading has.

    Escaped letters that need no escape count in full, escaped signs nothing: addresses and code are full of them.
    """
    if view.kind in ESCAPES:
        letters = [letter for letter in _escaped(view) if letter.isalpha()]
        if _enough(letter for letter in letters if letter.isascii()):
            return 1.0
        if not _enough(letters):
            return 0.0
    elif _ADDRESS.fullmatch(view.text):
        return PACKED
    return ORDINARY.get(view.kind, 1.0)


def _escaped(view: View) -> Iterator[str]:
    """The letters that escapes stand for, in a reading and in the readings of the same kind that it was made of."""
    read: View | None = view
    while read and read.kind == view.kind:
        for edit in read.edits:
            yield from read.text[edit.start : edit.end]
        read = read.source


def _enough(found: Iterable[object]) -> bool:
    return sum(1 for _ in itertools.islice(found, DISGUISED)) == DISGUISED


def differs(view: View, original: str, start: int, end: int) -> bool:
    """Whether this part of the reading is written otherwise in the original text."""
    first, last = view.span(start, end)
    length = abs(last - first - (end - start))
    return length + sum(map(operator.ne, view.text[start:end], original[first:last])) >= DIFFERENT
