"""Lengths as documents write them, in points."""

from __future__ import annotations

import re

TINY_MOST = 2.5
"""Points: nobody reads letters of this size."""
USUAL = 12.0
"""Points of a text whose size nobody says."""
_NUMBER = re.compile(r"[+-]?+(?:\d++\.?\d*+|\.\d++)(?:e[+-]?\d++)?")
_POINTS = {
    "pt": 1.0,
    "px": 0.75,
    "": 0.75,
    "in": 72.0,
    "inch": 72.0,
    "pc": 12.0,
    "cm": 72 / 2.54,
    "mm": 72 / 25.4,
    "q": 72 / 101.6,
    "rem": USUAL,
    "vw": 5.0,
    "vh": 5.0,
    "vmin": 5.0,
    "vmax": 5.0,
}
_OF_LETTERS = {"em": 1.0, "ex": 0.5, "ch": 0.5, "ic": 1.0, "lh": 1.2}


def number(text: str) -> float | None:
    """A plain number; None for anything else."""
    return float(text) if _NUMBER.fullmatch(text) else None


def points(text: str, *, letters: float = USUAL, whole: float = USUAL) -> float | None:
    """Of a length with any unit of CSS or OpenDocument, without a unit in pixels; None for anything else.

    `letters`: the size that `em` is; `whole`: what 100% is.
    """
    plain = text.strip().lower()
    found = _NUMBER.match(plain)
    if found is None:
        return None
    value, unit = float(found[0]), plain[found.end() :].strip()
    if unit == "%":
        return value * whole / 100
    if unit in _OF_LETTERS:
        return value * _OF_LETTERS[unit] * letters
    return value * _POINTS[unit] if unit in _POINTS else None
