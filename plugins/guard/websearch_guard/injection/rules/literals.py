"""The literals of all rules, numbered, with what each means to every rule: which it anchors, which needs it meets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..text.scrambled_words import is_shuffled
from ..text.tokens import Ints
from .rulebook import rulebook
from .surroundings import TOPIC

TOPICAL = 0
"""In place of a rule's number: the words of the trade."""
_LAST_SPACED_LETTER = "\u052f"  # up to here Latin, Greek and Cyrillic: literals of these begin a word
_MANY, _LONG = 1 << 16, 32  # so many words are remembered; a longer one is seldom met again
SHUFFLED = 1 << 20
"""Added to the numbers of words whose letters were shuffled."""

ALWAYS = 0
"""The need that is met everywhere."""

Bits = npt.NDArray[np.uint64]
Anchor = tuple[int, int]
"""A rule, and how far into its match the anchor stands."""


class Numbers(dict[str, int]):
    """For each word the number of the literal that it is, or else of the longest that it begins with; 0: of none."""

    def __init__(self, literals: Iterable[str]) -> None:
        super().__init__()
        self.literals = {literal: number for number, literal in enumerate(literals, 1)}
        self._openings: dict[str, list[int]] = {}  # the first three letters of such literals, and how long those are
        starts = {(len(known) - 1, known[:3]) for known in self.literals if known[-1] == "*"}
        for length, opening in sorted(starts, reverse=True):
            self._openings.setdefault(opening, []).append(length)

    def __missing__(self, word: str) -> int:
        number = self.literals.get(word) or self.literals.get(next(self.beginnings(word), ""), 0)
        number += SHUFFLED * is_shuffled(word)
        if len(self) < _MANY and len(word) <= _LONG:
            self[word] = number
        return number

    def beginnings(self, word: str) -> Iterator[str]:
        """The literals with a `*` that the word begins with, the longest first."""
        for length in self._openings.get(word[:3], ()):
            if length <= len(word) and (literal := word[:length] + "*") in self.literals:
                yield literal


class Literals(NamedTuple):
    """What words mean to the rules, which are numbered from 1."""

    numbers: Numbers
    """A literal that ends in `*` begins words; another is a whole word."""
    firsts: Ints
    """For each number, where what it is the anchor of begins in the next four; it ends where the next number's does."""
    rules: Ints
    offsets: Ints
    """How far into a match of the rule the anchor stands."""
    first: Ints
    second: Ints
    """The needs of the rule, as columns: `ALWAYS` where it has none; past `columns` where it looks on either side."""
    columns: int
    needs: Bits
    """A row for each number with a bit for each need that what it begins with meets."""
    signs: Mapping[str, Sequence[str]]
    """Literals that begin with a sign, by it."""
    unspaced: Sequence[str]
    """Literals of scripts where words stand together or have prefixes."""


@cache
def literals() -> Literals:
    """Those of the rules as shipped, and the words of the trade."""
    rules = rulebook()
    anchors: dict[str, list[Anchor]] = {literal: [(TOPICAL, 0)] for literal in TOPIC}
    needed = {need: at for at, need in enumerate(dict.fromkeys(need for rule in rules for need in rule.needs), 1)}
    columns = 64 * (len(needed) // 64 + 1)
    wanted = [(ALWAYS, ALWAYS)]
    for number, rule in enumerate(rules, TOPICAL + 1):
        for literal, offsets in rule.anchors.items():
            anchors.setdefault(literal, []).extend((number, offset) for offset in offsets)
        first, second = (*(needed[need] for need in rule.needs), ALWAYS, ALWAYS)[:2]
        side = 0 if rule.anchored else columns
        wanted.append((first + side, second + side))
    meets: dict[str, int] = {}
    for need, at in needed.items():
        for literal in need:
            meets[literal] = meets.get(literal, 0) | 1 << at
    numbers = Numbers(anchors | meets)
    entries: list[Sequence[Anchor]] = [()]
    met = [0]
    for literal in numbers.literals:
        among = {literal, *numbers.beginnings(literal.removesuffix("*"))}
        entries.append(sorted({anchor for known in among for anchor in anchors.get(known, ())}))
        met.append(reduce(int.__or__, (meets.get(known, 0) for known in among)))
    rule_of, offset_of = np.array([*chain.from_iterable(entries)]).T
    first_of, second_of = np.array(wanted).T[:, rule_of]
    return Literals(
        numbers,
        np.array([*accumulate(map(len, entries), initial=0)]),
        rule_of.copy(),
        offset_of.copy(),
        first_of,
        second_of,
        columns,
        _rows(met, columns),
        _by_sign(numbers.literals),
        [literal for literal in numbers.literals if literal[0].isalpha() and literal[0] > _LAST_SPACED_LETTER],
    )


def _by_sign(known: Iterable[str]) -> dict[str, list[str]]:
    signs: dict[str, list[str]] = {}
    for literal in known:
        if not literal[0].isalnum():
            signs.setdefault(literal[0], []).append(literal)
    return signs


def _rows(numbers: Sequence[int], bits: int) -> Bits:
    """Each number's bits."""
    rows = b"".join(number.to_bytes(bits // 8, "little") for number in numbers)
    return np.frombuffer(rows, "<u8").reshape(len(numbers), -1)
