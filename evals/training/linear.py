"""Trains the linear model of websearch-guard. Writes `linear.npz`.

    python -m evals.training.linear DATA CLEAN CLASSES OUT

CLEAN is the folder that `evals.training.clean_text` wrote; CLASSES what `evals.training.classes` did, or an older
`linear.npz`. Needs SciPy, which the project itself does not; ten minutes on one core.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack
from scipy.special import expit

from evals.training import concepts
from evals.training.clean_text import texts_of
from evals.training.corpus import DIRECT, Example, Window, developer_docs, load, pages, split, windows
from websearch_guard.injection.model.concepts import Stems, stems_of
from websearch_guard.injection.model.linear import (
    BITS,
    FULL,
    KINDS,
    SIZES,
    SMOOTHING,
    Lexicon,
    keys_of,
    lexicon_of,
    novelty,
    windows_of,
)
from websearch_guard.injection.text.tokens import tokens_of

STRENGTH = 600.0
"""The most that one source counts among the positives, in windows: volume of one author is worth little."""
PENALTY = 6e-7
RANDOM, HARD, ROUNDS = 8, 5, 2
"""Windows of each clean page: drawn at random; then, in each round, those that look most like an attack."""
KEYS = 1 << (BITS + 8)
PAGES = 250
"""Of each language."""
BARE = 0.3
"""Of all windows, the part that is learned once more without its words, by its concepts alone: so a language weighs in
of which nothing else is known."""


class Words(NamedTuple):
    """A text's words: the features of each, and what each still counts where it stood just before."""

    keys: np.ndarray
    novelty: np.ndarray

    def cut(self, first: int, last: int) -> Words:
        return Words(self.keys[first:last], self.novelty[first:last])

    def bare(self) -> Words:
        """The concepts alone."""
        return Words(np.where(np.arange(self.keys.shape[1]) < KINDS, 0, self.keys), self.novelty)


class Fit(NamedTuple):
    """A trained model before it is rounded."""

    place: np.ndarray
    """Of each key, its weight's number; -1: not used."""
    weights: np.ndarray
    bias: float

    def windows(self, words: Words) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """First and past-the-last word, size and logit of each window."""
        each = np.append(self.weights, 0.0)[self.place[words.keys]].sum(1) * words.novelty
        running = np.concatenate(([0.0], np.cumsum(each)))
        first, last, size = windows_of(len(words.keys))
        return first, last, size, (running[last] - running[first]) / np.sqrt(last - first + SMOOTHING) + self.bias


class Material(NamedTuple):
    """All that one training sees."""

    examples: list[Example]
    raw: list[Words]
    mixed: list[Window]
    rows: list[Words]
    clean: list[Words]

    def without(self, sources: Iterable[str]) -> Material:
        """Authors left out."""
        left = set(sources)
        kept = [at for at, example in enumerate(self.examples) if example.source not in left]
        rows = [at for at, window in enumerate(self.mixed) if window.source not in left]
        return Material(
            [self.examples[at] for at in kept],
            [self.raw[at] for at in kept],
            [self.mixed[at] for at in rows],
            [self.rows[at] for at in rows],
            self.clean,
        )


class Known(NamedTuple):
    """What is known of words before training: their classes and concepts."""

    lexicon: Lexicon
    stems: Stems


def words_of(text: str, known: Known) -> Words:
    tokens = tokens_of(text)
    return Words(np.ascontiguousarray(keys_of(tokens, known.lexicon, known.stems).T), novelty(tokens.words) / FULL)


def material(
    examples: Sequence[Example], clean: Mapping[str, Sequence[str]], known: Known, also: Iterable[str] = ()
) -> Material:
    """Features of everything, once; examples stand in `clean` of their language, none in what is `also` ordinary."""
    used = [example for example in examples if not (example.label and example.source in DIRECT)]
    mixed = list(windows(used, clean))
    ordinary = itertools.chain(*clean.values(), also)
    return Material(
        used,
        [words_of(example.text, known) for example in used],
        mixed,
        [words_of(window.text, known) for window in mixed],
        [words for text in ordinary if len((words := words_of(text, known)).keys)],
    )


def selected(given: Material, authors: int = 2, often: int = 8, common: int = 40) -> np.ndarray:
    """Keys worth a weight: what several authors write, or one does and ordinary pages do, or pages do all the time."""
    attacks, seen, on_pages = (np.zeros(KEYS, np.uint16) for _ in range(3))
    for source in {example.source for example in given.examples}:
        for label, counts in ((1, attacks), (0, seen)):
            of = [
                raw.keys.ravel()
                for raw, example in zip(given.raw, given.examples, strict=True)
                if example.source == source and example.label == label
            ]
            if of:
                counts[np.unique(np.concatenate(of))] += 1
    for words in given.clean:
        on_pages[np.unique(words.keys)] += 1
    chosen = (attacks >= 1) & ((attacks + seen >= authors) | (on_pages >= often)) | (on_pages >= common)
    chosen[0] = False  # none
    return chosen


def stacked(rows: Iterable[Words], place: np.ndarray, width: int) -> csr_matrix:
    """A row for each text: how often it has each feature, over the root of its words."""
    indices, values, bounds = [], [], [0]
    for words in rows:
        found = place[words.keys]
        used = found >= 0
        indices.append(found[used])
        each = words.novelty / np.sqrt(len(words.keys) + SMOOTHING)
        values.append(np.broadcast_to(each[:, None], found.shape)[used].astype(np.float32))
        bounds.append(bounds[-1] + len(indices[-1]))
    return csr_matrix((np.concatenate(values), np.concatenate(indices), bounds), (len(bounds) - 1, width))


def strengths(mixed: Sequence[Window]) -> np.ndarray:
    """What each window counts: a source's positives together at most STRENGTH, a negative one."""
    totals = Counter(window.source for window in mixed if window.label)
    return np.array([min(STRENGTH, 2 * totals[w.source] ** 0.75) / totals[w.source] if w.label else 1.0 for w in mixed])


def regression(rows: csr_matrix, labels: np.ndarray, counts: np.ndarray, start: np.ndarray, steps: int) -> np.ndarray:
    """Weighted logistic regression with an L2 penalty; the bias is last."""
    total, signs, columns = counts.sum(), np.where(labels > 0, 1.0, -1.0), rows.T.tocsr()

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        margins = signs * (rows @ values[:-1].astype(np.float32) + values[-1])
        slope = -signs * counts * expit(-margins) / total
        gradient = columns @ slope.astype(np.float32) + PENALTY * values[:-1]
        value = (counts * np.logaddexp(0, -margins)).sum() / total + PENALTY / 2 * values[:-1] @ values[:-1]
        return float(value), np.append(gradient, slope.sum())

    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxcor": 8}).x


def trained(given: Material, *, seed: int = 1) -> Fit:
    """A model of the mixed windows and of windows of clean pages."""
    rng = np.random.default_rng(seed)
    chosen = np.flatnonzero(selected(given))
    place = np.full(KEYS, -1, np.int32)
    place[chosen] = np.arange(len(chosen))
    labels, counts = np.array([window.label for window in given.mixed]), strengths(given.mixed)
    bare = np.flatnonzero(rng.random(len(given.rows)) < BARE)
    labels, counts = np.append(labels, labels[bare]), np.append(counts, counts[bare])
    rows = (*given.rows, *(given.rows[at].bare() for at in bare))
    parts = [
        stacked(rows, place, len(chosen)),
        stacked(_with_bare((w for words in given.clean for w in _random(words, rng)), rng), place, len(chosen)),
    ]
    values = np.zeros(len(chosen) + 1)
    for round_ in range(ROUNDS + 1):
        rows = vstack(parts).tocsr()
        more = rows.shape[0] - len(labels)
        y, strength = np.append(labels, np.zeros(more)), np.append(counts, np.ones(more))
        values = regression(rows, y, strength, values, 60 if round_ == ROUNDS else 30)
        if round_ < ROUNDS:
            found = Fit(place, values[:-1], 0.0)
            worst_ = (w for words in given.clean for w in _worst(words, found))
            parts.append(stacked(_with_bare(worst_, rng), place, len(chosen)))
    return Fit(place, values[:-1], float(values[-1]))


def _random(words: Words, rng: np.random.Generator) -> list[Words]:
    first, last, _ = windows_of(len(words.keys))
    return [words.cut(first[at], last[at]) for at in rng.integers(0, len(first), RANDOM)]


def _with_bare(windows: Iterable[Words], rng: np.random.Generator) -> Iterator[Words]:
    for window in windows:
        yield window
        if rng.random() < BARE:
            yield window.bare()


def _worst(words: Words, found: Fit) -> list[Words]:
    first, last, _, logits = found.windows(words)
    taken: list[tuple[int, int]] = []
    for at in np.argsort(-logits):
        if all(last[at] <= begin or first[at] >= end for begin, end in taken):
            taken.append((int(first[at]), int(last[at])))
        if len(taken) == HARD:
            break
    return [words.cut(*span) for span in taken]


def worst(found: Fit, texts: Iterable[Words]) -> np.ndarray:
    """The highest logit of each size of window, a row for each text."""
    rows = np.full((0, len(SIZES)), -99.0)
    for words in texts:
        row = np.full((1, len(SIZES)), -99.0)
        if len(words.keys):
            _, _, size, logits = found.windows(words)
            np.maximum.at(row[0], size, logits)
        rows = np.concatenate((rows, row))
    return rows


def stored(found: Fit, offsets: np.ndarray, classes: Path, known: Known) -> dict[str, np.ndarray]:
    """What is shipped: weights in 8 bits, each with 8 bits of its feature's key; of two in one place the heavier."""
    scale = float(np.quantile(np.abs(found.weights[found.weights != 0]), 0.9998)) / 127
    weights = np.clip(np.rint(found.weights / scale), -127, 127).astype(np.int64)
    keys = np.flatnonzero(found.place >= 0)
    order = np.argsort(np.abs(weights), kind="stable")
    order = order[weights[order] != 0]
    table = np.full(1 << BITS, 128, np.uint16)
    table[keys[order] >> 8] = (keys[order] & 255) << 8 | (weights[order] + 128)
    with np.load(classes) as read:
        words, groups = read["known"], read["classes"]
    return {
        "table": table,
        "numbers": np.array([scale, found.bias, *offsets]),
        "known": words,
        "classes": groups,
        "stems": known.stems.keys,
        "concepts": known.stems.concepts,
    }


def known_of(classes: Path, clean: Mapping[str, Sequence[str]]) -> Known:
    """The words' classes and concepts; what these mean in which language is decided on clean text."""
    with np.load(classes) as read:
        words = lexicon_of(read["known"], read["classes"])
    few = {language: texts[:60] for language, texts in clean.items()}
    return Known(words, stems_of(*concepts.compiled(concepts.lexicon(), few)))


def ordinary(data: Path, clean: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Clean text of each language to train on, and pages that no training sees."""
    known, unseen = split(pages(data))
    found = texts_of(clean / "train", PAGES)
    found["en"] = [*known, *developer_docs(), *found.get("en", ())]
    return found, unseen


def main(data: Path, folder: Path, classes: Path, out: Path) -> None:
    """Train on all authors; sizes of windows are made comparable on pages that were not trained on."""
    clean, unseen = ordinary(data, folder)
    known = known_of(classes, clean)
    found = trained(material(load(data), clean, known))
    offsets = -np.quantile(worst(found, (words_of(text, known) for text in unseen)), 0.985, axis=0)
    np.savez_compressed(out, **stored(found, offsets, classes, known))


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:5]))
