"""Queries as many kinds of people and agents type them: what is in them, by class, and what only looks like it.

`queries_found.txt` has what is found in each query and in its neighbours, misses included: it shows what else a change
to a detector changed. `python plugins/guard/tests/pii/test_queries.py` writes it anew, for `git diff` to show.
"""

import json
import random
import re
import string
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from websearch_guard.pii.find import find
from websearch_guard.pii.text.prepared_text import listed

HERE = Path(__file__).parent
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
LETTERS = {
    "a": string.ascii_lowercase + string.digits,
    "A": string.ascii_uppercase + string.digits,
    "b": string.ascii_letters + string.digits,
    "B": string.ascii_uppercase + "234567",
    "h": "0123456789abcdef",
    "k": BASE58,
}
WORDS = sorted(listed("bip39"))
SEEDS = {
    "w": " ".join,
    "e": " ".join,
    "W": ", ".join,
    "H": "-".join,
    "n": lambda words: " ".join(f"{n}. {word}" for n, word in enumerate(words, 1)),
    "p": lambda words: " ".join(f"{n}) {word}" for n, word in enumerate(words, 1)),
}


def _filled(text: str) -> str:
    """With values for `«h32»` and its like: no file has what a scanner for secrets would take for one."""
    dice = random.Random(text)

    def value(match: re.Match[str]) -> str:
        kind, size = match[1], int(match[2] or 0)
        if kind == "u":
            return str(uuid.UUID(int=dice.getrandbits(128), version=4))
        if kind == "l":
            return ", ".join(str(dice.randrange(256)) for _ in range(size))
        if kind in LETTERS:
            return "".join(dice.choices(LETTERS[kind], k=size))
        return SEEDS[kind](dice.sample(WORDS, size))

    return re.sub(r"«(\w)(\d*)»", value, text)


BY_CLASS: dict[str, list[str]] = defaultdict(list)
for file in ("queries_dev", "queries_wide"):
    for line in (HERE / f"{file}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        BY_CLASS[row["entity"] or ""].append(_filled(row["text"]))
ORDINARY = BY_CLASS.pop("")


@pytest.mark.parametrize("kind", BY_CLASS)
def test_a_class_is_found_as_people_type_it(kind: str) -> None:
    missed = [text for text in BY_CLASS[kind] if not find(text)]
    assert len(missed) <= 0.08 * len(BY_CLASS[kind]), missed


def test_what_only_looks_like_it_is_let_be() -> None:
    stopped = [text for text in ORDINARY if find(text)]
    assert len(stopped) <= 0.01 * len(ORDINARY), stopped


def _without_last_digit(text: str) -> str:
    """One digit too few, and the wrong check digit."""
    return re.sub(r"\d(?=\D*\Z)", "", text, count=1)


def _without_first_word(text: str) -> str:
    """Often the label, or the first name."""
    return text.partition(" ")[2]


def _further_apart(text: str) -> str:
    """Two words more between the label and the number."""
    return re.sub(r" (?=\S*\d)", " as shown ", text, count=1)


NEIGHBOURS: tuple[Callable[[str], str], ...] = (_without_last_digit, _without_first_word, _further_apart)
FOUND = HERE / "queries_found.txt"


def _found_now(kind: str) -> Iterator[tuple[str, str]]:
    """Each text, and where what is found in it."""
    for number, text in enumerate(BY_CLASS[kind]):
        for spelt in (str, NEIGHBOURS[number % len(NEIGHBOURS)]):
            written = spelt(text)
            yield written, " ".join(f"{span.kind}:{span.start}-{span.end}" for span in find(written))


@pytest.mark.parametrize("kind", BY_CLASS)
def test_the_same_is_found_at_the_same_places(kind: str) -> None:
    before = FOUND.read_text("utf-8").partition(f"# {kind}\n")[2].partition("#")[0].splitlines()
    changed = [(text, was, now) for (text, now), was in zip(_found_now(kind), before, strict=True) if was != now]
    assert not changed


if __name__ == "__main__":
    found = {kind: [now for _, now in _found_now(kind)] for kind in BY_CLASS}
    FOUND.write_text("".join(f"# {kind}\n" + "".join(f"{now}\n" for now in found[kind]) for kind in found), "utf-8")
