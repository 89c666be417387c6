"""Whether a text that was found encoded says something: prose, somebody's data, a key; and whether one says nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

from ..deobfuscation.word_lists import words
from .ordinary_urls import known

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?!\dx\.)[\w-]{1,63}\.[A-Za-z]{2,24}\b")
"""Not `photo@2x.png`: a picture for screens of twice the density."""
_KEY = re.compile(
    r"\b(?:sk|pk|rk)[-_](?=[\w-]{0,40}\d)[\w-]{16}|\bAKIA[0-9A-Z]{8}|\bgh[pousr]_\w{8}|\bxox[abprs]-|-----BEGIN|\bAIza[\w-]{10}|\bglpat-|\bhf_\w{8}"
)
_WORD = re.compile(r"[^\W\d_]{2,}[.,;:!?)]?\Z")
_LATIN = re.compile(r"[\x00-\x7f]+")
_LETTERS_ONLY = re.compile(r"[a-z]{3,}")
_CLASSES = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "A" * 26 + "a" * 26 + "0" * 10
)
_CHANGE = re.compile(r"(?<=A)[a0]|(?<=a)[A0]|(?<=0)[Aa]")
_WORDS, _PROSE, _LETTERS = 4, 20, 8
_LEAVES = 400
_SMALL = 2
_SHORT, _CAPTIONS = 3, 120
"""Characters: a value that says nothing yet, and all captions together."""
_PROSE_SHARE = 0.4
"""Of what a JSON value holds: more, outside captions, is a message with ids beside it."""


def is_telling(text: str, *, caption: bool = False) -> bool:
    """Prose, somebody's data, or a key of a known shape; not an id, a path, a cursor or a URL.

    Random text is not telling: within an encoding it says no more than outside. `caption`: the text stands where pages
    name themselves, so a little prose is not telling either.
    """
    text = text.strip()
    if text[:1] in ("{", "["):
        try:
            return _is_telling_json(json.loads(text, object_pairs_hook=_Pairs))
        except (ValueError, RecursionError):  # a piece of JSON, or too much of it
            pass
    return is_somebodys(text) or (is_prose(text) and not (caption and _prose_size(text) <= _CAPTIONS))


def is_somebodys(text: str) -> bool:
    """Whether an e-mail address, a key of a known shape, or a name for somebody's data stands in it."""
    return any(pattern.search(text) is not None for pattern in (_EMAIL, _KEY, _named()))


def is_prose(text: str) -> bool:
    """Four words and more, in any language."""
    if len(text) >= _PROSE and len(_words(text)) >= _WORDS:
        return True
    return not text.isascii() and sum(map(str.isalpha, _LATIN.sub("", text))) >= _LETTERS


def _words(text: str) -> list[str]:
    return [word for word in text.split() if _WORD.match(word)]


def _prose_size(text: str) -> int:
    """Characters of words: paths, names of files and ids that stand between them do not count."""
    return len(" ".join(_words(text)))


def has_common_words(text: str) -> bool:
    """Whether most of the text, and four words of it at least, are words that every English text has."""
    found = [word for word in _LETTERS_ONLY.findall(text.lower()) if word in words()]
    return len(found) >= _WORDS and sum(map(len, found)) * 2 > len(text.replace(" ", ""))


def is_sentence(text: str, least: int = _SMALL) -> bool:
    """Prose, and not a list of names or choices: with some of the small words that hold sentences together."""
    return is_prose(text) and len(known().small.intersection(text.lower().split())) >= least


def is_random(token: str, share: float = 0.2) -> bool:
    """Whether digits, capitals and small letters change places as often as in ciphers and no word."""
    classes = token.translate(_CLASSES).replace("-", "").replace("_", "")
    return len(_CHANGE.findall(classes)) >= share * max(len(classes), 1)


def is_disguised(text: str) -> bool:
    """Whether English words stand here backwards, or thirteen letters on."""
    written = set(_LETTERS_ONLY.findall(text.lower()))
    rot13, back = _disguises()
    found = max(len(written & rot13), len(written & back))
    return found >= _WORDS and 4 * found >= len(written) and found > 2 * len(written & words())


@cache
def _disguises() -> tuple[frozenset[str], frozenset[str]]:
    common = [word for word in words() if len(word) > 2]
    table = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
    return frozenset(word.translate(table) for word in common), frozenset(word[::-1] for word in common) - words()


def _is_telling_json(value: Any) -> bool:
    prose = messages = size = 0
    for name, leaf in _leaves(value):
        if (name in known().telling and len(leaf) > _SHORT) or (name in known().telling_in_words and " " in leaf):
            return True
        if is_somebodys(leaf):
            return True
        size += len(leaf)
        if is_prose(leaf):
            prose += _prose_size(leaf)
            messages += 0 if name in known().captions else _prose_size(leaf)
    return prose > _CAPTIONS or messages > _PROSE_SHARE * size


class _Pairs(list[tuple[str, Any]]):
    """A table of JSON with each of its values: a key that stands there twice would else lose one."""


def _leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Each text or number with its key, and each key; ValueError: there are too many."""
    waiting: list[tuple[str, Any]] = [("", value)]
    for _ in range(_LEAVES):
        if not waiting:
            return
        name, item = waiting.pop()
        if isinstance(item, _Pairs):
            for key, inner in item:
                waiting += (("", key), (key.lower(), inner))
        elif isinstance(item, list):
            waiting += ((name, inner) for inner in cast("list[Any]", item))
        elif isinstance(item, str | int | float) and not isinstance(item, bool):
            yield name, str(item)
    if waiting:
        raise ValueError


@cache
def _named() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, known().telling), key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:{names})\b[\"']?\s{{0,2}}[:=]\s{{0,2}}[\"']?[^\s\"'{{}}\[\]]{{4,}}", re.IGNORECASE
    )
