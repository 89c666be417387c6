"""Payment cards: a brand's beginning and length, and the check digit; or a number that the words call a card's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..text.prepared_text import LETTER, Reading, Span, ends_piece

_CANDIDATE = re.compile(
    rf"(?<![{LETTER}.,$€£+-])(?:"
    r"\d{4}([- ._/])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?"
    r"|\d{4}([- ._/])\d{6}\2\d{4,5}"
    r"|\d{13,19}"
    r"|\d{4} {0,2}\d{4} {0,2}\d{4} {0,2}\d{4})"
    rf"(?![{LETTER}]|[-.,/]\d)"
)
_BRAND = re.compile(
    r"4\d{12}(?:\d{3})?(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-59]|[689]\d)\d{11}(?:\d{2})?|6(?:011|5\d\d|4[4-9]\d|22\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|(?:50|5[6-9]|6[0-9])\d{10,17}|220[0-4]\d{12,15}|62\d{14,17}|9792\d{12}|(?:60|65|81|82|508)\d{13,14}"
)
_COMMON = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12}"
)


def cards(reading: Reading) -> Iterator[Span]:
    """Card numbers; not the documentation's when the words say that they are for tests."""
    for match in _CANDIDATE.finditer(reading.text):
        digits = "".join(filter(str.isdigit, match[0]))
        if score := _score(reading, match, digits):
            yield Span("payment_card", match.start(), match.end(), score)


def _score(reading: Reading, match: re.Match[str], digits: str) -> float:
    start, end = match.span()
    if len(set(digits)) < 3 or reading.has("card_sample"):
        return 0
    named = reading.near("card_surely", start, end)
    if named and len(digits) in (15, 16) and not reading.strict:
        return 0.9  # mistyped or not
    if not _BRAND.fullmatch(digits) or not has_luhn_digit(digits):
        return 0
    if named or reading.near("card", start, end):
        return 1
    if reading.has("not_card", "device") and not _is_grouped(match[0]):
        return 0
    if reading.strict and not _is_whole(reading.text, start, end):
        return 0
    return 0.9 if _COMMON.fullmatch(digits) else 0.6 if _is_grouped(match[0]) else 0


def _is_whole(text: str, start: int, end: int) -> bool:
    return (not start or text[start - 1] in " =/") and ends_piece(text[end:])


def _is_grouped(value: str) -> bool:
    return not value.isdigit()


def has_luhn_digit(digits: str) -> bool:
    """Whether the last digit is the one that Luhn's formula gives (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        total += digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4)
    return total % 10 == 0
