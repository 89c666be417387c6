"""Text with escapes in it: percent-encoding, HTML entities, backslash escapes, quoted-printable."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator

from .text_view import Piece, View, rewritten

# each begins with its sign, so that what is none is passed over quickly
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2}){0,1999}")
_ENTITY = re.compile(r"&(?:#[xX][0-9A-Fa-f]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z0-9]{1,30});")
_BACKSLASH = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}(?:\\x[0-9A-Fa-f]{2})*|u\{[0-9A-Fa-f]{1,6}\}|u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})*"
    r"|U[0-9A-Fa-f]{8}|[0-3][0-7]{2})"
)
_AROUND = 160
"""So much of the text on each side is part of an escape's reading."""
_GAP = 80
"""Escapes no further apart are read together."""


def escapes(text: str, *, url: bool) -> Iterator[View]:
    """The text round its escapes, with them read; of an address, the whole."""
    for kind, mark, pattern, read in _READERS:
        if mark in text:
            pieces = (Piece(m.start(), m.end(), said) for m in pattern.finditer(text) if (said := read(m[0])) != m[0])
            yield from _whole(text, kind, pieces) if url else in_windows(text, kind, pieces)


def _whole(text: str, kind: str, pieces: Iterable[Piece]) -> Iterator[View]:
    read, edits = rewritten(text, pieces)
    if read != text:
        yield View(kind, read, tuple(edits))


def in_windows(text: str, kind: str, pieces: Iterable[Piece], *, least: int = 1) -> Iterator[View]:
    """One view for each place that has pieces, at least so many, with the words around them."""
    group: list[Piece] = []
    for piece in pieces:
        if group and piece.start - group[-1].end > _GAP:
            if len(group) >= least:
                yield _window(text, kind, group)
            group = []
        group.append(piece)
    if group and len(group) >= least:
        yield _window(text, kind, group)


def _window(text: str, kind: str, pieces: list[Piece]) -> View:
    first, last = pieces[0].start, pieces[-1].end
    start = max(text.rfind("\n\n", max(0, first - _AROUND), first) + 1, first - _AROUND, 0)
    end = text.find("\n\n", last, last + _AROUND)
    end = min(last + _AROUND, len(text)) if end < 0 else end
    read, edits = rewritten(text, pieces, start, end)
    return View(kind, read, tuple(edits))


def _percent(escape: str) -> str:
    content = bytes.fromhex(escape.replace("%", ""))
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _entity(escape: str) -> str:
    return html.unescape(escape)


def _backslash(escape: str) -> str:
    if escape.startswith("\\x"):
        return bytes.fromhex(escape.replace("\\x", "")).decode("utf-8", "replace")
    if escape[1] in "uU":
        numbers = re.findall(r"[0-9A-Fa-f]+", escape)
        units = b"".join(
            min(int(n, 16), 0x10FFFF).to_bytes(2, "big")
            if int(n, 16) < 0x10000
            else chr(min(int(n, 16), 0x10FFFF)).encode("utf-16-be")
            for n in numbers
        )
        return units.decode("utf-16-be", "replace")
    return chr(int(escape[1:], 8))


_READERS: tuple[tuple[str, str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("percent", "%", _PERCENT, _percent),
    ("entities", "&", _ENTITY, _entity),
    ("escapes", "\\", _BACKSLASH, _backslash),
)
