"""Says in how many passages each word stands: what a loose search looks for, and what a match with a word is worth."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from math import log

from .fts_query import ASKING_WORDS

_BUDGET = 3000
"""Passages that a loose search may score: 2,000 cost about a millisecond."""
_LEAST = 2

_TABLES = """
PRAGMA temp_store = MEMORY;
CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'row');
CREATE VIRTUAL TABLE temp.stem USING fts5 (word, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE temp.stems USING fts5vocab('temp', 'stem', 'instance')
"""


def telling(counts: Mapping[str, int]) -> list[str]:
    """The rarest of the words that occur at all: two, or more while few passages hold them."""
    counted = sorted((count, number, word) for number, (word, count) in enumerate(counts.items()) if count)
    chosen: list[str] = []
    cost = 0
    for count, _, word in counted:
        cost += count
        if len(chosen) >= _LEAST and cost > _BUDGET:
            break
        chosen.append(word)
    return chosen


class WordRarity:
    """The vocabulary of one connection's library; its own tables are temporary and in memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)

    def of(self, words: Sequence[str]) -> dict[str, int]:
        """Word → passages that hold it, 0 for those that none does."""
        counts = self._counts(words)
        return {word: counts.get(number, 0) for number, word in enumerate(words)}

    def weights(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Word → how much it tells, by the inverse of the passages that hold it (BM25's): an unknown word tells most.

        Words of how something is asked tell half: a page that answers need not hold them.
        """
        passages = self._connection.execute("SELECT count(*) FROM words_docsize").fetchone()[0]
        found = {word: log(1 + (passages - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
        return {word: weight / 2 if word in ASKING_WORDS else weight for word, weight in found.items()}

    def _counts(self, words: Sequence[str]) -> dict[int, int]:
        """Word's number → passages that hold its stem; Porter's stems are SQLite's own, so a table makes them."""
        execute = self._connection.execute
        execute("INSERT INTO temp.stem (stem) VALUES ('delete-all')")
        self._connection.executemany("INSERT INTO temp.stem (rowid, word) VALUES (?, ?)", enumerate(words, 1))
        counts: dict[int, int] = {}
        for number, term in execute("SELECT doc, term FROM temp.stems").fetchall():
            row = execute("SELECT doc FROM temp.vocabulary WHERE term = ?", (term,)).fetchone()
            counts[number - 1] = min(counts.get(number - 1, row[0] if row else 0), row[0] if row else 0)
        return counts
