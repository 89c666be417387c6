"""Fits the bars of each language on clean text that the model has not seen. Writes `languages/thresholds.json`.

    python -m evals.training.thresholds CLEAN DATA OUT

CLEAN is the part `calibrate` of what `evals.training.clean_text` wrote; DATA has web pages, of which those that no
training sees join the English ones: rules meet more of their like there than in manuals. Of each page the surest window
counts; the tail of these is exponential, so a bar that hardly any page reaches is told by the pages just below it.
Languages with little text are drawn towards the tail that all have together.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.training.clean_text import stories_of, texts_of
from evals.training.corpus import OWN, pages, split, written
from websearch_guard.deobfuscation import canonical
from websearch_guard.injection.model.linear import scores_of
from websearch_guard.injection.rules.matcher import matches
from websearch_guard.injection.text.alt_texts import unlinked
from websearch_guard.injection.verdict.calibration import calibration, probability
from websearch_guard.injection.verdict.calibration import odds as log_odds
from websearch_guard.injection.verdict.corroboration import NAMED, slack
from websearch_guard.injection.verdict.evidence import evidence_of, leaky, shortness

PAGES, LONGEST = 500, 8_000
SHARES = {"alone": 0.0025, "witness": 0.12, "agree": 0.05, "remove": 0.0004}
"""The share of clean pages that reaches each bar of the model. Other packages reach them two to five times as often."""
MARKED = 0.0015
"""So many reach the bar of model and rules together, which finds little that the others miss; it is at most `high`."""
JOINT = {"witness": 0.003, "agree": 0.001}
"""The share of clean pages in which a rule and the model suspect one window: for a mark, for removing."""
FEW = 20
"""Pages of stories: a language with fewer has bars at least as high as a part of the others have, since manuals, of
which its pages are, score lower than news and letters do."""
HELD = {"alone": 0.8, "mark": 0.8, "remove": 0.9}
"""That part; what is removed is lost, so there it is larger."""
LOWEST = {"alone": 0.34, "mark": 0.34}
"""No bar is lower: it would let most windows of a page through, whose language must then be told, the slowest step."""
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


def fitted(clean: Mapping[str, Sequence[str]], stories: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """The bars of each language, and of text that tells none: those of the strictest. Of how many stories each has."""
    seen = {language: highest(texts) for language, texts in clean.items() if len(texts) >= LEAST}
    tails = {language: tail_of(of.model) for language, of in seen.items()}
    attacked = {example.language for path in OWN.glob("*.jsonl") for example in written(path) if example.label}
    common = float(np.mean([of.excess.mean() for of in tails.values()]))
    found: dict[str, dict[str, float]] = {}
    for language, tail in sorted(tails.items()):
        odds = {name: said(tail.at(share, common)) for name, share in SHARES.items()}
        joint = np.sort(seen[language].joint)[::-1]
        odds |= {name: max(odds[name], float(joint[int(part * len(joint))]) + 0.01) for name, part in JOINT.items()}
        together = float(np.quantile(seen[language].score, 1 - MARKED))
        odds["mark"] = min(max(odds["alone"], together), log_odds(calibration().high))
        if language not in attacked:  # nothing tells how attacks in it score
            del odds["remove"]
        found[language] = {name: round(probability(value), 4) for name, value in sorted(odds.items())}
        print(language, len(seen[language].model), found[language], flush=True)
    told = [of for language, of in found.items() if stories.get(language, 0) >= FEW]
    usual = {
        name: round(float(np.quantile([of[name] for of in told if name in of], part)), 4) for name, part in HELD.items()
    }
    for language, of in found.items():
        if stories.get(language, 0) < FEW:
            of |= {name: max(of[name], usual[name]) for name in HELD if name in of}
    for of in found.values():
        of |= {name: max(of[name], least) for name, least in LOWEST.items()}
    strict = {name: max(of[name] for of in found.values()) for name in ("alone", "mark", "witness", "agree")}
    return {"": strict, **found}


def said(logit: float) -> float:
    """What of the model's log-odds goes into a score."""
    rates = calibration()
    return rates.model * float(leaky(np.array([logit]), rates.least)[0]) + rates.bias


def main(clean: Path, data: Path, out: Path) -> None:
    """Fit and write."""
    _, web = split(pages(data))
    texts = texts_of(clean, PAGES)
    bars = fitted({**texts, "en": [*texts["en"], *web]}, stories_of(clean))
    lines = ",\n".join(f"  {json.dumps(language)}: {json.dumps(of)}" for language, of in bars.items())
    out.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
