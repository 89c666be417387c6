"""The literals of all rules, numbered; what one means to every rule is a row of bits, so that many are held at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .context import TOPIC
from .rulebook import rulebook
from .scrambled import is_shuffled

TOPICAL = 0
"""In place of a rule's number: the words of the trade."""
_LAST_SPACED_LETTER = "\u052f"  # up to here Latin, Greek and Cyrillic: literals of these begin a word
_MANY, _LONG = 1 << 16, 32  # so many words are remembered; a longer one is seldom met again
SHUFFLED = 1 << 20
"""Added to the numbers of words whose letters were shuffled."""

Bits = npt.NDArray[np.uint64]
Offsets = dict[int, tuple[int, ...]]
"""For rules, how far into a match an anchor may stand."""


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
    anchors: Bits
    """A row for each number with a bit for each rule: whether what it begins with is an anchor of the rule."""
    needs: Bits
    """The same of the rule's first need and, in the row's second half, of its second."""
    offsets: Sequence[Offsets]
    """For each number, the rules of which it is an anchor."""
    needless: Bits
    """The needs of all rules that have none."""
    around: Bits
    """The needs of all rules that are tried on either side of an anchor."""
    elsewhere: Mapping[str, Sequence[str]]
    """Literals that begin with a sign, or of scripts where words stand together or have prefixes: by sign or script."""


@cache
def literals() -> Literals:
    """Those of the rules as shipped, and the words of the trade."""
    rules = rulebook()
    width = 64 * (len(rules) // 64 + 1)
    second = 1 << width
    anchors: dict[str, Offsets] = {literal: {TOPICAL: (0,)} for literal in TOPIC}
    needs: dict[str, int] = {}
    needless, around = (1 | second) << TOPICAL, 0
    for number, rule in enumerate(rules, TOPICAL + 1):
        for literal, offsets in rule.anchors.items():
            anchors.setdefault(literal, {})[number] = offsets
        for part, need in zip((1, second), rule.needs, strict=False):
            for literal in need:
                needs[literal] = needs.get(literal, 0) | part << number
        needless |= (1 | second, second, 0)[len(rule.needs)] << number
        around |= (0 if rule.anchored else 1 | second) << number
    numbers = Numbers(anchors | needs)
    means = [{literal, *numbers.beginnings(literal.removesuffix("*"))} for literal in numbers.literals]
    offsets_of = [_joined(anchors[literal] for literal in among if literal in anchors) for among in means]
    elsewhere: dict[str, list[str]] = {}
    for literal in numbers.literals:
        if not literal[0].isalnum() or literal[0] > _LAST_SPACED_LETTER:
            elsewhere.setdefault(script(literal[0]), []).append(literal)
    without, either_side = _rows([needless, around], 2 * width)
    return Literals(
        numbers,
        _rows([0, *(sum(1 << rule for rule in offsets) for offsets in offsets_of)], width),
        _rows([0, *(reduce(int.__or__, (needs.get(literal, 0) for literal in among)) for among in means)], 2 * width),
        [{}, *offsets_of],
        without,
        either_side,
        elsewhere,
    )


def _joined(found: Iterable[Offsets]) -> Offsets:
    """As one."""
    joined: Offsets = {}
    for offsets in found:
        for rule, places in offsets.items():
            joined[rule] = (*joined.get(rule, ()), *places)
    return joined


def _rows(numbers: Sequence[int], bits: int) -> Bits:
    """Each number's bits."""
    rows = b"".join(number.to_bytes(bits // 8, "little") for number in numbers)
    return np.frombuffer(rows, "<u8").reshape(len(numbers), -1)


def script(letter: str) -> str:
    """The first word of a letter's name is its script's; a sign stands for itself."""
    return unicodedata.name(letter, "?").split()[0] if letter.isalpha() else letter
