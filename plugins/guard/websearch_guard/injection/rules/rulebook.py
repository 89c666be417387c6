"""The rules as declared in `rules/*.toml`, in every language."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from websearch_guard.injection.rules import pattern_grammar


@dataclass(frozen=True)
class Rule:
    """One rule in one language."""

    id: str
    family: str
    language: str
    weight: float
    window: int
    anchors: Mapping[str, tuple[int, ...]]
    """One of these literals occurs in whatever matches; with each, how far into the match it may stand."""
    anchored: bool
    """Whether a match begins with an anchor: it is then tried there alone, and else `window` characters either side."""
    needs: tuple[frozenset[str], ...]
    """One of each of these occurs near, or the rule is not tried; two at most."""
    notation: str
    words: pattern_grammar.Words
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]

    @cached_property
    def within_paragraph(self) -> bool:
        """Whether what lies between its words may be no end of a paragraph: else two would make one order."""
        return pattern_grammar.has_gaps(self.notation)

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """Compiled when first needed: most texts need few."""
        return re.compile(pattern_grammar.pattern(self.notation, self.words), re.MULTILINE)


@cache
def rulebook() -> Sequence[Rule]:
    """The rules as shipped, every language's; a rule holds in each language that has words for its slots."""
    folder = files("websearch_guard.injection").joinpath("rules")
    languages = {
        path.name.removesuffix(".toml"): _words(tomllib.loads(path.read_text("utf-8")))
        for path in sorted(folder.joinpath("words").iterdir(), key=lambda path: path.name)
        if path.name.endswith(".toml")
    }
    rules: list[Rule] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            declared = tomllib.loads(path.read_text("utf-8"))
            for entry in declared["rule"]:
                rules += _in_languages(entry, declared["family"], languages)
    return rules


def _words(declared: dict[str, str]) -> dict[str, list[str]]:
    return {slot: [entry.strip() for entry in entries.split("|")] for slot, entries in declared.items()}


def _in_languages(entry: dict[str, Any], family: str, languages: dict[str, dict[str, list[str]]]) -> Iterator[Rule]:
    """The rule in each language that has its words, or in those it names; one without slots is the same in all."""
    slotted = languages.keys() - entry.get("except", ()) if pattern_grammar.slots(entry["pattern"]) else ["en"]
    chosen = entry.get("languages") or sorted(slotted)
    for language in chosen:
        words = languages[language]
        wanted = [entry[order] for order in words.get("orders", []) if order in entry] or [entry["pattern"]]
        orders = [order for order in wanted if pattern_grammar.slots(order) <= words.keys()]
        if not orders:
            continue
        notation = "|".join(f"(?:{order})" for order in orders)
        firsts = [pattern_grammar.first_slot(order) for order in orders]
        anchored = entry.get("anchored", "anchors" not in entry)
        anchors: dict[str, tuple[int, ...]] = {}
        for anchor in entry.get("anchors", firsts):
            for literal, offset in pattern_grammar.literals(anchor, words):
                anchors[literal] = (*anchors.get(literal, ()), offset)
        offsets_of = {literal: tuple(sorted(set(offsets))) for literal, offsets in anchors.items()}
        yield Rule(
            id=entry["id"],
            family=family,
            language=language,
            weight=entry["weight"],
            window=entry.get("window", 160),
            anchors=offsets_of,
            anchored=anchored,
            needs=tuple(
                (frozenset(literal for literal, _ in pattern_grammar.literals(need, words)))
                for need in entry.get("needs", ())
            ),
            notation=notation,
            words=words,
            examples=tuple(entry.get("examples", ())),
            counterexamples=tuple(entry.get("counterexamples", ())),
        )
