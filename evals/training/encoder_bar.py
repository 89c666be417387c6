"""From which score on websearch-guard-model takes something out. Prints what to write into `calibration.json`.

    python -m evals.training.encoder_bar DATA

On pages that no training of the encoder saw, with both plugins as installed. For some weights of guard's word: the bar
that lets so many of the pages that guard spares be flagged, and how many attacks of authors that nobody trained on are
found above it in those pages.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.training.corpus import DIRECT, load
from evals.training.encoder_windows import split
from websearch_guard.injection.judge import Judgement, judge
from websearch_guard_model.encoder import Encoder
from websearch_guard_model.window_verdicts import Calibration, Window, bounded, calibration, read

FLAGGED = 0.004
"""The share of pages that the model may flag beyond those that guard flags."""
WEIGHTS = (0.0, 0.1, 0.25, 0.5)
EACH = 100


class Seen(NamedTuple):
    """A page: whether guard alone takes out what counts, and what the leads that count get for a weight."""

    caught: bool
    odds: Callable[[float], Sequence[float]]


def main(data: Path) -> None:
    """Prints a line for each weight."""
    encoder, rates, rng = Encoder(), calibration(), random.Random(11)
    _, unseen = split(data)
    clean = [seen(encoder, rates, page) for page in unseen]
    others: dict[str, list[Seen]] = {}
    examples = load(data)
    for source in sorted(DIRECT):
        texts = [example.text for example in examples if example.label and example.source == source]
        others[source] = [
            seen(encoder, rates, *placed(text, rng.choice(unseen), rng)) for text in rng.sample(texts, EACH)
        ]
    print(f"guard alone flags {share(page.caught for page in clean):.4f} of the pages")
    for weight in WEIGHTS:
        worst = [max(page.odds(weight), default=-99.0) for page in clean if not page.caught]
        bar = float(np.quantile(worst, 1 - FLAGGED, method="higher"))
        found = {
            source: share(page.caught or max(page.odds(weight), default=-99.0) > bar for page in pages)
            for source, pages in others.items()
        }
        print(f"lead / model {weight}: -bias / model {bar:.2f}, found {found}", flush=True)


def seen(encoder: Encoder, rates: Calibration, text: str, start: int = 0, end: int = -1) -> Seen:
    """Only what overlaps the span counts; without one, everything."""
    judgement: Judgement = judge(text)
    whole = end < 0
    caught = any(whole or (span.start < end and span.end > start) for span in judgement.spans)
    leads = [lead for lead in judgement.leads if whole or (lead.start < end and lead.end > start)]
    windows = [Window(text, lead.start, lead.end, lead.score) for lead in leads]
    alone = [odds for odds, _ in read(encoder, windows, rates._replace(model=1.0, lead=0.0, bias=0.0))]
    guard = [bounded(lead.score, rates.most) for lead in leads]
    return Seen(caught, lambda weight: [one + weight * other for one, other in zip(alone, guard, strict=True)])


def placed(payload: str, page: str, rng: random.Random) -> tuple[str, int, int]:
    """The payload between two words of a page, and where."""
    at = page.find(" ", rng.randrange(len(page))) + 1
    before = page[:at].rstrip() + rng.choice(("\n\n", " "))
    return f"{before}{payload}\n\n{page[at:]}", len(before), len(before) + len(payload)


def share(found: Iterable[bool]) -> float:
    """Of all."""
    return float(np.mean([*found]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
