"""API keys and tokens: some sixty vendors' by their shape, anybody's by the name before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from websearch_guard.lazy_patterns import compiled

from ..text.prepared_text import Reading, Span, table

_PARAMETER = re.compile(
    r"\A(?:x-)?(?:api[_-]?key|client[_-]?secret|(?:secret|access)[_-]?key|secret)[ =]([A-Za-z0-9_\-./+=~]{15,400})\Z",
    re.IGNORECASE,
)
"""In an address only what is a secret by its name: tokens of all kinds are in links."""
_SAMPLE = re.compile(
    r"example|sample|placeholder|your|xxxx|\*{3}|dummy|changeme|0{8}|12345678(?!9\d)|abcdefgh|insert|redacted|\.\.\.",
    re.IGNORECASE,
)
_ID = re.compile(r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}\Z", re.IGNORECASE)
_CONTRACT = re.compile(r"0x[a-f0-9]{40}\Z", re.IGNORECASE)
_PREFIXED = re.compile(
    r"(?<![\w./@=+-])(?!pk[_-]|post|sha|(?:ch|txn|card|pi|evt|sub|prod|price|req)_)[a-z]{2,10}(?:[_-][a-z0-9]{1,10}){0,2}[_-]"
    r"((?=[A-Za-z0-9]{0,80}[A-Z])(?=[A-Za-z0-9]{0,80}[a-z])"
    r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{24,120})(?![\w/@=+-])"
    r"|(?<![\w./@=+-])((?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{24,200}) (?:is )?"
    r"(?:my |the |our )?(?:\w{2,12} )?(?:key|token|secret)\b"
)
"""A vendor that no list has puts its letters before; or it is called a key right after."""
_LONG = re.compile(r"(?<![\w./@=+-])[A-Za-z0-9_-]{24,200}(?![\w/@=+])")
"""What may be a key without a name right before it."""
_SHORTEST = 15


class _Key(NamedTuple):
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]


def keys(reading: Reading) -> Iterator[Span]:
    """Keys and tokens; not the ones that documentation shows."""
    if reading.longest < _SHORTEST:
        return
    for key in _keys():
        if any(anchor in reading.lower for anchor in key.anchors):
            for match in key.pattern.finditer(reading.text):
                is_word = match[0].isalpha() and (match[0].islower() or match[0].istitle())
                if not is_word and not _SAMPLE.search(match[0]) and len(set(match[0])) > 8:
                    yield Span("api_key", match.start(), match.end())
    found = _PARAMETER.finditer(reading.text) if reading.strict else _named().finditer(reading.text)
    for match in found:
        if _is_random(match[1]):
            yield Span("api_key", match.start(1), match.end(1), 0.8)
    if reading.strict:
        return
    for match in _unshaped().finditer(reading.text):
        if _is_random(match[1]) and not reading.has("not_api_key"):
            yield Span("api_key", match.start(1), match.end(1), 0.8)
    for match in _PREFIXED.finditer(reading.text) if not reading.has("not_api_key") else ():
        if _is_random(match[1] or match[2]):
            yield Span("api_key", match.start(), match.end(), 0.7)
    if reading.has("key_lost") and not reading.has("not_api_key"):
        for match in _LONG.finditer(reading.text):
            if _is_random(match[0]):
                yield Span("api_key", match.start(), match.end(), 0.7)


def webhooks(address: str) -> Iterator[Span]:
    """Addresses that are a key as a whole: host and path together."""
    lower = address.lower()
    for key in _keys():
        if any("/" in anchor and anchor in lower for anchor in key.anchors):
            for match in key.pattern.finditer(address):
                yield Span("api_key", match.start(), match.end())


def _is_random(value: str) -> bool:
    """Long, of digits and letters, and no word, path, version or documentation's example."""
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    turns = len(re.findall(r"[a-z][A-Z]", value))
    if (
        (digits < 2 and not (len(value) >= 20 and turns >= 4))
        or letters < 4
        or _SAMPLE.search(value)
        or _CONTRACT.match(value)
    ):
        return False
    if _ID.match(value):
        return True
    longest = max(map(len, re.findall(r"[a-z]+|[A-Z]+|\d+", value)))
    return longest < len(value) * 0.6 and len(set(value)) > 7 and value.count("/") < 4 and value.count(".") < 4


@cache
def _named() -> re.Pattern[str]:
    """A name for keys in general, and the value after it."""
    names = "|".join(name.replace(" ", "[ _-]?") for name in table("keys")["names"])
    return re.compile(
        rf"(?:\b|_)(?:{names})(?:\s{{0,2}}(?:is\b|[:=]|=>|->)|[\"']\s{{0,2}}:)?\s{{0,2}}[\"'`]?"
        r"([A-Za-z0-9][A-Za-z0-9_\-./+=~]{14,400})",
        re.IGNORECASE,
    )


@cache
def _unshaped() -> re.Pattern[str]:
    """Any word for a key, or the name of somebody whose keys look like any other random value; and the value."""
    rows = table("keys")
    names = "|".join(name.replace(" ", "[ _-]?") for name in (*rows["weak_names"], *rows["unshaped"]))
    return re.compile(
        rf"(?:\b|_)(?:{names})(?: (?:key|token|secret|pat|id|auth|api|prod|live|credentials?)){{0,3}}"
        rf"(?:\s{{0,2}}(?:is\b|was\b|[:=]|=>|->)|[\"']\s{{0,2}}:)?\s{{0,2}}[\"'`]?([A-Za-z0-9][A-Za-z0-9_\-+=~]{{19,200}}(?::fx)?)(?![\w/.@])",
        re.IGNORECASE,
    )


@cache
def _keys() -> tuple[_Key, ...]:
    return tuple(_Key(tuple(row["anchor"]), compiled(row["pattern"])) for row in table("keys")["key"])
