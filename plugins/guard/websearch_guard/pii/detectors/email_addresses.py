"""E-mail addresses of people: at a provider for everybody, or of a person whom the words are after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ..text.person_names import is_first_name
from ..text.prepared_text import Reading, Span, table

_ADDRESS = re.compile(
    r"(?<![\w.%+-])([\w][\w.+'%-]{0,63}) ?@ ?((?:[^\W_][\w-]{0,62}\.){1,5}[^\W\d_]{2,24})(?![\w-]|\.\w)", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W\d_]+")
_LEAST_SURNAME = 4
_KEYED = re.compile(r"e-?mail\w{0,12}[\W_]{0,4}\Z|\bmailto:\Z", re.IGNORECASE)


def emails(reading: Reading) -> Iterator[Span]:
    """Personal addresses; not those of desks, companies and examples."""
    if "@" not in reading.text:
        return
    for match in _ADDRESS.finditer(reading.text):
        if _is_personal(reading, match):
            yield Span("email", match.start(), match.end())


def _is_personal(reading: Reading, match: re.Match[str]) -> bool:
    local, domain = match[1].lower(), match[2].lower()
    if local.endswith(".."):  # shortened by who shows it
        return False
    tokens = _TOKEN.findall(local)
    if domain in _words("sample_domains") or domain.endswith((".test", ".invalid", ".example", ".localhost")):
        return False
    bare = local.partition("+")[0]
    if bare in _words("roles") or (tokens and tokens[0] in _words("roles") and len(tokens[0]) > 3):
        return False
    if domain in _words("free") or any(label in _words("free") for label in domain.split(".")[-3:-1]):
        return True
    if not _has_name_shape(local, tokens):
        return False
    if any(len(token) >= _LEAST_SURNAME and token in domain and token != domain.split(".")[0] for token in tokens[1:]):
        return True  # jane@ the family's own domain
    if domain.endswith((".name", ".me")):
        return True
    if reading.strict:
        return _KEYED.search(reading.text, max(0, match.start() - 24), match.start()) is not None
    return reading.near("email_person", match.start(), match.end())


def _has_name_shape(local: str, tokens: list[str]) -> bool:
    """jane.doe, j.doe, jane_doe84, janedoe."""
    if any(is_first_name(token) for token in tokens):
        return True
    if re.fullmatch(r"[a-z]{1,15}[._-][a-z]{2,20}\d{0,4}", local):
        return True
    return any(is_first_name(tokens[0][:size]) for size in range(4, min(9, len(tokens[0])))) if tokens else False


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table("mail")[name].split())
