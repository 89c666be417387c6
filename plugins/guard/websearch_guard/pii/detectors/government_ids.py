"""Numbers that a state gives a person: ids, tax and social insurance numbers of some seventy kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from websearch_guard.lazy_patterns import compiled

from ..text.person_names import is_name
from ..text.prepared_text import LETTER, Reading, Span, ends_piece, table

_COUNTED = ("0123456789", "1234567890")
_FLAGS = re.IGNORECASE | re.VERBOSE


_WINDOW = 20
_LEAST, _USUAL = 4, 6
"""The fewest digits that any number has, and that a number has whose row does not say `digits`."""


class _Number(NamedTuple):
    group: str
    pattern: re.Pattern[str]
    is_valid: Callable[[str], bool] | None
    strength: str
    alone: re.Pattern[str] | None
    lone: re.Pattern[str] | None
    loose: bool
    digits: int


def government_ids(reading: Reading) -> Iterator[Span]:
    """What stands beside its label, what no other number looks like, and what a query is all about."""
    digits = sum(word.text.isdigit() * len(word.text) for word in reading.words)
    if digits < _LEAST:
        return
    general = reading.has("gov_any")
    windows = list(reading.numbered(_WINDOW))
    for number in _numbers():
        if digits < number.digits:
            continue
        labelled = number.group in reading.places
        if not (labelled or general or number.strength != "label" or number.alone or number.lone):
            continue
        for match in (m for start, end in windows for m in number.pattern.finditer(reading.text, start, end)):
            if score := _score(reading, number, match, labelled=labelled, general=general):
                yield Span("government_id", match.start(), match.end(), score)


def _score(reading: Reading, number: _Number, match: re.Match[str], *, labelled: bool, general: bool) -> float:
    value, (start, end) = match[0], match.span()
    if not _is_varied(value):
        return 0
    if labelled and number.loose and reading.near(number.group, start, end):
        return 0.95
    valid = number.is_valid(value) if number.is_valid else None
    if valid is False:
        return 0
    if number.alone and number.alone.fullmatch(value) and _stands_out(reading, start, end):
        return 0.9
    if valid and number.strength == "alone" and _stands_out(reading, start, end):
        return 0.9
    if valid and general and reading.near("gov_any", start, end):
        return 0.8
    if (
        valid is None
        and general
        and number.lone
        and number.lone.fullmatch(value)
        and reading.near("gov_any", start, end)
    ):
        return 0.8
    if labelled and valid and reading.near(number.group, start, end):
        return 0.9
    if reading.strict:
        return 0
    by_itself = number.lone.fullmatch(value) if number.lone else valid and number.strength == "lone"
    return 0.7 if by_itself and _is_lone(reading, start, end) else 0


def _is_varied(value: str) -> bool:
    digits = [int(c) for c in value if c.isdigit()]
    return len(set(digits)) > 2 and "".join(map(str, digits)) not in _COUNTED


def _stands_out(reading: Reading, start: int, end: int) -> bool:
    """In an address, a strong shape counts where it is a whole piece of it."""
    if not reading.strict:
        return not reading.has("not_card")
    if reading.text[start:end].isdigit():
        return False
    before, after = reading.text[:start], reading.text[end:]
    begins = not before.strip(" /=:") or before[-1] in "=/ "
    return begins and ends_piece(after)


def _is_lone(reading: Reading, start: int, end: int) -> bool:
    """Whether the rest of the query is nothing, a name, or words like "check"."""
    rest = reading.without(start, end)
    if len(rest) > 5 or any(word.text.isdigit() for word in rest):
        return False
    asks = table("phrases")["gov_ask"]
    return all(word.text in asks for word in rest) or is_name([word.text for word in rest])


@cache
def _numbers() -> tuple[_Number, ...]:
    return tuple(
        _Number(
            f"gov:{row['id']}",
            compiled(
                rf"(?<!(?-i:[{LETTER}.$€£+-]))(?<!\d,)(?:{row['pattern']})(?!(?-i:[{LETTER}%]))(?![-.]\d|,\d{{3}}(?!\d))",
                _FLAGS,
            ),
            _validator(row["check"]) if "check" in row else None,
            row["strength"],
            compiled(row["alone"], _FLAGS) if "alone" in row else None,
            compiled(row["lone"], _FLAGS) if "lone" in row else None,
            row.get("loose", True),
            row.get("digits", _USUAL),
        )
        for row in table("government")["number"]
    )


def _validator(module: str) -> Callable[[str], bool]:
    """Imported when a number is first to be checked."""
    return lambda number: import_module(f"stdnum.{module}").is_valid(number)
