"""A linear model over hashed words in overlapping windows: where in a text somebody talks to a machine.

Words, their neighbours and their classes (words of like meaning share one) each weigh something; a window's score is
the sum over its words, divided by the root of how many there are. So all windows of all sizes cost one running sum.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..text.tokens import Hashes, Ints, Tokens, tokens_of
from .concepts import KINDS as CONCEPT_KINDS
from .concepts import Stems, features_of, stems_of

Floats = npt.NDArray[np.float64]

BITS = 18
"""The table has 2**BITS places. Each keeps eight further bits of the feature that it is for: others weigh nothing."""
SIZES = (14, 28, 56)
"""Windows of so many words, each starting a quarter of its size after the last; about 100 to 400 characters."""
FULL = 10
"""What a word counts that did not stand there just before; in whole numbers, sums are exact wherever they begin."""
SMOOTHING = 16.0
"""Added to the number of words: a window of two words is not yet sure of anything."""

_BETWEEN = "\0\0\0"
"""Words that are none: no feature reaches over three of them."""
_NONE: Ints = np.empty(0, np.int64)
_NO_WINDOWS = (_NONE, _NONE, _NONE)
_SHORT = 2
"""Words of so few letters have no class: what they mean depends on all the rest."""
_AGAIN = 3
_REACH = 3
"""So many words on, a feature still looks."""
KINDS = 18
_AT_ONCE = 2048
"""Words: what is worked on stays in the processor's cache."""
_ZERO = np.int8(-128)
"""Weights are stored with their sign's bit turned."""


class Model(NamedTuple):
    """What training left: a weight for each place of the table, a class for each known word."""

    table: npt.NDArray[np.uint16]
    """Eight bits to know the feature by, then its weight."""
    scale: float
    bias: float
    offsets: Floats
    """For each of SIZES: what makes windows of that size comparable with the others."""
    lexicon: Lexicon
    stems: Stems


class Lexicon(NamedTuple):
    """The class of each known word, found by the word's hash."""

    known: npt.NDArray[np.uint32]
    classes: Hashes
    slots: npt.NDArray[np.int32]


class Windows(NamedTuple):
    """Overlapping windows of a text: code points, and log-odds."""

    starts: Ints
    ends: Ints
    logits: Floats


def window_scores(text: str) -> Windows:
    """Starts, ends and logits of a text's windows; a text without words has none."""
    return scores_of((text,))[0]


def scores_of(texts: Sequence[str]) -> list[Windows]:
    """The same for many short texts at the price of one; none knows of its neighbours."""
    return scored(texts, loaded())


def scored(texts: Sequence[str], model: Model) -> list[Windows]:
    """The same with a model of one's own."""
    if not texts:
        return []
    tokens = tokens_of(_BETWEEN.join(texts))
    running = np.concatenate(([0], np.cumsum(contributions(tokens, model))))
    begins = np.array([*itertools.accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0)])
    lows = np.searchsorted(tokens.starts, begins[:-1])
    counts = np.searchsorted(tokens.starts, begins[1:] - len(_BETWEEN)) - lows
    windows = [windows_of(count) if count else _NO_WINDOWS for count in counts.tolist()]
    numbers = [len(first) for first, _, _ in windows]
    first, last, size = map(np.concatenate, zip(*windows, strict=True))
    before, begin = np.repeat(lows, numbers), np.repeat(begins[:-1], numbers)
    totals = (running[last + before] - running[first + before]) / np.sqrt(last - first + SMOOTHING)
    logits = totals * (model.scale / FULL) + model.bias + model.offsets[size]
    starts, ends = tokens.starts[first + before] - begin, tokens.ends[last + before - 1] - begin
    cuts = itertools.pairwise(itertools.accumulate(numbers, initial=0))
    return [Windows(starts[cut:end], ends[cut:end], logits[cut:end]) for cut, end in cuts]


@functools.lru_cache(512)
def windows_of(count: int) -> tuple[Ints, Ints, Ints]:
    """First and past-the-last word of each window, and which of SIZES it has; the last window ends with the text."""
    firsts: list[Ints] = []
    sizes: list[Ints] = []
    kinds: list[Ints] = []
    for kind, size in enumerate(SIZES):
        first = np.arange(0, max(1, count - size + size // 4), size // 4, dtype=np.int64)
        first = np.minimum(first, max(0, count - size))
        firsts.append(first)
        sizes.append(np.full(len(first), size, np.int64))
        kinds.append(np.full(len(first), kind, np.int64))
        if count <= size:
            break
    begin = np.concatenate(firsts)
    return begin, np.minimum(begin + np.concatenate(sizes), count), np.concatenate(kinds)


def contributions(tokens: Tokens, model: Model) -> Ints:
    """What each word, with those after it, adds."""
    total = np.empty(len(tokens.starts), np.int64)
    classes = classes_of(tokens, model.lexicon)
    for at in range(0, len(total), _AT_ONCE):
        block = slice(at, at + _AT_ONCE + _REACH)
        kinds = kinds_of(tokens.part(block), classes[block])
        weights = _weights(_mix(kinds), model)
        total[block] = weights.sum(axis=0, dtype=np.int16)  # what reaches past the block is written again by the next
    found = features_of(tokens, model.stems)
    if len(found.places):
        total[found.places] += _weights(concept_kinds(found.kinds), model).sum(axis=0, dtype=np.int64)
    total *= novelty(tokens.words)
    return total


def _weights(mixed: Hashes, model: Model) -> npt.NDArray[np.int8]:
    """What each feature weighs, of numbers that are mixed already; they are used up."""
    mixed >>= _TO_KNOWN
    known = mixed.astype(np.uint16)
    known &= _KNOWN
    mixed >>= _TO_PLACE - _TO_KNOWN
    entries = model.table.take(mixed.view(np.int64), mode="clip")  # no check: all are within
    entries ^= known  # leaves the weight where the eight bits are the feature's
    weights = entries.astype(np.int8)
    weights ^= _ZERO
    weights *= (entries < 1 << 8).view(np.int8)
    return weights


def novelty(words: Hashes) -> Ints:
    """A word that stood there just before counts less each time: a list of one word is no sentence."""
    words = words + np.cumsum(words == 0).astype(np.uint64) * _SALT  # after what parts two texts all words are new
    low = np.uint64((1 << len(words).bit_length()) - 1)
    sorted_ = np.sort(words & ~low | np.arange(len(words), dtype=np.uint64))  # equal words in order of their places
    order = (sorted_ & low).view(np.int64)
    alike = sorted_[1:] ^ sorted_[:-1] <= low
    novel = np.full(len(words), FULL, np.int64)
    novel[order[1:][alike & (np.diff(order) < SIZES[-1])]] = _AGAIN
    return novel


def classes_of(tokens: Tokens, lexicon: Lexicon) -> Hashes:
    """The class of each word; an unknown word's class is its beginning."""
    at = lexicon.slots[(tokens.words >> np.uint64(46)).astype(np.int64)]
    known = (lexicon.known[at] == tokens.words >> np.uint64(32)) & (tokens.ends - tokens.starts > _SHORT)
    return np.where(known, lexicon.classes[at], tokens.prefixes)


def kinds_of(tokens: Tokens, classes: Hashes) -> Hashes:
    """A row for each kind of feature: a word alone, in its place, with one or several of the next; or its class."""
    w0, c0, p0, gap, shape = tokens.words, classes, tokens.prefixes, tokens.gaps, tokens.shapes
    w1, w2, w3 = _after(w0)
    c1, c2, c3 = _after(c0)
    p1, _, _ = _after(p0)
    word, kind = w0 * _A, c0 * _A
    two, pair = word + w1, kind + c1
    three = pair + c2
    kinds = (
        w0,
        word + gap,
        w0 * _B + shape,
        two,
        two + w2,
        word + w2,
        word + w3,
        c0,
        pair,
        three,
        three + c3,
        kind + c2,
        kind + c3,
        kind + w1,
        word + c1,
        c0 * _B + gap,
        p0,
        p0 * _A + p1,
    )
    return np.concatenate(kinds).reshape(len(kinds), -1)


def keys_of(tokens: Tokens, lexicon: Lexicon, stems: Stems) -> npt.NDArray[np.int32]:
    """A row for each kind, a column for each word: BITS bits say where in the table, eight more which feature it is.

    0 where there is none.
    """
    kinds = kinds_of(tokens, classes_of(tokens, lexicon))
    found = features_of(tokens, stems)
    mixed = np.zeros((KINDS + CONCEPT_KINDS, len(tokens.starts)), np.uint64)
    mixed[:KINDS] = _mix(kinds)
    mixed[KINDS:, found.places] = concept_kinds(found.kinds)
    return (mixed >> _TO_KEY).astype(np.int32)


def concept_kinds(kinds: Hashes) -> Hashes:
    """Those of concepts, mixed like those of words; what is missing (0) weighs nothing, as a feature of none."""
    return np.where(kinds > 0, (kinds ^ _CONCEPT_SALTS) * _MIX, _NOTHING)


def _mix(kinds: Hashes) -> Hashes:
    """In place: all bits mixed, and no kind's numbers those of another."""
    kinds ^= _SALTS
    kinds *= _MIX
    return kinds


_A, _B, _C, _D = (
    np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)
)
_MIX, _SALT = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)
_TO_PLACE, _TO_KEY, _TO_KNOWN = (np.uint64(64 - BITS - bits) for bits in (0, 8, 16))
_KNOWN = np.uint16(0xFF00)
_PAST: Hashes = np.zeros(_REACH, np.uint64)
_SALTS: Hashes = np.arange(1, KINDS + 1, dtype=np.uint64)[:, None] * _SALT
_CONCEPT_SALTS: Hashes = np.arange(KINDS + 1, KINDS + CONCEPT_KINDS + 1, dtype=np.uint64)[:, None] * _SALT
_NOTHING = np.uint64(0)


def _after(values: Hashes) -> list[Hashes]:
    """Each word's neighbours, one to three words on; past the end there is none (0)."""
    longer = np.concatenate((values, _PAST))
    return [(longer * by)[at : at + len(values)] for at, by in enumerate((_B, _C, _D), 1)]


@functools.cache
def loaded() -> Model:
    """The model that is shipped, read once."""
    with (files("websearch_guard.injection") / "linear.npz").open("rb") as stored, np.load(stored) as arrays:
        return model_of(**{name: arrays[name] for name in arrays.files})


def model_of(
    table: npt.NDArray[np.uint16],
    numbers: Floats,
    known: npt.NDArray[np.uint32],
    classes: npt.NDArray[np.uint16],
    stems: npt.NDArray[np.uint32],
    concepts: npt.NDArray[np.uint8],
) -> Model:
    """From what is stored; `numbers` are scale, bias and an offset for each of SIZES."""
    return Model(
        table,
        float(numbers[0]),
        float(numbers[1]),
        numbers[2:],
        lexicon_of(known, classes),
        stems_of(stems, concepts),
    )


def lexicon_of(known: npt.NDArray[np.uint32], classes: npt.NDArray[np.uint16]) -> Lexicon:
    """From the upper halves of words' hashes and their classes; of two words in one slot the later wins."""
    slots = np.zeros(1 << 18, np.int32)
    slots[known >> 14] = np.arange(len(known))
    return Lexicon(known, (classes.astype(np.uint64) + np.uint64(1)) * _SALT, slots)
