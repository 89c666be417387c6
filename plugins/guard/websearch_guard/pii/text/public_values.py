"""What is public by its nature: documentation's sample numbers, keys that pages hand to browsers, places on a map."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from .prepared_text import Reading, Span, table


def without_published(reading: Reading, found: Sequence[Span]) -> Sequence[Span]:
    """What is not, and is no part of, a published sample."""
    if not found:
        return found
    patterns = [_pattern("always"), *([_pattern("as_form")] if reading.has("number_form") else [])]
    samples = [match.span() for pattern in patterns for match in pattern.finditer(reading.text)]
    return [span for span in found if not any(start <= span.start and span.end <= end for start, end in samples)]


def without_public(address: str) -> str:
    """The address, of the same length, with the public parts of a known service's own addresses blanked."""
    for pattern in _services():
        if match := pattern.match(address):
            start, end = match.span(1)
            address = f"{address[:start]}{'-' * (end - start)}{address[end:]}"
    return address


@cache
def _services() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(row["pattern"], re.VERBOSE) for row in table("published")["service"])


@cache
def _pattern(name: str) -> re.Pattern[str]:
    values = ("[ .:-]?".join(value) for value in table("published")[name].split())
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(values)})(?![^\W_])", re.IGNORECASE)
