"""Phone numbers of people: valid somewhere, and not a number that a firm or an agency publishes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..text.person_names import is_name
from ..text.prepared_text import LETTER, Reading, Span, table

_CANDIDATE = re.compile(
    rf"(?<![{LETTER}.$€£])(?<!\d,)(?:"
    r"(?P<world>(?:\+|\b00) ?\d{1,3}(?:[ .\-/]?(?:\(\d{1,5}\)|\d{1,12})){1,7})"
    r"|(?P<america>(?:1[-. ]?)?(?:\(\d{3}\)[ -]?|\d{3}[-. /])\d{3}[-. ]\d{4})"
    r"|(?P<local>\(?0?\d{1,5}\)?(?:[ .\-/]{1,2}\d{2,8}){1,5}|\(\d{2,5}\) ?\d{4,9}|\d{9,13})"
    rf")(?![{LETTER}]|[./-]\d|,\d{{3}}(?!\d))"
)
_DATE = re.compile(
    r"(?:(?:1\d|20)\d\d[-/. ])?\d{1,2}[-/. ]\d{1,2}(?:[-/. ](?:19|20)\d\d)?|(?:1\d|20)\d\d[- ](?:1\d|20)?\d\d"
)
_TOLL_FREE = re.compile(r"1?8(?:00|22|33|44|55|66|77|88)\d{7}\Z")
_SERVICE = re.compile(r"\(?0[38]\d\d\)?[ -]\d{3}[ -]\d{3,4}\Z|\d+0{5,}\Z")
"""British numbers of firms and offices, and round ones."""
_FICTION = re.compile(r"1?[2-9]\d\d555\d{4}\Z")
"""Nobody has them, but who asks about one means somebody."""
_ALONE = 1
"""So few words beside it: the query is about the number."""
_MOST_BESIDE = 2
"""So few words beside a number that is grouped as phone numbers are."""
_LEAST, _LEAST_WITH_COUNTRY, _MOST = 8, 11, 15


def phones(reading: Reading) -> Iterator[Span]:
    """Numbers that look like one wherever they stand, and any valid ones beside words about calling."""
    for match in _CANDIDATE.finditer(reading.text):
        digits = "".join(filter(str.isdigit, match[0]))
        if not _LEAST <= len(digits) <= _MOST or len(set(digits)) < 3 or digits in "01234567890123456789":
            continue
        if (score := _score(reading, match, digits)) and not _is_published(reading, match):
            yield Span("phone", match.start(), match.end(), score)


def _score(reading: Reading, match: re.Match[str], digits: str) -> float:
    start, end = match.span()
    named = reading.near("phone", start, end) or (
        reading.near("phone_weak", start, end) and (reading.strict or reading.has("personal"))
    )
    if match["world"]:
        number = "+" + digits.removeprefix("00") if match[0].startswith("00") else "+" + digits
        return 0.8 if _is_personal(number, None) else 0
    if reading.strict and not named:
        whole = _is_whole(reading, start, end)
        return 0.65 if match["america"] and whole and _is_personal(digits, "US") else 0
    if reading.has("phone_not", "not_card", "imei") and not (named and reading.has("personal")):
        return 0
    if match["america"] and (_TOLL_FREE.match(digits) or (_FICTION.match(digits) and reading.has("published"))):
        return 0
    if match["america"] and _is_personal(digits, "US"):
        return 0.8 if named else 0.7
    if named and match["america"] and _FICTION.match(digits):
        return 0.7
    if reading.strict and match[0].isdigit() and reading.text[start - 1 : start] not in {" ", "=", ":"}:
        return 0
    if _SERVICE.match(match[0]):
        return 0
    if named and not _is_year_or_date(match[0]):
        return 0.75 if _is_personal_somewhere(digits, table("numbers")["calling"].split()) else 0
    few = not reading.strict and match[0].startswith(("0", "(0")) and len(reading.without(start, end)) <= _ALONE
    if few and _is_mobile_somewhere(digits, table("numbers")["mobile"].split()):
        return 0.65
    if not reading.strict and _is_alone(reading, match):
        regions = table("numbers")["alone" if match[0].isdigit() else "grouped"].split()
        if _is_mobile_somewhere(digits, regions):
            return 0.65
    if not reading.strict and not _is_year_or_date(match[0]) and _is_beside_name(reading, start, end):
        regions = table("numbers")["mobile"].split() if match[0][0] in "(0" else ("US",)
        return 0.65 if _is_personal_somewhere(digits, regions) else 0
    return 0


def _is_alone(reading: Reading, match: re.Match[str]) -> bool:
    """Whether nothing else is asked about; a word or two, where it is written as numbers at home are."""
    if _is_year_or_date(match[0]):
        return False
    most = _MOST_BESIDE if match[0].startswith(("0", "(")) and not match[0].isdigit() else 0
    return len(reading.without(*match.span())) <= most


def _is_personal_somewhere(digits: str, regions: Iterable[str]) -> bool:
    if len(digits) >= _LEAST_WITH_COUNTRY and _is_personal(f"+{digits}", None):
        return True
    return any(_is_personal(digits, region) for region in regions)


def _is_mobile_somewhere(digits: str, regions: Iterable[str]) -> bool:
    return any(_is_personal(digits, region, mobile=True) for region in regions)


def _is_whole(reading: Reading, start: int, end: int) -> bool:
    before, after = reading.text[:start], reading.text[end:]
    return (not before or before[-1] in "= /:") and (not after or after[0] in " /&")


def _is_year_or_date(value: str) -> bool:
    return _DATE.fullmatch(value.strip("() ")) is not None


def _is_published(reading: Reading, match: re.Match[str]) -> bool:
    if not reading.has("published") or reading.has("personal"):
        return False
    return not _is_beside_name(reading, match.start(), match.end())


def _is_beside_name(reading: Reading, start: int, end: int) -> bool:
    before = [word.text for word in reading.before(start, 3)]
    after = [word.text for word in reading.after(end, 3)]
    return any(is_name(part) for size in (2, 3) for part in (before[-size:], after[:size]) if len(part) == size)


@lru_cache(maxsize=4096)
def _is_personal(number: str, region: str | None, *, mobile: bool = False) -> bool:
    """Whether it is a valid number of somebody's, not a free, a dear or a company-wide one."""
    import phonenumbers as library

    try:
        parsed = library.parse(number, region)
    except library.NumberParseException:
        return False
    kinds = library.PhoneNumberType
    if not library.is_valid_number(parsed):
        return False
    if mobile:
        return library.number_type(parsed) == kinds.MOBILE
    return library.number_type(parsed) in (
        kinds.MOBILE, kinds.FIXED_LINE, kinds.FIXED_LINE_OR_MOBILE, kinds.VOIP, kinds.PERSONAL_NUMBER, kinds.PAGER
    )  # fmt: skip
