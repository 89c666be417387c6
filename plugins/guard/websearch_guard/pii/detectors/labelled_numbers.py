"""Numbers that mean nothing by themselves and everything after a label: passports, accounts, records, plates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from websearch_guard.lazy_patterns import compiled

from ..kinds import Kind
from ..text.person_names import is_common
from ..text.prepared_text import LETTER, Place, Reading, Span, table

_DATE = re.compile(r"(?:(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:19|20)?\d\d)\Z")
_TOLL_FREE = re.compile(r"(?:1[-. ])?\(?8(?:00|33|44|55|66|77|88)\)?[-. ]\d{3}[-. ]\d{4}\Z")
_SPACED = re.compile(r"(?<![^ ])[^\W\d_]{3,7}(?![^ ])")
"""Letters of a plate that stand alone: `482 KLM`, but `100 the` is none."""
_AMOUNT = re.compile(r"(?:\A|[ ])\d{1,4}\.\d{1,2}\Z")
_OF_TAXONOMY = ("tag", "tags", "keeper")
"""In an address, these name a list of pages: `/tag/12-von-12/`."""
_OF_LAW = re.compile(r"\d{1,4} ?/ ?(?:19|20)\d\d\Z")
_LONGEST = 48
_BLANKS = {
    "{code}": r"(?=[a-z]{0,8}\d)[a-z0-9]{1,24}"
    r"(?:[ ]?[-/.·][ ]?(?=[a-z]{0,6}\d)[a-z0-9]{1,14}|[ ](?=\d)[a-z0-9]{1,14}){0,6}(?:[- ][a-z]{1,2})?",
    "{plate}": r"(?=[^\W\d_]{0,4}[ ·-]?\d|\d{1,4}[ ·-]?[^\W\d_])[^\W_]{1,8}(?:[ ·-][^\W_]{1,4}){0,3}",
}
"""Any number with letters and separators in it; any plate. A label says enough of what it is."""


class _Label(NamedTuple):
    id: str
    kind: Kind
    value: re.Pattern[str]
    after: int
    before: int
    needs: Sequence[str]
    unless: Sequence[str]
    digits: int
    general: bool
    """Of any shape: not in an address, where every number has a name before it."""


def labelled(reading: Reading) -> Iterator[Span]:
    """The nearest fitting value after each label, or else right before it."""
    sentence = reading.is_sentence()
    for label in _labels():
        if reading.strict and label.general:
            continue
        for place in reading.places.get(label.id, ()):
            if reading.strict and reading.lower[place.start : place.end] in _OF_TAXONOMY:
                continue
            if reading.has(*label.unless) or (label.needs and not reading.has(*label.needs)):
                continue
            if found := _after(reading, label, place):
                if sentence and label.kind == "plate" and any(map(str.islower, found[0])):
                    continue
                yield Span(label.kind, found.start(), found.end(), 0.9)
            elif found := _before(reading, label, place):
                yield Span(label.kind, found.start(), found.end(), 0.85)


def _after(reading: Reading, label: _Label, place: Place) -> re.Match[str] | None:
    reach = 4 if reading.strict else label.after
    for match in label.value.finditer(reading.text, place.end, place.end + reach + _LONGEST):
        if match.start() - place.end > reach:
            return None
        if _is_value(match, label):
            return match
    return None


def _before(reading: Reading, label: _Label, place: Place) -> re.Match[str] | None:
    if reading.strict:
        return None
    begin = max(0, place.start - label.before - _LONGEST)
    last = None
    for match in label.value.finditer(reading.text, begin, place.start):
        if place.start - match.end() <= label.before and _is_value(match, label):
            last = match
    return last


def _is_value(match: re.Match[str], label: _Label) -> bool:
    value = match[0]
    if sum(map(str.isdigit, value)) < label.digits or _DATE.match(value) or _TOLL_FREE.match(value):
        return False
    if label.general and _AMOUNT.search(value):
        return False
    if label.kind == "passport" and _OF_LAW.match(value):
        return False
    if label.kind == "plate" and not any(map(str.isalpha, value)):
        return False
    if label.kind == "plate" and any(is_common(word) for word in _SPACED.findall(value.lower())):
        return False
    return len(set(filter(str.isalnum, value.lower()))) > 1


def _filled(value: str) -> str:
    for blank, pattern in _BLANKS.items():
        value = value.replace(blank, pattern)
    return value


@cache
def _labels() -> tuple[_Label, ...]:
    return tuple(
        _Label(
            row["id"],
            row["kind"],
            compiled(
                rf"(?<!(?-i:[{LETTER}$€£]))(?:{_filled(row['value'])})(?!(?-i:[{LETTER}%]))(?!\.\d)",
                re.IGNORECASE | re.VERBOSE,
            ),
            row.get("after", 30),
            row.get("before", 12),
            row.get("needs", ()),
            row.get("unless", ()),
            row.get("digits", 4),
            any(blank in row["value"] for blank in _BLANKS),
        )
        for row in table("labels")["label"]
    )
