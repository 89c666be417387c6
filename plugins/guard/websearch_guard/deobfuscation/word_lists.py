"""Common English words, and those of instructions: by which a disguised text is told from nonsense."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

_LONGEST = 16


@cache
def words() -> frozenset[str]:
    """The words, in lower case."""
    return _listed("words.txt")


@cache
def telling(kind: str) -> frozenset[str]:
    """Words of three letters and more as `rot13` or `reversed` writes them, unless that is a word; capitals too."""
    disguise = _DISGUISES[kind]
    found = {disguise(word) for word in words() if len(word) > 2}
    found -= words() | _listed("no-disguise.txt")
    return frozenset(found | {word.capitalize() for word in found} | {word.upper() for word in found})


def _listed(name: str) -> frozenset[str]:
    return frozenset((files(__name__.rpartition(".")[0]) / "data" / name).read_text("utf-8").split())


def rot13(text: str) -> str:
    """Each letter thirteen further."""
    return text.translate(_ROT13)


def _backwards(text: str) -> str:
    return text[::-1]


def parted(letters: str) -> str:
    """Words that were run together, parted by spaces where they are known ones; what is very long stays."""
    if len(letters) > _MOST:
        return letters
    known, lower = words(), letters.lower()
    # for each place: the least cost to get there, where its last piece began, and whether that is a known word
    best: list[tuple[int, int, bool]] = [(0, 0, True)]
    for end in range(1, len(lower) + 1):
        cost, _, was_known = best[end - 1]
        least = (cost + (_STRANGE + 1 if was_known else _STRANGE), end - 1, False)
        for start in range(max(0, end - _LONGEST), end):
            if lower[start:end] in known:
                least = min(least, (best[start][0] + _COSTS.get(end - start, _KNOWN), start, True))
        best.append(least)
    pieces: list[str] = []
    place, joined = len(letters), False
    while place:
        _, start, is_known = best[place]
        if joined and not is_known:
            pieces[-1] = letters[start:place] + pieces[-1]
        else:
            pieces.append(letters[start:place])
        place, joined = start, not is_known
    return " ".join(reversed(pieces))


_MOST = 2000
_STRANGE = 4
"""What a letter of no known word costs; short words are dear, since they are found in everything."""
_KNOWN = 2
_COSTS = {1: 8, 2: 5, 3: 3}
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"
)
_DISGUISES: dict[str, Callable[[str], str]] = {"rot13": rot13, "reversed": _backwards}
