"""How many tokens a text costs."""

from __future__ import annotations

import string
from collections.abc import Mapping

CHEAPEST = 0.1
"""Tokens a character, at the very least."""
DEAREST = 3.0
"""Tokens a byte of UTF-8, at the very most."""

_LETTERS = string.ascii_letters.encode() + bytes(range(128, 256))
_SIGNS = bytes(sign for sign in range(33, 127) if not chr(sign).isalnum())


def _classes(classes: Mapping[bytes, bytes]) -> bytes:
    """A table for `bytes.translate`: each class of bytes becomes its sign, all others `x`."""
    table = bytearray(b"x" * 256)
    for sign, members in classes.items():
        for member in members:
            table[member] = ord(sign)
    return bytes(table)


_WORDS = _classes({b"a": _LETTERS})
_NUMBERS = _classes({b"0": string.digits.encode(), b" ": b" "})
_LINES = _classes({b"n": b"\n\r", b"t": b"\t"})
_CASES = _classes({b"a": string.ascii_lowercase.encode(), b"A": string.ascii_uppercase.encode()})
# The first byte of a character in UTF-8 tells its script; what follows it (0x80 to 0xbf) counts for nothing.
_SCRIPTS: Mapping[bytes, tuple[bytes, float]] = {
    b".": (_SIGNS, 0.54),
    b"L": (b"\xc2\xc3", 0.874),  # Latin-1
    b"E": (bytes(range(0xC4, 0xCA)), 0.833),  # other Latin letters
    b"G": (b"\xce\xcf", 0.174),  # Greek
    b"C": (bytes(range(0xD0, 0xD4)), 0.059),  # Cyrillic
    b"H": (bytes(range(0xD4, 0xD8)), 0.247),  # Armenian, Hebrew
    b"R": (bytes(range(0xD8, 0xDC)), 0.116),  # Arabic
    b"I": (b"\xe0", 0.08),  # scripts of India, Thai
    b"S": (b"\xe2", 0.364),  # punctuation and symbols
    b"K": (b"\xe3", 0.391),  # kana, punctuation of Chinese and Japanese
    b"Z": (bytes(range(0xE4, 0xEA)), 0.618),  # Han
    b"W": (bytes(range(0xEA, 0xEE)), 0.352),  # Hangul
    b"O": (bytes(range(0xF0, 0x100)), 1.695),  # emoji
}
_CAPITALS = _classes({b"A": string.ascii_uppercase.encode(), b".": _SIGNS})
_RARE = ((b"j", 0.572), (b"k", 1.182), (b"u", 0.803), (b"v", 0.556), (b"x", 0.376), (b"z", 1.243))
"""Letters that tell other languages, and identifiers, from English: their words are cut into more tokens."""
_RARE_ABROAD = (("і".encode(), 0.83), ("ј".encode(), 4.824), ("ъ".encode(), 4.055))  # noqa: RUF001 - Cyrillic
"""The same for Ukrainian, Serbian and Bulgarian among languages that are written like Russian."""
_SINGLE = {letter: letter for letter, _ in _RARE} | {sign: members for sign, (members, _) in _SCRIPTS.items()}
_COUNTED = _classes(_SINGLE | {b"0": string.digits.encode(), b" ": b" "})
_UNCOUNTED = bytes(byte for byte in range(256) if _COUNTED[byte] == ord("x") != byte)
"""Taken out before the rest is counted, which is little."""


def costs_more(text: str, tokens: float) -> bool:
    """Whether the estimate for this text is above `tokens`; a short text is told without an estimate."""
    return DEAREST * len(text.encode("utf-8", "surrogatepass")) > tokens and estimate_tokens(text) > tokens


def estimate_tokens(text: str) -> float:
    """About how many tokens a current model's tokenizer makes of this.

    The rates were fitted by least squares, none below zero, on prose of forty languages, code, JSON, tables, logs and
    lists of links; `evals/tokens.md` has the errors. It never falls as a text grows.
    """
    data = text.encode("utf-8", "surrogatepass")
    words, numbers, capitals = data.translate(_WORDS), data.translate(_NUMBERS), data.translate(_CAPITALS)
    lines, counted = data.translate(_LINES), data.translate(_COUNTED, _UNCOUNTED)
    fitted = (
        0.02 * len(text)
        + 0.7 * (words.count(b"xa") + words.startswith(b"a"))
        + 0.659 * words.count(b"aaaaaaaa")
        + 0.903 * (numbers.count(b"x0") + numbers.startswith(b"0"))
        + 1.92 * numbers.count(b" 0")  # a blank belongs to the word after it, but not to a number
        + 0.3 * counted.count(b"0")
        + 0.013 * counted.count(b" ")
        + 1.031 * (lines.count(b"xn") + lines.startswith(b"n"))
        + 1.4 * lines.count(b"xt")
        + 2.4 * data.translate(_CASES).count(b"AaA")  # random letters: base64, keys
        + 0.376 * capitals.count(b"xA")
        + 0.152 * capitals.count(b"AA")
        + sum(rate * counted.count(letter) for letter, rate in _RARE)
    )
    for sign, (_, rate) in _SCRIPTS.items():
        fitted += rate * counted.count(sign)
        if sign == b"." and len(data) == len(text):
            break
    if b"C" in counted:
        fitted += sum(rate * data.count(letter) for letter, rate in _RARE_ABROAD)
    return max(fitted, CHEAPEST * len(text))
