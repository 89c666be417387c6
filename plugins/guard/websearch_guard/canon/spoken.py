"""Digits and addresses as people say them: "four one", "jane at example dot org"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from .view import Piece, View, rewritten


def _listed(language: str) -> dict[str, str]:
    data = tomllib.loads((files("websearch_guard.canon") / "data" / "digits.toml").read_text("utf-8"))
    return dict(pair.split("=") for pair in data[language]["words"].split())


_ENGLISH = _listed("english")
_DIGITS = {**_listed("others"), **_ENGLISH}
DIGIT_WORDS = frozenset({*_DIGITS, "double", "triple"})
"""What a spelt number is made of."""
_LEAST_FOREIGN = 3
_RUN = re.compile(
    rf"(?<!\w)(?:(?:double |triple )?(?:{'|'.join(_DIGITS)}|\d{{1,4}})(?:[ ,.-]{{1,3}}|(?!\w))){{3,40}}", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_AT_DOT = re.compile(r"\s{0,3}[\[({<]\s{0,2}(?:at|dot)\s{0,2}[\])}>]\s{0,3}|\s{1,3}(?:at|dot)\s{1,3}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}(?:\s{1,3}dot\s{1,3}[\w+-]{1,64}){0,3}(?:\s{1,3}at\s{1,3}|\s{0,3}[\[({<]\s{0,2}at\s{0,2}[\])}>]\s{0,3}|@)"
    r"[\w-]{1,63}(?:(?:\s{1,3}dot\s{1,3}|\s{0,3}[\[({<]\s{0,2}dot\s{0,2}[\])}>]\s{0,3}|\.)[\w-]{1,63}){1,4}",
    re.IGNORECASE,
)


def spoken(text: str) -> Iterator[View]:
    """The text with spoken digits and addresses written as usual."""
    pieces = [*_numbers(text), *_addresses(text)]
    if pieces:
        read, edits = rewritten(text, _apart(sorted(pieces)))
        yield View("spoken", read, tuple(edits))


def _numbers(text: str) -> Iterator[Piece]:
    for match in _RUN.finditer(text):
        run = match[0].rstrip(" ,.-")
        words = [word for word in _TOKEN.findall(run.lower()) if not word.isdigit()]
        if any(word in _ENGLISH for word in words) or len(words) >= _LEAST_FOREIGN:
            yield Piece(match.start(), match.start() + len(run), _written(run))


def _written(run: str) -> str:
    out: list[str] = []
    times = 1
    for word in _TOKEN.findall(run.lower()):
        if word in {"double", "triple"}:
            times = 2 if word == "double" else 3
            continue
        out.append(str(_DIGITS.get(word, word)) * times)
        times = 1
    return "".join(out)


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
