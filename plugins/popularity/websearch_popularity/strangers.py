"""Where strangers' text stands however popular the host is: read from `strangers/*.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from .addresses import Place

_FOLDER = Path(__file__).with_name("strangers")
_OF_A_PERSON = ("@", "~")
_PASSES_ON = re.compile(r"(?:https?|ftp):[/\\]|=[/\\]{2}|=www\.")
_TAIL = re.compile(r"\.|[_-][0-9]")
_BETWEEN = re.compile(r"[&;=:/]")


class Rule(NamedTuple):
    """Why a place is not trusted."""

    category: str
    reason: str
    entry: str
    """What matched: a line of the list."""


_ADDRESS_WITHIN = Rule("redirects", "an address within the address: a redirect, a proxy, a translator", "(address)")
_PERSONS_PAGE = Rule("path-segments", "a person's own page", "(@name or ~name)")


class Category(NamedTuple):
    """A table of the list: entries of one kind of place, and why these are nobody's to trust.

    `places` are hosts with all that is below them (`amazon.*`: under any ending), or a host and the first segments of
    a path; `labels` are parts of a host in front of its registrable domain; `words` stand anywhere in a host;
    `segments` stand anywhere in a path, less extension and number, or are names or values in a query.
    """

    name: str
    reason: str
    places: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()


def categories() -> tuple[Category, ...]:
    """The list as it comes with this package."""
    tables: dict[str, Mapping[str, object]] = {}
    for file in sorted(_FOLDER.glob("*.toml")):
        tables |= tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(_category(name, table) for name, table in tables.items())


class Strangers:
    """All rules, made ready for look-ups."""

    def __init__(self, listed: Iterable[Category]) -> None:
        self._places: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
        self._labels: dict[str, Rule] = {}
        self._words: dict[str, Rule] = {}
        self._segments: dict[str, Rule] = {}
        for category in listed:
            self._add(category)
        self._word = re.compile("|".join(map(re.escape, self._words)) or r"(?!)")

    def rule(self, place: Place, domain: str) -> Rule | None:
        """Why this place, of this registrable domain, carries strangers' text; None: no rule says so."""
        return self._of_host(place) or self._of_label(place.host, domain) or self._of_path(place)

    def _add(self, category: Category) -> None:
        name, reason = category.name, category.reason
        for entry in category.places:
            host, *segments = entry.split("/")
            self._places.setdefault(host, []).append((tuple(segments), Rule(name, reason, entry)))
        for kept, entries in (
            (self._labels, category.labels),
            (self._words, category.words),
            (self._segments, category.segments),
        ):
            kept.update((entry, Rule(name, reason, entry)) for entry in entries)

    def _of_host(self, place: Place) -> Rule | None:
        labels = place.host.split(".")
        for at in range(len(labels) - 1):
            for key in (".".join(labels[at:]), f"{labels[at]}.*"):
                for segments, rule in self._places.get(key, ()):
                    if place.segments[: len(segments)] == segments:
                        return rule
        word = self._word.search(place.host)
        return self._words[word[0]] if word else None

    def _of_label(self, host: str, domain: str) -> Rule | None:
        found = (self._labels.get(label) for label in host.removesuffix(domain).split("."))
        return next((rule for rule in found if rule), None)

    def _of_path(self, place: Place) -> Rule | None:
        for segment in place.segments:
            if rule := self._segments.get(segment) or self._segments.get(_TAIL.split(segment, maxsplit=1)[0]):
                return rule
            if segment.startswith(_OF_A_PERSON):
                return _PERSONS_PAGE
            if segment in ("http:", "https:") or segment.startswith("www."):
                return _ADDRESS_WITHIN
        for word in _BETWEEN.split(place.query):
            # `w=300` is a picture's width
            if len(word) > 1 and (rule := self._segments.get(word)):
                return rule
        return _ADDRESS_WITHIN if _PASSES_ON.search(place.query) else None


def _category(name: str, table: Mapping[str, object]) -> Category:
    # an unknown key or a value of another type is a mistake in our own file: the tests find it
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return Category(name=name, **fields)  # pyright: ignore[reportArgumentType]
