"""Whether a street is where somebody lives: with a name, among words about homes, or down to the flat."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from ..text.person_names import is_common, is_first_name, is_name, is_public, may_be_name
from ..text.prepared_text import Reading, Street, Word, table

_COMMA_POSTCODE = re.compile(r",[^\d,]{0,30},? ?(?:\d{5}|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?[a-z]{2}|\d{4})(?:[ ,]|\Z)")
_POSTCODE_AFTER = re.compile(r"\d[a-z]?,? (?:\d{5}|\d{3} \d{2}|\d{2}-\d{3}|\d{4} ?[a-z]{2}|\d{4})(?:[ ,]|\Z)")
_NAME_WINDOW = 5
_LEAD_WINDOW = 6
_FEW = 0
"""So few words beside a whole address: the query is about it, and has no firm's name."""
_MOST_WORDS = 60


def is_home(reading: Reading, street: Street, end: int, *, located: bool) -> bool:
    """`street.start:end`: with its flat and town; `located`: with a postcode or a state."""
    value = reading.lower[street.start : end]
    has_unit = pattern("home_unit").search(value) is not None
    places = _is_outside(reading, "place", street, end)
    first_place = min((place.end for place in reading.places.get("place", ())[:1]), default=end)
    business_before = first_place <= street.start and first_place <= _name_start(reading, street)
    surely = _is_outside(reading, "home_surely", street, end)
    homes = surely or _is_outside(reading, "home", street, end)
    mine = _is_outside(reading, "mine", street, end)
    titled = _is_titled(reading)
    if _is_led(reading, street) and (mine or not places) and (street.sure is not None or _is_strange(reading, street)):
        return True
    if street.sure is None:
        if titled and not places and _POSTCODE_AFTER.search(value):
            return True
        if reading.has("records_surely") and _is_strange(reading, street) and _has_name_beside(reading, street, end):
            return True
        if pattern("sure_postcode").search(value) is None and not (homes and _COMMA_POSTCODE.search(value)):
            return False
        return located and (homes or _has_name_beside(reading, street, end))
    if not (street.sure or located or has_unit):
        return False
    if (homes and mine) or (titled and not places):
        return True
    if (located or has_unit) and street.sure and not places and len(reading.without(street.start, end)) <= _FEW:
        return True
    if not business_before and ((surely and not places) or (homes and (located or has_unit))):
        return True
    if _has_name_beside(reading, street, end) and not business_before:
        return located or has_unit or not places
    if places:
        return False
    precise = located or has_unit
    return (has_unit and located) or (precise and _has_name_anywhere(reading, street.start, end))


def _is_led(reading: Reading, street: Street) -> bool:
    """Whether "my address is" or its like stands right before."""
    return any(0 <= street.start - place.end <= _LEAD_WINDOW for place in reading.places.get("home_lead", ()))


def _is_strange(reading: Reading, street: Street) -> bool:
    """Whether the first words are no usual ones: "4418 Larkspur", but not "2 bedrooms"."""
    words = [word.text for word in reading.after(street.start, 3) if word.text.isalpha() and len(word.text) > 1][:1]
    return bool(words) and not any(map(is_common, words))


def _is_titled(reading: Reading) -> bool:
    """Whether there is a Mrs and a name."""
    return any(
        word.text.isalpha() and not is_common(word.text)
        for place in reading.places.get("titles", ())
        for word in [w for w in reading.after(place.end, 2) if len(w.text) > 2][:1]
    )


def _is_outside(reading: Reading, group: str, street: Street, end: int) -> bool:
    return any(p.end <= street.start or p.start >= end for p in reading.places.get(group, ()))


def _has_name_beside(reading: Reading, street: Street, end: int) -> bool:
    before = [word.text for word in reading.before(street.start, _NAME_WINDOW)]
    after = [word.text for word in reading.after(end, 3)]
    within = [word.text for word in reading.after(street.start, 3)]
    if len(within) == 3 and before and is_name([before[-1], within[0]]) and within[2].isalpha():
        return True  # the first word of the street as it was read is somebody's last name
    return _is_named(before) or _is_named(after) or any(may_be_name(before[-size:]) for size in (2, 3))


def _has_name_anywhere(reading: Reading, start: int, end: int) -> bool:
    """A usual first name and, right after it, what is no common word; not of somebody whom everybody knows."""
    words = reading.without(start, end)[:_MOST_WORDS]
    return any(_is_pair(one, two) for one, two in pairwise(words))


def _is_pair(one: Word, two: Word) -> bool:
    if two.start - one.end != 1 or not is_first_name(one.text) or not two.text.isalpha() or len(two.text) < 3:
        return False
    return not is_common(two.text) and not is_public(f"{one.text} {two.text}")


def _name_start(reading: Reading, street: Street) -> int:
    """Where the name right before the street begins, or the street: some are called Baker or Church."""
    for size in (2, 3):
        words = reading.before(street.start, size)
        if len(words) == size and is_name([word.text for word in words]):
            return words[0].start
    return street.start


def _is_named(texts: list[str]) -> bool:
    return any(is_name(texts[-size:]) or is_name(texts[:size]) for size in (2, 3, 4) if len(texts) >= size)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """One of the verbose patterns of the table of streets."""
    return re.compile(table("streets")[name], re.IGNORECASE | re.VERBOSE)
