"""Reads text that was XORed with a short key, where it can be told from noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import cycle, islice

from .ordinary_urls import known
from .text_or_noise import has_common_words, is_somebodys

_LEAST, _LEAST_DIFFERENT, _LONGEST_KEY = 20, 10, 8
_COINCIDENCE = 0.04
_MOST, _SAMPLE, _LEAST_LONG = 256, 32, 40
"""Bytes that are looked at."""
_LEAST_WITNESSES = 3
"""Bytes of a known name beyond the key's length: they must agree with the key that the first ones give."""


def unmasked(content: bytes) -> Iterator[str]:
    """The text beneath the mask, if it tells something; usually nothing.

    With a key of one byte, anything telling is found. With a longer key, English words are found, and names of
    somebody's data before a value.
    """
    content = content[:_MOST]
    if len(content) < _LEAST or len(set(content)) < _LEAST_DIFFERENT:
        return
    if _share_high_bit(content):
        yield from _of_one_byte(content)
    if len(content) < _LEAST_LONG:
        return
    for size in range(2, _LONGEST_KEY + 1):
        columns = [content[place::size] for place in range(size)]
        # The highest bit of ASCII is never set, so the bytes under one byte of the key share theirs. Noise does not.
        if not all(map(_share_high_bit, columns)):
            continue
        if text := _beneath_a_name(content, size):
            yield text
        elif _letters_repeat(columns) and (text := _beneath_frequent_letters(columns, len(content))):
            yield text
            return


def _share_high_bit(column: bytes) -> bool:
    return max(column) < 0x80 or min(column) >= 0x80


def _letters_repeat(columns: Sequence[bytes]) -> bool:
    """Whether letters repeat in each column as often as in a language (Friedman's index of coincidence)."""
    repeats = sum(count * (count - 1) for column in columns for count in Counter(column).values())
    pairs = sum(len(column) * (len(column) - 1) for column in columns)
    return repeats > _COINCIDENCE * pairs


def _of_one_byte(content: bytes) -> Iterator[str]:
    for key in sorted(_printable_keys(content)):
        text = bytes(byte ^ key for byte in content).decode("latin-1")
        if key and _tells(text):
            yield text


def _tells(text: str) -> bool:
    return has_common_words(text) or is_somebodys(text)


def _beneath_a_name(content: bytes, size: int) -> str:
    """The text, if a name such as `password=` stands in it.

    Bytes that are one key's length apart were masked alike, so the key drops out where they are XORed with each other.
    """
    differences = _xor(content, content[size:])
    for name in _names():
        place = differences.find(_xor(name, name[size:])) if len(name) >= size + _LEAST_WITNESSES else -1
        if place < 0:
            continue
        key = _xor(content[place : place + size], name)
        text = _xor(content[place % size :], islice(cycle(key), len(content))).decode("latin-1")
        if text.isascii() and text.isprintable() and _tells(text):
            return text
    return ""


@cache
def _names() -> Sequence[bytes]:
    """Names of somebody's data, as they stand before a value."""
    return [f"{name}{end}".encode() for name in sorted(known().telling) for end in ("=", ": ", '":')]


def _xor(one: Iterable[int], other: Iterable[int]) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def _beneath_frequent_letters(columns: Sequence[bytes], size: int) -> str:
    """The text, if the key's bytes that give the likeliest letters give one that tells something."""
    text = bytearray(size)
    for place, column in enumerate(columns):
        keys = _printable_keys(column)
        if not keys:
            return ""
        key = max(sorted(keys), key=lambda key: sum(_WEIGHT[byte ^ key] for byte in column[:_SAMPLE]))
        text[place :: len(columns)] = bytes(byte ^ key for byte in column)
    read = text.decode("latin-1")
    return read if _tells(read) else ""


def _printable_keys(content: bytes) -> frozenset[int]:
    """The keys of one byte that make all of this printable."""
    return frozenset[int]().union(range(256)).intersection(*map(_MAKE_PRINTABLE.__getitem__, {*content}))


_MAKE_PRINTABLE = [frozenset(byte ^ printable for printable in range(0x20, 0x7F)) for byte in range(256)]
_WEIGHT = [0] * 256
"""How likely an ASCII character is in a text, as logarithms."""
for _letters, _weight in (
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,@", 2),
    ("vkjxqz", 3),
    ("cumwfgypbld", 6),
    ("etaoinshr", 7),
    (" ", 8),
):
    for _byte in _letters.encode():
        _WEIGHT[_byte] = _weight
