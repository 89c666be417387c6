"""Takes an address apart, with the place of every piece in it; a piece is as written, not decoded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

_ADDRESS = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?//(?:([^/?#\s]*)@)?([^/?#@\s]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?\Z", re.DOTALL
)
_SEGMENT = re.compile(r"[^/;]+")
_FIELD = re.compile(r"(?:([^&;=]*)=)?([^&;]+)")
_NUMBERED = re.compile(r"([a-z_.-]{0,20})\[?(\d{1,3})\]?")
_LEAST_ROW = 3
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


def series(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Values whose names are a row: `a`, `b`, `c`; `k1`, `k2`; the same again."""
    run: list[Piece] = []
    for piece in (*(p for p in pieces if p.where == "value"), None):
        if run and (piece is None or not _follows(run[-1].name, piece.name)):
            if len(run) >= _LEAST_ROW:
                yield run
            run = []
        if piece is not None:
            run.append(piece)


def _follows(name: str, following: str) -> bool:
    one, two = _NUMBERED.fullmatch(name), _NUMBERED.fullmatch(following)
    if one and two and one[1] == two[1] and int(two[2]) == int(one[2]) + 1:
        return True
    return name == following or (len(name) == len(following) == 1 and ord(following) == ord(name) + 1)


def _fields(query: str, at: int) -> Iterator[Piece]:
    for match in _FIELD.finditer(query):
        name, value = match.groups()
        if name is None:
            yield Piece("name", "", value, at + match.start(2), at + match.end(2))
        else:
            yield Piece("value", name.lower(), value, at + match.start(2), at + match.end(2))
            if len(name) > 20:
                yield Piece("name", "", name, at + match.start(1), at + match.end(1))
