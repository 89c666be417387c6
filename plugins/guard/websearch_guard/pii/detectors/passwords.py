"""Passwords: said, assigned, given on a command line, or in an address before the host."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..text.person_names import is_common
from ..text.prepared_text import Reading, Span, table

_IN_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://([^\s/:@?#]{0,80}):"
    r"([^\s@/]{1,100}|[^\s@]{1,100}(?=@[\w.-]{1,255}(?::\d{1,5})?(?:/|\s|\Z)))@(?=[\w\[])",
    re.IGNORECASE,
)
_BASIC = re.compile(r"\bbasic ([A-Za-z0-9+/]{12,200}={0,2})(?![\w])", re.IGNORECASE)
_TOKEN = re.compile(r"(?<!\S)[\w!@#$%^&*+~?=-]{7,40}(?=[\s.,;:)]|\Z)")
"""What may be one, in a text about passwords."""
_HABIT = re.compile(r"([^\W\d_]{4,16})[\W_]?\d{2,6}[^\w\s]?\Z")
"""As many make theirs: a word, a number, a sign."""
_SYMBOL = re.compile(r"[^\w\s.,?!:;()-]|!(?=.)|(?<=\d)!")
_MIXED = re.compile(
    r"(?=.*[^\w\s-]).*[^\W\d_].*\d|(?=.*[^\w\s-])\d.*[^\W\d_]|[a-z]\d+[a-z]|\d[a-z]+[A-Z]|[a-z][A-Z].*\d"
)
_MAIL = re.compile(r"\w@\w[\w-]*\.\w")
_PHRASE = re.compile(r"[\"“']([a-z]{2,12}(?:[ -][a-z]{2,12}){2,9})[\"”']", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PORT = re.compile(r"\d{1,5}")
_NEAR_IN_SENTENCE = 10
"""So close before `password` stands `my`."""
_REACH = 30
"""Between a quoted phrase and the word that makes it a password."""
_LEAST = 4
_LEAST_BESIDE = 6


class _Pattern(NamedTuple):
    id: str
    least: int
    value: re.Pattern[str]


class _Tables(NamedTuple):
    patterns: tuple[_Pattern, ...]
    parameter: re.Pattern[str]
    placeholder: re.Pattern[str]
    samples: frozenset[str]
    hints: tuple[str, ...]
    word: re.Pattern[str]


def passwords(reading: Reading) -> Iterator[Span]:
    """What looks like a real one, not like a word about passwords."""
    text, tables = reading.text, _tables()
    if not any(hint in reading.lower for hint in tables.hints):
        return
    if reading.strict:
        assigned = (match for p in tables.patterns if p.id == "assigned" for match in p.value.finditer(text))
        for match in (tables.parameter.match(text), *assigned):
            if match and _is_secret(match[1], least=1):
                yield _span(match)
        return
    sentence = reading.is_sentence()
    far = _NEAR_IN_SENTENCE if sentence else len(text)
    for pattern in tables.patterns:
        for match in pattern.value.finditer(text):
            begin, end = match.span()
            near = reading.near("mine", begin, end, before=far, after=0 if sentence else far)
            mine = near and pattern.id == "said" and not (sentence and match[0].lower().startswith("pass "))
            least = 0 if mine else pattern.least
            if _is_secret(match[1], least=least):
                yield _span(match)
    if "://" in text:
        for match in _IN_ADDRESS.finditer(text):
            if _is_credential(match[1], match[2]):
                yield Span("password", match.start(1), match.end(2))
    for match in _BASIC.finditer(text):
        if _is_basic(match[1]):
            yield _span(match)
    if words := [match.span() for match in tables.word.finditer(text)]:
        for match in _PHRASE.finditer(text) if reading.has("mine") else ():
            if any(match.start() - _REACH < end and start < match.end() + _REACH for start, end in words):
                yield _span(match)
        for match in _TOKEN.finditer(text):
            if _is_made_up(match[0]) and not _is_sample(match[0]):
                yield Span("password", match.start(), match.end(), 0.6)


def _span(match: re.Match[str]) -> Span:
    end = match.end(1) - (match[1][-1] in ".,;?")
    return Span("password", match.start(1), end, 0.9)


def _is_secret(value: str, *, least: int) -> bool:
    """Not a word or a placeholder, and of more than `least` kinds of characters."""
    value = value.rstrip(".,;?)")
    if _is_sample(value) or len(value) < _LEAST or "://" in value:
        return False
    if value.isdigit():
        return least < 2 and not _YEAR.fullmatch(value)
    kinds = (
        any(map(str.islower, value))
        + (any(map(str.isupper, value[1:])) and any(map(str.islower, value)))
        + any(map(str.isdigit, value))
        + (_SYMBOL.search(value) is not None or ("!" in value and any(map(str.isdigit, value))))
    )
    return kinds > least and len(value) >= (_LEAST_BESIDE if least > 1 else _LEAST + 1)


def _is_made_up(value: str) -> bool:
    """Whether nobody would write it but as a password: of many kinds of characters; or a strange word and a number."""
    if sum(map(str.isalnum, value)) < _LEAST_BESIDE or not any(map(str.isalpha, value)) or value.count("=") > 1:
        return False
    if not any(map(str.isdigit, value)) or value.startswith(("--", "#", "@", "$", "?", "=")) or _MAIL.search(value):
        return False
    if _is_secret(value, least=2) and _MIXED.search(value):
        return True
    habit = _HABIT.fullmatch(value)
    return habit is not None and value[0].isupper() and value[1:2].islower() and not is_common(habit[1].lower())


def _is_credential(user: str, password: str) -> bool:
    if _is_sample(password) or _PORT.fullmatch(password):
        return False
    return len(password) >= _LEAST or bool(user)


def _is_sample(value: str) -> bool:
    tables = _tables()
    return value.lower() in tables.samples or tables.placeholder.search(value) is not None


def _is_basic(value: str) -> bool:
    """Whether it is a user and a password in base64 (RFC 7617)."""
    try:
        return b":" in base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return False


@cache
def _tables() -> _Tables:
    rows = table("passwords")
    flags = re.IGNORECASE | re.VERBOSE
    word = f"(?:{rows['words'].strip()})"
    return _Tables(
        tuple(
            _Pattern(r["id"], r["least"], re.compile(r["value"].replace("{word}", word), flags))
            for r in rows["pattern"]
        ),
        re.compile(
            rf"[\w.-]{{0,20}}?(?!mdp[a-z])"
            rf"(?:(?:{word}|pass|secret)\w{{0,4}}|(?<![^\W_])(?:user|db|my)?pw\d?)[ =]([^\s]{{4,64}})\Z",
            flags,
        ),
        re.compile(rows["placeholder"], flags),
        frozenset(rows["samples"].split()),
        tuple(rows["hints"]),
        re.compile(rf"(?<![^\W_])(?:{word}|pass|pw|creds?|credentials|log[ ]?in)s?(?![^\W_])", flags),
    )
