"""From the rules' short notation to bounded regular expressions and the literals that must occur for them to match."""

# ruff: noqa: RUF001 — sentences end with signs of many scripts

import re
from collections.abc import Mapping, Sequence
from functools import cache

Words = Mapping[str, Sequence[str]]
"""Slots of one language: a name and its entries."""

_SLOT = re.compile(r"\{([a-z_]+)\}")
_SPACE = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]| \??")  # an escape and a class of characters are passed over whole
_SPACES = {" ": r"\s{1,3}", " ?": r"\s{0,3}"}
_LETTERS = re.compile(r"(?:[^\W_]|[\u0900-\u097f])+\*?")  # the vowel signs of Hindi are no letters to `re`
_GAPS = {  # what may stand between two slots: never the end of a sentence, so that two sentences do not make one order
    "to": r"[\s_*\"'’“”«»:,-]{1,4}",  # next to each other
    "near": r"[^.!?。！？]{0,18}?",
    "mid": r"[^.!?。！？]{0,30}?",
    "gap": r"[^.!?。！？]{0,48}?",
    "far": r"[^。！？]{0,120}?",
    "begin": r"(?:(?<![\s\S])|(?<=[\n>*#/\"(“`])|(?<=[\n.!?:;,>*#/)\"“”—–-]\x20)"  # or an order, of no length
    r"|(?<=\bthen\x20)|(?<=\bplease\x20)|(?<=\bkindly\x20)|(?<=\band\x20)|(?<=\balso\x20)|(?<=\bmust\x20)|(?<=\bshould\x20))",
    "start": r"(?:^|(?<=[\n\"'“«>*:;.!?)\]}|#(`=-]))[ \t*\"'“«(>#\[`=-]{0,6}",  # where a statement begins
}
_DENSER = _GAPS | {  # in scripts where a letter says what half a word does
    "near": r"[^.!?。！？]{0,10}?",
    "mid": r"[^.!?。！？]{0,16}?",
    "gap": r"[^.!?。！？]{0,28}?",
}
_DENSE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
UNSPACED = re.compile("[\u0590-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def pattern(notation: str, words: Words) -> str:
    """The expression for a rule's notation: `{slot}` stands for any of its entries, a space for any white space."""
    expanded = _SLOT.sub(lambda found: _slot(found[1], words), notation)
    return _SPACE.sub(lambda found: _SPACES.get(found[0], found[0]), expanded)


def has_gaps(notation: str) -> bool:
    """Whether anything may stand between its words."""
    return any(f"{{{gap}}}" in notation for gap in ("near", "mid", "gap", "far"))


def slots(notation: str) -> set[str]:
    """The slots of a notation that a language has to fill."""
    return set(_SLOT.findall(notation)) - _GAPS.keys()


def literals(anchor: str, words: Words) -> Sequence[tuple[str, int]]:
    """For an anchor — a slot, or entries with `|` between — the words of which one must occur, and how far in.

    A word that ends in `*` begins words; another is a word by itself.
    """
    named = _SLOT.fullmatch(anchor)
    return _longest_of(tuple(words[named[1]] if named else filter(None, anchor.split("|"))))


def first_slot(notation: str) -> str | None:
    """The slot that a notation begins with, if it does."""
    begins = _SLOT.match(notation)
    return begins[0] if begins and begins[1] not in _GAPS else None


@cache
def _longest_of(entries: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    return tuple(map(_longest, entries))


def _longest(entry: str) -> tuple[str, int]:
    """An entry's longest word, by which it is looked up; one word, or what begins with a sign, is it as a whole."""
    if not entry[0].isalnum() or entry.removesuffix("*").isalnum():
        return entry, 0
    words = [(found[0], found.start()) for found in _LETTERS.finditer(entry)]
    return max(words, key=lambda word: len(word[0]))


def _slot(name: str, words: Words) -> str:
    if name in _GAPS:
        return (_DENSER if _dense(words) else _GAPS)[name]
    by_letter: dict[str, list[str]] = {}
    for entry in sorted(set(words[name]), key=len, reverse=True):
        by_letter.setdefault(entry[0], []).append(_entry(entry))
    # by first letter, and the look behind once for all: most places of a text are left at the first step
    branches = (entries[0] if len(entries) == 1 else _letter(entries) for entries in by_letter.values())
    boundary = "" if UNSPACED.search("".join(words[name])) else r"(?<![^\W_])"
    return f"{boundary}(?:{'|'.join(branches)})"


def _dense(words: Words) -> bool:
    return any(_DENSE.match(entry) for entry in words.get("prior", ()))


def _entry(entry: str) -> str:
    """One entry: `*` is the rest of a word, and a word of a script with spaces stands alone."""
    source = re.escape(entry).replace(r"\ ", " ").replace(r"\*", r"\w{0,12}").replace("'", "['’]?")
    if UNSPACED.search(entry):
        return source
    return source + ("" if entry.endswith("*") else r"(?![^\W_])")


def _letter(entries: Sequence[str]) -> str:
    """Entries of one first letter; a letter that had to be escaped is two characters."""
    length = 2 if entries[0][0] == "\\" else 1
    return f"{entries[0][:length]}(?:{'|'.join(entry[length:] for entry in entries)})"
