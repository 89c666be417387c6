"""The words of a text as numbers, found in all scripts at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

_OTHER, _MARKUP, _COLON, _SENTENCE, _LINE, _CAPITAL, _SMALL, _IN_WORD = (1 << bit for bit in range(8))
"""What is known of a character, in bits: which gap it is, or which letter; what sets no bit is a space."""
_LETTER, _QUOTE, _KNOWN = (1 << bit for bit in range(8, 11))
"""Further: that it joins those beside it in one word, is a quotation mark, was looked up."""
_FOLDED = 11
"""Above these bits stands what it counts as in a word."""
_GAPS = np.array([mask.bit_length() + 11 for mask in range(_CAPITAL)], np.uint64)
"""Of several signs the last in this order counts."""
_LONGEST = 24
_PREFIX = 5
MIX = np.uint64(0xD6E8FEB86659FD93)
"""What the sum of a word's letters is multiplied by: its hash."""
_BASE = np.uint64(0x100000001B3)
_POWERS: Hashes = _BASE ** np.arange(_LONGEST + 1, dtype=np.uint64)


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
    sums: Hashes
    """Of the letters up to each place, that one not included; what a word begins with hashes to a difference."""

    def part(self, of: slice) -> Tokens:
        """Some of them."""
        words, prefixes, gaps, shapes = (each[of] for each in (self.words, self.prefixes, self.gaps, self.shapes))
        return Tokens(self.starts[of], self.ends[of], words, prefixes, gaps, shapes, self.sums)

    def beginnings(self, length: int) -> Hashes:
        """What the first letters of each word hash to, as a word of no more would; 0 of a shorter word."""
        ends = np.minimum(self.starts + length, self.ends)
        return (self.sums[ends] - self.sums[self.starts]) * MIX * (self.ends - self.starts >= length)


def tokens_of(text: str) -> Tokens:
    """The words of a text. Scripts that write no spaces give a word for each character."""
    text = f"\n{text}\n"  # so that every word has something on both sides
    codes = _codes(text)
    known = _known_of(codes)
    marks = known.astype(np.uint8)
    values = np.right_shift(known, _FOLDED, dtype=np.uint64)  # 0 of what stands in no word
    if "\u03a3" in text:
        _fold_sigma(text, codes, values)
    letters = known & _LETTER != 0
    quotes = np.flatnonzero(known & _QUOTE != 0)
    held = letters[quotes - 1] & letters[quotes + 1]  # of a word only between two letters
    letters[quotes[held]], marks[quotes[held]], values[quotes[~held]] = True, _IN_WORD | _SMALL, 0
    inside, apart = marks >= _IN_WORD, ~(letters[:-1] & letters[1:])
    starts = np.flatnonzero(inside[1:] & apart) + 1
    if not len(starts):
        none = np.empty(0, np.uint64)
        return Tokens(starts, starts, none, none, none, none, none)
    ends = np.flatnonzero(inside[:-1] & apart) + 1
    bounds = np.concatenate(([0], starts, [len(codes)]))
    froms = bounds[:-1]
    places = np.arange(len(codes))
    places -= np.repeat(froms, bounds[1:] - froms)
    values *= _POWERS.take(places, mode="clip")
    sums = np.cumsum(values, out=values)  # they overflow, and so do their differences, to the same
    before = sums[starts - 1]
    words = sums[ends - 1] - before
    prefixes = sums[np.minimum(starts + _PREFIX, ends) - 1] - before ^ np.uint64(7)
    each = np.bitwise_or.reduceat(marks, froms)  # what is of each word, and of the gap after it
    gaps = _GAPS[each[:-1] & _LINE * 2 - 1]
    breaks = codes[starts] == 0
    words[breaks] = prefixes[breaks] = 0
    gaps[1:][breaks[:-1]] = _GAPS[_LINE]
    capitals = (each[1:] & _SMALL == 0) & (ends - starts > 1)
    shapes = (each[1:] & _CAPITAL != 0) * (1 + capitals)
    starts -= 1
    ends -= 1
    return Tokens(starts, ends, words * MIX, prefixes * MIX, gaps, (shapes + 31).astype(np.uint64), sums)


def _fold_sigma(text: str, codes: npt.NDArray[np.integer], values: Hashes) -> None:
    """The one capital whose small letter depends on where it stands."""
    if len(lower := text.lower()) == len(text):
        sigmas = codes == 0x3A3
        values[sigmas] = _codes(lower)[sigmas] + 1


def _codes(text: str) -> npt.NDArray[np.integer]:
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


_characters: npt.NDArray[np.uint32] = np.zeros(0x110000, np.uint32)
"""What is known of each character that was ever seen; the rest takes no memory."""


def _known_of(codes: npt.NDArray[np.integer]) -> npt.NDArray[np.uint32]:
    """What is known of each character."""
    known = _characters.take(codes)
    if not known.all():
        for code in set(codes[known == 0].tolist()):  # not np.unique: it imports numpy.ma, 4 MB
            _characters[code] = _known(code)
        known = _characters.take(codes)
    return known


def _known(code: int) -> int:
    """Of one code point; whatever their case, characters count the same, and all digits do."""
    char = chr(code)
    kind = _kind(char)
    if not kind & (_IN_WORD | _QUOTE):
        return kind | _KNOWN
    lower = char.lower() if len(char.lower()) == 1 else char
    folded = 0x30 if char in "0123456789" else ord(lower) + 1  # no letter is nothing, wherever it stands
    return folded << _FOLDED | kind | _KNOWN | (_CAPITAL if lower != char else _SMALL if kind & _IN_WORD else 0)


def _kind(char: str) -> int:
    """What a character is: in a word, a word by itself, or which kind of gap."""
    if char == "\0" or any(low <= char <= high for low, high in _UNSPACED):
        return _IN_WORD
    if char.isalnum() or "\u0900" <= char <= "\u0dff":  # vowel signs of Indian scripts stand in words
        return _IN_WORD | _LETTER
    if char in "'’":  # noqa: RUF001 - it is meant
        return _QUOTE | _OTHER
    if char in "\n\r\u2028\u2029":
        return _LINE
    if char in ".!?…。！？؟।":  # noqa: RUF001 - they are meant
        return _SENTENCE
    if char in ":：":  # noqa: RUF001 - they are meant
        return _COLON
    if char in '<>[]{}|`#*=~_"“”/\\':
        return _MARKUP
    return 0 if char.isspace() else _OTHER


_UNSPACED = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
    ("\U00020000", "\U0003ffff"),
)
"""Thai, Lao, Burmese, Khmer, kana, Han."""
