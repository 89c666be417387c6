"""Text that each byte of a short key was added to (XOR), as far as it can be told from noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .text_or_noise import has_common_words, is_somebodys

_LEAST, _LEAST_DIFFERENT, _LONGEST_KEY = 20, 10, 8
_COINCIDENCE = 0.04
_MOST, _SAMPLE, _LEAST_LONG = 256, 32, 40
"""Bytes that are looked at."""


def unmasked(content: bytes) -> Iterator[str]:
    """What says something: with a key of one byte anything telling; with a longer one words of English.

    ASCII never has its highest bit set, so the bytes of one place in the key agree in it. Noise does not.
    """
    content = content[:_MOST]
    if len(content) < _LEAST or len(set(content)) < _LEAST_DIFFERENT:
        return
    if _agree(content):
        yield from _of_one_byte(content)
    if len(content) < _LEAST_LONG:
        return
    for size in range(2, _LONGEST_KEY + 1):
        columns = [content[place::size] for place in range(size)]
        if all(map(_agree, columns)) and _coincides(columns):
            if text := _of_columns(columns, len(content)):
                yield text
            return


def _coincides(columns: Sequence[bytes]) -> bool:
    """Whether letters come again in each column as often as in a language (Friedman's index of coincidence)."""
    again = sum(count * (count - 1) for column in columns for count in Counter(column).values())
    pairs = sum(len(column) * (len(column) - 1) for column in columns)
    return again > _COINCIDENCE * pairs


def _agree(column: bytes) -> bool:
    return max(column) < 0x80 or min(column) >= 0x80


def _of_one_byte(content: bytes) -> Iterator[str]:
    for key in sorted(_keys(content)):
        text = bytes(byte ^ key for byte in content).decode("latin-1")
        if key and _says(text):
            yield text


def _says(text: str) -> bool:
    return has_common_words(text) or is_somebodys(text)


def _of_columns(columns: Sequence[bytes], size: int) -> str:
    """In each place of the key the byte that makes the likeliest letters."""
    text = bytearray(size)
    for place, column in enumerate(columns):
        keys = _keys(column)
        if not keys:
            return ""
        key = max(sorted(keys), key=lambda key: sum(_WEIGHT[byte ^ key] for byte in column[:_SAMPLE]))
        text[place :: len(columns)] = bytes(byte ^ key for byte in column)
    read = text.decode("latin-1")
    return read if _says(read) else ""


def _keys(content: bytes) -> frozenset[int]:
    """The bytes that make all of this printable."""
    return frozenset[int]().union(range(256)).intersection(*map(_MAKE_PRINTABLE.__getitem__, {*content}))


_MAKE_PRINTABLE = [frozenset(byte ^ printable for printable in range(0x20, 0x7F)) for byte in range(256)]
_WEIGHT = [0] * 256
"""How likely an ASCII character is in a text: it adds up as logarithms do."""
for _letters, _weight in (
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,", 1),
    ("vkjxqz", 3),
    ("cumwfgypbld", 6),
    ("etaoinshr ", 8),
):
    for _byte in _letters.encode():
        _WEIGHT[_byte] = _weight
