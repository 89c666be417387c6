"""Street addresses of people: with a name, as somebody's home, or down to the flat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ..text.person_names import is_common
from ..text.prepared_text import Reading, Span, Street, table
from .home_addresses import is_home, pattern

_WORD = r"[^\W\d_][\w'.-]{0,24}"
_NUMBER = r"\d{1,4}(?:[ ]?[a-z](?![\w.º]))?(?:[-/][ ]?\d{1,4}[a-z]?)?(?![\w]|\.\d)"
_WORDS = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
_WINDOW = 120
"""Around a number: the longest name of a street that is looked for."""
_TAIL = 64
_LONG = 3
_TWO_LETTERS = re.compile(r"[\d ]*(?:al|av|os|pl|bd|do|na|r|c)(?![^\W\d_])(?! ?[.\d])")
"""As the first word without a full stop it is no street, but a preposition: `av`, `al`, `os`."""
_YEAR_LAST = re.compile(r"[^\d/-](?:1[5-9]|20)\d\d\Z|\d\d/\d{3}\Z")
_YEAR_NEXT = re.compile(r"\d{1,2}\.? [^\W\d_]+ (?:1[5-9]|20)\d\d(?!\d)")
_MEASURE = re.compile(r"\d ?(?:[kmgt]?w|[kmg]?hz|[kmgt]b|k[gm]|m[mgl]|c[mcv]|h[ap]|ps|kr|ad|bc|am|pm)\Z", re.IGNORECASE)
"""No postcode, though a Dutch one has two letters as well."""
_SENTENCES = re.compile(r"(?:[^\W\d_]{4}|\d)\. (?=[^\W\d_a-z])")


def addresses(reading: Reading) -> Iterator[Span]:
    """From the house number to the postcode; not of companies, sights and offices."""
    if reading.strict or not any(len(word.text) >= _SHORTEST and not word.text.isdigit() for word in reading.words):
        return
    taken: list[tuple[int, int]] = []
    cased = reading.is_sentence()
    for street in sorted(_streets(reading), key=lambda street: (street.sure is None, street.start)):
        if any(street.start < end and start < street.end for start, end in taken):
            continue
        if cased and not _is_written_as_a_street(reading.text[street.start : street.end]):
            continue
        end, located = _located(reading, street, cased=cased)
        if _is_of_a_sentence(reading, street, end, located=located):
            continue
        if not _is_famous(reading.lower[street.start : end]) and is_home(reading, street, end, located=located):
            taken.append((street.start, end))
            yield Span("address", street.start, end, 0.8)


def _streets(reading: Reading) -> Iterator[Street]:
    text = reading.text
    sure, doubtful, forbidden = _kinds("sure"), _kinds("doubtful"), _set("no_street")
    for match in _numbered().finditer(text):
        words = re.findall(r"[\w'.-]+", match["words"].lower())
        for size in range(len(words), 0, -1):
            kind = words[size - 1].rstrip(".").removesuffix("s")
            if size > 1 and (kind in sure or kind in doubtful):
                if forbidden.isdisjoint(words[: size - 1]):
                    end = _end_of(text, match.start("words"), size)
                    yield Street(match.start(), end, kind in sure)
                break
        else:
            if forbidden.isdisjoint(words[:3]) and _set("months").isdisjoint(words[:2]):
                yield Street(match.start(), _end_of(text, match.start("words"), min(2, len(words))), sure=None)
    windows = list(reading.numbered(_WINDOW))
    if reading.has("home", "home_surely", "titles"):
        for match in (m for start, end in windows for m in _unknown().finditer(text, start, end)):
            yield Street(match.start(), match.end(), sure=None)
    for place in reading.places.get("home_lead_name", ()):
        if (match := _led().match(text, place.end)) and not all(is_common(w) for w in _WORDS.findall(match[1].lower())):
            yield Street(match.start(1), match.end(), sure=True)
    for elsewhere in _elsewhere():
        for match in (m for start, end in windows for m in elsewhere.finditer(text, start, end)):
            yield Street(match.start(), match.end(), sure=True)


def _end_of(text: str, start: int, words: int) -> int:
    end = start
    for _, match in zip(range(words), re.finditer(r"[\w'.-]+", text[start:]), strict=False):
        end = start + match.end()
    return end


def _is_written_as_a_street(value: str) -> bool:
    """Whether a name in it has a capital, beside the kind of street: `5 High street`, but not `5 percent av`."""
    words = [word for word in _WORDS.findall(value) if word.lower() not in _elsewhere_kinds()]
    if _TWO_LETTERS.match(value):
        return False
    low = sum(word.islower() and len(word) >= _LONG for word in words)
    names = sum(not word.islower() and len(word) > 1 for word in words)
    return low <= names


def _is_of_a_sentence(reading: Reading, street: Street, end: int, *, located: bool) -> bool:
    """Whether the number is a year, or of another sentence: `martie 2001`."""
    value = reading.lower[street.start : street.end]
    if _SENTENCES.search(reading.text, street.start, street.end):
        return True
    first = _WORDS.search(value)
    dated = first is not None and first[0] in _dates()
    if dated and _YEAR_NEXT.match(reading.lower, street.start):
        return True
    if located or reading.has("home_lead", "home_lead_name"):
        return False
    return dated or (end == street.end and _YEAR_LAST.search(value) is not None)


def _located(reading: Reading, street: Street, *, cased: bool) -> tuple[int, bool]:
    """Where the address ends with its flat, town and postcode; and whether it has one of the last."""
    text = reading.text
    end = street.end
    if unit := _after_street().match(text, end):
        end = unit.end()
    tail = text[end : end + _TAIL]
    for match in pattern("postcode").finditer(tail):
        if match["us"] and match["us"][:2].lower() not in _set("states"):
            continue
        if _MEASURE.search(match[0]) or (cased and any(map(str.islower, match[0]))):
            continue
        between = tail[: match.start()]
        if len(re.findall(r"\w+", between)) <= 5 and not re.search(r"\d", between):
            after = end + match.end()
            # on the continent the town follows its postcode
            if (
                not match["us"]
                and (town := re.compile(rf" {_WORD}").match(text, after))
                and re.fullmatch(r"[\d -]+", match[0])
            ):
                after = town.end()
            return after, True
    for match in re.finditer(rf"[, ]{{1,2}}({_WORD})", tail):
        if cased and not match[1].isupper():
            continue
        if match[1].lower() in _set("states") and (match[1].isupper() or match.end() == len(tail) or match.start() > 3):
            if re.search(r"\d", tail[: match.start()]):
                break
            return end + match.end(), True
    return end, False


def _is_famous(value: str) -> bool:
    plain = " ".join(re.findall(r"\w+", value))
    return any(plain.startswith(known) for known in _famous())


@cache
def _numbered() -> re.Pattern[str]:
    """A house number and the words after it, or a flat and the words after it."""
    number = r"\d{1,6}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?(?: ?½| 1/2)?"
    return re.compile(
        rf"(?<![\w.$€£#/-])(?:(?:flat|apartment|apt|unit|studio|suite) ?#?(?=\w*\d)\w{{1,5}}"
        rf"(?:,? {{1,2}}(?:{number},? )?|/{number},? )"
        rf"|{number},? )"
        rf"(?P<words>(?:\d{{1,3}}(?:st|nd|rd|th)|{_WORD})(?: (?:\d{{1,3}}(?:st|nd|rd|th)|{_WORD})){{0,5}})",
        re.IGNORECASE,
    )


@cache
def _unknown() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{_WORD},? ){{1,4}}{_WORD},? {_NUMBER}(?=[ ,]|\Z)", re.IGNORECASE)


@cache
def _led() -> re.Pattern[str]:
    """Right after the words "I live at", where the number is last: a name without a word for street."""
    return re.compile(
        rf"[ ,:]{{1,3}}((?:{_WORD} ){{0,4}}?[^\W\d_][\w'.-]{{2,24}}),? {_NUMBER}(?=[ ,]|\Z)", re.IGNORECASE
    )


@cache
def _elsewhere() -> tuple[re.Pattern[str], ...]:
    """Streets as other countries write them: the kind first, or as the end of the name, and the number last."""
    rows = table("streets")
    blanks = {"{name}": _WORD, "{number}": _NUMBER, "{end}": rows["end"].strip(), "{first}": rows["first"].strip()}
    return tuple(_verbose(_filled(pattern, blanks)) for pattern in rows["elsewhere"])


def _filled(pattern: str, blanks: dict[str, str]) -> str:
    for blank, value in blanks.items():
        pattern = pattern.replace(blank, value)
    return pattern


def _verbose(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


@cache
def _after_street() -> re.Pattern[str]:
    return _verbose(rf"[, ]{{0,3}}(?:{table('streets')['unit'].strip()})(?!\w)")


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(table("streets")[name].split())


@cache
def _kinds(name: str) -> frozenset[str]:
    return frozenset(kind.removesuffix("s") for kind in _set(name))


@cache
def _dates() -> frozenset[str]:
    return frozenset(table("dates")["months"].split())


@cache
def _elsewhere_kinds() -> frozenset[str]:
    rows = table("streets")
    plain = re.findall(r"[^\W\d_]+", f"{rows['end']} {rows['first']}")
    return frozenset((*plain, *_set("sure"), *_set("doubtful")))


@cache
def _famous() -> tuple[str, ...]:
    return tuple(name.strip() for name in table("streets")["famous"].replace("\n", " ").split(","))
