"""Days and times as engines write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from .models import utc

_EPOCH = (1e8, 4.2e9)
"""Numbers between these are taken for seconds since the epoch: 1973 to 2103."""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_IN_ENGLISH = (
    re.compile(r"(?P<month>[A-Z][a-z]{2,8}) (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})"),
    re.compile(r"(?P<day>[0-9]{1,2}) (?P<month>[A-Z][a-z]{2,8}) (?P<year>[0-9]{4})"),
)


def written(moment: datetime) -> str:
    """RFC 3339 in UTC, to the second: as answers carry it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def moment(value: object) -> datetime | None:
    """The day or time, in UTC; None for what is none, such as `3 days ago`.

    ISO 8601, an RFC 5322 date, a day in English (`Mar 19, 2020`, `19 March 2020`), or seconds since the epoch.
    What names no zone is UTC.
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and _EPOCH[0] < value < _EPOCH[1]:
            return datetime.fromtimestamp(value, UTC)
        if not isinstance(value, str):
            return None
        text = value.strip()
        if match := next((match for form in _IN_ENGLISH if (match := form.fullmatch(text))), None):
            return datetime(int(match["year"]), _number(match["month"]), int(match["day"]), tzinfo=UTC)
        return utc(datetime.fromisoformat(text) if text[:1].isdigit() else parsedate_to_datetime(text))
    except (ValueError, OverflowError, TypeError, IndexError, OSError):  # what the parsers raise for other texts
        return None


def _number(month: str) -> int:
    """1 to 12, of a name or its beginning (Sep, Sept); 0 for what is no month."""
    return next((n for n, name in enumerate(_MONTHS, 1) if month in (name, name[:3], name[:4])), 0)
