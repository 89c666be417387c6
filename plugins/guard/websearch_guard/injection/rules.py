"""Declarative rules over a text: cheap literals first, then bounded expressions round them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from websearch_guard.injection.context import Surroundings
from websearch_guard.injection.places import places
from websearch_guard.injection.rulebook import TOPICAL, Rule, Rulebook, rulebook

__all__ = ["Match", "Rule", "Rulebook", "matches", "rulebook"]


class Match(NamedTuple):
    """One rule that holds, where, and what it adds to the log-odds of an attack, its surroundings considered."""

    rule: str
    family: str
    start: int
    end: int
    weight: float


def matches(text: str) -> list[Match]:
    """Every match of every rule, in order of place; the time is linear in the text."""
    lowered = text.replace("İ", "i").lower()  # the only letter that grows when lowered: offsets hold
    book = rulebook()
    spots = places(lowered, book)
    topic = sorted(spots.pop(TOPICAL, ()))
    found = [
        Match(rule.id, rule.family, hit.start(), hit.end(), rule.weight)
        for number, at in spots.items()
        for rule in (book.rules[number - 1],)
        for hit in (_anchored if rule.anchored else _around)(rule, lowered, sorted(at))
    ]
    if not found:
        return found
    found.sort(key=lambda match: (match.start, match.end, match.rule))
    surroundings = Surroundings(lowered, [(match.start, match.end, match.family) for match in found], topic)
    return [match._replace(weight=match.weight * surroundings.factor(at)) for at, match in enumerate(found)]


def _anchored(rule: Rule, lowered: str, starts: Sequence[int]) -> Iterator[re.Match[str]]:
    """The matches that begin at one of these places, and have what the rule needs near."""
    match, end = rule.expression.match, 0
    for start in starts:
        if start >= end and (hit := match(lowered, start)):
            end = hit.end()
            yield hit


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
