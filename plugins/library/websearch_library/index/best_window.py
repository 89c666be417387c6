"""Finds the part of a passage in which the words of a query stand closest together."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from .passages import unspaced

_ENDS = re.compile(r"(?:[.!?:]\s|\n)")
_MARKED = re.compile("[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]")
_LOOK_BACK = 120


class BestWindow:
    """The words of a query, compiled once and looked for in many texts."""

    def __init__(self, words: Sequence[str], weights: Mapping[str, float] = MappingProxyType({})) -> None:
        """`words` are lower-case, as `query.Expression` has them; one without a weight has 1."""
        self._stems = [_Stem(word) for word in words]
        self._weights = [weights.get(word, 1.0) for word in words]

    def share(self, text: str) -> float:
        """How much of the words' weight the text holds, from 0 to 1; inflected forms count."""
        folded = _folded(text)
        weighed = zip(self._stems, self._weights, strict=True)
        held = sum(weight for stem, weight in weighed if next(stem.places(folded), None))
        return held / (sum(self._weights) or 1.0)

    def window(self, text: str, limit: int) -> str:
        """At most `limit` characters of the text, around the most words; "…" where something is left out."""
        if len(text) <= limit:
            return text.strip()
        start, end = self._densest(_folded(text), limit)
        return _trimmed(text, start, end, limit)

    def _densest(self, folded: str, limit: int) -> tuple[int, int]:
        places = sorted(
            (start, end, number) for number, stem in enumerate(self._stems) for start, end in stem.places(folded)
        )
        best, span = (0, 0), (0, 0)
        held: Counter[int] = Counter()
        last = 0
        for first, (start, _, number) in enumerate(places):
            while last < len(places) and places[last][1] - start <= limit:
                held[places[last][2]] += 1
                last += 1
            worth = (sum(1 for amount in held.values() if amount), last - first)
            if worth > best:
                best, span = worth, (start, places[last - 1][1])
            if last <= first:
                last = first + 1
            else:
                held[number] -= 1
        return span


def _trimmed(text: str, start: int, end: int, limit: int) -> str:
    """About `limit` characters that hold start to end, begun at a sentence or word where one is near."""
    room = limit - (end - start)
    left = max(0, min(start - room // 3, len(text) - limit))
    if left:
        sentences = [match.end() for match in _ENDS.finditer(text, max(0, left - _LOOK_BACK), start + 1)]
        space = text.find(" ", left, start)
        near = [at for at in sentences if at >= left or end - at <= limit - 2]
        left = min(near, key=lambda at: abs(at - left)) if near else space + 1 if space >= 0 else left
    right = min(len(text), left + limit - (2 if left else 0))
    if right < len(text):
        right -= 2
        space = max(text.rfind(" ", end, right), text.rfind("\n", end, right))
        right = space if space > 0 else right
    piece = text[left:right].strip()
    return f"{'… ' if left else ''}{piece}{' …' if right < len(text) else ''}"[:limit]


class _Stem:
    """A rough stem: what the index finds by Porter's rules is found here by the word's beginning."""

    def __init__(self, word: str) -> None:
        self._start = _folded(word)
        self._tail = 2 if len(word) < 4 else 24
        if len(word) >= 4:
            self._start = self._start[: max(4, (2 * len(word) + 2) // 3)]
        self._run = bool(unspaced(word))
        if self._run:
            self._start = word[:2]

    def places(self, folded: str) -> Iterator[tuple[int, int]]:
        """Where words with this stem begin and end."""
        at = folded.find(self._start)
        while at >= 0:
            end = at + len(self._start)
            if self._run:
                yield at, end
            elif not (at and folded[at - 1].isalnum()):
                tail = 0
                while end + tail < len(folded) and tail <= self._tail and folded[end + tail].isalnum():
                    tail += 1
                if tail <= self._tail:
                    yield at, end + tail
            at = folded.find(self._start, end)


def _folded(text: str) -> str:
    """Lower case without diacritics, character for character, so that offsets stay true."""
    lower = text.lower()
    if text.isascii():
        return lower
    if len(lower) != len(text):  # "İ" becomes two characters
        lower = "".join(character.lower()[0] for character in text)
    return _MARKED.sub(lambda match: unicodedata.normalize("NFD", match[0])[0], lower)
