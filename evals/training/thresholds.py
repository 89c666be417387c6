"""Fits the bars of each language on clean text that the model has not seen. Writes `languages/thresholds.json`.

    python -m evals.training.thresholds CLEAN OUT

CLEAN is the part `calibrate` of what `evals.training.clean_text` wrote. Of each page the surest window counts; the tail
of these is exponential, so a bar that hardly any page reaches is told by the pages just below it. Languages with little
text are drawn towards the tail that all have together.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.training.clean_text import texts_of
from evals.training.corpus import OWN, written
from websearch_guard.canon import canonical
from websearch_guard.injection.calibration import calibration, probability
from websearch_guard.injection.described import unlinked
from websearch_guard.injection.evidence import evidence_of, leaky, shortness
from websearch_guard.injection.linear import scores_of
from websearch_guard.injection.rules import matches
from websearch_guard.injection.witnesses import NAMED, slack

PAGES, LONGEST = 500, 8_000
SHARES = {"alone": 0.0045, "witness": 0.07, "remove": 0.0005}
"""Of the clean pages, so many reach the bars of the model."""
MARKED = 0.008
"""So many reach the bar of model and rules together."""
JOINT = 0.0015
"""In so many of the clean pages a rule and the model speak of one window."""
LOWEST = {"alone": 0.45, "mark": 0.48, "remove": 0.65}
"""No bar is below these: manuals, of which most of the text is, score lower than news and stories do."""
TAIL = 0.08
"""The highest pages that tell how the rest of the tail falls."""
DRAWN = 25
"""So many pages of the common tail count beside a language's own."""
LEAST = 40
"""Pages; of a language with fewer nothing is said."""


class Tail(NamedTuple):
    """Above `begins`, pages get fewer by a factor of e with every `scale`."""

    begins: float
    excess: np.ndarray

    def at(self, share: float, common: float) -> float:
        """The log-odds that a share of the pages reaches."""
        scale = (self.excess.sum() + DRAWN * common) / (len(self.excess) + DRAWN)
        return self.begins + float(scale) * float(np.log(TAIL / share))


def tail_of(values: np.ndarray) -> Tail:
    """Of the highest of each page."""
    begins = float(np.quantile(values, 1 - TAIL))
    return Tail(begins, values[values > begins] - begins)


class Highest(NamedTuple):
    """Of each page, the surest window's: what the model says, model and rules, the model where a rule holds."""

    model: np.ndarray
    score: np.ndarray
    joint: np.ndarray


def highest(texts: Iterable[str]) -> Highest:
    """What the model says is as it was before what counts little is pressed together."""
    rates = calibration()
    found: list[tuple[float, float, float]] = []
    for text in texts:
        plain = canonical(text[:LONGEST]).text
        (scored,) = scores_of([unlinked(plain)])
        (evidence,) = evidence_of([scored], [matches(plain)], rates, [shortness(plain)])
        ruled = evidence.unexcused >= NAMED
        joint = (evidence.model + slack(evidence.unexcused))[ruled]
        found.append(tuple(float(of.max(initial=-20.0)) for of in (scored.logits, evidence.score, joint)))
    return Highest(*np.array(found).T)


def fitted(pages: dict[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """The bars of each language, and of text that tells none: those of the strictest."""
    seen = {language: highest(texts) for language, texts in pages.items() if len(texts) >= LEAST}
    tails = {language: tail_of(of.model) for language, of in seen.items()}
    attacked = {example.language for path in OWN.glob("*.jsonl") for example in written(path) if example.label}
    common = float(np.mean([of.excess.mean() for of in tails.values()]))
    found: dict[str, dict[str, float]] = {}
    for language, tail in sorted(tails.items()):
        odds = {name: said(tail.at(share, common)) for name, share in SHARES.items()}
        together = np.sort(seen[language].joint)[::-1][int(JOINT * len(seen[language].joint))]
        odds["witness"] = max(odds["witness"], float(together) + 0.01)
        odds["mark"] = max(odds["alone"], float(np.quantile(seen[language].score, 1 - MARKED)))
        if language not in attacked:  # nothing tells how attacks in it score
            del odds["remove"]
        found[language] = {
            name: round(max(LOWEST.get(name, 0.0), probability(value)), 4) for name, value in sorted(odds.items())
        }
        print(language, len(seen[language].model), found[language], flush=True)
    strict = {name: max(of[name] for of in found.values()) for name in ("alone", "mark", "witness")}
    return {"": strict, **found}


def said(logit: float) -> float:
    """What of the model's log-odds goes into a score."""
    rates = calibration()
    return rates.model * float(leaky(np.array([logit]), rates.least)[0]) + rates.bias


def main(clean: Path, out: Path) -> None:
    """Fit and write."""
    bars = fitted(dict(texts_of(clean, PAGES)))
    lines = ",\n".join(f"  {json.dumps(language)}: {json.dumps(of)}" for language, of in bars.items())
    out.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:3]))
