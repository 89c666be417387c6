"""How what was found adds up to a score, and from which score on something is done, language by language."""

from __future__ import annotations

import functools
import json
import math
from importlib.resources import files
from typing import NamedTuple

_FOLDER = "websearch_guard.injection"
_CERTAIN = 60.0
"""Log-odds beyond which nothing changes."""


class Calibration(NamedTuple):
    """How the rules' and the model's evidence add up, fitted on texts by other authors and on ordinary pages."""

    model: float
    least: float
    """What the model holds against an attack counts hardly more than this: the rules may be right where it is sure."""
    rules: float
    most: float
    """All that rules say of one window counts no more than this."""
    bias: float
    decoded: float
    """Whoever encodes an instruction does not want it to be read."""
    short: float
    """What a text of hardly any words lacks: a title is seldom an attack. Less the longer it is, up to SHORT."""
    about: float
    """What each word of those who write about such attacks takes from what stands near it, at most ABOUT of them."""
    high: float
    """From this score on, rule and model together are enough, if each is a witness."""
    low: float
    """From this score on, it deserves a closer look."""
    floor: float
    """Below this score there is nothing to look at."""


class Bars(NamedTuple):
    """What the text of one language has to reach, in log-odds.

    `languages/thresholds.json` holds them as probabilities: of `mark`, what model and rules say together; of the
    others, what the model says alone. Without a bar, nothing is removed for that reason.
    """

    mark: float
    """From here on, a passage is marked."""
    alone: float = math.inf
    """From here on, it is marked for what the model says, whatever the rules do."""
    witness: float = math.inf
    """From here on, the model is a witness beside another, a rule or a disguise: enough for a mark."""
    agree: float = math.inf
    """From here on, it is a witness that removes together with a rule."""
    remove: float = math.inf
    """From here on, the model alone is enough: it is so sure in hardly any clean text of that language."""


@functools.cache
def calibration() -> Calibration:
    """What is shipped, read once."""
    return Calibration(**json.loads((files(_FOLDER) / "judge.json").read_text("utf-8")))


@functools.cache
def bars() -> dict[str, Bars]:
    """Those of each language that the model was trained on; the empty one is of texts that tell no language."""
    stored = json.loads((files(_FOLDER) / "languages" / "thresholds.json").read_text("utf-8"))
    return {language: Bars(**{name: odds(share) for name, share in of.items()}) for language, of in stored.items()}


@functools.cache
def lowest_bars() -> Bars:
    """Of each bar the lowest that any language has: what stays below is below in whatever language it is."""
    return Bars(*map(min, zip(*bars().values(), strict=True)))


def bars_of(language: str) -> Bars:
    """Where the model was not trained on a language, it only marks."""
    known = bars()
    return known.get(language) or Bars(known[""].mark, known[""].alone)


def odds(score: float) -> float:
    """The log-odds of a score between 0 and 1."""
    return math.log(score / (1 - score))


def probability(log_odds: float) -> float:
    """The score, between 0 and 1, of log-odds."""
    return 1 / (1 + math.exp(-max(min(log_odds, _CERTAIN), -_CERTAIN)))
