"""Numbers written digit by digit (`1 2 3`, `1.2.3`, `1-2-3`), mail addresses in disguise, values in base64."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence

from websearch_guard.deobfuscation import View
from websearch_guard.deobfuscation.characters import characters
from websearch_guard.deobfuscation.text_view import Piece, rewritten

from .email_spellings import mails

_GAP = r"[ .\-_*,/·|~:]{1,3}"
_DIGITS = re.compile(rf"(?<![^\W_])\d(?:{_GAP}\d(?!\d)){{4,40}}(?!\w)")
_CHARACTERS = re.compile(rf"(?<![^\W_])[A-Za-z0-9](?:{_GAP}[A-Za-z0-9](?![A-Za-z0-9])){{5,40}}(?!\w)")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{8,400}={0,2}(?![A-Za-z0-9+/_=-])")
_JUNK = re.compile(r"[^A-Za-z0-9]+")
_LEAST_DIGITS, _MOST_DIGITS = 4, 34
_STRANGE = re.compile(r"\S*[^\x00-\x7f\s]\S*")
_TELLING = re.compile(r"[0-9@_]")


def latinised(view: View) -> View:
    """The reading with look-alikes as Latin letters in words that have digits or signs, too: of the same length."""
    text = view.text
    if text.isascii():
        return view
    out = _STRANGE.sub(_latin, text)
    return view if out == text else view._replace(kind="canonical", text=out)


def _latin(match: re.Match[str]) -> str:
    word = match[0]
    read = word.translate(characters().other)
    return read if read.isascii() and _TELLING.search(read) else word


def respelt(text: str) -> Iterator[View]:
    """The text with such numbers in one piece, with such values decoded: where it has some."""
    digits = [
        Piece(m.start(), m.end(), value)
        for m in _DIGITS.finditer(text)
        if len(value := _JUNK.sub("", m[0])) <= _MOST_DIGITS
    ]
    yield from _view("digits", text, digits)
    mixed = [
        Piece(m.start(), m.end(), _JUNK.sub("", m[0]))
        for m in _CHARACTERS.finditer(text)
        if _LEAST_DIGITS <= sum(map(str.isdigit, m[0])) < len(_JUNK.sub("", m[0])) <= _MOST_DIGITS
    ]
    yield from _view("characters", text, mixed)
    decoded = [
        Piece(m.start(), m.end(), value) for m in _BASE64.finditer(text) if (value := _decoded(m[0])) is not None
    ]
    yield from _view("base64", text, decoded)
    yield from _view("mail", text, list(mails(text)))


def _view(kind: str, text: str, pieces: Sequence[Piece]) -> Iterator[View]:
    if pieces:
        read, edits = rewritten(text, pieces)
        yield View(kind, read, tuple(edits))


def _decoded(token: str) -> str | None:
    """What the token says in base64, where that is plain text with a number or an address in it."""
    core = token.rstrip("=")
    if core.isdigit() or len(core) % 4 == 1:
        return None
    try:
        value = base64.b64decode(core.translate(_STANDARD) + "=" * (-len(core) % 4), validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return None
    telling = "@" in value or sum(map(str.isdigit, value)) >= _LEAST_DIGITS
    return value if telling and value.isprintable() else None


_STANDARD = str.maketrans("-_", "+/")
