"""Where in texts which rules are worth trying: stretch by stretch, all rules at once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from websearch_guard.canon.characters import strange

from .literals import SHUFFLED, Literals, literals, script
from .wording import Wording
from .words import Ints

_STRETCH = 100  # letters; two are what matches span at most
_TOGETHER = re.compile("[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")

Spots = defaultdict[int, list[int]]
"""For rules, by number, where a match may begin, or where an anchor stands round which there may be one."""


def places(read: Wording) -> list[Spots]:
    """For each text the rules worth trying.

    A rule is left out wherever one of its needs does not occur in the same stretch or the next two — or, if the rule is
    tried on either side of its anchors, the last two.
    """
    book = literals()
    spots: list[Spots] = [defaultdict(list) for _ in read.texts]
    numbers = read.numbers & (SHUFFLED - 1)
    known = np.flatnonzero(numbers)
    numbers, at = numbers[known], read.places[known]
    if others := list(_elsewhere(read.joined, book)):
        numbers, at = np.append(numbers, [number for number, _ in others]), np.append(at, [at for _, at in others])
        order = np.argsort(at)
        numbers, at = numbers[order], at[order]
    if not len(at):
        return spots
    begins = _stretches(read)
    stretches = np.searchsorted(begins, at, "right") - 1
    firsts = np.flatnonzero(np.concatenate(([True], stretches[1:] != stretches[:-1])))
    filled, anchors = stretches[firsts], book.anchors[numbers]
    needs = np.zeros((len(begins), book.needs.shape[1]), np.uint64)
    needs[filled] = np.bitwise_or.reduceat(book.needs[numbers], firsts)
    near = needs | book.needless
    for by in 1, 2:
        near[:-by] |= needs[by:]
        near[by:] |= needs[:-by] & book.around
    half = anchors.shape[1]
    tried = anchors & (near[:, :half] & near[:, half:])[stretches]
    which, columns = np.nonzero(tried)
    bits = np.unpackbits(tried[which, columns].view(np.uint8), bitorder="little").view(np.bool_)
    chosen, rules = np.divmod(np.flatnonzero(bits), 64)
    which, rules = which[chosen], rules + 64 * columns[chosen]
    at = at[which]
    texts = np.searchsorted(read.begins, at, "right") - 1
    at -= np.array(read.begins)[texts]
    offsets = book.offsets
    row: tuple[int, int, int, int]
    for row in zip(texts.tolist(), rules.tolist(), numbers[which].tolist(), at.tolist(), strict=True):
        text, rule, number, place = row
        found = spots[text][rule]
        for offset in offsets[number][rule]:
            found.append(place - offset)
    return spots


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
    letters = "" if text.isascii() else strange(text)
    scripts = {script(letter) for letter in set(letters)} if _TOGETHER.search(letters) else set[str]()
    for name, among in book.elsewhere.items():
        if name in scripts or (len(name) == 1 and name in text):
            for literal in among:
                bare = literal.removesuffix("*")
                at = text.find(bare)
                while at >= 0:
                    yield book.numbers.literals[literal], at
                    at = text.find(bare, at + 1)
