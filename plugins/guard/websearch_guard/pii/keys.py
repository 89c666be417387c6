"""API keys and tokens: some sixty vendors' by their shape, anybody's by the name before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from websearch_guard.lazily import compiled

from .reading import Reading, Span, table

_PARAMETER = re.compile(
    r"\A(?:x-)?(?:api[_-]?key|client[_-]?secret|(?:secret|access)[_-]?key|secret)[ =]([A-Za-z0-9_\-./+=~]{15,400})\Z",
    re.IGNORECASE,
)
"""In an address only what is a secret by its name: tokens of all kinds are in links."""
_SAMPLE = re.compile(
    r"example|sample|placeholder|your|xxxx|\*{3}|dummy|changeme|0{8}|12345678(?!9\d)|abcdefgh|insert|redacted|\.\.\.",
    re.IGNORECASE,
)
_HEX_OR_ID = re.compile(r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}\Z", re.IGNORECASE)
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
                if not _SAMPLE.search(match[0]) and len(set(match[0])) > 8:
                    yield Span("api_key", match.start(), match.end())
    found = _PARAMETER.finditer(reading.text) if reading.strict else _named().finditer(reading.text)
    for match in found:
        if _is_random(match[1]):
            yield Span("api_key", match.start(1), match.end(1), 0.8)


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
        or _HEX_OR_ID.match(value)
    ):
        return False
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
def _keys() -> tuple[_Key, ...]:
    return tuple(_Key(tuple(row["anchor"]), compiled(row["pattern"])) for row in table("keys")["key"])
