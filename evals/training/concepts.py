"""Makes the lexicon of concepts: `concepts/LANGUAGE.toml` name the same concepts, each by its stems in one language.

A stem that ends in a blank is a whole word; any other begins words, a phrase's last word among them. What ordinary text
of another language is full of is left out: there it means something else.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from websearch_guard.injection.model.concepts import (
    LONGEST,
    OPENING,
    SHORTEST,
    WHOLE,
    WORDS,
    Stems,
    concepts_of,
    followed,
    key_of,
)
from websearch_guard.injection.text.tokens import tokens_of

FOLDER = Path(__file__).with_name("concepts")
NAMES: tuple[str, ...] = tuple((FOLDER / "names.txt").read_text("utf-8").split())
PREFIXES = {
    "ar": ("", "ال", "و", "وال", "ب", "بال", "ل", "لل", "ف"),
    "he": ("", "ה", "ו", "ב", "ל", "מ", "ש", "וה", "שה"),  # noqa: RUF001 - Hebrew is meant
}
"""What these languages write in front of a word, without a space."""
ELSEWHERE = 8e-4
"""Of the words of another language."""


def lexicon(folder: Path = FOLDER) -> dict[str, dict[str, list[str]]]:
    """Each language's stems of each concept."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))}


def keys_of(stem: str) -> tuple[int, ...]:
    """The keys of what begins the stem, and last its own; nothing of what is too short or too long."""
    tokens = tokens_of(stem)
    count = len(tokens.starts)
    if not 1 <= count <= WORDS:
        return ()
    before = np.zeros(1, np.uint64)
    openings: list[int] = []
    for at in range(count - 1):
        before = followed(before, tokens.words[at : at + 1])
        openings.append(key_of((before ^ OPENING)[0]))
    length = int(tokens.ends[-1] - tokens.starts[-1])
    whole = stem.endswith(" ") or length < SHORTEST
    word = tokens.words[-1:] if whole else tokens.beginnings(min(length, LONGEST))[-1:]
    own = followed(before, word)
    return (*openings, key_of((own ^ WHOLE if whole else own)[0]))


def _stems(language: str, concepts: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int]]:
    for name, stems in concepts.items():
        for stem in stems:
            for prefix in PREFIXES.get(language, ("",)):
                yield prefix + stem.lower(), NAMES.index(name) + 1


def compiled(
    languages: Mapping[str, Mapping[str, Sequence[str]]], clean: Mapping[str, Iterable[str]]
) -> tuple[np.ndarray, np.ndarray]:
    """Keys in order, and their concepts; `clean` is ordinary text of each language."""
    wanted: dict[int, Counter[int]] = defaultdict(Counter)
    where: dict[int, set[str]] = defaultdict(set)
    openings: dict[int, set[int]] = {}
    for language, concepts in languages.items():
        for stem, concept in _stems(language, concepts):
            if keys := keys_of(stem):
                wanted[keys[-1]][concept] += 1
                where[keys[-1]].add(language)
                openings.setdefault(keys[-1], set()).update(keys[:-1])
    chosen = {key: counts.most_common(1)[0][0] for key, counts in wanted.items()}
    foreign = _foreign(chosen, openings, where, clean)
    found = {key: concept for key, concept in chosen.items() if key not in foreign}
    for key in list(found):
        for opening in openings[key]:
            found.setdefault(opening, 0)
    ordered = sorted(found)
    return np.array(ordered, np.uint32), np.array([found[key] for key in ordered], np.uint8)


def _foreign(
    chosen: Mapping[int, int],
    openings: Mapping[int, set[int]],
    where: Mapping[int, set[str]],
    clean: Mapping[str, Iterable[str]],
) -> set[int]:
    """The stems that ordinary text of another language is full of."""
    bad: set[int] = set()
    single = sorted(key for key in chosen if not openings[key])
    keys = np.array(single, np.uint32)
    for language, texts in clean.items():
        counts, total = np.zeros(len(keys), np.int64), 0
        for text in texts:
            tokens = tokens_of(text)
            total += len(tokens.starts)
            for length in range(SHORTEST, LONGEST + 1):
                counts += _counted(keys, followed(np.zeros(1, np.uint64), tokens.beginnings(length)))
            counts += _counted(keys, followed(np.zeros(1, np.uint64), tokens.words) ^ WHOLE)
        many = keys[counts > ELSEWHERE * max(total, 20_000)].tolist()
        bad.update(key for key in many if not {language, "en"} & where[key])  # English words stand in all texts
    return bad


def _counted(keys: np.ndarray, hashes: np.ndarray) -> np.ndarray:
    half = np.uint64(32)
    seen = ((hashes ^ hashes >> half) * np.uint64(0xD6E8FEB86659FD93) >> half).astype(np.uint32)
    at = np.searchsorted(keys, seen).clip(max=len(keys) - 1)
    return np.bincount(at[keys[at] == seen], minlength=len(keys))


def named(text: str, stems: Stems) -> list[tuple[str, str]]:
    """The concepts of a text, each with the word where it begins: to look at."""
    tokens = tokens_of(text)
    found = concepts_of(tokens, stems)
    return [(text[tokens.starts[at] : tokens.ends[at]], NAMES[found[at] - 1]) for at in np.flatnonzero(found).tolist()]
