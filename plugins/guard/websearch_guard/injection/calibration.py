"""How what was found adds up to a score."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import NamedTuple


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
    """From this score on, a stretch is taken out."""
    low: float
    """From this score on, it deserves a closer look."""
    floor: float
    """Below this score there is nothing to look at."""


@functools.cache
def calibration() -> Calibration:
    """What is shipped, read once."""
    return Calibration(**json.loads((files("websearch_guard.injection") / "judge.json").read_text("utf-8")))
