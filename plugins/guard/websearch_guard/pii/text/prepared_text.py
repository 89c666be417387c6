"""A text prepared for the detectors: its words, and where the phrases stand that give a number its meaning."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from websearch_guard.deobfuscation import canonical

from ..kinds import Kind

_WORD = re.compile(r"[^\W\d_]+|\d+")
LETTER = r"0-9A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u052f"
"""Inside a character class: what a number does not end at; scripts without spaces stand right beside one."""
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_MANY_SCRIPTS = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that write without spaces, or hang their particles on a word: a phrase is looked for anywhere in them."""


_LONGEST_WORD = 64
_LETTERS = re.compile(r"[^\W\d_]+")
_SENTENCE = 8
"""Words: a shorter text is a query, whatever its capitals."""


_END = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9]{1,4}){0,2}(?:[/ &]|\Z)")


def ends_piece(rest: str) -> bool:
    """Whether nothing follows in this piece of an address, or but a file's extensions."""
    return _END.match(rest) is not None


class Span(NamedTuple):
    """What was found, and where; score is 0 to 1."""

    kind: Kind
    start: int
    end: int
    score: float = 1.0


class Word(NamedTuple):
    """One run of letters, or of digits, in lower case."""

    start: int
    end: int
    text: str


class Street(NamedTuple):
    """A house number and a street, as far as one can see."""

    start: int
    end: int
    sure: bool | None
    """None: nothing says that it is a street but what stands around."""


class Place(NamedTuple):
    """Where a phrase stands."""

    start: int
    end: int


class Reading(NamedTuple):
    """What detectors look at."""

    text: str
    lower: str
    """Of the same length."""
    words: tuple[Word, ...]
    places: Mapping[str, Sequence[Place]]
    """Group of phrases → where one of them stands, in order."""
    longest: int
    """Of the pieces between white space."""
    strict: bool
    """True: a piece of an address, where long numbers are common and only a strong shape or a name beside it counts."""

    def has(self, *groups: str) -> bool:
        """Whether the text has a phrase of one of these groups."""
        return any(group in self.places for group in groups)

    def near(self, group: str, start: int, end: int, *, before: int = 60, after: int = 40) -> bool:
        """Whether a phrase of the group stands within so many characters; in addresses, right before it."""
        if self.strict:
            before, after = 3, -1
        return any(
            0 <= start - place.end <= before or 0 <= place.start - end <= after for place in self.places.get(group, ())
        )

    def numbered(self, around: int) -> Iterator[tuple[int, int]]:
        """The stretches of the text that have digits, with so many characters around, up to where words end."""
        start, end = 0, -1
        for word in self.words:
            if not word.text.isdigit():
                continue
            if word.start - around > end:
                if end >= 0:
                    yield start, self._word_end(end)
                start = max(0, word.start - around)
            end = word.end + around
        if end >= 0:
            yield start, self._word_end(end)

    def is_sentence(self) -> bool:
        """Whether it is written as sentences are: names are told from words by their capitals."""
        words = _LETTERS.findall(self.text)
        low = sum(word.islower() for word in words)
        named = sum(word[0].isupper() and not word.isupper() for word in words)
        return len(words) >= _SENTENCE and named > 0 and low * 3 > len(words)

    def _word_end(self, place: int) -> int:
        found = self.text.find(" ", place)
        return found if 0 <= found < place + _LONGEST_WORD else min(len(self.text), place + _LONGEST_WORD)

    def before(self, place: int, count: int) -> Sequence[Word]:
        """The last words before this place."""
        index = bisect_right(self.words, place, key=lambda word: word.end)
        return self.words[max(0, index - count) : index]

    def after(self, place: int, count: int) -> Sequence[Word]:
        """The first words after this place."""
        index = bisect_left(self.words, place, key=lambda word: word.start)
        return self.words[index : index + count]

    def without(self, start: int, end: int) -> list[Word]:
        """The words outside `start:end`."""
        return [word for word in self.words if word.end <= start or word.start >= end]


def read(text: str, *, strict: bool = False) -> Reading:
    """The reading of a canonical text."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    if strict:  # names of parameters are written inCamelCase, too
        words = tuple(Word(m.start(), m.end(), lower[m.start() : m.end()]) for m in _CAMEL.finditer(text))
    else:
        words = tuple(Word(m.start(), m.end(), m[0]) for m in _WORD.finditer(lower))
    return Reading(text, lower, words, _places(lower, words), max(map(len, text.split()), default=0), strict)


def _places(lower: str, words: Sequence[Word]) -> dict[str, list[Place]]:
    phrases = _phrases()
    found: dict[str, list[Place]] = {}
    for index, word in enumerate(words):
        if (compound := _COMPOUND.fullmatch(word.text)) and (groups := _of_compound(compound[1])):
            for group in groups:
                found.setdefault(group, []).append(Place(word.start, word.end))
        for rest, groups in phrases.spaced.get(word.text, ()):
            last = index + len(rest)
            if last >= len(words) or (rest and words[index + 1].text != rest[0]):
                continue
            if all(words[index + 1 + n].text == other for n, other in enumerate(rest)):
                for group in groups:
                    if not group.startswith(_HEAD):
                        found.setdefault(group, []).append(Place(word.start, words[last].end))
                    elif place := _numbered(lower, words, index, last):
                        found.setdefault(group.removeprefix(_HEAD), []).append(place)
    if not lower.isascii() and _MANY_SCRIPTS.search(lower):
        for phrase, groups in phrases.unspaced:
            if (start := lower.find(phrase)) >= 0:
                for group in groups:
                    found.setdefault(group, []).append(Place(start, start + len(phrase)))
    return found


_HEAD = "no:"
"""A group of phrases that are one of the group behind it only beside a word for number: "chart" and "chart no"."""
_COMPOUND = re.compile(r"([^\W\d_]{3,30}?)(?:nummer|nr|nro|numero|number|numret|num|szám|id|no)")
_SIGN = re.compile(r"[ :]{0,2}(?:#|№|n[°º.])")


def _numbered(lower: str, words: Sequence[Word], first: int, last: int) -> Place | None:
    """The phrase with the word or sign for number after it or before it."""
    numbers, joints = _number_words()
    end = words[last].end
    if last + 1 < len(words) and words[last + 1].text in numbers and words[last + 1].start - end <= 3:
        return Place(words[first].start, words[last + 1].end)
    if sign := _SIGN.match(lower, end):
        return Place(words[first].start, sign.end())
    before = first - 1
    while before >= 0 and words[before].text in joints and first - before <= 2:
        before -= 1
    if before >= 0 and words[before].text in numbers:
        return Place(words[before].start, end)
    return None


def _of_compound(stem: str) -> Sequence[str]:
    """The groups of which a compound with `nummer` is one, whatever joins its parts."""
    heads = _phrases().heads
    return next((heads[s] for s in (stem, stem[:-1], stem[:-2]) if s in heads), ())


@cache
def _number_words() -> tuple[frozenset[str], frozenset[str]]:
    rows = table("labels")
    return frozenset(rows["number_words"].split()), frozenset(rows["joints"].split())


class _Phrases(NamedTuple):
    spaced: Mapping[str, Sequence[tuple[tuple[str, ...], tuple[str, ...]]]]
    """First word → the words after it, and the groups of that phrase."""
    unspaced: Sequence[tuple[str, tuple[str, ...]]]
    heads: Mapping[str, Sequence[str]]
    """One word, without marks → the groups of which it is one beside a word for number."""


@cache
def _phrases() -> _Phrases:
    groups: dict[str, set[str]] = {}
    for group, phrases in _listed():
        heads = ((f"{_HEAD}{group}", m[1]) for phrase in phrases if (m := _COMPOUND.fullmatch(phrase)))
        for group_, phrase in (*((group, phrase) for phrase in phrases), *heads):
            # a reading has look-alikes replaced: `ł` is an `l`
            for written in {phrase} if phrase.isascii() else {phrase, canonical(phrase).text, _near_latin(phrase)}:
                groups.setdefault(written, set()).add(group_)
    spaced: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    unspaced: list[tuple[str, tuple[str, ...]]] = []
    for phrase, names in groups.items():
        if _MANY_SCRIPTS.search(phrase):
            unspaced.append((phrase, tuple(sorted(names))))
        elif words := [m[0] for m in _WORD.finditer(phrase.lower())]:
            spaced.setdefault(words[0], []).append((tuple(words[1:]), tuple(sorted(names))))
    heads = {
        phrase: [name.removeprefix(_HEAD) for name in names if name.startswith(_HEAD)]
        for phrase, names in groups.items()
        if any(name.startswith(_HEAD) for name in names)
    }
    return _Phrases(spaced, unspaced, heads)


def _near_latin(phrase: str) -> str:
    """The phrase as it is read among Latin letters, where words of look-alikes become Latin."""
    return canonical(f"a {phrase} a").text[2:-2].lower()


def _listed() -> Iterable[tuple[str, Sequence[str]]]:
    yield from table("phrases").items()
    for row in table("labels")["label"]:
        yield row["id"], row.get("words", ())
        yield f"{_HEAD}{row['id']}", row.get("heads", ())
    for row in table("government")["number"]:
        yield f"gov:{row['id']}", row.get("words", ())
        yield f"{_HEAD}gov:{row['id']}", row.get("words", ())


@cache
def table(name: str) -> Mapping[str, Any]:
    """One of the TOML files beside this module."""
    return tomllib.loads((files("websearch_guard.pii") / "data" / f"{name}.toml").read_text("utf-8"))


@cache
def listed(name: str) -> frozenset[str]:
    """One of the word lists beside this module."""
    return frozenset((files("websearch_guard.pii") / "data" / f"{name}.txt").read_text("utf-8").split())
