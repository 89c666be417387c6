"""Years, dates, amounts, ranges and times of day: whatever stands beside them, they are nobody's number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ..kinds import Kind
from .prepared_text import Reading, Span, table

_MAY_BE_FIGURES: frozenset[Kind] = frozenset({
    "phone", "address", "plate", "bank_account", "medical_record", "health_insurance", "passport", "driving_licence",
    "device", "vin", "government_id",
})  # fmt: skip
"""What is found by where it stands; the others have a shape or a check digit of their own."""
_DIGIT = re.compile(r"\d")


def without_figures(reading: Reading, found: Sequence[Span]) -> Sequence[Span]:
    """What has a digit that is not part of such a figure."""
    if reading.strict or not any(span.kind in _MAY_BE_FIGURES for span in found):
        return found
    figures = [match.span() for match in _figures().finditer(reading.lower)]
    return [span for span in found if span.kind not in _MAY_BE_FIGURES or _is_more(reading.text, span, figures)]


def _is_more(text: str, span: Span, figures: Sequence[tuple[int, int]]) -> bool:
    if not any(start < span.end and span.start < end for start, end in figures):
        return True
    if span.kind == "plate":  # its letters may be those of a currency
        figures = [(start, end) for start, end in figures if start <= span.start or end > span.end]
    digits = (match.start() for match in _DIGIT.finditer(text, span.start, span.end))
    return any(not any(start <= place < end for start, end in figures) for place in digits)


@cache
def _figures() -> re.Pattern[str]:
    dates = table("dates")
    month = "|".join(sorted({*dates["months"].split(), *dates["more_months"].split()}, key=len, reverse=True))
    units, to = "|".join(dates["units"].split()).replace("_", " "), "|".join(dates["to"].split())
    counters = dates["counters"]
    year = r"(?:1[4-9]\d|20[0-4])\d"
    number = r"\d{1,4}(?:[ .,']\d{3})*(?:[.,]\d{1,2})?"
    grouped = r"\d{1,3}(?:[ .,']\d{3})+"
    joint = rf"(?: ?- ?| (?:{to}) )"
    season = r"(?:(19|20)\d\d/\1?\d\d)"
    return re.compile(
        rf"(?<![\w.,+-])(?:{year}(?:{joint}{year})+|{season}(?: (?:19|20)\d\d/\d\d(?:\d\d)?)*"
        rf"|(?:{year}[ ,.]{{1,2}})?\d{{1,2}}(?:st|nd|rd|th|\.|er|º)? (?:of |de |di |d')?(?:{month})"
        rf"(?:[.,]? (?:de |del )?{year})?"
        rf"|(?:{month})[. ]{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?(?:,? {year})?"
        rf"|{year}[년年] ?(?:\d{{1,2}}[월月] ?)?(?:\d{{1,2}}[일日])?|{year}\. \d{{1,2}}\. \d{{1,2}}\.?"
        rf"|(?:{number}{joint})?{number} ?(?:(?:{units})(?![^\W\d_])|[%‰€$£¥₩₽₹₺{counters}])"
        rf"|(?:\d{{1,4}}[조억만천] ?)+(?:\d{{1,4}}(?!\d))?(?:원|명|개)?"
        rf"|(?:{number}{joint})?\d{{1,3}}(?:[ .,']\d{{3}})*[ .,']000"
        rf"|{grouped}{joint}{grouped}|\d{{1,2}}[.:]\d\d{joint}\d{{1,2}}[.:]\d\d)(?![\d-])(?!\.\d)"
    )
