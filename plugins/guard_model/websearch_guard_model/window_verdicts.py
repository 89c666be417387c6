"""Which stretches of a text are instructions to an AI: what guard suspected, weighed again with the encoder's word."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from .encoder import Encoder
from .sentence_removal import MARKER, sentences

_FURTHER = "\u0530"
"""Letters before this one are Latin, Greek or Cyrillic; the vocabulary hardly knows words of others."""
_WORD = 40
"""Characters within which a word ends; where none does, words are not apart."""
_CERTAIN = 60.0
"""Log-odds beyond which nothing changes."""


class Window(NamedTuple):
    """A stretch of a text that is to be judged, with the score (0 to 1) that made it suspicious."""

    text: str
    start: int
    end: int
    score: float


class WindowVerdict(NamedTuple):
    """Code points that speak to an AI, and how sure the model is (0 to 1)."""

    start: int
    end: int
    score: float
    spelt: bool
    """Whether it is written in letters that the model was trained to read: elsewhere it only confirms."""


class Calibration(NamedTuple):
    """How the encoder's and guard's evidence add up, fitted on texts by other authors and on ordinary pages."""

    gate: float
    """Log-odds from which on a window's sentences are read one by one."""
    model: float
    """What the encoder says counts so much: of the window, and of its worst sentence, half each."""
    lead: float
    """And what guard says."""
    most: float
    """The latter no more than this, for or against."""
    bias: float
    high: float
    """From this score on, a window holds an instruction."""
    low: float
    """Log-odds from which on a sentence of such a window belongs to it."""
    context: int
    """A shorter window is read with what stands round it, so many characters together."""
    confirm: float
    """From this score on, the encoder confirms what guard marked."""
    sure: float
    suspected: float
    """From these scores on, the encoder's and guard's, both together remove what guard did not mark."""
    spelt: float
    """This share of a passage's letters has to be of an alphabet that the vocabulary spells."""


def judge(encoder: Encoder, windows: Sequence[Window], least: float) -> list[WindowVerdict | None]:
    """For each window the sentences that made it an instruction; None where the encoder's score is below `least`."""
    rates = calibration()
    return [
        WindowVerdict(*span, score, _is_spelt(window.text[slice(*span)], rates.spelt))
        if span and score >= least
        else None
        for window, (score, span) in zip(
            windows, ((_share(odds), span) for odds, span in read(encoder, windows, rates)), strict=True
        )
    ]


def _is_spelt(text: str, least: float) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter < _FURTHER for letter in letters) >= least * len(letters)


def read(encoder: Encoder, windows: Sequence[Window], rates: Calibration) -> list[tuple[float, tuple[int, int] | None]]:
    """The log-odds of each window, and from its first to its last sentence that speaks to an AI by itself.

    A window is believed only if one of its sentences bears it out: what is none rarely looks like one in both readings.
    """
    spans = [_seen(window, rates.context) for window in windows]
    odds = _odds(encoder, [window.text[start:end] for window, (start, end) in zip(windows, spans, strict=True)])
    each = [
        sentences(window.text, *span) if odd >= rates.gate else []
        for window, span, odd in zip(windows, spans, odds, strict=True)
    ]
    alone = iter(
        _odds(encoder, [w.text[start:end] for w, pieces in zip(windows, each, strict=True) for start, end in pieces])
    )
    found: list[tuple[float, tuple[int, int] | None]] = []
    for window, odd, pieces in zip(windows, odds, each, strict=True):
        scores = [next(alone) for _ in pieces]
        worst = max(scores, default=-_CERTAIN)
        kept = [piece for piece, score in zip(pieces, scores, strict=True) if score >= min(rates.low, worst)]
        total = rates.bias + rates.model * (odd + worst) / 2 + rates.lead * bounded(window.score, rates.most)
        found.append((total, (kept[0][0], kept[-1][1]) if kept else None))
    return found


def _odds(encoder: Encoder, texts: Sequence[str]) -> list[float]:
    """Without what filters put there; very low where nothing is left to read."""
    bare = [MARKER.sub(" ", text).strip() for text in texts]
    apart = [*dict.fromkeys(text for text in bare if text)]  # copies are read once
    odds = dict(zip(apart, encoder.odds(apart), strict=True))
    return [odds.get(text, -_CERTAIN) for text in bare]


def _seen(window: Window, context: int) -> tuple[int, int]:
    """Where the window is read: with words before and after, where it is short."""
    more = max(0, context - (window.end - window.start)) // 2
    if not more:
        return window.start, window.end
    start, end = max(0, window.start - more), min(len(window.text), window.end + more)
    first = window.text.rfind(" ", max(0, start - _WORD), start) + 1 or start
    last = window.text.find(" ", end, end + _WORD)
    return first, end if last < 0 else last


def bounded(score: float, most: float) -> float:
    """The log-odds of a score, no more than `most` for or against."""
    if not 0 < score < 1:
        return most if score >= 1 else -most
    return min(max(math.log(score / (1 - score)), -most), most)


def _share(odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(odds, -_CERTAIN), _CERTAIN)))


@functools.cache
def calibration() -> Calibration:
    """What is shipped, read once."""
    return Calibration(**json.loads((files("websearch_guard_model") / "calibration.json").read_text("utf-8")))
