"""One witness marks, two remove: what is done about each window of a reading.

A witness is a rule; the model, where it is surer than nearly all clean text of that language lets it be; a disguise,
if what it hides is suspicious by itself; and that nobody would see the text. Two independent ones remove it, as does
the model alone where it is all but certain; beside a rule it has to be surer than for a mark. Talk of attacks round a
window may turn a removal into a mark, no more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.linear import Floats
from ..text.language import language_of
from ..text.lookalikes import Worn
from ..text.tokens import Ints
from .attack_discourse import about, unaddressed
from .calibration import Bars, Calibration, bars_of, lowest_bars, odds
from .evidence import Evidence
from .readings import Reading

NAMED = 2.5
"""What rules weigh together in a window from here on makes them a witness; less is no more than a hint."""
PLAIN_SPOKEN = 4.6
"""What rules weigh in a window from here on marks it, whatever the model says: one clean page in 400 has it."""
AGREED = 7.0
"""What rules weigh where many agree: hardly any clean text has it."""
SLACK = 0.8
"""By so much (log-odds) the model may then be less sure."""
UNADDRESSED = 1.0
"""By so much (log-odds) the bars are higher for a licence, and for what tells of assistants, where no rule holds."""
STRONG = 1.0
"""A disguise that counts less (log-odds) is ordinary: identifiers, emphasis, a picture's description."""
UNSEEN = frozenset({"tags", "selectors", "bits"})
"""Readings of what nobody sees."""
_ROUND = 400
"""So many characters before and after tell the language of a window that has too few words."""
_BLOCK = 256

_NONE: Ints = np.empty(0, np.int64)

Chosen = npt.NDArray[np.bool_]


class Judged(NamedTuple):
    """Windows of a reading that something is done about, by their numbers."""

    marked: Ints
    """Those that are to be removed, too."""
    removed: Ints


def judged(reading: Reading, found: Evidence, rates: Calibration, high: float | None = None) -> Judged:
    """Which windows are marked and which removed; `high` replaces all bars: what reaches it is removed."""
    if high is not None:
        worn = Worn(reading.view, reading.original, reading.extra)
        reached = np.flatnonzero(found.score + worn.extra * worn.at(found.starts, found.ends) >= odds(high))
        return Judged(reached, reached)
    some = _possible(reading, found, rates)
    if not len(some):
        return Judged(some, some)
    worn = Worn(reading.view, reading.original, reading.extra)
    starts, ends, text = found.starts[some], found.ends[some], reading.view.text
    of = _Languages(text)
    each = np.array([of(*at) for at in zip(starts.tolist(), ends.tolist(), strict=True)]).T
    bars = dict(zip(Bars._fields, each, strict=True))
    named = found.named[some] >= NAMED
    licence = UNADDRESSED * ~named * unaddressed(text, starts, ends)
    model, score = found.model[some] - licence, found.score[some] - licence
    removed = _two(reading, found, some, model, bars, rates, worn)
    says = model >= bars["witness"]
    marked = removed | (score >= bars["mark"]) | (model >= bars["alone"]) | (named & says)
    marked |= found.unexcused[some] >= PLAIN_SPOKEN
    if worn.extra:  # a disguise counts where what it hides is suspicious by itself
        suspicious = np.flatnonzero(~marked & (named | says))
        marked[suspicious] = worn.at(starts[suspicious], ends[suspicious])
    return Judged(some[marked], some[removed])


def _possible(reading: Reading, found: Evidence, rates: Calibration) -> Ints:
    """The windows that some language's bars could let through: of ordinary pages next to none.

    Which language each is in, and what stands round it, takes longer to tell than all else, so it is asked of these.
    """
    lowest, unseen = lowest_bars(), reading.view.kind in UNSEEN
    if found.score is found.model:  # no rule holds: the most usual
        least = min(lowest.mark, lowest.alone, lowest.remove, lowest.witness if reading.extra else math.inf)
        least = min(least, odds(rates.floor)) if unseen else least
        return np.flatnonzero(found.model >= least) if found.best >= least else _NONE
    named = np.maximum(found.named, found.unexcused) >= NAMED
    possible = (found.score >= lowest.mark) | (found.model >= min(lowest.alone, lowest.remove))
    possible |= named & (found.model + SLACK >= lowest.witness) | (found.unexcused >= PLAIN_SPOKEN)
    if reading.extra:
        possible |= named | (found.model >= lowest.witness)
    if unseen:
        possible |= named | (found.model >= odds(rates.floor))
    return np.flatnonzero(possible)


def _two(
    reading: Reading,
    found: Evidence,
    some: Ints,
    model: Floats,
    bars: Mapping[str, Floats],
    rates: Calibration,
    worn: Worn,
) -> Chosen:
    """Where two witnesses agree."""
    excused = model - rates.about * about(reading.view.text, found.starts[some])
    weight = found.unexcused[some]
    rule = weight >= NAMED
    said = excused + slack(weight)
    removed = (rule & (said >= bars["agree"])) | (excused >= bars["remove"])
    removed |= (weight >= PLAIN_SPOKEN) & (said >= bars["witness"])
    if reading.extra >= STRONG:
        removed |= (rule | (excused >= bars["witness"])) & worn.at(found.starts[some], found.ends[some])
    if reading.view.kind in UNSEEN:
        removed |= rule | (excused >= odds(rates.floor))
    return removed


def slack(weight: Floats) -> Floats:
    """By how much (log-odds) the model may be less sure where rules weigh more than they have to."""
    return np.where(weight >= AGREED, SLACK, 0.0)


class _Languages:
    """The bars of each window's language: told by its own words, else by what stands round it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._round: dict[int, str] = {}

    def __call__(self, start: int, end: int) -> Bars:
        return bars_of(language_of(self._text[start:end]) or self._near((start + end) // 2 // _BLOCK))

    def _near(self, block: int) -> str:
        if block not in self._round:
            start = max(0, block * _BLOCK - _ROUND)
            self._round[block] = language_of(self._text[start : (block + 1) * _BLOCK + _ROUND])
        return self._round[block]
