"""One calibrated score for each stretch of a text: how sure we are that it instructs an AI that reads it."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .boundaries import Piece, pieces, runs
from .calibration import Calibration, calibration
from .described import unlinked
from .discourse import about, unaddressed, unquoted
from .disguise import differs
from .linear import Floats, Windows, loaded, scores_of
from .literals import literals
from .readings import Reading, readings_of
from .rules import Match, rulebook
from .words import Ints

TOP = 8
"""So many leads at most."""
SHORT = 160
"""Characters."""
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
EXPLAINED = 1.5
"""By so much (log-odds) the bar is higher for what a text that explains attacks says itself."""
NAMED = 2.5
"""What rules add to a window up to here is no more than a hint."""
UNADDRESSED = 1.0
"""By so much (log-odds) the bar is higher for a licence, and for what tells of assistants, where no rule holds."""
MODEL = "wording"
"""The family of what no rule names."""


class Span(NamedTuple):
    """Code points of the judged text, how sure we are (0 to 1), and what of."""

    start: int
    end: int
    score: float
    family: str


class Extra(NamedTuple):
    """What is added to the log-odds of a reading's windows, and what is taken from them, whatever they say."""

    disguise: float
    """Only of windows that are suspicious by themselves: ordinary words that are written oddly are no attack."""
    shortness: float


class Judgement(NamedTuple):
    """What was found in one text."""

    spans: tuple[Span, ...] = ()
    """To be taken out: apart, in order, cut at sentences and lines."""
    leads: tuple[Span, ...] = ()
    """Where the text looks most like an instruction, surest first: at least one place of a text that has words."""
    score: float = 0.0
    """Of the worst place."""
    quoted: tuple[Span, ...] = ()
    """What would have to be taken out, but is quoted in a text that explains attacks."""


def judge(text: str, high: float | None = None) -> Judgement:
    """Pure, and picklable like what it returns; the time is linear in the text. `high` overrides the calibrated one."""
    return judge_all((text,), high)[0]


def judge_all(texts: Sequence[str], high: float | None = None) -> list[Judgement]:
    """Each text as `judge` judges it; many short ones together cost little more than one."""
    judged = _judged(texts, high)
    outside = {
        n: rest for n, found in enumerate(judged) if found.spans and (rest := unquoted(texts[n], _places(found)))
    }
    bar = _probability(_odds(calibration().high if high is None else high) + EXPLAINED)
    for number, found in zip(outside, _judged(tuple(outside.values()), bar), strict=True):
        first = judged[number]
        judged[number] = first._replace(spans=found.spans, quoted=first.spans)
    return judged


def _places(found: Judgement) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in found.spans]


def _judged(texts: Sequence[str], high: float | None) -> list[Judgement]:
    if not texts:  # the most usual of what explains attacks
        return []
    rates = calibration()
    bar = rates.high if high is None else high
    readings = readings_of(texts, rates)
    scored = scores_of([unlinked(reading.view.text) for reading in readings])
    found: list[list[Span]] = [[] for _ in texts]
    sure: list[list[Span]] = [[] for _ in texts]
    extras = [Extra(reading.extra, rates.short * _shortness(reading.view.text)) for reading in readings]
    floor, edge = _odds(rates.floor), _odds(bar)
    together = _weighed(scored, [reading.hits for reading in readings], rates, extras)
    for reading, windows in zip(readings, together, strict=True):
        best = _best(windows, floor, edge)
        found[reading.number] += [_span(reading, *place) for place in best]
        if best and best[0][-1] >= edge:
            sure[reading.number] += _flagged(reading, windows, edge, rates)
    leads = [leads[: worth_a_look([lead.score for lead in leads], high)] for leads in map(_apart, found)]
    return [
        Judgement(_merged(spans), tuple(best), best[0].score if best else 0.0)
        for spans, best in zip(sure, leads, strict=True)
    ]


def worth_a_look(scores: Sequence[float], high: float | None = None) -> int:
    """How many leads, surest first, to keep: those above the floor, and one below the bar: what is above is cut."""
    if len(scores) < 2:  # the most usual
        return len(scores)
    rates = calibration()
    bar = rates.high if high is None else high
    return min(TOP, max(sum(score >= rates.floor for score in scores), sum(score >= bar for score in scores) + 1))


def _weighed(
    scored: Sequence[Windows], hits: Sequence[Sequence[Match]], rates: Calibration, extras: Sequence[Extra]
) -> Iterator[Windows]:
    """The same windows with the log-odds that rules and model give them together."""
    if not scored:
        return
    numbers = [len(windows.logits) for windows in scored]
    added = np.repeat([rates.bias - extra.shortness for extra in extras], numbers)
    totals = rates.model * leaky(np.concatenate([windows.logits for windows in scored]), rates.least) + added
    end, least = 0, _odds(rates.low)
    for windows, found, extra, number in zip(scored, hits, extras, numbers, strict=True):
        begin, end = end, end + number
        total = totals[begin:end]
        if found:
            total = total + rates.rules * np.minimum(ruled(windows.starts, windows.ends, found), rates.most)
        if extra.disguise:
            total = total + extra.disguise * (total >= least)
        yield Windows(windows.starts, windows.ends, total)


def leaky(logits: Floats, least: float) -> Floats:
    """What lies below `least` counts a tenth: the rules may be right, and leads keep their order."""
    return np.maximum(logits, logits / 10 + least * 0.9)


def ruled(starts: Ints, ends: Ints, hits: Sequence[Match]) -> Floats:
    """What the rules add to each window: each rule once, at its strongest; a match counts where half of it lies."""
    total = np.zeros(len(starts))
    by: dict[str, Floats] = {}
    for hit in sorted(hits, key=lambda hit: -hit.weight)[:200]:
        middle = (hit.start + hit.end) // 2
        inside = (starts <= middle) & (ends > middle)
        rule = by.setdefault(hit.rule, np.zeros(len(starts)))
        np.maximum(rule, np.where(inside, hit.weight, 0.0), out=rule)
    for rule in by.values():
        total += rule
    return total


def _flagged(reading: Reading, windows: Windows, edge: float, rates: Calibration) -> list[Span]:
    """Stretches that hold a window above the edge, narrowed to the sentences that speak to a machine."""
    over = np.flatnonzero(windows.logits >= edge)
    over = over[windows.logits[over] - _excuse(reading, windows.starts[over], windows.ends[over], rates) >= edge]
    starts, ends, logits = windows.starts[over], windows.ends[over], windows.logits[over]
    spans: list[Span] = []
    for start, end in _joined(starts, ends):
        best = float(logits[(starts >= start) & (ends <= end)].max())
        spans += [_span(reading, *run, best) for run in _narrowed(reading, start, end, rates)]
    return spans


def _excuse(reading: Reading, starts: Ints, ends: Ints, rates: Calibration) -> Floats:
    """What talk of attacks takes from each window, and from one that no rule names what speaks to no machine."""
    text = reading.view.text
    unnamed = ruled(starts, ends, reading.hits) < NAMED
    return rates.about * about(text, starts) + UNADDRESSED * unnamed * unaddressed(text, starts, ends)


def _shortness(text: str) -> float:
    """1 for next to nothing, 0 from SHORT on; two characters of a dense script say what a word says."""
    if len(text) >= SHORT:
        return 0.0
    return max(0.0, 1 - (len(text) + 2 * len(_DENSE.findall(text))) / SHORT)


def _joined(starts: Ints, ends: Ints) -> list[tuple[int, int]]:
    """Overlapping windows as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(zip(starts.tolist(), ends.tolist(), strict=True)):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _narrowed(reading: Reading, start: int, end: int, rates: Calibration) -> list[tuple[int, int]]:
    """The sentences that would deserve a look by themselves, at least the one that does most, and what a match spans.

    What stands between two of them goes with them, unless a blank line does; a disguise counts where it is.
    """
    text = reading.view.text
    sentences = pieces(text, start, end)
    if not sentences:
        return [(start, end)]
    alone = scores_of([text[piece.start : piece.end] for piece in sentences])
    hits = [_inside(reading.hits, piece) for piece in sentences]
    extras = [_extra(reading, piece) for piece in sentences]
    odds = [float(windows.logits.max(initial=-math.inf)) for windows in _weighed(alone, hits, rates, extras)]
    least = min(_odds(rates.low), max(odds))
    kept = [(piece.start, piece.end) for piece, odd in zip(sentences, odds, strict=True) if odd >= least]
    kept += _across(reading.hits, sentences)
    return runs(text, kept)


def _extra(reading: Reading, piece: Piece) -> Extra:
    worn = differs(reading.view, reading.original, piece.start, piece.end)
    return Extra(reading.extra if worn else 0.0, 0.0)


def _across(hits: Sequence[Match], sentences: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """What each match spans that begins in one sentence and ends in another."""
    begins, first, last = [piece.start for piece in sentences], sentences[0].start, sentences[-1].end
    for hit in hits:
        if first <= hit.start and hit.end <= last:
            at, to = bisect_right(begins, hit.start) - 1, bisect_right(begins, hit.end - 1) - 1
            if at < to:
                yield sentences[at].start, sentences[to].end


def _inside(hits: Sequence[Match], piece: Piece) -> list[Match]:
    """The matches that lie for the most part in a stretch, counted from its start."""
    return [
        hit._replace(start=hit.start - piece.start, end=hit.end - piece.start)
        for hit in hits
        if piece.start <= (hit.start + hit.end) // 2 < piece.end
    ]


def _best(windows: Windows, floor: float, edge: float) -> list[tuple[int, int, float]]:
    """The best windows that do not overlap: what is above the floor, and one that is below the edge, so it stays."""
    logits = windows.logits
    found: list[tuple[int, int, float]] = []
    last = math.inf
    while len(logits) and len(found) < TOP:
        at = int(logits.argmax())
        best = float(logits[at])
        if best == -math.inf or (best < floor and last < edge):
            break
        start, end = int(windows.starts[at]), int(windows.ends[at])
        found.append((start, end, best))
        if best < min(floor, edge):
            break  # no other is better
        logits = np.where((windows.starts < end) & (windows.ends > start), -np.inf, logits)
        last = best
    return found


def _span(reading: Reading, start: int, end: int, logit: float) -> Span:
    """In code points of the original; its family is that of the strongest rule there."""
    here = [hit for hit in reading.hits if hit.start < end and hit.end > start]
    family = max(here, key=lambda hit: hit.weight).family if here else MODEL
    return Span(*reading.view.span(start, end), _probability(logit), family)


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Surest first, none over another."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: -span.score):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return kept


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, overlapping ones as one."""
    merged: list[Span] = []
    for span in sorted(spans):
        one = span
        if merged and span.start <= merged[-1].end:
            last = merged.pop()
            surer = max(last, span, key=lambda found: found.score)
            one = Span(last.start, max(last.end, span.end), surer.score, surer.family)
        merged.append(one)
    return tuple(merged)


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(min(odds, 60.0), -60.0)))


def _odds(score: float) -> float:
    return math.log(score / (1 - score))


def warm() -> None:
    """Load what judging reads and compile every language's rules: no first text holds up whoever else waits."""
    calibration()
    loaded()
    literals()
    for rule in rulebook():
        _ = rule.expression
