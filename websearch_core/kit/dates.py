"""Days and times as engines write them, and ages such as `3 days ago` in the languages that they answer in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import cache

from ..contract.models import utc
from .date_words import AFTER, BEFORE, DAYS, MONTHS, NOW, ONE, TWO, UNITS, YEAR_AFTER

_EPOCH = (1e8, 4.2e9)
"""Numbers between these are taken for seconds since the epoch: 1973 to 2103."""
_LONGEST = 100
"""Characters of a text that may be a moment."""
_OLDEST_AGE_D = 200 * 366
_MOST_PARTS = 3
"""Of an age: `1 year 2 months 3 days`."""

_WEEKDAY = r"(?:[^\W\d_]{2,14}, )?"
_MONTH = r"(?P<month>[^\W\d_]{2,14})"
_DAYS_IN_WORDS = (
    re.compile(rf"{_WEEKDAY}{_MONTH}\.? (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,? (?P<year>[0-9]{{4}})"),
    re.compile(
        rf"{_WEEKDAY}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|er|º|\.)?(?: de| di)? {_MONTH}\.?,?(?: de| del)?"
        r" (?P<year>[0-9]{4})"
        rf"(?: ?(?:{YEAR_AFTER}))?"
    ),
)
_DAYS_IN_NUMBERS = (
    re.compile(r"(?P<year>[0-9]{4}) ?[年년] ?(?P<month>[0-9]{1,2}) ?[月월] ?(?P<day>[0-9]{1,2}) ?[日일]"),
    re.compile(r"(?P<year>[0-9]{4})/(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})"),
    re.compile(r"(?P<year>[0-9]{4})\. ?(?P<month>[0-9]{1,2})\. ?(?P<day>[0-9]{1,2})\.?"),
    # with dots the day comes first everywhere; with slashes it depends on who wrote it, so that is not read
    re.compile(r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\. ?(?P<year>[0-9]{4})"),
)
_ODD_ZONE = re.compile(
    r"(?P<time>[0-9]{4}-?[0-9]{2}-?[0-9]{2}[T ][0-9:.,]{4,20}) ?"
    r"(?P<offset>[+-][0-9]{2}(?::?[0-9]{2})?)?(?: ?\(?(?P<name>[A-Z]{1,5})\)?)?",
)
"""ISO 8601 with a space before the zone, or with its name: as Go and Java print times."""
_ZONES = {
    0: "Z UTC GMT UCT WET",
    1: "BST CET WEST",
    2: "CEST EET",
    3: "EEST MSK",
    9: "JST KST",
    -4: "EDT",
    -5: "EST CDT",
    -6: "CST MDT",
    -7: "MST PDT",
    -8: "PST",
}
_HOURS = {zone: hours for hours, zones in _ZONES.items() for zone in zones.split()}
"""Zone → hours ahead of UTC; the American ones as in RFC 5322, §4.3."""
_SIGNS = str.maketrans(",+'", "   ")
_BETWEEN_NUMBERS_AND_WORDS = re.compile(r"(?<=\d)(?=\D)|(?<=\D)(?=\d)")


def written(moment: datetime) -> str:
    """RFC 3339 in UTC, to the second: as answers carry it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def moment(value: object, now: float | None = None) -> datetime | None:
    """The day or time, in UTC; None for anything else, or what may be one of two days (`01/02/2024`). Never raises.

    ISO 8601, also with odd zones, an RFC 5322 or 9110 date, a day in words (`Mar 19, 2020`, `19 de marzo de 2020`), or
    seconds since the epoch; what names no zone is UTC. With `now`, in seconds since the epoch, ages, too (`3 days ago`,
    `2h`, `gestern`, `il y a 2 jours`, `3日前`): from a day on they are the day, as its first second.
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and _EPOCH[0] < value < _EPOCH[1]:
            return datetime.fromtimestamp(value, UTC)
        if not isinstance(value, str) or len(value) > _LONGEST:
            return None
        text = " ".join(unicodedata.normalize("NFKC", value).split())
        absolute = _iso(text) or _mail(text) or _day(text)
        return absolute if absolute or now is None else _past(text, datetime.fromtimestamp(now, UTC))
    except (ValueError, OverflowError, TypeError, IndexError, OSError):  # what the parsers raise for other texts
        return None


def _iso(text: str) -> datetime | None:
    if not text[:1].isdigit():
        return None
    try:
        return utc(datetime.fromisoformat(text))
    except ValueError:
        pass
    if (match := _ODD_ZONE.fullmatch(text.upper())) is None:
        return None
    offset, hours = match["offset"], _HOURS.get(match["name"] or "Z")
    if offset is None and hours is None:
        return None
    time = datetime.fromisoformat(match["time"].strip() + (offset or ""))
    return utc(time if offset else time.replace(tzinfo=timezone(timedelta(hours=hours or 0))))


def _mail(text: str) -> datetime | None:
    # the parser takes much for a date, so only what has a time of day
    try:
        return utc(parsedate_to_datetime(text)) if ":" in text else None
    except (ValueError, TypeError, IndexError):
        return None


def _day(text: str) -> datetime | None:
    if match := next((match for form in _DAYS_IN_WORDS if (match := form.fullmatch(text))), None):
        month = _months().get(match["month"].casefold(), 0)
    elif match := next((match for form in _DAYS_IN_NUMBERS if (match := form.fullmatch(text))), None):
        month = int(match["month"])
    else:
        return None
    return datetime(int(match["year"]), month, int(match["day"]), tzinfo=UTC)


def _past(text: str, now: datetime) -> datetime | None:
    """The moment of an age, not later than `now`."""
    text = text.casefold().strip(" .,·•").replace("\u2019", "'")
    if text in _phrases(NOW):
        return now
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for days, names in DAYS.items():
        if text in _phrases(names):
            return today - timedelta(days=days)
    for rest, marked in _unmarked(text):
        if ages := _ages(rest, marked=marked):
            return _before(now, ages)
    return None


def _unmarked(text: str) -> Iterator[tuple[str, bool]]:
    """The text without the words that say `ago`, and whether there were any; the longest first."""
    for before in ("", *BEFORE):
        for after in ("", *AFTER):
            if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
                yield text[len(before) : len(text) - len(after)].strip(), bool(before or after)


def _ages(text: str, *, marked: bool) -> Mapping[str, int]:
    """Unit → how many. Empty for what is no age; what nothing marks as one has a number in digits."""
    words = [word for word in _BETWEEN_NUMBERS_AND_WORDS.sub(" ", text.translate(_SIGNS)).split() if word != "and"]
    found: dict[str, int] = {}
    number: int | None = None
    for word in words:
        if number is None and (word.isdecimal() or (marked and word in ONE)):
            number = int(word) if word.isdecimal() else 1
            continue
        unit = _units().get(word)
        if unit is None and marked and number is None and word in TWO:
            unit, number = TWO[word], 2
        elif number is None and marked and len(words) == 1:
            number = 1
        if unit is None or number is None or unit in found or len(found) == _MOST_PARTS:
            return {}
        found[unit], number = number, None
    return found if number is None else {}


def _before(now: datetime, ages: Mapping[str, int]) -> datetime | None:
    """This long before now, as people count: months and years by the calendar, from a day on without the hour."""
    months = ages.get("month", 0) + 12 * ages.get("year", 0)
    days = ages.get("day", 0) + 7 * ages.get("week", 0)
    if days + 30 * months > _OLDEST_AGE_D:
        return None
    moment = now - timedelta(
        days=days, hours=ages.get("hour", 0), minutes=ages.get("minute", 0), seconds=ages.get("second", 0)
    )
    if months:
        year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
        moment = _in_month(moment, year, month + 1)
    if not ages.keys().isdisjoint(("day", "week", "month", "year")):
        return moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return moment.replace(microsecond=0)


def _in_month(moment: datetime, year: int, month: int) -> datetime:
    """This day of that month, or its last one."""
    following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return moment.replace(year=year, month=month, day=min(moment.day, (following - timedelta(days=1)).day))


@cache
def _months() -> Mapping[str, int]:
    return {name.casefold(): number for number, names in enumerate(MONTHS, 1) for name in names.split()}


@cache
def _units() -> Mapping[str, str]:
    return {word.casefold(): unit for unit, words in UNITS.items() for word in words.split()}


@cache
def _phrases(names: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()).casefold() for name in names.split("|"))
