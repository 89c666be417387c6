"""Where in texts which rules are worth trying: stretch by stretch, all rules at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from websearch_guard.deobfuscation.characters import strange

from ..text.tokens import Ints
from .literals import ALWAYS, SHUFFLED, Bits, Literals, literals
from .pattern_grammar import UNSPACED
from .word_index import Wording

_STRETCH = 100  # letters; two are what matches span at most

Spots = dict[int, list[int]]
"""For rules, by number, where a match may begin, or where an anchor stands round which there may be one; in order."""
_LETTER = 21  # bits: three make one number
_AT_ONCE = 1 << 14  # words whose rules are looked at together
_BEFORE = 1 << 8  # a match may begin so far before a text that its anchor does not fit into
_PLACE, _RULE = 28, 12  # bits; what is left of 63 numbers the texts, of which a row of documents has tens of thousands


def places(read: Wording) -> list[Spots]:
    """For each text the rules worth trying.

    A rule is left out wherever one of its needs does not occur in the same stretch or the next two — or, if the rule is
    tried on either side of its anchors, the last two.
    """
    book = literals()
    spots: list[Spots] = [{} for _ in read.texts]
    numbers = read.numbers & (SHUFFLED - 1)
    known = np.flatnonzero(numbers)
    numbers, at = numbers[known], read.places[known]
    if others := [*_elsewhere(read.joined, book)]:
        further, there = np.array(others).T
        numbers, at = np.concatenate((numbers, further)), np.concatenate((at, there))
        order = np.argsort(at)
        numbers, at = numbers[order], at[order]
    if not len(at):
        return spots
    begins = _stretches(read)
    stretches = np.searchsorted(begins, at, "right") - 1
    met = _met(stretches, book.needs[numbers], len(begins))
    which, entries = _tried(book, numbers, stretches * (2 * book.columns), met)
    if not len(which):
        return spots
    at = at[which]
    texts = np.searchsorted(read.begins, at, "right") - 1
    at -= np.array(read.begins)[texts] + book.offsets[entries] - _BEFORE
    keys = np.sort((texts << _RULE | book.rules[entries]) << _PLACE | at)
    at = ((keys & (1 << _PLACE) - 1) - _BEFORE).tolist()
    keys >>= _PLACE
    cuts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    for key, (cut, end) in zip(keys[cuts].tolist(), pairwise([*cuts.tolist(), len(at)]), strict=True):
        spots[key >> _RULE][key & (1 << _RULE) - 1] = at[cut:end]
    return spots


def _tried(book: Literals, numbers: Ints, rows: Ints, met: npt.NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Each anchor of a rule whose needs are met in its row: which of the words it is, and its entry in the book."""
    found: list[tuple[Ints, Ints]] = []
    for cut in range(0, len(numbers), _AT_ONCE):
        firsts = book.firsts[numbers[cut : cut + _AT_ONCE]]
        counts = book.firsts[numbers[cut : cut + _AT_ONCE] + 1] - firsts
        ends = np.cumsum(counts)
        which = np.repeat(np.arange(cut, cut + len(counts)), counts)
        entries = np.arange(len(which)) + np.repeat(firsts - ends + counts, counts)
        chosen = np.flatnonzero(met[rows[which] + book.first[entries]] & met[rows[which] + book.second[entries]])
        found.append((which[chosen], entries[chosen]))
    which, entries = map(np.concatenate, zip(*found, strict=True))
    return which, entries


def _met(stretches: Ints, needs: Bits, count: int) -> npt.NDArray[np.bool_]:
    """Row by row, which needs are met in each stretch or the next two, then which of these or the last two."""
    firsts = np.flatnonzero(np.concatenate(([True], stretches[1:] != stretches[:-1])))
    here = np.zeros((count, needs.shape[1]), np.uint64)
    here[stretches[firsts]] = np.bitwise_or.reduceat(needs, firsts)
    here[:, 0] |= np.uint64(1 << ALWAYS)
    ahead = here.copy()
    for by in 1, 2:
        ahead[:-by] |= here[by:]
    around = ahead.copy()
    for by in 1, 2:
        around[by:] |= here[:-by]
    return np.unpackbits(np.hstack((ahead, around)).view(np.uint8), bitorder="little").view(np.bool_)


def _stretches(read: Wording) -> Ints:
    """Where each begins; it is as short as it can be, and ends at a blank. Two empty ones part two texts."""
    begins = np.concatenate(([0], read.blanks + 1, read.begins[-1:]))
    letters = (begins - np.arange(len(begins))).tolist()
    cuts: list[int] = []
    for first, end in pairwise(np.searchsorted(begins, read.begins).tolist()):
        cut = first
        while cut < end:
            cuts.append(cut)
            cut = bisect_left(letters, letters[cut] + _STRETCH, cut + 1, end)
        cuts += [end, end]
    return begins[cuts]


def _elsewhere(text: str, book: Literals) -> Iterator[tuple[int, int]]:
    """The numbers of literals that are signs, or of scripts where a literal need not begin a word; and where."""
    for sign, among in book.signs.items():  # one sign is found much sooner than several
        any_of = tuple(among)
        for at in _each(text, sign):
            if text.startswith(any_of, at):
                for literal in among:
                    if text.startswith(literal, at):
                        yield book.numbers.literals[literal], at
    if text.isascii() or not UNSPACED.search(strange(text)):
        return
    for width, (known, begun) in _openings().items():
        each = _runs(text, width)
        found = np.flatnonzero(known[known.searchsorted(each).clip(max=len(known) - 1)] == each)
        for at, opening in zip(found.tolist(), each[found].tolist(), strict=True):
            for literal, number in begun[opening]:
                if text.startswith(literal, at):
                    yield number, at


@cache
def _openings() -> Mapping[int, tuple[Ints, Mapping[int, Sequence[tuple[str, int]]]]]:
    """The openings of unspaced literals by their length, at most three letters: sorted, and the literals of each."""
    book = literals()
    begun: dict[int, dict[int, list[tuple[str, int]]]] = {}
    for literal in book.unspaced:
        said = literal.removesuffix("*")
        width = min(len(said), 3)
        opening = int(_runs(said, width)[0])
        begun.setdefault(width, {}).setdefault(opening, []).append((said, book.numbers.literals[literal]))
    return {width: (np.array(sorted(of)), of) for width, of in begun.items()}


def _runs(text: str, width: int) -> Ints:
    """Each run of `width` letters as one number."""
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    runs = letters[: len(letters) + 1 - width]
    for further in range(1, width):
        runs = runs << _LETTER | letters[further : len(letters) + 1 - width + further]
    return runs


def _each(text: str, what: str) -> Iterator[int]:
    """Where it stands, one over another too."""
    at = text.find(what)
    while at >= 0:
        yield at
        at = text.find(what, at + 1)
