"""Dates as pages write them: ISO 8601, RFC 2822, and the common written forms."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero janeiro gennaio januari января",
            "feb february februar février febrero fevereiro febbraio februari февраля",
            "mar march märz mars marzo março maart марта", "apr april avril abril aprile апреля",
            "may mai mayo maio maggio mei maj мая", "jun june juni juin junio junho giugno июня",
            "jul july juli juillet julio julho luglio июля", "aug august août agosto augustus augusti августа",
            "sep sept september septembre septiembre setembro settembre сентября",
            "oct october oktober okt octobre octubre outubro ottobre октября",
            "nov november novembre noviembre novembro ноября", ("dec december dezember dez décembre diciembre dezembro "
            "dicembre декабря"),
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_ISO_TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?", re.IGNORECASE
)
_COMPACT = re.compile(r"^(\d{4})[/.]?(\d{2})[/.]?(\d{2})(?!\d)")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\.? (?:(?:of|de) )?([^\W\d_]{3,10})\.?,? (?:de )?(\d{4})(?!\d)"
)
_DOTTED = re.compile(r"(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)")
_EASTERN = re.compile(r"(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})")
_MONTH_DAY = re.compile(r"([^\W\d_]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)")
_OLDEST = 1990


def parse_date(value: Any) -> datetime | None:
    """The moment that the text names, aware (UTC where no zone is said); None when it names none that can be true."""
    if not isinstance(value, str) or not (text := " ".join(value.split())[:200]):
        return None
    for read in (_iso_time, _iso, _mail, _written):
        moment = read(text)
        if moment is not None:
            aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
            return aware if _OLDEST <= aware.year <= 2100 else None
    return None


def _iso_time(text: str) -> datetime | None:
    match = _ISO_TIME.search(text)
    if not match:
        return None
    moment = re.sub(r"\.(\d{1,6})\d{0,3}", r".\1", match[0].upper().replace(" ", "", 1 if match[0][10] != " " else 0))
    try:
        return datetime.fromisoformat(moment)
    except ValueError:
        return None


def _iso(text: str) -> datetime | None:
    match = _ISO.search(text) or _COMPACT.match(text)
    return _day(int(match[1]), int(match[2]), int(match[3])) if match else None


def _mail(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if re.match(r"[A-Za-z]{3}, \d", text) else None
    except (ValueError, TypeError, IndexError):
        return None


def _written(text: str) -> datetime | None:
    if match := _MONTH_DAY.search(text):
        return _day(int(match[3]), _MONTHS.get(match[1].lower(), 0), int(match[2]))
    if match := _DAY_MONTH.search(text):
        return _day(int(match[3]), _MONTHS.get(match[2].lower(), 0), int(match[1]))
    if match := _DOTTED.search(text):
        return _day(int(match[3]), int(match[2]), int(match[1]))
    if match := _EASTERN.search(text):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    return None


def _day(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
