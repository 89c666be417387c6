"""Which characters are unseen, which only look like a letter, and what each is read as."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Nobody sees these either, but they part words like spaces."""
_PUNCTUATION = (
    dict.fromkeys(BLANKS, " ")
    | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u20dd\u20de\u20df\u20e0\u20e2\u20e3\u20e4", "")  # what encloses a character: a key's cap
    | dict.fromkeys("\u2028\u2029\u0085", "\n")
)
_ORDINARY = bytes([*b"\t\n\r", *range(0x20, 0x7F)])
_ASTRAL = 0xFFFF
_UNSEEN_ASTRAL = ((0xE0000, 0xE0FFF), (0xF0000, 0x10FFFF), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A))

_SCRIPTS = ((0x370, 0x400), (0x400, 0x530), (0x531, 0x590), (0x13A0, 0x1400), (0x2C80, 0x2D00), (0xA4D0, 0xA500))
"""Greek, Cyrillic, Armenian, Cherokee, Coptic, Lisu."""


class Characters(NamedTuple):
    """The tables, compiled once."""

    unseen: re.Pattern[str]
    """One character of the basic plane that nobody sees."""
    joining: re.Pattern[str]
    """Characters that join the one before them: marks, and the second halves of composed letters."""
    marks: re.Pattern[str]
    """Marks that are stacked on letters."""
    latin: dict[str, str]
    """Phonetic letters and symbols of letters: always read as the letter."""
    other: dict[int, str]
    """Look-alikes of other scripts."""
    letters: dict[int, str]
    """Letters of Latin alphabets in use that look like another: read as that only where it makes an English word."""
    genuine: re.Pattern[str]
    """A letter of those scripts that looks like no Latin one."""


@cache
def characters() -> Characters:
    """The tables."""
    data = files(__name__.rpartition(".")[0]) / "data"
    ranges = tomllib.loads((data / "characters.toml").read_text("utf-8"))
    glyphs = tomllib.loads((data / "homoglyphs.toml").read_text("utf-8"))
    marks = _class(ranges["marks"])
    other = {ord(glyph): letter for letter, alike in glyphs["other"].items() for glyph in alike}
    scripts = (chr(point) for low, high in _SCRIPTS for point in range(low, high) if point not in other)
    return Characters(
        unseen=re.compile(f"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f{_class(ranges['invisible'])}]"),
        joining=re.compile(f"[{marks}{_class(ranges['composing'])}]+"),
        marks=re.compile(f"[{marks}]"),
        latin={glyph: letter for letter, alike in glyphs["latin"].items() for glyph in alike},
        other=other,
        letters={ord(glyph): letter for letter, alike in glyphs["letters"].items() for glyph in alike},
        genuine=re.compile(f"[{''.join(filter(str.isalpha, scripts))}]"),
    )


def strange(text: str) -> str:
    """The characters of a text that are not ASCII, or control something, in their order."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY).decode("utf-8", "surrogatepass")


@lru_cache(maxsize=16384)
def folded(character: str) -> str:
    """What one character is read as where it stands alone; empty: nobody sees it."""
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    if (letter := characters().latin.get(character)) is not None:
        return letter
    if is_unseen(character):
        return ""
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    read = unicodedata.normalize("NFKC", character)
    return " " if read[0] == " " else read  # a mark that stood alone


def composed(cluster: str) -> str:
    """What a letter with marks is read as: one character, or the bare letter where the marks make none."""
    read = unicodedata.normalize("NFKC", "".join(folded(c) for c in cluster))
    return read if len(read) == 1 else characters().marks.sub("", unicodedata.normalize("NFKD", read))


@lru_cache(maxsize=16384)
def is_joining(character: str) -> bool:
    """Whether it may belong to the character before it."""
    return bool(characters().joining.match(character))


@lru_cache(maxsize=16384)
def is_unseen(character: str) -> bool:
    """Whether nobody sees this character, if it joins nothing."""
    point = ord(character)
    if point > _ASTRAL:
        return any(low <= point <= high for low, high in _UNSEEN_ASTRAL)
    return bool(characters().unseen.match(character))


def _class(ranges: str) -> str:
    """The inside of a regular expression's character class."""
    return "".join("-".join(f"\\U{int(end, 16):08x}" for end in pair.split("-")) for pair in ranges.split())
