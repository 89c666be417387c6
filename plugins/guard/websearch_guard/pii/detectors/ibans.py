"""International bank account numbers (ISO 13616): a country's length, and two check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ..text.prepared_text import Reading, Span, table

_START = re.compile(r"(?<![^\W_])[A-Za-z]{2}[ -]?\d{2}(?=[ -]?[A-Za-z0-9])")
_SEPARATORS = " -.\t"
_MOST_SEPARATED = 2
_LEAST_DIGITS = 8


def ibans(reading: Reading) -> Iterator[Span]:
    """What has a country's length and right check digits; beside the word IBAN, what has the shape."""
    lengths = _lengths()
    for match in _START.finditer(reading.text):
        country = match[0][:2].upper()
        length = lengths.get(country)
        if length is None:
            continue
        end, value = _taken(reading.text, match.start(), length)
        if end and has_check_digits(value):
            yield Span("iban", match.start(), end)
        elif reading.near("iban", match.start(), match.end()):
            tail = re.compile(r"(?:[ -]?[A-Za-z]{4})?(?:[ -]?[A-Za-z0-9]*\d[A-Za-z0-9]*){2,9}").match(
                reading.text, match.end()
            )
            if tail and 10 <= len(re.sub(r"\W", "", tail[0])) <= 31:
                yield Span("iban", match.start(), tail.end(), 0.8)


@cache
def _lengths() -> dict[str, int]:
    return {row[:2]: int(row[2:]) for row in table("numbers")["iban"].split()}


def _taken(text: str, start: int, length: int) -> tuple[int, str]:
    """Where so many letters and digits end, with at most two separators between any; 0 when something else comes."""
    value: list[str] = []
    separated = 0
    for place in range(start, min(len(text), start + length * (_MOST_SEPARATED + 1))):
        character = text[place]
        if character.isascii() and character.isalnum():
            value.append(character)
            separated = 0
            if len(value) == length:
                whole = place + 1 == len(text) or not text[place + 1].isalnum()
                return (place + 1, "".join(value)) if whole else (0, "")
        elif character not in _SEPARATORS or (separated := separated + 1) > _MOST_SEPARATED:
            break
    return 0, ""


def has_check_digits(value: str) -> bool:
    """Whether the number with its first four characters at the end leaves 1 when divided by 97."""
    moved = value[4:] + value[:4]
    if sum(map(str.isdigit, value)) < _LEAST_DIGITS:  # one text in a hundred has the right ones by chance
        return False
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1
