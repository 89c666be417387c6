"""Digits and addresses as people say them: "four one", "jane at example dot org"."""

from __future__ import annotations

import itertools
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from .canonical_text import canonical
from .text_view import Piece, View, rewritten

_LETTERS = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo"
    " sierra tango uniform victor whiskey xray yankee zulu"
)
_SPELT = {word: word[0].upper() for word in [*_LETTERS.split(), "alfa", "juliet"]}
"""How letters are said where they must not be mistaken."""
_TIMES = {"double": 2, "triple": 3}


def _digits() -> Mapping[str, Mapping[str, str]]:
    """Language → word → digit: as written, without its signs, and as look-alikes are read."""
    rows = tomllib.loads((files("websearch_guard.deobfuscation") / "data" / "digits.toml").read_text("utf-8"))
    found: dict[str, dict[str, str]] = {}
    for language, row in rows.items():
        words = dict(pair.split("=") for pair in row.split())
        others = {form: digit for word, digit in words.items() for form in _forms(word)}
        found[language] = {**others, **words}
    return found


def _forms(word: str) -> Iterator[str]:
    if word.isascii():
        return
    yield canonical(word).text
    yield canonical(f"a {word} a").text[2:-2].lower()
    yield "".join(c for c in unicodedata.normalize("NFKD", word.replace("\u0131", "i")) if not unicodedata.combining(c))


_DIGITS = _digits()
DIGIT_WORDS = frozenset({*(word for words in _DIGITS.values() for word in words), *_TIMES})
"""What a spelt number is made of."""
_LEAST, _LEAST_FOREIGN, _MOST = 3, 3, 40
_LONGEST_PART, _LONGEST_ACCOUNT = 4, 34
_Token = tuple[int, int, str]
_HAN = re.compile("[〇零一二三四五六七八九]{6,40}")
_TOKEN = re.compile(
    r"(?:[^\W\d_]|(?<=\w)'(?=\w)|[\u0300-\u036f\u05b0-\u05c7\u064b-\u0652\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])+|\d+"
)
_GAP = re.compile(r"[ ,.-]{1,3}\Z")
_ACCOUNT = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}\Z")
_AT_DOT = re.compile(r"\s{0,3}[\[({<]\s{0,2}(?:at|dot)\s{0,2}[\])}>]\s{0,3}|\s{1,3}(?:at|dot)\s{1,3}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}(?:\s{1,3}dot\s{1,3}[\w+-]{1,64}){0,3}(?:\s{1,3}at\s{1,3}|\s{0,3}[\[({<]\s{0,2}at\s{0,2}[\])}>]\s{0,3}|@)"
    r"[\w-]{1,63}(?:(?:\s{1,3}dot\s{1,3}|\s{0,3}[\[({<]\s{0,2}dot\s{0,2}[\])}>]\s{0,3}|\.)[\w-]{1,63}){1,4}",
    re.IGNORECASE,
)


def spelled_numbers(text: str) -> Iterator[View]:
    """The text with spelled-out digits and addresses written as usual."""
    pieces = [*_numbers(text), *_addresses(text)]
    if pieces:
        read, edits = rewritten(text, _apart(sorted(pieces)))
        yield View("spoken", read, tuple(edits))


def _numbers(text: str) -> Iterator[Piece]:
    for match in _HAN.finditer(text):
        yield Piece(*match.span(), "".join(_DIGITS["chinese"][c] for c in match[0]))
    tokens = [(match.start(), match.end(), match[0].lower()) for match in _TOKEN.finditer(text)]
    if sum(word in DIGIT_WORDS for _, _, word in tokens) < _LEAST - 1:
        return
    for first, last in _runs(text, tokens):
        yield from _said(text, tokens[first:last])


def _runs(text: str, tokens: Sequence[_Token]) -> Iterator[tuple[int, int]]:
    """From where to where there is nothing but digits, words for them, and letters one by one."""
    first = 0
    for at, (start, _, word) in enumerate(tokens):
        if at > first and not _GAP.match(text[tokens[at - 1][1] : start]):
            yield first, at
            first = at
        if not (word in DIGIT_WORDS or word in _SPELT or len(word) <= _LONGEST_PART):
            yield first, at
            first = at + 1
    yield first, len(tokens)


def _said(text: str, tokens: Sequence[_Token]) -> Iterator[Piece]:
    """The account number, or else the numbers, that are spelt here: each in the words of one language."""
    if len(tokens) < _LEAST or not any(word in DIGIT_WORDS for _, _, word in tokens):
        return
    found: list[Piece] = []
    for words in _DIGITS.values():
        if sum(word in words for _, _, word in tokens) < _LEAST - 1:
            continue
        if account := _account(text, tokens, words):
            yield account
            return
        found += _in_language(tokens, words, is_english=words is _DIGITS["english"])
    kept: list[Piece] = []
    for piece in sorted(found, key=lambda piece: piece.start - piece.end):  # neighbours share some words
        if all(piece.end <= other.start or piece.start >= other.end for other in kept):
            kept.append(piece)
    yield from kept


def _in_language(tokens: Sequence[_Token], words: Mapping[str, str], *, is_english: bool) -> Iterator[Piece]:
    run: list[_Token] = []
    for token in (*tokens, (0, 0, "")):
        word = token[2]
        if word in words or (word.isdecimal() and len(word) <= _LONGEST_PART) or (is_english and word in _TIMES):
            run.append(token)
            continue
        said = sum(word in words for _, _, word in run)
        if _LEAST <= len(run) <= _MOST and said >= (1 if is_english else _LEAST_FOREIGN):
            yield Piece(run[0][0], run[-1][1], _written(run, words))
        run = []


def _written(run: Sequence[_Token], words: Mapping[str, str]) -> str:
    out: list[str] = []
    times = 1
    for _, _, word in run:
        if word in _TIMES:
            times = _TIMES[word]
            continue
        out.append(words.get(word, word) * times)
        times = 1
    return "".join(out)


def _account(text: str, tokens: Sequence[_Token], words: Mapping[str, str]) -> Piece | None:
    """What begins as an international account number does: two letters and two digits."""
    parts = [words.get(word) or _SPELT.get(word) or _part(text[start:end]) for start, end, word in tokens]
    for first, part in enumerate(parts):
        if part and part.isalpha():
            written = "".join(itertools.takewhile(bool, parts[first:]))
            if len(written) <= _LONGEST_ACCOUNT and _ACCOUNT.match(written) and _is_checked(written):
                count = len([*itertools.takewhile(bool, parts[first:])])
                return Piece(tokens[first][0], tokens[first + count - 1][1], written)
    return None


def _is_checked(account: str) -> bool:
    """Whether its check digits are right (ISO 7064): else `call me at four nine one` were one of Montenegro."""
    return int("".join(str(int(c, 36)) for c in account[4:] + account[:4])) % 97 == 1


def _part(written: str) -> str:
    """One or two letters in any case, more of them as capitals; digits."""
    short = len(written) <= 2 or (written.isupper() and len(written) <= _LONGEST_PART)
    return written.upper() if written.isdecimal() or (written.isascii() and written.isalpha() and short) else ""


def _addresses(text: str) -> Iterator[Piece]:
    if not _AT_DOT.search(text):
        return
    for match in _ADDRESS.finditer(text):
        written = _AT_DOT.sub(lambda sign: "@" if "at" in sign[0].lower() else ".", match[0])
        if written != match[0]:
            yield Piece(match.start(), match.end(), written)


def _apart(pieces: list[Piece]) -> Iterator[Piece]:
    place = 0
    for piece in pieces:
        if piece.start >= place:
            yield piece
            place = piece.end
