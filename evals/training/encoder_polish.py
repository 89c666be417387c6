"""A second, short training of the encoder: developer documents, and clean windows that still look like attacks.

    python -m evals.training.encoder_polish DATA OUT [MINUTES]

Goes on from OUT/checkpoint.pt of `evals.training.encoder`, and writes its files anew. The documents are those of the
packages of the environment that trains, and modules of Python's library: run it in another environment than the
measurements, which take theirs from their own.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import random
import sys
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from evals.training import encoder as training
from evals.training.corpus import Window, load
from evals.training.encoder_network import Encoder
from evals.training.encoder_windows import mixture, split

MODULES = (
    "argparse",
    "subprocess",
    "logging",
    "ssl",
    "tarfile",
    "sqlite3",
    "typing",
    "pathlib",
    "threading",
    "doctest",
    "csv",
)
DOCS, PAGES, WORST = 900, 2600, 1100
"""So many windows are looked at, and so many of them used that look worst."""
POSITIVE, NEGATIVE, PLAIN = 3200, 2700, 700


def main(data: Path, out: Path, minutes: float = 5.6) -> None:
    """Mine, train, export."""
    torch.manual_seed(2)
    torch.set_num_threads(1)
    training.RATE, training.SMOOTHING = 3e-5, 0.03
    rng = random.Random(9)
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    tokenizer.enable_truncation(training.LONGEST)
    model = Encoder(tokenizer.get_vocab_size())
    model.load_state_dict(torch.load(out / "checkpoint.pt"))
    clean, _ = split(data)
    windows, docs = mixture(load(data), clean), documents()
    run = training.Training(tokenizer, model, out, minutes)
    texts = [cut(rng.choice(docs), rng) for _ in range(DOCS)] + [cut(rng.choice(clean), rng) for _ in range(PAGES)]
    worst = np.argsort(-run.scores(run.rows(texts)))[:WORST]
    chosen = [
        *rng.sample([window for window in windows if window.label], POSITIVE),
        *rng.sample([window for window in windows if not window.label], NEGATIVE),
        *(Window(cut(rng.choice(docs), rng), 0, "docs") for _ in range(PLAIN)),
        *(Window(texts[at], 0, "hard") for at in worst),
    ]
    run.began = time.monotonic()
    rows, labels = run.rows([window.text for window in chosen]), [window.label for window in chosen]
    while run.progress < 1:
        for batch in training.batches([len(row) for row in rows], rng):
            run.step([rows[at] for at in batch], [labels[at] for at in batch])
            if run.progress >= 1:
                break
    torch.save(run.state(), out / "checkpoint.pt")
    model.load_state_dict(run.state())
    training.export(model, tokenizer, out)


def documents() -> list[str]:
    """What packages say of themselves, and modules with their comments."""
    described = (
        str(package.metadata.get_payload() or package.metadata["Description"] or "")
        for package in importlib.metadata.distributions()
    )
    sources = (Path(str(importlib.import_module(name).__file__)).read_text("utf-8")[:60_000] for name in MODULES)
    return [*(text for text in described if len(text) > 300), *sources]


def cut(text: str, rng: random.Random) -> str:
    """A window at a random place."""
    at = rng.randrange(max(1, len(text) - 100))
    return text[at : at + rng.randrange(80, 450)]


if __name__ == "__main__":
    main(*(Path(one) for one in sys.argv[1:3]), *(float(one) for one in sys.argv[3:]))
