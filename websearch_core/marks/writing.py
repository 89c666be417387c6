"""Writing the warnings into a text, round the passages that are marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from .places import Insertion, closing_at, grown, opening_at

MOST = 500
"""Marks in one text: where there are more, those with the least between them become one."""


class Span(NamedTuple):
    """`text[start:end]`, in code points."""

    start: int
    end: int


class Written(NamedTuple):
    """A text with its warnings, and how many passages they stand round."""

    text: str
    passages: int


def with_warnings(text: str, spans: Iterable[tuple[int, int]]) -> Written:
    """The text with a warning before and after each of these spans, which come in any order.

    Spans that overlap or have only blanks between them are one. A span grows where a warning cannot stand at its end:
    to whole words, links and tags. One that holds no word, only signs of Markdown, is not marked.
    """
    insertions: list[Insertion] = []
    passages = 0
    for start, end in _merged(text, _few(_united(spans))):
        for part in _apart(start, end, _comments(text) if "<!--" in text else ()):
            opening, closing = opening_at(text, *part), closing_at(text, *part)
            if opening.text and closing.text and opening.place < closing.place:
                insertions += (opening, closing)
                passages += 1
    pieces: list[str] = []
    at = 0
    for place, words in insertions:
        pieces += (text[at:place], words)
        at = place
    return Written("".join((*pieces, text[at:])), passages)


def _united(spans: Iterable[tuple[int, int]]) -> list[Span]:
    """The spans in order, those that overlap or touch as one."""
    united: list[Span] = []
    for start, end in sorted(spans):
        if united and start <= united[-1].end:
            united[-1] = Span(united[-1].start, max(end, united[-1].end))
        else:
            united.append(Span(start, end))
    return united


def _merged(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans as they can be marked, in order and apart."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and end <= merged[-1].end:
            continue
        span = Span(*grown(text, start, end))
        if span.start >= span.end:
            continue
        if merged and (span.start <= merged[-1].end or not text[merged[-1].end : span.start].strip()):
            span = Span(merged[-1].start, max(span.end, merged[-1].end))
            merged.pop()
        merged.append(span)
    return merged


def _few(spans: Sequence[Span]) -> Sequence[Span]:
    """At most `MOST` of them: the smallest gaps are marked, too."""
    if len(spans) <= MOST:
        return spans
    gaps = sorted(range(1, len(spans)), key=lambda number: spans[number - 1].end - spans[number].start)
    firsts = [0, *sorted(gaps[: MOST - 1])]
    return [
        Span(spans[first].start, spans[following - 1].end)
        for first, following in zip(firsts, [*firsts[1:], len(spans)], strict=True)
    ]


def _comments(text: str) -> list[Span]:
    """Comments of HTML, which a viewer hides with all that stands in them."""
    found: list[Span] = []
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start + 4)) >= 0:
        found.append(Span(start, end + 3))
        start = text.find("<!--", end + 3)
    return found


def _apart(start: int, end: int, comments: Sequence[Span]) -> list[Span]:
    """The span parted where a comment that hides one of its ends begins or ends: each part is marked for itself."""
    cuts = {
        *(comment.end for comment in comments if comment.start < start < comment.end < end),
        *(comment.start for comment in comments if start < comment.start < end < comment.end),
    }
    places = [start, *sorted(cuts), end]
    return [Span(*pair) for pair in pairwise(places)]
