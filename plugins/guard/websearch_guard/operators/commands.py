"""Finds, by the engines' own rules of place, the words that an engine reads as commands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_OPENING = "\"'([{<+-"
"""May stand before a command; a minus goes with it, for the word must not become one to exclude."""


class Command(NamedTuple):
    """What makes a command of words, and what stands there instead when it is taken away."""

    kind: str
    start: int
    end: int
    instead: str = ""


class Commands:
    """The commands of some engines together."""

    def __init__(self, engines: Iterable[str]) -> None:
        """Raises ValueError for an engine without a list."""
        table = _table()
        known = table["engine"]
        chosen = tuple(engines) if engines else tuple(known)
        if unknown := sorted(set(chosen) - set(known)):
            raise ValueError(f"no list of operators for {', '.join(unknown)}; there are {', '.join(sorted(known))}")

        def of(field: str) -> frozenset[str]:
            return frozenset(item for engine in chosen for item in known[engine].get(field, ()))

        names = {field: frozenset(words) for field, words in table["names"].items()}
        self._before, self._known, self._alone = of("before"), of("known"), of("alone")
        self._harmless, self._shortcuts, self._languages = names["harmless"], names["shortcuts"], names["languages"]
        sigils = "".join(sorted(self._before | self._known | {c for word in self._alone for c in word}))
        behind = "".join(sorted(of("behind")))
        prefixes = sorted(of("prefixes"), key=len, reverse=True)
        opening = re.escape(_OPENING)
        self._sigil = _pattern(sigils, rf"(?<!\S)([{opening}]{{0,8}})([{re.escape(sigils)}]+)(\w[\w-]{{0,30}})?")
        self._suffix = _pattern(
            behind,
            rf"(?<!\S)[{opening}]{{0,8}}(?:{'|'.join(sorted(self._shortcuts))})([{re.escape(behind)}]+)"
            r"(?=[\"')\]}>.,;]{0,8}(?!\S))",
        )
        self._prefix = _pattern(
            prefixes,
            rf"(?:(?<!\S)|(?<=[{opening}:|]))(-?)(?:{'|'.join(map(re.escape, prefixes))})(:)(?=[^\s:])",
        )
        signs = sigils + behind + (":" if prefixes else "")
        self._sign = _pattern(signs, f"[{re.escape(signs)}]")

    def possible(self, text: str) -> bool:
        """Whether there may be any; cheap."""
        return bool(self._sign and self._sign.search(text))

    def bare(self, text: str) -> str:
        """Without any character that could begin or end a command."""
        return self._sign.sub(" ", text) if self._sign else text

    def of(self, text: str) -> list[Command]:
        """Those in this text, in order; none overlaps another."""
        found = sorted(
            (*self._bangs(text), *self._trailing(text), *self._prefixed(text)), key=lambda c: (c.start, c.end)
        )
        apart: list[Command] = []
        for command in found:
            if not apart or command.start >= apart[-1].end:
                apart.append(command)
        return apart

    def _bangs(self, text: str) -> Iterator[Command]:
        for match in _places(self._sigil, text):
            opening, run, name = match[1], match[2], (match[3] or "").lower()
            start = match.end(1) - (len(opening) - len(opening.rstrip("-+")))
            if name and self._acts(run, name):
                yield Command("bang", start, match.end(2))
            elif match[0] in self._alone and not text[match.end() : match.end() + 1].strip():
                yield Command("lucky", match.start(), match.end())

    def _acts(self, run: str, name: str) -> bool:
        if any(sigil in self._before for sigil in run):
            return name not in self._harmless
        if ":" in run and "-" in name:
            name = name.partition("-")[0]
        return any(sigil in self._known for sigil in run) and name.partition("_")[0] in (
            self._languages if ":" in run else self._shortcuts
        )

    def _trailing(self, text: str) -> Iterator[Command]:
        for match in _places(self._suffix, text):
            yield Command("bang", match.start(1), match.end(1))

    def _prefixed(self, text: str) -> Iterator[Command]:
        for match in _places(self._prefix, text):
            if match[1]:
                yield Command("prefix", match.start(1), match.end(1))
            yield Command("prefix", match.start(2), match.end(2), " ")


def _pattern(of: Sequence[str], pattern: str) -> re.Pattern[str] | None:
    """The pattern, if there is anything to find."""
    return re.compile(pattern, re.IGNORECASE) if of else None


def _places(pattern: re.Pattern[str] | None, text: str) -> Iterator[re.Match[str]]:
    return pattern.finditer(text) if pattern else iter(())


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files("websearch_guard.operators") / "engines.toml").read_text("utf-8"))
