"""All readings of texts, with what the rules find in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from websearch_guard.canon import View, canonical, decodings

from .calibration import Calibration
from .disguise import disguised
from .rules import Match, matches_in
from .scrambled import unscrambled
from .wording import wording

ORDINARY = {"percent": 0.5, "entities": 0.5, "escapes": 0.3, "markup": 0.3, "camel": 0.3}
"""Encodings that harmless pages are full of, and what part of the others they count."""


class Reading(NamedTuple):
    """One reading of one text."""

    number: int
    """Of the text among those that are judged."""
    view: View
    hits: list[Match]
    extra: float
    """What its disguise adds to the log-odds."""
    original: str


def readings_of(texts: Sequence[str], rates: Calibration) -> list[Reading]:
    """The canonical reading of each text that is not blank, then all others: the rules meet many at once."""
    plain = [(number, text, canonical(text)) for number, text in enumerate(texts) if text.strip()]
    read = wording([view.text for _, _, view in plain])
    may_be_scrambled = read.shuffled
    others: list[tuple[int, str, View]] = []
    for number, text, view in plain:
        scrambled = unscrambled(view) if may_be_scrambled else None
        others += [(number, text, other) for other in (scrambled, *decodings(text, read=view)) if other]
    extras = [rates.decoded if disguised(text, view) else 0.0 for _, text, view in plain]
    extras += [rates.decoded * ORDINARY.get(view.kind, 1.0) for _, _, view in others]
    hits = matches_in(read) + matches_in(wording([view.text for _, _, view in others]))
    return [
        Reading(number, view, found, extra, text)
        for (number, text, view), found, extra in zip(plain + others, hits, extras, strict=True)
    ]
