"""What speaks for an instruction in each window of a reading: the model, the rules, both together."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..model.linear import Floats, Windows
from ..rules.matcher import Match
from ..text.tokens import Ints
from .calibration import Calibration

SHORT = 160
"""Characters."""
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Evidence(NamedTuple):
    """Of each window, in log-odds. Only what stands in a window, or next to it, tells of it."""

    starts: Ints
    ends: Ints
    model: Floats
    """What the model says alone."""
    named: Floats
    """What the rules that hold in the window weigh."""
    unexcused: Floats
    """The same, less what their surroundings take: quotation, talk of attacks. It decides on removing alone."""
    score: Floats
    """Model and rules together."""
    best: float
    """The highest score; minus infinity where there is no window."""


def evidence_of(
    scored: Sequence[Windows], hits: Sequence[Sequence[Match]], rates: Calibration, short: Sequence[float]
) -> Iterator[Evidence]:
    """Of many texts, at the price of one; `short` is what each lacks, from 0 to 1, since it hardly has any words."""
    if not scored:
        return
    numbers = [len(windows.logits) for windows in scored]
    added = np.repeat([rates.bias - rates.short * lacking for lacking in short], numbers)
    models = rates.model * leaky(np.concatenate([windows.logits for windows in scored]), rates.least) + added
    cuts = [*itertools.accumulate(numbers, initial=0)]
    bests = np.maximum.reduceat(np.append(models, -np.inf), cuts).tolist()
    nothing = np.zeros(max(numbers))
    for (starts, ends, _), found, begin, end, best in zip(scored, hits, cuts, cuts[1:], bests, strict=False):
        model = models[begin:end]
        if not found:
            none = nothing[: end - begin]
            yield Evidence(starts, ends, model, none, none, model, best if begin < end else -math.inf)
            continue
        named = np.minimum(ruled(starts, ends, found, [hit.bare for hit in found]), rates.most)
        unexcused = np.minimum(ruled(starts, ends, found), rates.most)
        score = model + rates.rules * named
        yield Evidence(starts, ends, model, named, unexcused, score, float(score.max(initial=-math.inf)))


def leaky(logits: Floats, least: float) -> Floats:
    """What lies below `least` counts a tenth: the rules may be right, and leads keep their order."""
    return np.maximum(logits, logits / 10 + least * 0.9)


def ruled(starts: Ints, ends: Ints, hits: Sequence[Match], weights: Sequence[float] | None = None) -> Floats:
    """What the rules add to each window: each rule once, at its strongest; a match counts where half of it lies.

    The time is linear: windows of one size stand in order, so those that hold a place stand side by side.
    """
    total = np.zeros(len(starts))
    if not hits or not len(starts):
        return total
    rules: dict[str, int] = {}
    rule = np.array([rules.setdefault(hit.rule, len(rules)) for hit in hits])
    weight = np.array([hit.weight for hit in hits] if weights is None else weights, np.float64)
    middle = np.array([(hit.start + hit.end) // 2 for hit in hits])
    edges = [0, *(np.flatnonzero(np.diff(starts) < 0) + 1).tolist(), len(starts)]
    keys: list[Ints] = []
    values: list[Floats] = []
    for begin, end in itertools.pairwise(edges):
        first = begin + np.searchsorted(ends[begin:end], middle, "right")
        past = begin + np.searchsorted(starts[begin:end], middle, "right")
        count: Ints = np.maximum(past - first, 0)
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        keys.append(np.repeat(rule, count) * len(starts) + np.repeat(first, count) + within)
        values.append(np.repeat(weight, count))
    key, value = np.concatenate(keys), np.concatenate(values)
    order = np.lexsort((value, key))
    key, value = key[order], value[order]
    strongest = np.flatnonzero(np.concatenate((key[1:] != key[:-1], [True]))) if len(key) else order
    np.add.at(total, key[strongest] % len(starts), value[strongest])
    return total


def shortness(text: str) -> float:
    """1 for next to nothing, 0 from SHORT on; two characters of a dense script say what a word says."""
    if len(text) >= SHORT:
        return 0.0
    return max(0.0, 1 - (len(text) + 2 * len(_DENSE.findall(text))) / SHORT)
