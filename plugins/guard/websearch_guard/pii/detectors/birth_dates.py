"""A person's name with a birth date; not a date alone, not somebody whom an encyclopedia has, nor what one tells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise

from ..text.person_names import is_common, is_first_name, is_name, is_public, may_be_name
from ..text.prepared_text import Place, Reading, Span, Word, table

_EARLIEST, _LATEST = 1910, 2030
"""Whoever was born before is dead."""
_HISTORY = 1930
"""Whoever was born before, and is nobody's patient or relative, stands in a history book."""
_CENTURY = 30
"""A year of two digits below is of this century."""
_REACH, _LONGEST, _MOST_NEAR = 40, 40, 3
_SIDE, _LEAST, _MOST_ALONE = 5, 3, 7
_LATEST_ALONE = 2008
"""With the month as a word and nothing said of a birth: what happened later is news of somebody."""
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_CJK = re.compile("[\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,5}")
_CJK_BORN = re.compile("[年日]生|生まれ|生|생년|생\\b|出生|生日")
_CJK_LETTER = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_LEAST_CJK = 12
_FULL_STOP = re.compile('[.]["\u201d\u00bb\u2019)]*\\Z|\u3002')
_ABBREVIATED = re.compile(r"[,( ](?:b|f|\*|born|geb|ur|r)[. :]{1,3}\Z|\*\Z", re.IGNORECASE)
_UNNAMED = re.compile(rf"{_CJK_BORN.pattern}|[,( ](?:b|f|\*|geb|ur|r)[. :]{{1,3}}\d|\*\d", re.IGNORECASE)


def birth_dates(reading: Reading) -> Iterator[Span]:
    """From the name to the date, or from the date to the name."""
    if alone := _alone(reading):
        yield alone
        return
    places = reading.places.get("born", ())
    if reading.has("famous") and not reading.has("introduced", "records_surely", "kin"):
        return
    if not (places or reading.has("records_surely") or _UNNAMED.search(reading.text)):
        return
    named = cache(lambda: _anywhere(reading))
    told = _is_told(reading)
    earliest = _EARLIEST if reading.has("introduced", "kin", "mine", "records", "records_surely") else _HISTORY
    for match in _date().finditer(reading.text):
        year = _year(match[0])
        if year is None or not earliest <= year <= _LATEST or (told and any(map(str.isalpha, match[0]))):
            continue
        yield from _of_date(reading, places, match, named)


def _is_told(reading: Reading) -> bool:
    """Whether these are sentences about somebody, with full stops, as in a life told: no record, nobody's relative."""
    whole = reading.is_sentence() or len(_CJK_LETTER.findall(reading.text)) >= _LEAST_CJK
    personal = reading.has("introduced", "kin", "mine", "own_birth", "records", "records_surely")
    return (
        whole and not personal and _FULL_STOP.search(reading.text) is not None and not _record().search(reading.lower)
    )


def _alone(reading: Reading) -> Span | None:
    """A name and a full date, and nothing else."""
    if reading.strict or len(reading.words) > _MOST_ALONE or reading.has("famous"):
        return None
    for match in _date().finditer(reading.text):
        year, rest = _year(match[0]), reading.without(*match.span())
        last = _LATEST_ALONE if any(map(str.isalpha, match[0])) else _LATEST
        if not (year and _HISTORY <= year <= last and _is_day(match[0]) and is_name([word.text for word in rest])):
            continue
        if not _is_known(reading, rest) and _no_name().isdisjoint(word.text for word in rest):
            return Span("birth_date", min(match.start(), rest[0].start), max(match.end(), rest[-1].end), 0.6)
    return None


def _is_day(date: str) -> bool:
    """Whether it is a date and no list of numbers; of six or eight digits, some two are a month and some two a day."""
    if not date.isdigit():
        return re.fullmatch(r"\d\d? \d\d? \d\d", date) is None
    short = date[2:] if len(date) == 8 and date[:2] in ("19", "20") else date[:4] + date[-2:]
    pairs = [int(short[at : at + 2]) for at in (0, 2, 4)]
    return any(1 <= month <= 12 and 1 <= day <= 31 for month, day in ((pairs[1], pairs[2]), (pairs[1], pairs[0])))


def _of_date(
    reading: Reading, places: Sequence[Place], match: re.Match[str], named: Callable[[], Sequence[Word]]
) -> Iterator[Span]:
    start, end = match.span()
    first_near = bisect_left(places, start - _REACH - _LONGEST, key=lambda place: place.start)
    for place in islice(places, first_near, first_near + _MOST_NEAR):
        if not (0 <= start - place.end <= _REACH or 0 <= place.start - end <= _REACH):
            continue
        first, last = min(place.start, start), max(place.end, end)
        if name := _name(reading, first, last, beside=False) or named():
            yield Span("birth_date", min(first, name[0].start), max(last, name[-1].end), 0.9)
            return
        if reading.has("own_birth"):
            yield Span("birth_date", first, last, 0.7)
            return
    if match[0].isdigit():
        return
    abbreviated = _ABBREVIATED.search(reading.text, max(0, start - 8), start)
    if abbreviated or reading.has("records_surely") or _CJK_BORN.match(reading.text, end):
        first = abbreviated.start() if abbreviated else start
        if name := _name(reading, first, end, beside=True):
            yield Span("birth_date", min(first, name[0].start), max(end, name[-1].end), 0.7)


def _name(reading: Reading, first: int, last: int, *, beside: bool) -> Sequence[Word]:
    """The name nearest before or after, `beside`: right there; empty: nobody's, or everybody's."""
    for side, is_before in ((reading.before(first, _SIDE), True), (reading.after(last, _SIDE), False)):
        for away in range(1 if beside else 3):
            for size in (4, 3, 2):
                words = side[len(side) - away - size : len(side) - away] if is_before else side[away : away + size]
                if len(words) == size and len(side) >= away + size and _is_persons(words):
                    return () if _is_known(reading, words) else words
        near = side[-1:] if is_before else side[:1]
        if near and _CJK.fullmatch(near[0].text) and not _CJK_BORN.search(near[0].text):
            return near
    return ()


def _is_persons(words: Sequence[Word]) -> bool:
    texts = [word.text for word in words]
    return _no_name().isdisjoint(texts) and (is_name(texts) or may_be_name(texts))


def _anywhere(reading: Reading) -> Sequence[Word]:
    """Two words in a row, the first a usual first name and the next no common word; or where one says one's name."""
    for place in (*reading.places.get("introduced", ()), *reading.places.get("kin", ())):
        words = reading.after(place.end, 2)
        if words and not is_common(words[0].text) and words[0].text.isalpha() and len(words[0].text) > 2:
            return words[:1]
    words = reading.words
    for one, two in pairwise(words):
        if two.start - one.end != 1 or not is_first_name(one.text) or len(two.text) < _LEAST or not two.text.isalpha():
            continue
        if not is_common(two.text) and _no_name().isdisjoint((one.text, two.text)):
            return () if _is_known(reading, (one, two)) else (one, two)
    return ()


def _is_known(reading: Reading, name: Sequence[Word]) -> bool:
    """Everybody's; but whoever looks for records looks for somebody else of that name."""
    return bool(name) and is_public(" ".join(word.text for word in name)) and not reading.has("records")


def _year(date: str) -> int | None:
    if date[:2] in _ERAS:
        return _ERAS[date[:2]] + int(re.findall(r"\d+", date)[0])
    if found := re.search(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", date):
        return int(found[0])
    if date.isdigit() and len(date) == 8:
        return next((int(y) for y in (date[:4], date[4:]) if _EARLIEST <= int(y) <= _LATEST), None)
    short = re.search(r"\d\d\Z", date)
    return (2000 if int(short[0]) < _CENTURY else 1900) + int(short[0]) if short else None


@cache
def _record() -> re.Pattern[str]:
    words = "|".join(map(re.escape, table("dates")["record"]))
    return re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")


@cache
def _no_name() -> frozenset[str]:
    return frozenset(table("dates")["no_name"].split())


@cache
def _date() -> re.Pattern[str]:
    month = "|".join(sorted(table("dates")["months"].split(), key=len, reverse=True))
    year = r"(?:1[89]|20)\d\d"
    return re.compile(
        rf"(?<![\w/-])(?:{year}[-/. ]\d{{1,2}}[-/. ]\d{{1,2}}|\d{{1,2}}[-/. ]\d{{1,2}}[-/. ](?:{year}|\d\d)"
        rf"|(?:{month})[. ]{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?(?:,? {year}|, \d\d)"
        rf"|\d{{1,2}}(?:st|nd|rd|th|\.|er|º)? (?:of |de |di )?(?:{month})[.,]?(?: de| del)? (?:{year}|\d\d)"
        rf"|\d{{1,2}}[-/](?:{month})[-/](?:{year}|\d\d)"
        rf"|\d{{1,2}}(?:{month}){year}|(?:明治|大正|昭和|平成|令和)\d{{1,2}}年\d{{1,2}}月\d{{1,2}}日"
        rf"|{year}年\d{{1,2}}月\d{{1,2}}日|{year}년 ?\d{{1,2}}월 ?\d{{1,2}}일"
        r"|\d{8}|\d{6})(?![\d/]|[^\W\d生년일생出])",
        re.IGNORECASE,
    )
