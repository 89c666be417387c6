"""Which language a text is in, told by its script, its small words and its letters."""

from __future__ import annotations

import functools
import math
import re
import tomllib
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

ENOUGH = 16_000
"""So many characters tell the language of a longer text."""
PASSAGE = 1_200
"""So long is a passage at most; it ends at a line break where there is one."""
LEAST_EVIDENCE = 2.0
"""Evidence, in small words of the language, below which nothing is said."""
AHEAD = 1.08
"""The best has to have so many times what the second has."""
_LETTER_COUNTS = 0.4
"""What one letter counts that a single language writes."""
_KANA_SHARE = 0.05
_ALONE = {"Hangul": "ko", "Thai": "th", "Greek": "el"}
_SHARED = frozenset({"Latin", "Cyrillic", "Arabic", "Hebrew", "Devanagari"})
_SCRIPTS = [
    (0x41, "Latin"),
    (0x370, "Greek"),
    (0x400, "Cyrillic"),
    (0x530, ""),
    (0x590, "Hebrew"),
    (0x600, "Arabic"),
    (0x700, ""),
    (0x900, "Devanagari"),
    (0x980, ""),
    (0xE00, "Thai"),
    (0xE80, ""),
    (0x1100, "Hangul"),
    (0x1200, ""),
    (0x1E00, "Latin"),
    (0x1F00, "Greek"),
    (0x2000, ""),
    (0x3040, "Kana"),
    (0x3100, ""),
    (0x3400, "Han"),
    (0xA000, ""),
    (0xAC00, "Hangul"),
    (0xD7B0, ""),
    (0xF900, "Han"),
    (0xFB00, "Latin"),
    (0xFB1D, "Hebrew"),
    (0xFB50, "Arabic"),
    (0xFE00, ""),
    (0xFE70, "Arabic"),
    (0xFF00, ""),
    (0x20000, "Han"),
]
"""Where the blocks of a script begin; the letters of one not named here tell no language."""
_STARTS = [start for start, _ in _SCRIPTS]
_WORD = re.compile(r"[^\W\d_]{1,24}[\u0900-\u097f]{0,8}(?:[^\W\d_]{0,8}[\u0900-\u097f]{0,4}){0,3}")
"""The vowel signs of Hindi are no letters to `re`."""


class Passage(NamedTuple):
    """A stretch of a text and its language."""

    start: int
    end: int
    language: str


@functools.lru_cache(4096)
def language_of(text: str) -> str:
    """The ISO 639-1 code of the language that most of the text is in; empty where that cannot be told.

    Pure, and linear in the text, of which the first `ENOUGH` characters are read. Short texts are seldom told.
    """
    lowered = text[:ENOUGH].lower()
    letters = Counter(lowered)
    scripts = Counter[str]()
    for letter, count in letters.items():
        if letter.isalpha():
            scripts[_script(letter)] += count
    scripts["Han"] += scripts["Kana"]  # Japanese is written in both
    script = max(scripts, key=lambda name: scripts[name])
    if not script or not scripts[script]:
        return ""
    if script in _SHARED:
        return _by_words(lowered, letters, script)
    if script == "Han":
        return "ja" if scripts["Kana"] > _KANA_SHARE * scripts["Han"] else "zh"
    return _ALONE.get(script, "")


def passages(text: str) -> Iterator[Passage]:
    """The text in passages, each with its language, for what is in several."""
    start = 0
    while start < len(text):
        end = start + PASSAGE
        if end < len(text):
            end = text.rfind("\n", start + PASSAGE // 2, end) + 1 or end
        yield Passage(start, min(end, len(text)), language_of(text[start:end]))
        start = end


def _by_words(text: str, letters: Mapping[str, int], script: str) -> str:
    table = _table()
    found: dict[str, float] = defaultdict(float)
    for word, count in Counter(_WORD.findall(text)).items():
        for language, weight in table.get(word, ()):
            found[language] += weight * count
    for letter, count in letters.items():
        if letter > "\x7f":
            for language, weight in table.get(f"{letter}*", ()):
                found[language] += weight * count
    ranked = sorted(
        ((weight, language) for language, weight in found.items() if _written_in(language) == script), reverse=True
    )
    if not ranked or ranked[0][0] < LEAST_EVIDENCE:
        return ""
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] >= AHEAD * ranked[1][0] else ""


@functools.lru_cache(8192)
def _script(letter: str) -> str:
    return _SCRIPTS[max(0, bisect_right(_STARTS, ord(letter)) - 1)][1]


@functools.cache
def _table() -> Mapping[str, tuple[tuple[str, float], ...]]:
    """For each small word, and for each letter with a `*`, the languages that have it and what it says for each."""
    having: dict[str, set[str]] = defaultdict(set)
    declared = _declared()
    for language, words in declared["words"].items():
        for word in words.split():
            having[word].add(language)
    for language, among in declared["letters"].items():
        for letter in among:
            having[f"{letter}*"].add(language)
    counted = {sign: _LETTER_COUNTS if sign.endswith("*") else 1.0 for sign in having}
    return {
        sign: tuple((language, counted[sign] / math.sqrt(len(whose))) for language in sorted(whose))
        for sign, whose in having.items()
    }


@functools.cache
def _written_in(language: str) -> str:
    return _script(_declared()["words"][language][0])


@functools.cache
def _declared() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("websearch_guard.injection") / "languages" / "words.toml").read_text("utf-8"))
