"""The pieces of an address that may carry something out, decoded, with the way back to their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from websearch_guard.deobfuscation import View, canonical
from websearch_guard.deobfuscation.text_view import Piece as Change
from websearch_guard.deobfuscation.text_view import blob, rewritten
from websearch_guard.exfiltration.url_parts import series, taken_apart

from .email_spellings import parted
from .number_spellings import latinised

_AUTHORITY = re.compile(r"(?:[a-z][a-z0-9+.-]{0,20}:)?//([^/?#\\]*)", re.IGNORECASE)
_PART = re.compile(r"[^&;?#]+")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_PLUS = re.compile(r"(?<=\w)\+(?=\S)|(?<=\S)\+(?=\w)")
_WORDY = re.compile(r"\S\s+\S")
_TIMES = 3
_SHORT = 12
SLUG_LABEL = "~"
"""Between a word and a number that one hyphen joined: weaker than a parameter's name."""
_LABELLED = re.compile(r"(?<=[^\W\d_])[-_](?=\d)")
_SLUG = re.compile(r"[A-Za-z]-\d|\d-[A-Za-z]|_")


class Piece(NamedTuple):
    """`view.text` was read from the address from `start` on; `is_text`: it has several words, as a query has."""

    start: int
    view: View
    is_text: bool


def pieces(url: str) -> Iterator[Piece]:
    """User and password, host, path (whole, and each segment), parameters, fragment; an e-mail address in parts."""
    place = 0
    if found := _AUTHORITY.match(url):
        userinfo, at, host = found[1].rpartition("@")
        if at:
            yield Piece(0, View("plain", url[: found.end()]), is_text=True)
            yield from _read(found.start(1), userinfo, ":")
        if host.count(".") > 1 or "-" in host:
            yield from _read(found.start(1) + len(userinfo) + len(at), host, ".")
        place = found.end()
    size = place + (len(url[place:]) if (cut := re.search(r"[?#]", url[place:])) is None else cut.start())
    path = url[place:size]
    if any(map(str.isdigit, path)) or "%" in path or "@" in path:
        yield from _read(place, path, "/", whole=False)
        for segment in re.finditer(r"[^/]+", path):
            yield from _read(place + segment.start(), segment[0], "")
    for change in parted(url[place:]):
        length = change.end - change.start
        yield Piece(place + change.start, blob("mail", change.text, 0, length), is_text=False)
    yield from _rows(url)
    for part in _PART.finditer(url, size):
        key, equals, value = part[0].partition("=")
        yield from _read(part.start(), part[0], "=" if equals else "")
        if equals:
            if any(map(str.isdigit, key)):
                yield from _read(part.start(), key, "")
            yield from _read(part.start() + len(key) + 1, value, "")


def _rows(url: str) -> Iterator[Piece]:
    """Short values of parameters in a row, as one: a number that was cut in pieces."""
    address = taken_apart(url)
    for run in series(address.pieces) if address and "?" in url else ():
        texts = [unquote(piece.text) for piece in run]
        if run[0].where == "value" and max(map(len, texts)) <= _SHORT:
            for joint in " ", "":
                said = blob("split", joint.join(texts), 0, run[-1].end - run[0].start)
                yield Piece(run[0].start, said, is_text=True)


def _read(start: int, text: str, separators: str, *, whole: bool = True) -> Iterator[Piece]:
    """The piece as it is meant: escapes undone, plus signs and separators as spaces; wordy ones as text, too."""
    view = _unescaped(View("plain", _PLUS.sub(" ", text)))
    wordy = _WORDY.search(view.text) is not None
    if whole and wordy and separators != "=":
        yield Piece(start, view, is_text=True)
    plain = view.text
    for separator in separators:
        plain = plain.replace(separator, " ")
    yield Piece(start, view._replace(text=plain), is_text=False)
    if _SLUG.search(plain):
        spaced = _LABELLED.sub(SLUG_LABEL, plain).replace("-", " ").replace("_", " ")
        yield Piece(start, view._replace(text=spaced), is_text=False)


def _unescaped(view: View) -> View:
    for _ in range(_TIMES):
        if "%" not in view.text:
            break
        changes = [Change(m.start(), m.end(), unquote(m[0], errors="replace")) for m in _ESCAPED.finditer(view.text)]
        if not changes:
            break
        text, edits = rewritten(view.text, changes)
        view = View("percent", text, tuple(edits), view)
    read = latinised(canonical(view.text))
    return view if read.text == view.text else read._replace(source=view)
