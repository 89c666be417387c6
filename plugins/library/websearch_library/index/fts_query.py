"""Turns any text into FTS5 expressions: every word is quoted, so no operator of a query ever acts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .passages import pairs, unspaced, without_unspaced

MOST_WORDS = 32
"""More words cost time and find nothing better; the answer says when some were left out."""

_WORD = re.compile(r"[^\W_]+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could did do does doing
    for from had has have having he her here hers him his how i if in into is it its just me my no nor not of on or our
    she should so some such than that the their them then there these they this those through to too was we were what
    when where which while who whom whose why will with would you your""".split()  # noqa: SIM905 - a list is unreadable
)
ASKING_WORDS = frozenset(
    """add another before best better between change create difference example examples explain find first get good
    guide long make making many mean meaning much need one own possible run set several show single tutorial use used
    using versus vs want way work works write""".split()  # noqa: SIM905 - as above
)
"""Words of questions rather than of answers."""


@dataclass(frozen=True, slots=True)
class FtsQuery:
    """A query, ready for MATCH."""

    every: str
    """Passages that hold all of it."""
    some: tuple[str, ...]
    """Single words, one of which a passage should hold; empty where that is the same."""
    words: tuple[str, ...]
    """Lower-case words and unspaced runs, for judging and cutting what was found."""
    shortened: bool = False
    """Whether words were left out because there were too many."""


def expression(text: str) -> FtsQuery | None:
    """The expressions for a text; None when it holds nothing that can be looked up."""
    text = text.replace("\0", " ").lower()
    pieces = _unique(piece for word in without_unspaced(text).split() if (piece := _EDGES.sub("", word)))
    telling = [piece for piece in pieces if piece not in _STOP_WORDS] or pieces
    runs = _unique(unspaced(text))
    words = [*_unique(word for piece in telling for word in _WORD.findall(piece)), *runs]
    shortened = len(words) > MOST_WORDS
    if shortened:
        telling, words = telling[:MOST_WORDS], words[:MOST_WORDS]
        runs = [run for run in runs if run in words]
    if not words:
        return None
    every = " AND ".join([*map(_quoted, telling), *map(_run, runs)])
    single = [word for word in words if word not in runs]
    some = _unique([*single, *(pair for run in runs if len(run) > 1 for pair in pairs(run).split())])
    return FtsQuery(every, tuple(some) if len(some) > 1 else (), tuple(words), shortened)


def titled(expression: FtsQuery) -> FtsQuery:
    """The same, for passages under a title or heading that holds every word."""
    return FtsQuery(f"title : ({expression.every})", (), expression.words, expression.shortened)


def any_of(words: Sequence[str]) -> str:
    """The expression for passages that hold at least one of the words."""
    return " OR ".join(map(_quoted, words))


def _run(run: str) -> str:
    # A single character is the first half of a pair.
    return f"{_quoted(run)}*" if len(run) == 1 else _quoted(pairs(run))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
