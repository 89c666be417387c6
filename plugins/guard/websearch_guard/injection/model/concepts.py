"""What words of many languages have in common: a lexicon from stems and phrases to concepts that all of them share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..text.tokens import MIX as HASH
from ..text.tokens import Hashes, Ints, Tokens

Concepts = npt.NDArray[np.uint8]

SHORTEST, LONGEST = 2, 12
"""Letters of a stem; what is longer is known by its first ones."""
WORDS = 8
"""Of a phrase, at most; a character of a script without spaces is a word."""
WHOLE, OPENING = np.uint64(0x9FB21C651E98DF25), np.uint64(0xD1B54A32D192ED03)
"""Salts: of what is a whole word, and of what only begins a phrase."""
_STEP, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_HALF, _SLOT = np.uint64(32), np.uint64(44)
_SALT = np.uint64(0xA0761D6478BD642F)
NONE = np.uint64(0)
_LENGTHS: Ints = np.arange(SHORTEST, LONGEST + 1)[:, None]
NEAR = 14
"""So many words on, a concept has to do with the last."""
KINDS = 4
_NO_KINDS: Hashes = np.zeros((KINDS, 0), np.uint64)


class Stems(NamedTuple):
    """The concept of each stem, phrase and phrase's beginning, found by its hash."""

    keys: npt.NDArray[np.uint32]
    concepts: Concepts
    """From 1; 0: none, it only begins a phrase."""
    slots: npt.NDArray[np.uint16]

    def find(self, hashes: Hashes) -> tuple[Ints, Concepts]:
        """Which of them have a concept, and which one."""
        at, known = self._at(hashes)
        found = np.flatnonzero(known)
        concepts = self.concepts[at[found]]
        return found[concepts > 0], concepts[concepts > 0]

    def knows(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        """Which of them are there at all."""
        return self._at(hashes)[1]

    def _at(self, hashes: Hashes) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
        mixed = (hashes ^ hashes >> _HALF) * _MIX
        at = self.slots.take((mixed >> _SLOT).view(np.int64), mode="clip")  # no check: all are within
        return at, self.keys.take(at, mode="clip") == (mixed >> _HALF).astype(np.uint32)


def stems_of(keys: npt.NDArray[np.uint32], concepts: Concepts) -> Stems:
    """From what is stored."""
    slots = np.zeros(1 << 20, np.uint16)
    slots[keys >> 12] = np.arange(len(keys))
    return Stems(keys, concepts, slots)


class Features(NamedTuple):
    """What the concepts of a text say: a row for each kind, a column for each concept, and at which word it stands."""

    places: Ints
    kinds: Hashes


def features_of(tokens: Tokens, stems: Stems) -> Features:
    """A concept alone, and with one or two of the next; their order is a language's own, so it does not count."""
    found = concepts_of(tokens, stems)
    places = np.flatnonzero(found)
    if not len(places):  # the most usual of short texts
        return Features(places, _NO_KINDS)
    apart = places + NEAR * WORDS * np.cumsum(tokens.words == NONE)[places]  # texts know nothing of each other
    here = found[places].astype(np.uint64)
    next_, second = (_after(here, apart, by) for by in (1, 2))
    kinds = (here, _both(here, next_), _both(here, second), _both(here, next_, second))
    return Features(places, np.concatenate(kinds).reshape(KINDS, -1))


def _after(concepts: Hashes, places: Ints, by: int) -> Hashes:
    """The next concept but so many, if it stands near; else 0."""
    after = np.zeros(len(concepts), np.uint64)
    if len(concepts) <= by:
        return after
    near = places[by:] - places[:-by] <= NEAR * by
    after[: len(concepts) - by] = np.where(near, concepts[by:], NONE)
    return after


def _both(*concepts: Hashes) -> Hashes:
    """One number for several concepts, in whatever order; 0 where one is missing."""
    mixed = [(concept + _SALT) * _STEP for concept in concepts]
    total = np.zeros(len(concepts[0]), np.uint64)
    for one in mixed:
        total += (one ^ one >> _HALF) * _MIX
    return np.where(np.logical_and.reduce([concept > NONE for concept in concepts]), total, NONE)


def key_of(hash_: np.uint64) -> int:
    """What is stored of a hash."""
    one = np.array([hash_])
    return int(((one ^ one >> _HALF) * _MIX >> _HALF)[0])


def followed(before: Hashes, word: Hashes) -> Hashes:
    """A phrase's hash, from that of its beginning and of the next word."""
    return (before ^ before >> _HALF) * _STEP + word


def concepts_of(tokens: Tokens, stems: Stems) -> Concepts:
    """The concept that begins at each word, that of the longest stem or phrase; 0: none."""
    count = len(tokens.starts)
    found = np.zeros(count, np.uint8)
    places: Ints = np.arange(count)
    before: Hashes = np.zeros(count, np.uint64)
    for reach in range(WORDS):
        inside = places < count - reach
        places, before = places[inside], before[inside]
        if not len(places):
            break
        last = places + reach
        of, words = _beginnings(tokens, last)
        _write(found, stems, places[of], followed(before[of], words))
        words = tokens.words[last]
        before = followed(before, words)
        whole = np.flatnonzero(words != NONE)
        _write(found, stems, places[whole], before[whole] ^ WHOLE)
        open_ = stems.knows(before ^ OPENING)
        places, before = places[open_], before[open_]
    return found


def _beginnings(tokens: Tokens, which: Ints) -> tuple[Ints, Hashes]:
    """The first letters of these words, all that are as short first: of which they are, and their hashes."""
    starts = tokens.starts[which]
    rows, of = np.nonzero(tokens.ends[which] - starts >= _LENGTHS)
    starts = starts[of]
    return of, (tokens.sums[starts + rows + SHORTEST] - tokens.sums[starts]) * HASH


def _write(found: Concepts, stems: Stems, places: Ints, hashes: Hashes) -> None:
    """The concepts of those hashes that are known, at their places; of several at one place the last stays."""
    known, concepts = stems.find(hashes)
    found[places[known]] = concepts
