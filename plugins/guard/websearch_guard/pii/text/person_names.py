"""Whether words are somebody's name; and whose name is everybody's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any, cast

from websearch_guard.deobfuscation import canonical
from websearch_guard.deobfuscation.word_lists import words as canon_words

from .prepared_text import listed, table

_LONGEST = 4
_SHORTEST = 3
_WORD = re.compile(r"[^\W\d_]+")


def is_name(words: Sequence[str]) -> bool:
    """Whether these words, in lower case, are a person's first and last names: two to five, the first one known."""
    proper = [word for word in words if word not in _particles()]
    if not (1 < len(proper) < 5 and len(words) < 7) or not all(word.isalpha() for word in words):
        return False
    return is_first_name(proper[0]) or (len(proper) > 1 and is_first_name(proper[-1]) and len(proper) < 4)


def may_be_name(words: Sequence[str]) -> bool:
    """Whether these words, in lower case, may be a name that no list has: two to four, and no common word among them.

    Towns and firms may be called so, too: ask only beside what else says that a person is meant.
    """
    proper = [word for word in words if word not in _particles()]
    return (
        2 <= len(proper) <= _LONGEST
        and len(words) == len([word for word in words if word.isalpha()])
        and sum(len(word) >= _SHORTEST for word in proper) >= 2
        and not any(is_common(word) for word in proper)
    )


def is_common(word: str) -> bool:
    """Whether the word, in lower case, is one of the usual ones of searching, in eight languages."""
    return word in _common() and word not in listed("names")


def is_first_name(word: str) -> bool:
    """Whether people are called so, in some twenty-five countries."""
    return folded(word) in listed("names")


def is_public(name: str) -> bool:
    """Whether the name, or its end, is that of somebody whom everybody knows."""
    words = [folded(m[0]) for m in _WORD.finditer(name.lower())]
    figures = _figures()
    sizes = range(min(2, len(words)), _LONGEST + 1)  # one word of a longer name is everybody's
    return any(" ".join(words[at : at + size]) in figures for size in sizes for at in range(len(words)))


def folded(word: str) -> str:
    """In lower case, without marks on the letters."""
    if word.isascii():
        return word.lower()
    word = word.lower().translate(_PLAIN)
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


_PLAIN = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "æ": "ae", "đ": "d", "\u0131": "i"})


@cache
def _particles() -> frozenset[str]:
    return frozenset(table("empty")["particles"].split())


@cache
def _common() -> frozenset[str]:
    """Listed words, and those of the rules' own tables."""
    names = ("phrases", "streets", "dates", "passwords")
    tables = ([row for key, row in table(name).items() if key != "state"] for name in names)  # Carolina, Virginia
    rows: Iterable[Any] = chain.from_iterable(tables)
    said = [text for row in rows for text in ([row] if isinstance(row, str) else cast("list[Any]", row))]
    said = [text for text in said if isinstance(text, str)]
    labels = (" ".join((*row.get("words", ()), *row.get("heads", ()))) for row in table("labels")["label"])
    own = {word for text in (*said, *labels) for word in _WORD.findall(text.lower())} | listed("common")
    read = {canonical(word).text for word in own if not word.isascii()}
    return frozenset(
        {word for word in own if word.isascii()} | read | listed("common") | listed("bip39") | canon_words()
    )


@cache
def _figures() -> frozenset[str]:
    rows = table("figures").values()
    return frozenset(" ".join(folded(m[0]) for m in _WORD.finditer(name)) for row in rows for name in row.split(","))
