"""The words of a text as numbers, found in all scripts at once."""

from __future__ import annotations

import functools
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Number = TypeVar("Number", np.uint64, np.int32)

_WORD, _SINGLE = 16, 17
_GAP_SPACE, _GAP_OTHER, _GAP_MARKUP, _GAP_COLON, _GAP_SENTENCE, _GAP_LINE = range(6)
_LONGEST = 24
_PREFIX = 5
_MIX = np.uint64(0xD6E8FEB86659FD93)
_BASE = np.uint64(0x100000001B3)


class Tokens(NamedTuple):
    """The words of a text: where they are, what they hash to."""

    starts: Ints
    ends: Ints
    words: Hashes
    prefixes: Hashes
    gaps: Hashes
    """What stands before: a space, markup, a colon, the end of a sentence or of a line."""
    shapes: Hashes
    """Lower case, Title, CAPITALS."""


def tokens_of(text: str) -> Tokens:
    """The words of a text. Scripts that write no spaces give a word for each character."""
    codes = _codes(text)
    kinds = _kinds_of(codes)
    inside = kinds >= _WORD
    quotes = np.flatnonzero((codes == 0x27) | (codes == 0x2019))
    if len(quotes):  # of a word only between two letters
        held = (quotes > 0) & (quotes < len(codes) - 1)
        held[held] = (kinds[quotes[held] - 1] == _WORD) & (kinds[quotes[held] + 1] == _WORD)
        kinds[quotes[held]], inside[quotes[held]] = _WORD, True
    begins = inside.copy()
    begins[1:] &= ~inside[:-1] | (kinds[1:] == _SINGLE) | (kinds[:-1] == _SINGLE)
    starts = np.flatnonzero(begins)
    if not len(starts):
        none = np.empty(0, np.uint64)
        return Tokens(starts, starts, none, none, none, none)
    text, codes, kinds, inside = text[starts[0] :], codes[starts[0] :], kinds[starts[0] :], inside[starts[0] :]
    froms, nexts = starts - starts[0], np.empty_like(starts)
    nexts[:-1], nexts[-1] = froms[1:], len(codes)
    places = np.arange(len(codes)) - np.repeat(froms, nexts - froms)
    lower, upper = _folded(text, codes)
    values = lower.astype(np.uint64)
    values *= inside
    values *= _POWERS.take(places, mode="clip")
    sums = _sums(values)  # they overflow, and so do their differences, to the same
    before = sums[froms]
    words = sums[nexts] - before
    prefixes = sums[np.minimum(froms + _PREFIX, nexts)] - before ^ np.uint64(7)
    breaks = codes[froms] == 0
    words[breaks] = prefixes[breaks] = 0
    gaps = np.empty_like(starts)
    gaps[0], gaps[1:] = _GAP_LINE, np.maximum.reduceat(kinds * ~inside, froms)[:-1]
    gaps[1:][breaks[:-1]] = _GAP_LINE
    lengths, uppers = (
        (counted := _sums(marked.astype(np.int32)))[nexts] - counted[froms] for marked in (inside, upper & inside)
    )
    shapes = (uppers > 0) * (1 + ((uppers == lengths) & (uppers > 1)))
    return Tokens(
        starts,
        starts + lengths,
        words * _MIX,
        prefixes * _MIX,
        (gaps + 11).astype(np.uint64),
        (shapes + 31).astype(np.uint64),
    )


def _sums(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Of the values before each place, and of all."""
    sums = np.empty(len(values) + 1, values.dtype)
    sums[0] = 0
    np.cumsum(values, out=sums[1:])
    return sums


_POWERS: Hashes = _BASE ** np.arange(_LONGEST + 1, dtype=np.uint64)


def _codes(text: str) -> npt.NDArray[np.integer]:
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _folded(text: str, codes: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.bool_]]:
    """What characters count as, whatever their case, all digits alike; and which are capitals."""
    if codes.dtype == np.uint8:
        return _FOLDED[codes], _UPPER[codes]
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    folded = _codes(lower).copy()
    upper = folded != codes
    folded[(folded >= 0x30) & (folded <= 0x39)] = 0x30
    folded += folded != 0x30  # no letter is nothing, wherever it stands
    return folded, upper


_UPPER = np.array([chr(code).isupper() for code in range(128)])
_FOLDED = np.array([0x30 if chr(code).isdigit() else ord(chr(code).lower()) + 1 for code in range(128)], np.uint8)


def _kinds_of(codes: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
    """What each character is: in a word, a word by itself, or which kind of gap."""
    if codes.dtype == np.uint8:
        return _ascii()[codes]
    kinds = _ascii()[np.minimum(codes, 128)]
    beyond = np.flatnonzero(codes > 127)
    distinct, which = np.unique(codes[beyond], return_inverse=True)
    kinds[beyond] = np.array([_kind(int(code)) for code in distinct], np.uint8)[which]
    return kinds


@functools.cache
def _ascii() -> npt.NDArray[np.uint8]:
    return np.array([_kind(code) for code in range(128)] + [_GAP_OTHER], np.uint8)


def _kind(code: int) -> int:
    """Of one code point."""
    char = chr(code)
    if not code or any(low <= code <= high for low, high in _UNSPACED):
        return _SINGLE
    if char.isalnum() or 0x900 <= code <= 0xDFF:  # vowel signs of Indian scripts stand in words
        return _WORD
    if char in "\n\r\u2028\u2029":
        return _GAP_LINE
    if char in ".!?…。！？؟।":  # noqa: RUF001 - they are meant
        return _GAP_SENTENCE
    if char in ":：":  # noqa: RUF001 - they are meant
        return _GAP_COLON
    if char in '<>[]{}|`#*=~_"“”/\\':
        return _GAP_MARKUP
    return _GAP_SPACE if char.isspace() else _GAP_OTHER


_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0x20000, 0x3FFFF),
)
"""Thai, Lao, Burmese, Khmer, kana, Han."""
