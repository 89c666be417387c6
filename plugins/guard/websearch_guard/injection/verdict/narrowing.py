"""From windows to the sentences that make them instructions: what is marked or removed, and no more."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..model.linear import Floats, scores_of
from ..rules.matcher import Match
from ..text.sentences import Piece, pieces, runs
from ..text.tokens import Ints
from .calibration import Calibration, odds
from .evidence import Evidence, evidence_of
from .readings import Reading

ALONG = -0.7
"""Log-odds from which on a sentence next to an instruction belongs to it."""
NEXT = 320
"""So many characters before and after a stretch are looked at for such sentences."""
TIMES, BESIDE = 3.0, 2.2
"""With them, a stretch is at most so many times as long; a mark, that takes in what stands beside it, so many times."""


class Narrow(NamedTuple):
    """A stretch of a reading, in sentences."""

    start: int
    end: int
    extended: tuple[int, int]
    """With the sentence before and after: an order is seldom alone."""
    score: float
    """Of the surest window, in log-odds."""


def narrowed(reading: Reading, found: Evidence, windows: Ints, rates: Calibration) -> list[Narrow]:
    """The sentences of these windows that would deserve a look by themselves.

    At least the one that deserves it most, and what a match spans. What stands between two of them goes with them,
    unless they are paragraphs of their own; so do their neighbours while they speak like an order.
    """
    if not len(windows):
        return []
    text = reading.view.text
    places = _joined(found.starts[windows], found.ends[windows], found.score[windows])
    each = [pieces(text, max(0, start - NEXT), min(len(text), end + NEXT)) for start, end, _ in places]
    said = [text[piece.start : piece.end] for among in each for piece in among]
    hits = _Hits(reading.hits)
    inside = [hits.inside(piece) for among in each for piece in among]
    alone = evidence_of(scores_of(said), inside, rates, [0.0] * len(said))
    every_score = iter([evidence.best for evidence in alone])
    kept: list[Narrow] = []
    for (start, end, best), among in zip(places, each, strict=True):
        scores = [next(every_score) for _ in among]
        any_score = [0.0] * len(scores)
        kept += [
            Narrow(*span, _grown(text, span, among, any_score, BESIDE, 1), best)
            for span in _kept(text, (start, end), among, scores, hits, rates)
        ]
    return kept


def _kept(
    text: str,
    place: tuple[int, int],
    among: Sequence[Piece],
    scores: Sequence[float],
    hits: _Hits,
    rates: Calibration,
) -> list[tuple[int, int]]:
    start, end = place
    own = [number for number, piece in enumerate(among) if piece.start < end and piece.end > start]
    if not own:
        return [place]
    least = min(odds(rates.low), max(scores[number] for number in own))
    core = [(among[number].start, among[number].end) for number in own if scores[number] >= least]
    core += hits.across([among[number] for number in own])
    return runs(text, [_grown(text, span, among, scores) for span in runs(text, core)])


def _grown(
    text: str,
    span: tuple[int, int],
    among: Sequence[Piece],
    scores: Sequence[float],
    times: float = TIMES,
    most: int = 99,
) -> tuple[int, int]:
    """With its neighbours of the same paragraph, on both sides, while they score above the floor."""
    start, end = span
    longest = times * (end - start)
    first, last = bisect_left(among, start, key=_start), bisect_left(among, end, key=_start)
    for piece, score in zip(among[last : last + most], scores[last : last + most], strict=True):
        if score < ALONG or piece.end - start > longest or len(runs(text, [(start, end), piece])) > 1:
            break
        end = piece.end
    before = among[max(0, first - most) : first]
    for piece, score in zip(before[::-1], scores[max(0, first - most) : first][::-1], strict=True):
        if score < ALONG or end - piece.start > longest or len(runs(text, [piece, (start, end)])) > 1:
            break
        start = piece.start
    return start, end


class _Hits:
    """The matches of a reading, by their places."""

    def __init__(self, hits: Sequence[Match]) -> None:
        self._by_middle = sorted(hits, key=_middle)
        self._middles = [_middle(hit) for hit in self._by_middle]
        self._by_start = sorted(hits, key=lambda hit: hit.start)
        self._starts = [hit.start for hit in self._by_start]

    def inside(self, piece: Piece) -> list[Match]:
        """Those that lie for the most part in a stretch, counted from its start."""
        first, last = bisect_left(self._middles, piece.start), bisect_left(self._middles, piece.end)
        return [
            hit._replace(start=hit.start - piece.start, end=hit.end - piece.start)
            for hit in self._by_middle[first:last]
        ]

    def across(self, sentences: Sequence[Piece]) -> Iterator[tuple[int, int]]:
        """What each match spans that begins in one sentence and ends in another."""
        begins, end = [piece.start for piece in sentences], sentences[-1].end
        for hit in self._by_start[bisect_left(self._starts, begins[0]) : bisect_left(self._starts, end)]:
            if hit.end <= end:
                at, to = bisect_right(begins, hit.start) - 1, bisect_right(begins, hit.end - 1) - 1
                if at < to:
                    yield sentences[at].start, sentences[to].end


def _joined(starts: Ints, ends: Ints, scores: Floats) -> list[tuple[int, int, float]]:
    """Overlapping windows as one, with the best score."""
    joined: list[tuple[int, int, float]] = []
    for start, end, score in sorted(zip(starts.tolist(), ends.tolist(), scores.tolist(), strict=True)):
        if joined and start < joined[-1][1]:
            begin, last, best = joined[-1]
            joined[-1] = (begin, max(last, end), max(best, score))
        else:
            joined.append((start, end, score))
    return joined


def _middle(hit: Match) -> int:
    return (hit.start + hit.end) // 2


def _start(piece: Piece) -> int:
    return piece.start
