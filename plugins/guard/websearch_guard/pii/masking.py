"""Taking spans out of a text, and saying whether anything worth sending is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .text.prepared_text import Span, table

_ROUNDS = 4
_SPACE = re.compile(r"\s{2,}")
_WORD = re.compile(r"[^\W_]+")


def masked(text: str, find: Callable[[str], Sequence[Span]]) -> tuple[str, tuple[Span, ...]] | None:
    """The text without what `find` finds, found again until nothing is, and the spans in `text` itself.

    None: what is left finds no end, or says nothing.
    """
    places = list(range(len(text)))
    taken: list[Span] = []
    current = text
    for _ in range(_ROUNDS):
        spans = find(current)
        if not spans:
            return (current, tuple(sorted(taken, key=lambda s: s.start))) if _says_something(current) else None
        taken += [s._replace(start=places[s.start], end=places[s.end - 1] + 1) for s in spans]
        current, places = _without(current, places, spans)
    return None


def _without(text: str, places: list[int], spans: Sequence[Span]) -> tuple[str, list[int]]:
    kept: list[int] = []
    place = 0
    for span in spans:
        kept += [*range(place, span.start), -1]
        place = span.end
    kept += range(place, len(text))
    characters: list[str] = []
    where: list[int] = []
    for index in kept:
        character = " " if index < 0 or text[index] in " \t" else text[index]
        if character == " " and (not characters or characters[-1].isspace()):
            continue
        characters.append(character)
        where.append(places[index] if index >= 0 else places[0] if not where else where[-1])
    while characters and characters[-1].isspace():
        characters.pop()
        where.pop()
    return "".join(characters), where


def _says_something(text: str) -> bool:
    """Whether there is a word besides stop words and the labels of what was taken out."""
    empty = _empty_words()
    return any(word.lower() not in empty and not word.isdigit() for word in _WORD.findall(text))


def _empty_words() -> frozenset[str]:
    return frozenset(table("empty")["words"].split())
