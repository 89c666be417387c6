"""Where strangers' text stands however popular the host is: read from `user_content/*.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from .url_contents import IsName, holds_address, holds_words
from .url_place import UrlPlace

_FOLDER = Path(__file__).with_name("user_content")
_OF_A_PERSON = ("@", "~")
_TAIL = re.compile(r"\.|[_-][0-9]")
_BETWEEN = re.compile(r"[&;=:/]")
_OF_VISITORS = re.compile(
    r"(?:audience|community|fan|guest|member|reader|user|visitor)s?"
    r"(?:blog|comment|content|contribut|file|generated|letter|photo|post|question|review|stor|submi|upload)"
)
_LANGUAGE = re.compile(r"www|m|amp|[a-z]{2}")


class Rule(NamedTuple):
    """Why a place is not trusted."""

    category: str
    reason: str
    entry: str
    """What matched: a line of the list."""


_ADDRESS_WITHIN = Rule("redirects", "an address within the address: a redirect, a proxy, a translator", "(address)")
_PERSONS_PAGE = Rule("path-segments", "a person's own page", "(@name or ~name)")
_PERSONS_BLOG = Rule("host-labels", "one of many blogs", "(name.blog)")
_VISITORS = Rule("path-segments", "what visitors sent in", "(user content)")
_WORDS_WITHIN = Rule("search-words", "words within the address, which the page may show", "(words)")


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


class UserContent:
    """All rules, made ready for look-ups."""

    def __init__(self, listed: Iterable[Category], is_name: IsName) -> None:
        """`is_name`: whether a text is a host name."""
        self._is_name = is_name
        self._places: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
        self._labels: dict[str, Rule] = {}
        self._words: dict[str, Rule] = {}
        self._segments: dict[str, Rule] = {}
        for category in listed:
            self._add(category)
        self._word = re.compile("|".join(map(re.escape, self._words)) or r"(?!)")

    def rule(self, place: UrlPlace, domain: str) -> Rule | None:
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
            kept.update((_joined(entry), Rule(name, reason, entry)) for entry in entries)

    def _of_host(self, place: UrlPlace) -> Rule | None:
        labels = place.host.split(".")
        for at in range(len(labels) - 1):
            for key in (".".join(labels[at:]), f"{labels[at]}.*"):
                for segments, rule in self._places.get(key, ()):
                    if place.segments[: len(segments)] == segments:
                        return rule
        word = self._word.search(_joined(place.host))
        return self._words[word[0]] if word else None

    def _of_label(self, host: str, domain: str) -> Rule | None:
        labels = host.removesuffix(domain).removesuffix(".").split(".")
        for label in labels:
            for name in (label, *label.split("-")) if "-" in label else (label,):
                if rule := self._named(self._labels, name):
                    return rule
        below = labels[: labels.index("blog")] if "blog" in labels else ()
        return _PERSONS_BLOG if any(not _LANGUAGE.fullmatch(label) for label in below) else None

    def _of_path(self, place: UrlPlace) -> Rule | None:
        for segment in place.segments:
            if rule := self._named(self._segments, segment):
                return rule
            if segment.startswith(_OF_A_PERSON):
                return _PERSONS_PAGE
            if _OF_VISITORS.match(_joined(segment)):
                return _VISITORS
        for word in _BETWEEN.split(place.query):
            # `w=300` is a picture's width
            if len(word) > 1 and (rule := self._segments.get(_joined(word))):
                return rule
        path, query = place.written
        if holds_address(path, query, self._is_name):
            return _ADDRESS_WITHIN
        return _WORDS_WITHIN if query and holds_words(query) else None

    @staticmethod
    def _named(rules: Mapping[str, Rule], name: str) -> Rule | None:
        """The rule of a name, less extension and number, however its words are joined."""
        if rule := rules.get(_joined(name)):
            return rule
        return rules.get(_joined(name[: tail.start()])) if (tail := _TAIL.search(name)) else None


def _joined(name: str) -> str:
    return name.replace("-", "").replace("_", "")


def _category(name: str, table: Mapping[str, object]) -> Category:
    # an unknown key or a value of another type is a mistake in our own file: the tests find it
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return Category(name=name, **fields)  # pyright: ignore[reportArgumentType]
