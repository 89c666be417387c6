"""Where marked words are after a text was changed by code that knows nothing of the marks.

An alignment after Bram Cohen's patience diff: lines, then words, that both texts hold once stay together; what is
between them grows from both ends. Where that cannot tell what became of a word, the mark grows over all that may be it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from .places import joined
from .writing import Span

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"(?:[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\S)")
_LONGEST = 50_000
"""Characters between two known places: in what is longer no words are looked for."""
_MOST_SEARCHED = 50_000_000
"""Characters that are read, all together, in search of passages whose place is lost."""
_REMOVED = re.compile(r"\[removed: suspected instruction to an AI, [0-9]{1,9} characters\]|\(withheld\)")
"""What filters leave in place of an instruction, word for word: a page that writes the same says nothing with it."""


class _Same(NamedTuple):
    """`before[before_start:][:length] == after[after_start:][:length]`."""

    before_start: int
    after_start: int
    length: int


def carried(before: str, after: str, spans: Iterable[tuple[int, int]]) -> list[tuple[Span, ...]]:
    """For each of these spans of `before`, where its words are in `after`; empty where they were removed.

    The cost is bounded: linear, but for sorting.
    """
    wanted = [Span(*span) for span in spans]
    if before == after or not wanted:
        return [(span,) for span in wanted]
    ways = _ways(before, after, wanted)
    copies = _Copies(after)
    found: list[tuple[Span, ...]] = []
    for span in wanted:
        moved = _moved(after, span, ways)
        words = before[span.start : span.end].strip()
        if moved or not words:
            found.append((moved,) if moved else ())
        else:
            found.append(copies.near(words, _place(ways[0], span.start, len(after), upper=False)))
    return found


class _Copies:
    """Passages of a text, looked for by their words: of several copies, the removed one cannot be told."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: dict[str, list[int]] = {}
        self._left = _MOST_SEARCHED

    def near(self, words: str, place: int) -> tuple[Span, ...]:
        """The copies before and after this place. All of the text where the search took too long."""
        if words not in self._places:
            if self._left < 0:
                return (Span(0, len(self._text)),) if self._text.strip() else ()
            self._left -= len(self._text) + len(words)
            self._places[words] = [*_each(self._text, words)]
        places = self._places[words]
        number = bisect_left(places, place)
        return tuple(Span(start, start + len(words)) for start in places[max(0, number - 1) : number + 1])


def _each(text: str, words: str) -> Iterator[int]:
    """Where the words begin."""
    place = text.find(words)
    while place >= 0:
        yield place
        place = text.find(words, place + len(words))


def _ways(before: str, after: str, wanted: Sequence[tuple[int, int]]) -> tuple[list[_Same], list[_Same]]:
    """What stayed, read from the left and from the right: they differ where a word was repeated and one copy went."""
    ends = sorted({place for span in wanted for place in span})
    anchors: list[_Same] = []
    for unit, count in ((_LINE, 1), (_WORD, 2), (_WORD, 1)):
        for one, other in [*_gaps(anchors, len(before), len(after))]:
            number = bisect_left(ends, one.start)
            near = number < len(ends) and ends[number] <= one.end
            if near and (unit is _LINE or max(one.end - one.start, other.end - other.start) <= _LONGEST):
                anchors += _aligned(_once(before, one, unit, count), _once(after, other, unit, count))
        anchors = _disjoint(sorted(anchors))
    return _extended(before, after, anchors), _extended(before, after, anchors, leftwards=True)


def _aligned(one: Mapping[str, int], other: Mapping[str, int]) -> list[_Same]:
    """Units that stand once in each part, in the same order in both."""
    common = sorted((place, other[text], len(text)) for text, place in one.items() if text in other)
    return [_Same(*common[index]) for index in _longest_rise([place for _, place, _ in common])]


def _once(text: str, span: Span, unit: re.Pattern[str], count: int) -> dict[str, int]:
    """Runs of `count` units that stand here once, and where: single words rarely do in a long text."""
    found = [match.span() for match in unit.finditer(text, *span)]
    runs = [text[first[0] : last[1]] for first, last in zip(found, found[count - 1 :], strict=False)]
    counts = Counter(runs)
    return {run: place for run, (place, _) in zip(runs, found, strict=False) if counts[run] == 1}


def _longest_rise(values: Sequence[int]) -> list[int]:
    """The indexes of a longest rising subsequence."""
    lasts: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        place = bisect_left(lasts, value)
        before.append(tops[place - 1] if place else -1)
        if place == len(lasts):
            lasts.append(value)
            tops.append(index)
        else:
            lasts[place], tops[place] = value, index
    rise: list[int] = []
    index = tops[-1] if tops else -1
    while index >= 0:
        rise.append(index)
        index = before[index]
    return rise[::-1]


def _gaps(same: Sequence[_Same], before_end: int, after_end: int) -> Iterator[tuple[Span, Span]]:
    """The parts of both texts between what stayed."""
    edges = [_Same(0, 0, 0), *same, _Same(before_end, after_end, 0)]
    for one, other in pairwise(edges):
        first = Span(one.before_start + one.length, other.before_start)
        second = Span(one.after_start + one.length, other.after_start)
        if first.start < first.end or second.start < second.end:
            yield first, second


def _extended(before: str, after: str, anchors: Sequence[_Same], *, leftwards: bool = False) -> list[_Same]:
    """The anchors with all that is the same next to them; in each gap one end is served before the other."""
    found = list(anchors)
    for one, other in _gaps(anchors, len(before), len(after)):
        room = min(one.end - one.start, other.end - other.start)
        ahead = 0 if leftwards else _common_start(before, after, one, other, room)
        back = _common_end(before, after, one, other, room - ahead)
        if leftwards:
            ahead = _common_start(before, after, one, other, room - back)
        found += [_Same(one.start, other.start, ahead), _Same(one.end - back, other.end - back, back)]
    return sorted(same for same in _disjoint(sorted(found)) if same.length)


def _disjoint(same: Sequence[_Same]) -> list[_Same]:
    """Without what overlaps the one before: pairs of words share one."""
    kept: list[_Same] = []
    for one in same:
        over = 0
        if kept:
            last = kept[-1]
            over = max(
                last.before_start + last.length - one.before_start, last.after_start + last.length - one.after_start, 0
            )
        if over < one.length:
            kept.append(_Same(one.before_start + over, one.after_start + over, one.length - over))
    return kept


def _common_start(before: str, after: str, one: Span, other: Span, most: int) -> int:
    """How many characters are the same at the beginning of both parts, in whole words."""
    low, high = 0, most
    while low < high:  # halving, so that the comparing is not done here
        size = (low + high + 1) // 2
        if before.startswith(after[other.start + low : other.start + size], one.start + low):
            low = size
        else:
            high = size - 1
    while low and (joined(before, one.start + low) or joined(after, other.start + low)):
        low -= 1
    return low


def _common_end(before: str, after: str, one: Span, other: Span, most: int) -> int:
    """The same at the end of both."""
    low, high = 0, most
    while low < high:
        size = (low + high + 1) // 2
        if before.startswith(after[other.end - size : other.end - low], one.end - size):
            low = size
        else:
            high = size - 1
    while low and (joined(before, one.end - low) or joined(after, other.end - low)):
        low -= 1
    return low


def _moved(after: str, span: Span, ways: Sequence[Sequence[_Same]]) -> Span | None:
    """The span in the changed text, as wide as both ways see it; None: its words are gone."""
    places = [
        Span(_place(same, span.start, len(after), upper=False), _place(same, span.end, len(after), upper=True))
        for same in ways
    ]
    whole = [one for one in places if one.end - one.start > _LONGEST or _REMOVED.sub("", after[slice(*one)]).strip()]
    return Span(min(one.start for one in whole), max(one.end for one in whole)) if whole else None


def _place(same: Sequence[_Same], place: int, last: int, *, upper: bool) -> int:
    """A place in the changed text: exact in what stayed, else at the beginning or the end of what stands there now."""
    number = bisect_right(same, place if not upper else place - 1, key=lambda one: one.before_start) - 1
    if number >= 0:
        one = same[number]
        within = place - one.before_start
        if within < one.length or (upper and within == one.length):
            return one.after_start + within
        if not upper:
            return one.after_start + one.length
    elif not upper:
        return 0
    return same[number + 1].after_start if number + 1 < len(same) else last
