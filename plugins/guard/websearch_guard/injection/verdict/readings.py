"""All readings of texts, with what the rules find in each."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from websearch_guard.deobfuscation import View, canonical, decodings

from ..rules.matcher import Match, matches_in
from ..rules.word_index import wording
from ..text.alt_texts import DESCRIBED, described
from ..text.lookalikes import disguised, share
from ..text.scrambled_words import unscrambled
from ..text.url_words import linked
from .calibration import Calibration


class Reading(NamedTuple):
    """One reading of one text."""

    number: int
    """Of the text among those that are judged."""
    view: View
    hits: list[Match]
    extra: float
    """What its disguise adds to the log-odds."""
    original: str


def readings_of(texts: Sequence[str], rates: Calibration, descriptions: Container[int] = ()) -> list[Reading]:
    """The canonical reading of each text that is not blank, then all others: the rules meet many at once.

    A text whose number is in `descriptions` is also read as the description that it is.
    """
    plain = [(number, text, canonical(text)) for number, text in enumerate(texts) if text.strip()]
    read = wording([view.text for _, _, view in plain])
    others: list[tuple[int, str, View]] = []
    for (number, text, view), shuffled in zip(plain, read.shuffled, strict=True):
        scrambled = unscrambled(view, shuffled)
        others += [
            (number, text, other)
            for other in (scrambled, *decodings(text, read=view), *described(view), *linked(view))
            if other
        ]
        if number in descriptions:
            others.append((number, text, View(DESCRIBED, view.text, source=view)))
    extras = [rates.decoded if disguised(text, view) else 0.0 for _, text, view in plain]
    extras += [rates.decoded * share(view) for _, _, view in others]
    hits = matches_in(read) + (matches_in(wording([view.text for _, _, view in others])) if others else [])
    return [
        Reading(number, view, found, extra, text)
        for (number, text, view), found, extra in zip(plain + others, hits, extras, strict=True)
    ]
