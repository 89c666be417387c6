"""Takes an address apart, with the place of every piece in it; a piece is as written, not decoded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_ADDRESS = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?//(?:([^/?#\s]*)@)?([^/?#@\s]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?\Z", re.DOTALL
)
_SEGMENT = re.compile(r"[^/;]+")
_FIELD = re.compile(r"(?:([^&;=]*)=)?([^&;]+)")
_ASSIGNED = re.compile(r"[^&=/:]{1,64}=.")


class Piece(NamedTuple):
    """`user`, `host`, a `segment` of the path, a parameter's `value` (or a lone `name`), or of the `fragment`."""

    where: Literal["user", "host", "segment", "value", "name", "fragment"]
    name: str
    """Of a value: its parameter's, lower case."""
    text: str
    start: int
    end: int


class Address(NamedTuple):
    """An address's host, its path's outline, and the pieces."""

    host: str
    path: str
    host_start: int
    pieces: list[Piece]


def taken_apart(url: str) -> Address | None:
    """The pieces in their order; None for what is no address."""
    match = _ADDRESS.match(url)
    if match is None:
        return None
    user, netloc, path, query, fragment = match.groups()
    host = netloc.rpartition(":")[0] if ":" in netloc and netloc.rpartition(":")[2].isdigit() else netloc
    pieces: list[Piece] = []
    if user:
        pieces.append(Piece("user", "", user, *match.span(1)))
    at = match.start(3)
    pieces += (Piece("segment", "", s[0], at + s.start(), at + s.end()) for s in _SEGMENT.finditer(path))
    if query:
        pieces += _fields(query, match.start(4))
    if fragment and not fragment.startswith(":~:"):  # words to scroll to, by the browser's own syntax
        if _ASSIGNED.match(fragment):
            pieces += (piece._replace(where="fragment") for piece in _fields(fragment, match.start(5)))
        else:
            at = match.start(5)
            pieces += (Piece("fragment", "", s[0], at + s.start(), at + s.end()) for s in _SEGMENT.finditer(fragment))
    return Address(host.lower().rstrip("."), path, match.start(2), pieces)


def _fields(query: str, at: int) -> Iterator[Piece]:
    for match in _FIELD.finditer(query):
        name, value = match.groups()
        if name is None:
            yield Piece("name", "", value, at + match.start(2), at + match.end(2))
        else:
            yield Piece("value", name.lower(), value, at + match.start(2), at + match.end(2))
            if len(name) > 20:
                yield Piece("name", "", name, at + match.start(1), at + match.end(1))
