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
    b"l": (b"\xc2\xc3", 0.874),  # Latin-1
    b"e": (bytes(range(0xC4, 0xCA)), 0.833),  # other Latin letters
    b"g": (b"\xce\xcf", 0.174),  # Greek
    b"c": (bytes(range(0xD0, 0xD4)), 0.059),  # Cyrillic
    b"h": (bytes(range(0xD4, 0xD8)), 0.247),  # Armenian, Hebrew
    b"r": (bytes(range(0xD8, 0xDC)), 0.116),  # Arabic
    b"i": (b"\xe0", 0.08),  # scripts of India, Thai
    b"s": (b"\xe2", 0.364),  # punctuation and symbols
    b"k": (b"\xe3", 0.391),  # kana, punctuation of Chinese and Japanese
    b"z": (bytes(range(0xE4, 0xEA)), 0.618),  # Han
    b"w": (bytes(range(0xEA, 0xEE)), 0.352),  # Hangul
    b"o": (bytes(range(0xF0, 0x100)), 1.695),  # emoji
}
_KINDS = _classes({b"A": string.ascii_uppercase.encode()} | {sign: members for sign, (members, _) in _SCRIPTS.items()})
_RARE = ((b"j", 0.572), (b"k", 1.182), (b"u", 0.803), (b"v", 0.556), (b"x", 0.376), (b"z", 1.243))
"""Letters that tell other languages, and identifiers, from English: their words are cut into more tokens."""
_RARE_ABROAD = (("і".encode(), 0.83), ("ј".encode(), 4.824), ("ъ".encode(), 4.055))  # noqa: RUF001 - Cyrillic
"""The same for Ukrainian, Serbian and Bulgarian among languages that are written like Russian."""


def costs_more(text: str, tokens: float) -> bool:
    """Whether the estimate for this text is above so many tokens; of a short text that is known without making it."""
    return DEAREST * len(text.encode("utf-8", "surrogatepass")) > tokens and estimate_tokens(text) > tokens


def estimate_tokens(text: str) -> float:
    """About how many tokens a current model's tokenizer makes of this.

    The rates were fitted by least squares, none below zero, on prose of forty languages, code, JSON, tables, logs and
    lists of links; `evals/tokens.md` has the errors. It never falls as a text grows.
    """
    data = text.encode("utf-8", "surrogatepass")
    words, numbers, kinds = data.translate(_WORDS), data.translate(_NUMBERS), data.translate(_KINDS)
    lines = data.translate(_LINES)
    before_numbers = numbers.count(b" 0")
    fitted = (
        0.02 * len(text)
        + 0.7 * (words.count(b"xa") + words.startswith(b"a"))
        + 0.659 * words.count(b"aaaaaaaa")
        + 0.903 * (numbers.count(b"x0") + numbers.startswith(b"0"))
        + 1.92 * before_numbers  # a blank belongs to the word after it, but not to a number
        + 0.3 * numbers.count(b"0")
        + 0.013 * numbers.count(b" ")
        + 1.031 * (lines.count(b"xn") + lines.startswith(b"n"))
        + 1.4 * lines.count(b"xt")
        + 2.4 * data.translate(_CASES).count(b"AaA")  # random letters: base64, keys
        + 0.376 * kinds.count(b"xA")
        + 0.152 * kinds.count(b"AA")
        + sum(rate * data.count(letter) for letter, rate in _RARE)
    )
    for sign, (_, rate) in _SCRIPTS.items():
        fitted += rate * kinds.count(sign)
        if sign == b"." and len(data) == len(text):
            break
    else:
        fitted += sum(rate * data.count(letter) for letter, rate in _RARE_ABROAD)
    return max(fitted, CHEAPEST * len(text))
