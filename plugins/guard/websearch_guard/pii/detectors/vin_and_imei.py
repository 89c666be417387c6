"""Numbers of things that lead to their owner and that check themselves: vehicles and phones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..text.prepared_text import Reading, Span
from .payment_cards import has_luhn_digit

_VIN = re.compile(r"(?<![^\W_])[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{4}\d{4}(?![^\W_])", re.IGNORECASE)
_VIN_VALUE = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)), strict=True)) | {
    str(n): n for n in range(10)
}
_VIN_WEIGHT = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_IMEI = re.compile(r"(?<![\w.,+-])(?:\d{15}|\d{2}([- ])\d{6}\1\d{6}\1\d|\d{6}([- ])\d{2}\2\d{6}\2\d)(?!\w|[-.,]\d)")
_REPORTING = ("01", "35", "86", "99")
"""What most begin with: the bodies that assign them."""
_LEAST_LETTERS, _MOST_LETTERS = 3, 11


def vins(reading: Reading) -> Iterator[Span]:
    """Vehicle numbers whose check digit is right (ISO 3779 as in North America), wherever they stand."""
    if reading.strict:
        return
    for match in _VIN.finditer(reading.text):
        letters = sum(map(str.isalpha, match[0]))
        if _LEAST_LETTERS <= letters <= _MOST_LETTERS and has_vin_digit(match[0].upper()):
            yield Span("vin", match.start(), match.end(), 0.8)


def has_vin_digit(vin: str) -> bool:
    """Whether the ninth character is the check digit of the others."""
    total = sum(_VIN_VALUE[c] * weight for c, weight in zip(vin, _VIN_WEIGHT, strict=True))
    return "0123456789X"[total % 11] == vin[8]


def imeis(reading: Reading) -> Iterator[Span]:
    """Fifteen digits with their check digit; beside the word IMEI it may be mistyped."""
    named = re.search(r"imei|串号", reading.lower) is not None
    for match in _IMEI.finditer(reading.text):
        digits = "".join(filter(str.isdigit, match[0]))
        near = reading.near("device", match.start(), match.end())
        alone = not reading.strict and digits.startswith(_REPORTING) and not reading.has("not_card")
        if (near and named) or ((near or alone) and len(set(digits)) > 3 and has_luhn_digit(digits)):
            yield Span("device", match.start(), match.end(), 1 if near else 0.6)
