"""One judgement of each text: which passages instruct an AI that reads it, which go, and where to look again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .model.linear import loaded, scores_of
from .rules.literals import literals
from .rules.matcher import Match
from .rules.rulebook import rulebook
from .text.alt_texts import unlinked
from .text.language import language_of
from .verdict.attack_discourse import Explained
from .verdict.calibration import Calibration, bars, calibration, odds, probability
from .verdict.corroboration import judged
from .verdict.evidence import Evidence, evidence_of, shortness
from .verdict.narrowing import narrowed
from .verdict.readings import Reading, readings_of

MODEL = "wording"
"""The family of what no rule names."""
REACH = 600
"""Characters: no match of a rule is longer."""
_SHORTEST_MARK = 12
"""Characters: what is left of a mark beside a removal and is shorter is no passage."""


class Span(NamedTuple):
    """Code points of the judged text, how sure we are (0 to 1), and what of."""

    start: int
    end: int
    score: float
    family: str


class Judgement(NamedTuple):
    """What was found in one text.

    Evaluations may read all of it: `spans` are what the filter removes, `marked` what it leaves with a warning, each
    cut at sentences and lines, apart from one another, in order. What is found is either.
    """

    spans: tuple[Span, ...] = ()
    """To be taken out: two independent witnesses agree."""
    marked: tuple[Span, ...] = ()
    """To be marked: one witness."""
    leads: tuple[Span, ...] = ()
    """Where the text looks most like an instruction, surest first: at least one place of a text that has words."""
    score: float = 0.0
    """Of the worst place: what model and rules say together."""


def judge(text: str, high: float | None = None) -> Judgement:
    """Pure, and picklable like what it returns; the time is linear in the text.

    `high` replaces all bars: what scores as much is removed, and nothing is marked.
    """
    return judge_all((text,), high)[0]


def judge_all(texts: Sequence[str], high: float | None = None, descriptions: Container[int] = ()) -> list[Judgement]:
    """Each text as `judge` judges it; many short ones together cost little more than one.

    `descriptions` are the numbers of those that only machines read, as a picture's description is.
    """
    if not texts:
        return []
    rates = calibration()
    readings = readings_of(texts, rates, descriptions)
    scored = scores_of([unlinked(reading.view.text) for reading in readings])
    short = [shortness(reading.view.text) for reading in readings]
    removed: list[list[Span]] = [[] for _ in texts]
    marked: list[list[Span]] = [[] for _ in texts]
    read: list[list[tuple[Reading, Evidence]]] = [[] for _ in texts]
    found = evidence_of(scored, [reading.hits for reading in readings], rates, short)
    for reading, evidence in zip(readings, found, strict=True):
        windows = judged(reading, evidence, rates, high)
        suspected = cut = narrowed(reading, evidence, windows.removed, rates)
        if len(windows.marked) > len(windows.removed):
            suspected = narrowed(reading, evidence, windows.marked, rates)
        removed[reading.number] += [_span(reading, one.start, one.end, one.score) for one in cut]
        marked[reading.number] += [_span(reading, *one.extended, one.score) for one in suspected]
        read[reading.number].append((reading, evidence))
    leads = [_leads(of, rates, high) for of in read]
    return [_judgement(*of, high) for of in zip(texts, removed, marked, leads, strict=True)]


def _judgement(
    text: str, removed: Sequence[Span], marked: Sequence[Span], leads: Sequence[Span], high: float | None
) -> Judgement:
    explained = Explained(text)
    excused: list[Span] = []
    kept: list[Span] = []
    for span in removed:
        excuse = high is None and explained.excuses(span.start, span.end, named=span.family != MODEL)
        (excused if excuse else kept).append(span)
    spans = _merged(kept)
    best = _apart(leads)
    best = best[: worth_a_look([lead.score for lead in best], high)]
    marks = () if high is not None else (*_beside(_merged([*marked, *excused]), spans),)
    return Judgement(spans, marks, tuple(best), best[0].score if best else 0.0)


def worth_a_look(scores: Sequence[float], high: float | None = None) -> int:
    """How many leads, surest first, to keep: those above the floor, and one below the bar: what is above is cut."""
    if len(scores) < 2:  # the most usual
        return len(scores)
    rates = calibration()
    bar = rates.high if high is None else high
    return max(sum(score >= rates.floor for score in scores), sum(score >= bar for score in scores) + 1)


def _leads(read: Sequence[tuple[Reading, Evidence]], rates: Calibration, high: float | None) -> list[Span]:
    """The leads of all readings; where no score reaches the floor, only those of the reading with the best."""
    least = odds(rates.floor if high is None else min(rates.floor, high))
    if read and all(found.best < least for _, found in read):  # the most usual
        read = [max(read, key=lambda of: of[1].best)]
    return [_span(reading, *place) for reading, found in read for place in _best(found, rates, high)]


def _best(found: Evidence, rates: Calibration, high: float | None) -> Iterator[tuple[int, int, float]]:
    """The best windows that do not overlap: what is above the floor, and one below the bar, since that is not cut."""
    least, bar = odds(rates.floor), odds(rates.high if high is None else high)
    if not len(found.score):
        return
    best = int(found.score.argmax())
    if found.score[best] < min(least, bar):  # the most usual
        yield int(found.starts[best]), int(found.ends[best]), float(found.score[best])
        return
    order = np.argsort(-found.score, kind="stable")
    count = int(np.searchsorted(-found.score[order], -least, "right"))
    taken = np.zeros(int(found.ends.max(initial=0)) + 1, np.bool_)
    last = bar
    for number in order.tolist():
        count -= 1
        if count < 0 and last < bar:
            return
        start, end = int(found.starts[number]), int(found.ends[number])
        if not (taken[start] or taken[end - 1] or taken[start:end].any()):
            taken[start:end] = True
            last = float(found.score[number])
            yield start, end, last


def _span(reading: Reading, start: int, end: int, log_odds: float) -> Span:
    """In code points of the original; its family is that of the strongest rule there."""
    first, last = (bisect_left(reading.hits, at, key=_start) for at in (start - REACH, end))
    here = [hit for hit in reading.hits[first:last] if hit.end > start]
    family = max(here, key=lambda hit: hit.bare).family if here else MODEL
    return Span(*reading.view.span(start, end), probability(log_odds), family)


def _start(hit: Match) -> int:
    return hit.start


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Surest first, none over another."""
    kept: list[Span] = []
    taken: list[tuple[int, int]] = []  # apart, so that only the neighbours can be in the way
    for span in sorted(spans, key=lambda span: -span.score):
        at = bisect_left(taken, (span.start, span.end))
        if (at and taken[at - 1][1] > span.start) or (at < len(taken) and taken[at][0] < span.end):
            continue
        taken.insert(at, (span.start, span.end))
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


def _beside(marks: Sequence[Span], removed: Sequence[Span]) -> Iterator[Span]:
    """What is left of the marks where nothing is removed."""
    numbered = iter((*removed, None))
    removal = next(numbered)
    for mark in marks:
        start = mark.start
        while removal and removal.end <= start:
            removal = next(numbered)
        while removal and removal.start < mark.end:
            if removal.start - start >= _SHORTEST_MARK:
                yield mark._replace(start=start, end=removal.start)
            start = removal.end
            if removal.end > mark.end:
                break
            removal = next(numbered)
        if mark.end - start >= _SHORTEST_MARK or start == mark.start:
            yield mark._replace(start=start)


def warm() -> None:
    """Load what judging reads."""
    calibration()
    bars()
    language_of("")
    loaded()
    literals()


def compile_rules() -> None:
    """Compile the rules of every language now, so that no request waits for it."""
    for rule in rulebook():
        _ = rule.expression
