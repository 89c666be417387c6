"""Fits how rules and model add up, on authors and pages that the model has not seen. Writes `judge.json`.

    python -m evals.training.judge DATA FOLDER MODEL OUT

FOLDER is what `evals.training.left_out` wrote, MODEL what `evals.training.linear` did. How many of each author's
attacks were caught is kept beside this file.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from evals.training.corpus import pages, split
from evals.training.left_out import FLAGGED, GROUPS
from websearch_guard.deobfuscation import canonical
from websearch_guard.injection.model import linear
from websearch_guard.injection.rules.matcher import Match, matches
from websearch_guard.injection.verdict.evidence import leaky, ruled

REPORT = Path(__file__).with_name("left_out.json")
LEAST = (-2.5, -2.0)
"""Candidates for `Calibration.least`, in the model's log-odds; 0 is where 1.5 % of unseen pages lie. Higher ones let
single rules flag developer docs."""
RULES = (0.3, 0.4, 0.5)
"""What rules count against the model. Larger ones gain a point on chat injections and lose it on those of pages."""
MOST = 10.0
DECODED, SHORT, ABOUT = 2.2, 1.0, 1.0
"""Chosen by hand: no author of ours has enough of them to fit them on."""
ESCALATED = 0.1
"""The share of clean pages that a policy model may be asked about."""
LOOKED_AT = 0.99
"""The share of attacks that leads must not lose."""


class Seen(NamedTuple):
    """The windows of a text: the model's log-odds, and what the rules say."""

    logits: np.ndarray
    rules: np.ndarray

    def best(self, least: float, weight: float) -> float:
        return float((leaky(self.logits, least) + weight * np.minimum(self.rules, MOST)).max(initial=-99))


def read(stored: Path) -> linear.Model:
    """A model that was stored."""
    with np.load(stored) as arrays:
        return linear.model_of(**{name: arrays[name] for name in arrays.files})


def seen(texts: Sequence[str], hits: Sequence[Sequence[Match]], model: linear.Model) -> list[Seen]:
    """What a model and the rules make of texts."""
    found = [linear.scored((text,), model)[0] for text in texts]
    return [Seen(w.logits, ruled(w.starts, w.ends, hit)) for w, hit in zip(found, hits, strict=True)]


def best(of: Sequence[Seen], least: float, weight: float) -> np.ndarray:
    return np.array([one.best(least, weight) for one in of])


def main(data: Path, folder: Path, final: Path, out: Path) -> None:
    """Choose what catches most of each author at the same share of clean pages, then turn log-odds into a score."""
    _, unseen = split(pages(data))
    texts = [canonical(text).text for text in unseen]
    hits = [matches(text) for text in texts]
    clean: dict[str, list[Seen]] = {}
    attacked: dict[tuple[str, str], list[Seen]] = {}
    for group in GROUPS:
        model = read(folder / f"{group}.npz")
        clean[group] = seen(texts, hits, model)
        for name, tests in json.loads((folder / f"{group}.json").read_text("utf-8")).items():
            plain = [canonical(text).text for text in tests]
            attacked[group, name] = seen(plain, [matches(text) for text in plain], model)
    chosen, recall = (0.0, 0.0), -1.0
    for least, weight in itertools.product(LEAST, RULES):
        found = recalls(clean, attacked, least, weight)
        macro = float(np.mean(list(found.values())))
        if macro > recall:
            chosen, recall = (least, weight), macro
            print(f"least {least} rules {weight}: {macro:.3f}", {k: round(v, 3) for k, v in found.items()}, flush=True)
    counts = {name: len(of) for (_, name), of in attacked.items()}
    caught = {
        name: (round(share * counts[name]), counts[name]) for name, share in recalls(clean, attacked, *chosen).items()
    }
    REPORT.write_text(json.dumps(caught, indent=1) + "\n", "utf-8")
    shipped = seen(texts, hits, read(final))
    out.write_text(json.dumps(calibrated(clean, attacked, shipped, *chosen)) + "\n", "utf-8")


def recalls(
    clean: dict[str, list[Seen]], attacked: dict[tuple[str, str], list[Seen]], least: float, weight: float
) -> dict[str, float]:
    """Of each author, at the threshold that flags FLAGGED of the clean pages."""
    bars = {group: np.quantile(best(of, least, weight), 1 - FLAGGED) for group, of in clean.items()}
    return {name: float((best(of, least, weight) > bars[group]).mean()) for (group, name), of in attacked.items()}


def calibrated(
    clean: dict[str, list[Seen]],
    attacked: dict[tuple[str, str], list[Seen]],
    shipped: list[Seen],
    least: float,
    weight: float,
) -> dict[str, float]:
    """Platt's scaling, as many attacked as clean pages; the shipped model's thresholds on pages it has not seen."""
    pages_left = best(shipped, least, weight)
    bad = np.concatenate([best(of, least, weight) for of in attacked.values()])
    good = np.concatenate([best(of, least, weight) for of in clean.values()])
    x = np.append(bad, good)
    y = np.append(np.ones(len(bad)), np.zeros(len(good)))
    counts = np.append(np.full(len(bad), 1 / len(bad)), np.full(len(good), 1 / len(good)))
    slope, bias = minimize(
        lambda v: float((counts * np.logaddexp(0, np.where(y > 0, -1, 1) * (v[0] * x + v[1]))).sum()), [1.0, 0.0]
    ).x
    score = {
        name: float(expit(slope * np.quantile(of, at) + bias))
        for name, of, at in (
            ("high", pages_left, 1 - FLAGGED),
            ("low", pages_left, 1 - ESCALATED),
            ("floor", bad, 1 - LOOKED_AT),
        )
    }
    return {
        "model": round(slope, 4),
        "least": least,
        "rules": round(slope * weight, 4),
        "most": MOST,
        "bias": round(bias, 4),
        "decoded": DECODED,
        "short": SHORT,
        "about": ABOUT,
        "high": round(score["high"], 4),
        "low": round(min(score["low"], score["high"]), 4),
        "floor": round(min(score["floor"], score["low"]), 4),
    }


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:5]))
