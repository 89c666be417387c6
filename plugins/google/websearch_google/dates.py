"""Days as Google writes them in English: `Mar 19, 2020` or `19 Mar 2020`."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FORMS = (
    re.compile(r"(?P<month>[A-Z][a-z]{2,8}) (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})"),
    re.compile(r"(?P<day>[0-9]{1,2}) (?P<month>[A-Z][a-z]{2,8}) (?P<year>[0-9]{4})"),
)


def written_day(text: str) -> datetime | None:
    """The day, if the text is one and nothing else, as midnight UTC. Relative words (`3 days ago`) are none."""
    match = next((match for form in _FORMS if (match := form.fullmatch(text))), None)
    if match is None:
        return None
    try:
        return datetime(int(match["year"]), _number(match["month"]), int(match["day"]), tzinfo=UTC)
    except ValueError:  # no such day
        return None


def _number(month: str) -> int:
    """1 to 12, of a name or its beginning (Sep, Sept); 0 for what is no month."""
    return next((n for n, name in enumerate(_MONTHS, 1) if month in (name, name[:3], name[:4])), 0)
