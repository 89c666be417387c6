"""How the linear model does on authors and pages that it has not seen. Writes a model and its tests for each group.

    python -m evals.training.left_out DATA CLEAN CLASSES FOLDER

Each group of authors is left out in turn; the pages of one fold are never trained on, and thresholds and tests are on
those. `evals.training.judge` fits the coefficients of the judge with what this leaves in FOLDER.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evals.training import linear
from evals.training.corpus import Example, load

GROUPS = {
    "english": ("english_a", "wrappers_a"),
    "languages": ("languages_b",),
    "native": ("languages_f",),
    "generated": ("generated",),
    "indirect": ("indirect_d",),
    "chat": ("deepset", "giskard", "in-the-wild", "bipia", "injecguard_valid"),
}
"""Authors that are left out together: they write alike."""
PAYLOADS = 200
ROOM = 700
FLAGGED = 0.009
"""The share of clean pages that the threshold lets be flagged."""


def author(source: str) -> str:
    """Without the style."""
    return source.partition(":")[0]


def attacked(payloads: Sequence[str], clean: Sequence[str]) -> list[str]:
    """Each payload at a random place of a page, with what stands near."""
    rng = random.Random(7)
    found: list[str] = []
    for payload in payloads:
        page = rng.choice(clean)
        at = page.find(" ", rng.randrange(len(page))) + 1
        gap = rng.choice(("\n\n", " "))
        found.append(page[max(0, at - ROOM) : at] + gap + payload + gap + page[at : at + ROOM])
    return found


def payloads_of(examples: Sequence[Example], name: str) -> list[str]:
    """Some of an author's attacks."""
    texts = [example.text for example in examples if example.label and author(example.source) == name]
    random.Random(3).shuffle(texts)
    return texts[:PAYLOADS]


def main(data: Path, texts: Path, classes: Path, folder: Path) -> None:
    """Train, test, print, store."""
    folder.mkdir(parents=True, exist_ok=True)
    examples = load(data)
    ordinary, unseen = linear.ordinary(data, texts)
    known = linear.known_of(classes, ordinary)
    given = linear.material(examples, ordinary, known)
    clean = [linear.words_of(text, known) for text in unseen]
    print(f"{'left out':<20} {'n':>5} {'recall at':>9} {FLAGGED:.1%} of unseen pages")
    for group, names in GROUPS.items():
        found = linear.trained(given.without({e.source for e in examples if author(e.source) in names}))
        on_pages = linear.worst(found, clean)
        offsets = -np.quantile(on_pages, 0.985, axis=0)
        bar = float(np.quantile((on_pages + offsets).max(1), 1 - FLAGGED))
        tests = {name: attacked(payloads_of(examples, name), unseen) for name in names}
        for name, texts in tests.items():
            scores = linear.worst(found, (linear.words_of(text, known) for text in texts)) + offsets
            print(f"{name:<20} {len(texts):>5} {(scores.max(1) > bar).mean():>9.3f}", flush=True)
        np.savez_compressed(folder / f"{group}.npz", **linear.stored(found, offsets, classes, known))
        (folder / f"{group}.json").write_text(json.dumps(tests), "utf-8")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:5]))
