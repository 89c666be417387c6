"""Encoded text: base64, base32, hexadecimal, binary and decimal codes."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from .text_view import View, blob

MAX_BLOB = 65_536
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,}){0,999}={0,2}(?![A-Za-z0-9+/_-])"
)
_SEGMENT = re.compile(r"(?<=/)[A-Za-z0-9+_-]{12,}={0,2}(?![A-Za-z0-9+_-])|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+_-]{12,}(?=/)")
_BASE32 = re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{24,}={0,6}(?![A-Za-z0-9=])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0[xX])?(?:[0-9A-Fa-f]{2}){12,}(?![0-9A-Za-z])")
_HEX_PAIRS = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{2}(?:[ ,:;-]{1,2}(?:0x)?[0-9A-Fa-f]{2}){7,}(?![0-9A-Za-z])"
)
_BINARY = re.compile(r"(?<![0-9A-Za-z])[01]{8}(?:[ ,]{0,2}[01]{8}){3,}(?![0-9A-Za-z])")
_CODES = re.compile(r"(?<![0-9A-Za-z.])\d{2,3}(?:[ ,;]{1,2}\d{2,3}){7,}(?![0-9A-Za-z])")
_SPACE = re.compile(r"\s+")
_REST = re.compile(r"\S{1,65536}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/=_-]{4,200}(?=\s|\Z)){0,999}")
_PACKED = re.compile(r"[!-~]{12}")
_CODED = re.compile(r"[ \n,;:][0-9A-Fa-fx]{2,4}[ ,;:-]{1,2}(?:[0-9A-Fa-fx]{2,4}[ ,;:-]{1,2}){4,9999}[0-9A-Fa-fx]{2,4}")
_HEXES = [f"{code:{form}}" for code in range(32, 127) for form in ("02x", "02X", "#04x", "d")]
_CODE_WORDS = frozenset(code + end for code in _HEXES for end in ("", ",", ";"))
_BYTES = frozenset(f"{byte:08b}" for byte in range(256))
_SHORT = 5
_MANY = 5
"""So many different codes, before a row of them is looked for."""
_OFTEN = 64
_FEW = 4
"""So many words are looked for one by one; more, among all words."""
_GROUP = 24
_GROUPS = 3
"""So many groups of a length that mix their cases, before a row of them is looked for."""
_ALPHABET = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_MIXED_CASE = re.compile(r"[a-z].{0,40}[A-Z]|[A-Z].{0,40}[a-z]", re.DOTALL)


def packed_texts(
    text: str, said: Sequence[str], tokens: AbstractSet[str], mixed: Sequence[str], *, least: int = 24
) -> Iterator[View]:
    """What is packed in this text, one view each.

    `said` are its words, `tokens` the suspicious ones among them, `mixed` those of mixed cases.
    """
    for match in _grouped(text, said, mixed):
        if content := readable_base64(match[0][:MAX_BLOB]):
            yield blob("base64", content, *match.span())
    for start, end in _stretches(text, said, tokens, least):
        for kind, pattern, read in _READERS:
            for match in pattern.finditer(text, start, end):
                packed = match[0][:MAX_BLOB]
                if kind == "base64" and (len(packed) < least or not _MIXED_CASE.search(packed)):
                    continue
                if content := read(packed):
                    yield blob(kind, content, match.start(), match.end())


def _stretches(text: str, said: Sequence[str], tokens: AbstractSet[str], least: int) -> Iterator[tuple[int, int]]:
    """Where packed text may be: long words and what follows them on further lines, or many short codes in a row."""
    if len(tokens & _CODE_WORDS) > _MANY:
        for match in _CODED.finditer(text):
            yield max(0, match.start() - _SHORT), match.end()
    if len(tokens & _BYTES) > 1:
        yield 0, min(len(text), MAX_BLOB)
    if max(map(len, tokens), default=0) < least:
        return
    end = 0
    for place, _ in _places(text, said, [token for token in tokens if len(token) >= least and _PACKED.search(token)]):
        if place >= end:
            rest = _REST.match(text, place)
            end = rest.end() if rest else place
            yield place, end


def _places(text: str, said: Sequence[str], tokens: Iterable[str]) -> list[tuple[int, int]]:
    """Where these words stand and how long each is, in order; one that stands everywhere, only so often."""
    found: list[tuple[int, int]] = []
    wanted = dict.fromkeys(tokens, 0)
    if not wanted:
        return found
    if len(wanted) > _FEW:
        end = 0
        for word in filter(wanted.__contains__, said):
            place = text.find(word, end)
            while not (_ends(text, place - 1) and _ends(text, place + len(word))):  # there it is part of another word
                place = text.find(word, place + 1)
            end = place + len(word)
            if wanted[word] < _OFTEN:
                wanted[word] += 1
                found.append((place, len(word)))
        return found
    ascii_only = text.encode("ascii", "replace").decode()  # so words of that are found more quickly
    for token in wanted:
        within = ascii_only if token.isascii() and "?" not in token else text
        place = within.find(token)
        for _ in range(_OFTEN):
            if place < 0:
                break
            found.append((place, len(token)))
            place = within.find(token, place + len(token))
    return sorted(found)


def _ends(text: str, place: int) -> bool:
    """Whether no word goes on here."""
    return not 0 <= place < len(text) or text[place].isspace()


def _grouped(text: str, said: Sequence[str], mixed: Sequence[str]) -> Iterator[re.Match[str]]:
    """Base64 in groups or lines that are all as short: where several words of one length mix their cases."""
    if len(mixed) < _GROUPS:
        return
    lengths: dict[int, list[str]] = {}
    for token in mixed:
        if 4 <= len(token) <= _GROUP and _ALPHABET.fullmatch(token):
            lengths.setdefault(len(token), []).append(token)
    often = {length: tokens for length, tokens in lengths.items() if len(tokens) >= _GROUPS}
    places: dict[int, list[int]] = {length: [] for length in often}
    for place, length in _places(text, said, [*chain.from_iterable(often.values())]):
        places[length].append(place)
    for length, found in places.items():
        sign, reach = "[A-Za-z0-9+/_-]", _GROUPS * (length + 2)
        for start, end in _clusters(found, reach):
            groups = rf"{sign}{{{length}}}(?:\s{{1,2}}{sign}{{{length}}}){{2,2000}}(?:\s{{1,2}}{sign}{{1,{length}}})?"
            pattern = re.compile(rf"(?<!\S){groups}={{0,2}}(?!\S)")
            yield from pattern.finditer(text, max(0, start - reach), end + reach)


def _clusters(places: Sequence[int], reach: int) -> Iterator[tuple[int, int]]:
    """Where at least `_GROUPS` places follow each other closely."""
    first = 0
    for at in range(1, len(places) + 1):
        if at == len(places) or places[at] - places[at - 1] > reach:
            if at - first >= _GROUPS:
                yield places[first], places[at - 1]
            first = at


def readable(content: bytes) -> str:
    """The text that these bytes are, or nothing where they are none."""
    two_bytes = content.count(0) * 3 > len(content)
    try:
        text = content.decode("utf-16-le" if two_bytes else "utf-8")
    except UnicodeDecodeError:
        text = content.decode("utf-8", "ignore")
        if len(text) < len(content) * 0.9:
            return ""
    good = sum(1 for c in text if c.isprintable() or c in "\n\r\t")
    letters = sum(1 for c in text if c.isalnum() or c == " ")
    return text if text and good >= len(text) * 0.95 and letters >= len(text) * 0.4 else ""


def readable_base64(packed: str) -> str:
    """The text that this base64 packs, or nothing where it packs none."""
    compact = _SPACE.sub("", packed).rstrip("=").replace("-", "+").replace("_", "/")
    compact = compact[: len(compact) - 1] if len(compact) % 4 == 1 else compact
    try:
        return readable(base64.b64decode(compact + "=" * (-len(compact) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _base32(packed: str) -> str:
    compact = packed.rstrip("=")
    try:
        return readable(base64.b32decode(compact + "=" * (-len(compact) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _hex(packed: str) -> str:
    return readable(bytes.fromhex(packed[2:] if packed[1] in "xX" else packed))


def _hex_pairs(packed: str) -> str:
    return readable(bytes.fromhex(re.sub(r"0x|[ ,:;-]", "", packed)))


def _binary(packed: str) -> str:
    bits = re.sub(r"[ ,]", "", packed)
    return readable(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)))


def _codes(packed: str) -> str:
    codes = [int(code) for code in re.split(r"[ ,;]+", packed)]
    return readable(bytes(codes)) if all(32 <= code < 127 for code in codes) else ""


_READERS: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("base64", _BASE64, readable_base64),
    ("base64", _SEGMENT, readable_base64),
    ("base32", _BASE32, _base32),
    ("hex", _HEX, _hex),
    ("hex", _HEX_PAIRS, _hex_pairs),
    ("binary", _BINARY, _binary),
    ("codes", _CODES, _codes),
)
