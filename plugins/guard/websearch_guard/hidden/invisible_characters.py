"""Characters that nobody sees; those that a script or an emoji needs stay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ..deobfuscation.characters import BLANKS, is_unseen, strange
from ..deobfuscation.text_view import Piece

_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_CURSIVE = ((0x600, 0x900), (0xFB50, 0xFE00), (0xFE70, 0xFEFF), (0x1800, 0x18B0), (0x10F00, 0x10F70))
_INDIC = ((0x900, 0xE00), (0xF00, 0x10A0), (0x1700, 0x1800), (0x1900, 0x1B80), (0x11000, 0x11800))
_MONGOLIAN = range(0x1800, 0x18B0)
_IDEOGRAPHS = ((0x3400, 0xA000), (0xF900, 0xFB00), (0x20000, 0x32000))


def unseen_runs(text: str) -> list[Piece]:
    """The runs of characters to take out, in order."""
    unseen = "".join(sorted(filter(is_unseen, set(strange(text)))))
    if not unseen:
        return []
    flags = (
        {i for match in _FLAG.finditer(text) for i in range(*match.span())} if "\U000e007f" in unseen else set[int]()
    )
    often = "" if text.isascii() else "+"
    return list(_pieces(text, re.compile(f"[{re.escape(unseen)}]{often}"), flags))


def _pieces(text: str, pattern: re.Pattern[str], flags: set[int]) -> Iterator[Piece]:
    for match in pattern.finditer(text):
        start, end = match.span()
        if start in flags or (end - start == 1 and _joins(text, start)):
            continue
        if end - start == 2 and text[start] == "\ufe0f" and text[start + 1] == _ZWJ and _joins(text, start):
            continue
        yield Piece(start, end, "" if BLANKS.isdisjoint(match[0]) else " ")


def _joins(text: str, place: int) -> bool:
    """Whether what is written would change without the character here."""
    here, before = text[place], text[place - 1 : place]
    after = text[place + 1 : place + 2]
    if not before:
        return False
    if here in (_ZWNJ, _ZWJ):
        point = ord(before)
        if _among(point, _CURSIVE) or _among(point, _INDIC):
            return here == _ZWJ or (bool(after) and (_among(ord(after), _CURSIVE) or _among(ord(after), _INDIC)))
        return here == _ZWJ and _is_pictorial(before) and bool(after) and _is_pictorial(after)
    if "\ufe0e" <= here <= "\ufe0f":
        return _is_pictorial(before) or before in "0123456789#*"
    if "\ufe00" <= here <= "\ufe02" or "\U000e0100" <= here <= "\U000e010f":
        return _among(ord(before), _IDEOGRAPHS) or (here <= "\ufe00" and unicodedata.category(before) == "Sm")
    return "\u180b" <= here <= "\u180f" and ord(before) in _MONGOLIAN


def _is_pictorial(character: str) -> bool:
    """Emoji and other signs, and what modifies them."""
    return (
        unicodedata.category(character) in {"So", "Sk", "Sm", "Cn"}
        or character in "\ufe0f\u203c\u2049\u3030\u303d"
        or character > "\U0001f000"
    )


def _among(point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= point < high for low, high in ranges)
