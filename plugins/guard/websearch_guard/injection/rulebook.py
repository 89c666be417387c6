"""The rules as declared in `rules/*.toml`, in every language, and the literals by which a text chooses among them."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from websearch_guard.injection import grammar
from websearch_guard.injection.context import TOPIC

TOPICAL = 0
"""In place of a rule's number: the words of the trade."""
PARTS = 3
"""Bits for each rule: anchors, first and second need."""
_LAST_SPACED_LETTER = "\u052f"  # up to here Latin, Greek and Cyrillic: literals of these begin a word


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
    words: grammar.Words
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """Compiled when first needed: most texts need few."""
        return re.compile(grammar.pattern(self.notation, self.words), re.MULTILINE)


@dataclass(frozen=True)
class Rulebook:
    """All rules, and the literals by which a text chooses among them.

    What a literal means to the rules is a number with three bits for each: that it is an anchor of the rule, one of its
    first need, one of its second. So a stretch of text is held against all rules at once.
    """

    rules: tuple[Rule, ...]
    """Numbered from 1; English ones first: what English words mean are then small numbers, and quick to join."""
    meanings: Mapping[str, int]
    """A literal that ends in `*` begins words; another is a whole word."""
    by_anchor: Mapping[str, Sequence[tuple[int, tuple[int, ...]]]]
    """The rules of which a literal is an anchor, and how far into a match it may stand."""
    anchors: int
    """The anchors of all rules."""
    needless: int
    """The needs of all rules that have none."""
    around: int
    """The needs of all rules that are tried on either side of an anchor."""
    openings: Mapping[str, Sequence[int]]
    """The first three letters of literals that begin words, and how long those are."""
    elsewhere: Mapping[str, Sequence[str]]
    """Literals that begin with a sign, or of scripts where words stand together or have prefixes: by sign or script."""


@cache
def rulebook() -> Rulebook:
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
    return _book(sorted(rules, key=lambda rule: rule.language != "en"))


def _book(rules: Sequence[Rule]) -> Rulebook:
    meanings = dict.fromkeys(TOPIC, 1 << PARTS * TOPICAL)
    by_anchor: dict[str, list[tuple[int, tuple[int, ...]]]] = {literal: [(TOPICAL, (0,))] for literal in TOPIC}
    anchors, needless, around = 0b001, 0b110, 0
    for number, rule in enumerate(rules, TOPICAL + 1):
        first = PARTS * number
        for literal, offsets in rule.anchors.items():
            by_anchor.setdefault(literal, []).append((number, offsets))
        for bit, literals in enumerate((rule.anchors, *rule.needs), first):
            for literal in literals:
                meanings[literal] = meanings.get(literal, 0) | 1 << bit
        anchors |= 1 << first
        needless |= (0b110, 0b100, 0)[len(rule.needs)] << first
        around |= (0 if rule.anchored else 0b110) << first
    elsewhere: dict[str, list[str]] = {}
    for literal in meanings:
        if not literal[0].isalnum() or literal[0] > _LAST_SPACED_LETTER:
            elsewhere.setdefault(script(literal[0]), []).append(literal)
    openings: dict[str, list[int]] = {}
    for literal in sorted({literal for literal in meanings if literal.endswith("*")}, key=len):
        lengths = openings.setdefault(literal[:3], [])
        if len(literal) - 1 not in lengths:
            lengths.append(len(literal) - 1)
    return Rulebook(tuple(rules), meanings, by_anchor, anchors, needless, around, openings, elsewhere)


def script(letter: str) -> str:
    """The first word of a letter's name is its script's; a sign stands for itself."""
    return unicodedata.name(letter, "?").split()[0] if letter.isalpha() else letter


def _words(declared: dict[str, str]) -> dict[str, list[str]]:
    return {slot: [entry.strip() for entry in entries.split("|")] for slot, entries in declared.items()}


def _in_languages(entry: dict[str, Any], family: str, languages: dict[str, dict[str, list[str]]]) -> Iterator[Rule]:
    """The rule in each of its languages; one written without slots is the same in all."""
    chosen = entry.get("languages") or (list(languages) if grammar.slots(entry["pattern"]) else ["en"])
    for language in chosen:
        words = languages[language]
        wanted = [entry[order] for order in words.get("orders", []) if order in entry] or [entry["pattern"]]
        orders = [order for order in wanted if grammar.slots(order) <= words.keys()]
        if not orders:
            continue
        notation = "|".join(f"(?:{order})" for order in orders)
        firsts = [grammar.first_slot(order) for order in orders]
        anchored = entry.get("anchored", "anchors" not in entry)
        anchors: dict[str, tuple[int, ...]] = {}
        for anchor in entry.get("anchors", firsts):
            for literal, offset in grammar.literals(anchor, words):
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
                (frozenset(literal for literal, _ in grammar.literals(need, words))) for need in entry.get("needs", ())
            ),
            notation=notation,
            words=words,
            examples=tuple(entry.get("examples", ())),
            counterexamples=tuple(entry.get("counterexamples", ())),
        )
