"""Declarative rules over a text: cheap literals first, then bounded expressions round them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from websearch_guard.injection.rules.candidates import Spots, places
from websearch_guard.injection.rules.literals import TOPICAL
from websearch_guard.injection.rules.rulebook import Rule, rulebook
from websearch_guard.injection.rules.surroundings import Surroundings
from websearch_guard.injection.rules.word_index import Wording, wording

_PARAGRAPH = re.compile(r"\n[ \t\r]{0,40}\n")

__all__ = ["Match", "Rule", "matches", "matches_in", "rulebook"]


class Match(NamedTuple):
    """One rule that holds, where, and what it adds to the log-odds of an attack, its surroundings considered."""

    rule: str
    family: str
    start: int
    end: int
    weight: float
    bare: float
    """The same, whatever talk stands round it: quotation and words of the trade take nothing from this."""


def matches(text: str) -> list[Match]:
    """Every match of every rule, in order of place; the time is linear in the text."""
    return matches_in(wording((text,)))[0]


def matches_in(read: Wording) -> list[list[Match]]:
    """The same for each of several texts."""
    if not read.texts:
        return []
    return [_matches(text, spots) if spots else [] for text, spots in zip(read.texts, places(read), strict=True)]


def _matches(lowered: str, spots: Spots) -> list[Match]:
    book = rulebook()
    topic = spots.pop(TOPICAL, [])
    found = [
        Match(rule.id, rule.family, hit.start(), hit.end(), rule.weight, rule.weight)
        for number, at in spots.items()
        for rule in (book[number - 1],)
        for hit in (_anchored if rule.anchored else _around)(rule, lowered, at)
        if not (rule.within_paragraph and _PARAGRAPH.search(hit[0]))
    ]
    if not found:
        return found
    found.sort(key=lambda match: (match.start, match.end, match.rule))
    surroundings = Surroundings(lowered, [(match.start, match.end, match.family) for match in found], topic)
    factors = [surroundings.factors(at) for at in range(len(found))]
    return [
        match._replace(weight=match.weight * excused * owned, bare=match.weight * owned)
        for match, (excused, owned) in zip(found, factors, strict=True)
    ]


def _anchored(rule: Rule, lowered: str, starts: Sequence[int]) -> list[re.Match[str]]:
    """The matches that begin at one of these places, and have what the rule needs near."""
    match, end = rule.expression.match, 0
    found: list[re.Match[str]] = []
    for start in starts:
        if start >= end and (hit := match(lowered, start)):
            end = hit.end()
            found.append(hit)
    return found


def _around(rule: Rule, lowered: str, anchors: Sequence[int]) -> Iterator[re.Match[str]]:
    """The matches within the rule's window of an anchor; windows that overlap are read as one."""
    start, end = 0, -1
    for place in anchors:
        if place - rule.window > end >= 0:
            yield from rule.expression.finditer(lowered, start, end)
            start = place - rule.window
        elif end < 0:
            start = max(0, place - rule.window)
        end = place + rule.window
    if end >= 0:
        yield from rule.expression.finditer(lowered, start, end)
