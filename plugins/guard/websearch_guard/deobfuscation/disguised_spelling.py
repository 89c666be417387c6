"""Words that are spelt in disguise: letters apart, digits for letters, rotated, reversed."""

from __future__ import annotations

import operator
import re
import string
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import filterfalse

from .characters import strange
from .escapes import in_windows
from .suspicious_words import ENDS
from .text_view import Piece, View, blob
from .word_lists import parted, rot13, telling, words

_BY = r".\-_*·•|/,~+\\\u2600-\u27bf\U0001f300-\U0001faff"
"""What may stand between letters: signs, emoji."""
_APART = re.compile(rf"[{_BY}][^\W\d_](?:[ {_BY}]{{1,3}}[^\W\d_](?![^\W\d_])){{3}}")
_ALONE = re.compile(r" [^\W\d_] {1,2}[^\W\d_] {1,2}[^\W\d_](?![^\W\d_])|\n[^\W\d_]\n[^\W\d_]\n[^\W\d_]\n")
_LETTER = r"[^\W\d_](?![^\W\d_])"
_SPACED = re.compile(
    rf"(?<![^\W_]){_LETTER}(?P<by> |  |\n)(?:{_LETTER}(?P=by)){{3,400}}{_LETTER}"
    rf"(?:(?:[^\w\n]{{2,6}}|\n[^\w\n]{{1,3}}\n){_LETTER}(?:(?P=by){_LETTER}){{0,40}}){{0,60}}"
)
_JOINED = re.compile(
    rf"(?<![^\W_]){_LETTER}(?P<by>[{_BY}])(?:{_LETTER}(?P=by)){{0,400}}{_LETTER}"
    rf"(?:[^\w\n]{{1,6}}{_LETTER}(?:(?P=by){_LETTER}){{0,40}}){{0,60}}"
)
_MIXED = re.compile(r"[|+](?=[A-Za-z])")
_LATIN = string.ascii_letters.encode()
_SHAPES = bytes.maketrans(_LATIN + rb"\.-_*|,/~+" + b"013456789@$", b"a" * len(_LATIN) + b"." * 10 + b"0" * 11)
"""Letters, signs that may stand between them, what stands for one: found quickly. `?` is all that is not ASCII, too."""
_MIXED_SHAPE = re.compile(b"0a")
_APART_SHAPES = [re.compile(rb"\%c[a?](?:[ .?]{1,3}[a?](?!a)){3}" % sign) for sign in b".?"]
"""Two, since what begins with one certain character is found much sooner."""
_core = operator.methodcaller("strip", ENDS)
_LETTERED = re.compile(r"(?=.{3})[013-9@$!|]{0,9}[a-z][a-z013-9@$!|]*\Z")
_LEET = re.compile(r"(?<![^\s\"'(\[])(?=[\w@$!|]{0,30}[A-Za-z])[A-Za-z0-9@$!|]{2,24}(?=[\s\"')\],.;:?]|\Z)")
_LEET_LETTERS = (
    str.maketrans("013456789@$!|", "oieasbtbgasil"),
    str.maketrans("013456789@$!|", "oleasgtbgasli"),
)
_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff]{3,64}")
"""Two of them are a flag."""
_TO_LETTERS = {0x1F1E6 + number: chr(0x61 + number) for number in range(26)}
_CAMEL = re.compile(r"(?<![A-Za-z])[A-Za-z]?[a-z]{1,20}(?:[A-Z][a-z'’]{0,20}){3,40}")  # noqa: RUF001 - it is meant
_HUMP = re.compile(r"(?<=[a-z'’])(?=[A-Z])")  # noqa: RUF001 - it is meant
_LINE = 1000
_LEAST = 2
_SELDOM_ALONE = frozenset("bcdefghjklmnpqrstuvwxzBCDEFGHJKLMNPQRSTUVWXZбгдежзлмнпрстцчшэюδεθλμνπρστφχψω")  # noqa: RUF001
_LETTERS = 4
"""So many different letters that stand alone, before letters are put together."""
_WORD = 3
"""A known word of so many letters shows that letters were words."""
_GAPS = {" ": re.compile(r"[^\w]{2,}"), "  ": re.compile(r"\s{3,}"), "\n": re.compile(r"[^\w]{2,}")}
_RUN = 16
"""More letters without a wide gap are several words."""
_GAP = re.compile(r"[^\w]*\s[^\w]*")
_WORDS = re.compile(r"[^\W\d_]+")
_MOSTLY = 0.3
"""Of the letters of a line that was turned; the words that we know are the common ones."""
_BESIDE = 3
"""So many words that we do not know, on either side, belong to what was turned."""
_LEAST_LETTERS = 7
"""So many words that make sense turned round, before a text is turned."""


def spellings(text: str, tokens: AbstractSet[str], mixed: Sequence[str]) -> Iterator[View]:
    """The places that spell in disguise, read; `tokens` are suspicious words, `mixed` those in mixed case."""
    apart, mixes = _shaped(text)
    if apart or (len(tokens & _SELDOM_ALONE) >= _LETTERS and _ALONE.search(text)):
        yield from _spaced(text)
    if mixes >= _LEAST and _has_leet(tokens):
        yield from in_windows(text, "leet", _leet(text), least=_LEAST)
    if not text.isascii() and _INDICATORS.search(strange(text)):
        runs = (Piece(*run.span(), run[0].translate(_TO_LETTERS)) for run in _INDICATORS.finditer(text))
        yield from in_windows(text, "indicators", runs, least=_LEAST)
    if camels := {hit: parts for hit in set(_CAMEL.findall(" ".join(mixed))) if (parts := _camel(hit))}:
        found = re.finditer("|".join(sorted(camels, key=len, reverse=True)), text)
        yield from in_windows(text, "camel", (Piece(*hit.span(), camels[hit[0]]) for hit in found))
    for kind in ("rot13", "reversed"):
        if sum(map(len, hits := tokens & telling(kind))) >= _LEAST_LETTERS and len(hits) >= _LEAST:
            yield from _turned(text, kind, hits)


def _shaped(text: str) -> tuple[bool, int]:
    """Whether letters stand apart between signs, and how often a digit or sign stands before a letter."""
    shape = text.encode("ascii", "replace").translate(_SHAPES)
    apart = any(pattern.search(shape) for pattern in _APART_SHAPES) and _APART.search(text)
    signs = _MIXED.findall(text) if "|" in text or "+" in text else ()
    return bool(apart), len(_MIXED_SHAPE.findall(shape)) + len(signs)


def _spaced(text: str) -> Iterator[View]:
    """Letters that stand apart, put together: into words where wider gaps part those, else by the words we know."""
    pieces: list[Piece] = []
    for pattern in (_SPACED, _JOINED):
        for match in pattern.finditer(text):
            gap = _GAPS.get(match["by"], _GAP)
            chunks = ["".join(filter(str.isalpha, chunk)) for chunk in gap.split(match[0])]
            if len(chunks) == 1 or any(len(chunk) > _RUN for chunk in chunks):
                chunks = [parted(chunk) for chunk in chunks]
            said = " ".join(filter(None, chunks))
            if any(len(word) >= _WORD and word in words() for word in said.lower().split()):
                pieces.append(Piece(match.start(), match.end(), said))
    yield from in_windows(text, "spaced", sorted(pieces))


def _camel(token: str) -> str:
    """Words that only capitals part; empty unless most of them are known ones."""
    parts = _HUMP.split(token)
    return " ".join(parts) if sum(part.lower() in words() for part in parts) * 2 > len(parts) else ""


def _has_leet(tokens: AbstractSet[str]) -> bool:
    """Whether known words are spelt with digits or signs for letters."""
    known = words()
    bare = filterfalse(str.isalpha, map(_core, filterfalse(str.isalpha, tokens)))
    lowered = filter(_LETTERED.match, {*map(str.lower, bare)})
    mixed = [token for token in lowered if not token.rstrip("!").isalpha()]
    return sum(any(token.translate(table) in known for table in _LEET_LETTERS) for token in mixed) >= _LEAST


def _leet(text: str) -> Iterator[Piece]:
    """Every word with digits or signs for letters, read."""
    for match in _LEET.finditer(text):
        token = match[0]
        bare = token.rstrip("!")
        if bare.isalpha() or bare.isdigit():
            continue
        choices = [spelt.translate(table) for table in _LEET_LETTERS for spelt in (token, bare)]
        read = next((choice for choice in choices if choice.lower() in words()), choices[1])
        yield Piece(match.start(), match.start() + len(read), read)


def _turned(text: str, kind: str, hits: AbstractSet[str]) -> Iterator[View]:
    """Lines in which words make sense only turned, or the part of each where they do: most of its words are English."""
    pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(hits))})(?![^\W_])", re.IGNORECASE)
    lines: dict[tuple[int, int], int] = {}
    for match in pattern.finditer(text):
        line = _line_at(text, match.start())
        lines[line] = lines.get(line, 0) + 1
    for (start, end), count in lines.items():
        if count < _LEAST:
            continue
        for first, last in ((start, end), _stretch(text, start, end, kind)):
            written = text[first:last]
            turned = _turn(written, kind)
            if _share_known(turned) >= max(_MOSTLY, _share_known(written)) and len(pattern.findall(written)) >= _LEAST:
                yield blob(kind, turned, first, last)
                break


def _turn(text: str, kind: str) -> str:
    return rot13(text) if kind == "rot13" else text[::-1]


def _stretch(text: str, start: int, end: int, kind: str) -> tuple[int, int]:
    """The part of a line where most letters are of words that are English only turned; strange words beside it, too."""
    known = words()
    found = list(_WORDS.finditer(text, start, end))
    said = [match[0].lower() for match in found]
    gains = [len(word) * ((_turn(word, kind) in known) - (word in known)) for word in said]
    best = total = first = 0
    part = 0, 0
    for number, gain in enumerate(gains):
        if total <= 0:
            total, first = 0, number
        total += gain
        if total > best:
            best, part = total, (first, number + 1)
    first, last = part
    for _ in range(_BESIDE):
        first -= first > 0 and said[first - 1] not in known
        last += last < len(said) and said[last] not in known
    return (found[first].start(), found[last - 1].end()) if last else (start, start)


def _share_known(text: str) -> float:
    """What part of its words, weighed by their letters, are English ones that we know."""
    said = _WORDS.findall(text.lower())
    return sum(len(word) for word in said if word in words()) / max(1, sum(map(len, said)))


def _line_at(text: str, place: int) -> tuple[int, int]:
    block = place - place % _LINE
    start = text.rfind("\n", block, place) + 1 or block
    end = text.find("\n", place, block + _LINE)
    return start, min(block + _LINE, len(text)) if end < 0 else end
