"""Text written in invisible characters: tags, variation selectors, bits of zero width, and reversed runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .characters import strange
from .packed_text import readable
from .text_view import Piece, View, blob, rewritten

_ANY = re.compile(
    "[\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef\u00ad]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e][\U000e0000-\U000e007f\u200b-\u200d\u2060]{2,}")
_FLAG = "\U0001f3f4"
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_BITS = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u180e]{16,}")
_OVERRIDE = re.compile("[\u202e\u2067\u202b]([^\u202a-\u202e\u2066-\u2069\n]{4,4000})[\u202a-\u202e\u2066-\u2069]?")
_BETWEEN = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]{1,8}(?=[A-Za-z\u00c0-\u024f\u0370-\u052f]{2})")
_WORD = re.compile("[A-Za-z\u00c0-\u024f\u0370-\u052f]{2}")


def invisible_texts(text: str) -> Iterator[View]:
    """What the unseen characters of this text say; where they stand for spaces, the text with those."""
    if text.isascii() or not _ANY.search(strange(text)):
        return
    for match in _TAGS.finditer(text):
        said = "".join(chr(ord(c) - 0xE0000) for c in match[0] if "\U000e0020" <= c <= "\U000e007e")
        if not (len(said) <= 6 and text[match.start() - 1 : match.start()] == _FLAG):
            yield blob("tags", said, *match.span())
    for match in _SELECTORS.finditer(text):
        if said := readable(bytes(_byte(c) for c in match[0])):
            yield blob("selectors", said, *match.span())
    for match in _BITS.finditer(text):
        if said := _from_bits(match[0]):
            yield blob("bits", said, *match.span())
    for match in _OVERRIDE.finditer(text):
        yield blob("reversed", match[1][::-1], *match.span())
    spaces = [
        Piece(*match.span(), " ")
        for match in _BETWEEN.finditer(text)
        if _WORD.fullmatch(text, max(0, match.start() - 2), match.start())
    ]
    if len(spaces) > 1:
        read, edits = rewritten(text, spaces)
        yield View("spaces", read, tuple(edits))


def _byte(selector: str) -> int:
    point = ord(selector)
    return point - 0xFE00 if point < 0xE0000 else point - 0xE0100 + 16


def _from_bits(run: str) -> str:
    kinds = sorted(set(run))
    if len(kinds) > 3:
        return ""
    for parted in kinds if len(kinds) == 3 else [""]:
        pair = [kind for kind in kinds if kind != parted]
        if len(pair) != 2:
            continue
        for zero, one in (pair, pair[::-1]):
            bits = run.replace(parted, "") if parted else run
            bits = bits.translate({ord(zero): "0", ord(one): "1"})
            usable = len(bits) - len(bits) % 8
            if said := readable(bytes(int(bits[i : i + 8], 2) for i in range(0, usable, 8))):
                return said
    return ""
