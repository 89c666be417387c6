"""Numbers of vehicles and drivers whose shape says enough: beside a word about cars, or wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..text.person_names import is_common
from ..text.prepared_text import Reading, Span

_UK_DRIVER = re.compile(
    r"(?<![^\W_])(?=[A-Z])[A-Z9]{5}[ ]?\d(?:0[1-9]|1[0-2]|5[1-9]|6[0-2])(?:0[1-9]|[12]\d|3[01])\d[ ]?[A-Z9]{2}"
    r"(?:\d|[A-Z]\d)?[A-Z]{2}(?:[ ]?\d{2})?(?![^\W_])",
    re.IGNORECASE,
)
_ONTARIO_DRIVER = re.compile(r"(?<![^\W_])[A-Z]\d{4}-\d{5}-\d{5}(?![^\W_])", re.IGNORECASE)
_STATE = (
    "an|ap|ar|as|br|cg|ch|dd|dl|ga|gj|hp|hr|jh|jk|ka|kl|la|ld|mh|ml|mn|mp|mz|nl|od|or|pb|py|rj|sk|tn|tr|ts|uk|up|wb"
)
_INDIAN_DRIVER = re.compile(rf"(?<![^\W_])(?:{_STATE})[- ]?\d{{2}}[- ]?(?:19|20)\d\d\d{{7}}(?![^\W_])", re.IGNORECASE)
_RUSSIAN = "[\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445abekmhopctyx]"
"""Letters of Russian plates, and what reading makes of them."""
_PLATES = re.compile(
    r"(?<![^\W_]|[£$€.,#-])(?:[a-hj-pr-y][a-hj-y](?:0[1-9]|[1256]\d|7[0-6])[ ]?[a-hj-pr-z]{3}"
    rf"|(?:{_STATE})[ -]?\d{{1,2}}[ -]?(?:[a-z] )?[a-z]{{1,3}}[ -]?\d{{4}}"
    r"|[a-hj-np-tv-z]{2}-\d{3}-[a-hj-np-tv-z]{2}"
    rf"|[a-zäöü]{{1,3}}-[a-z]{{1,2}} ?[1-9]\d{{1,3}}[eh]?|{_RUSSIAN}\d{{3}}{_RUSSIAN}{{2}} ?\d{{2,3}}"
    r"|(?!x(?:1|2|4|8|16|32) )[a-hj-pr-y]\d{2,3} [a-hj-pr-z]{3}|[a-z]{3}\d[a-j]\d{2}|[a-hj-pr-z]{3} \d{1,3}[a-hj-pr-y]"
    r")(?![^\W_]|[.,-]\d)",
    re.IGNORECASE,
)

_KOREAN = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배허하호국합육해공"
"""The only syllables that Korean plates have."""
_SURE = re.compile(
    "(?<![A-Za-z0-9])[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
    "[A-Z][·. ]?(?=[A-Z0-9]{0,4}\\d)[A-Z0-9]{5,6}(?![A-Za-z0-9])"
    "|[\u4e00-\u9fff]{2,4} ?\\d{2,3} ?[ぁ-ん] ?\\d{2}-?\\d{2}(?!\\d)"
    rf"|(?<!\d)\d{{2,3}}[{_KOREAN}] ?\d{{4}}(?!\d| ?[만억원])"
)
"""Chinese, Japanese and Korean ones are like nothing else."""
_LONE = re.compile(
    rf"\s*(?:[a-hj-pr-y][a-hj-y](?:0[1-9]|[1256]\d|7[0-6])[ ]?[a-hj-pr-z]{{3}}"
    rf"|(?:{_STATE})[ -]?\d{{1,2}}[ -]?[a-z]{{1,3}}[ -]?\d{{4}})\s*",
    re.IGNORECASE,
)
"""British and Indian ones where the query is nothing else."""


def driver_numbers(reading: Reading) -> Iterator[Span]:
    """British, Indian and Ontario's have a date or a year and a state in their places."""
    for pattern in (_UK_DRIVER, _INDIAN_DRIVER, _ONTARIO_DRIVER):
        for match in pattern.finditer(reading.text):
            yield Span("driving_licence", match.start(), match.end(), 0.8)


def plates(reading: Reading) -> Iterator[Span]:
    """Of the countries whose plates look like nothing else, where the words are about a car and its driver."""
    if reading.strict:
        return
    for match in _SURE.finditer(reading.text):
        yield Span("plate", match.start(), match.end(), 0.7)
    if _LONE.fullmatch(reading.text):
        yield Span("plate", 0, len(reading.text), 0.7)
    if not reading.has("vehicle") or reading.has("plate_topic"):
        return
    for match in _PLATES.finditer(reading.text):
        if not any(len(word) > 2 and word.isalpha() and is_common(word) for word in match[0].lower().split()):
            yield Span("plate", match.start(), match.end(), 0.7)
