"""Sample numbers of documentation: known to everybody, and nobody's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from .reading import Reading, Span, table


def without_published(reading: Reading, found: Sequence[Span]) -> Sequence[Span]:
    """What is not, and is no part of, a published sample."""
    if not found:
        return found
    patterns = [_pattern("always"), *([_pattern("as_form")] if reading.has("number_form") else [])]
    samples = [match.span() for pattern in patterns for match in pattern.finditer(reading.text)]
    return [span for span in found if not any(start <= span.start and span.end <= end for start, end in samples)]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    values = ("[ .:-]?".join(value) for value in table("published")[name].split())
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(values)})(?![^\W_])", re.IGNORECASE)
