"""Says in how many passages each word stands, so that a loose search looks only for the telling ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

_BUDGET = 3000
"""Passages that a loose search may score: 2,000 cost about a millisecond."""
_LEAST = 2

_TABLES = """
PRAGMA temp_store = MEMORY;
CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'row');
CREATE VIRTUAL TABLE temp.stem USING fts5 (word, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE temp.stems USING fts5vocab('temp', 'stem', 'instance')
"""


class Rarity:
    """The vocabulary of one connection's library; its own tables are temporary and in memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)

    def telling(self, words: Sequence[str]) -> list[str]:
        """The rarest of the words that occur at all: two, or more while few passages hold them."""
        counted = sorted((count, number) for number, count in self._counts(words).items() if count)
        chosen: list[str] = []
        cost = 0
        for count, number in counted:
            cost += count
            if len(chosen) >= _LEAST and cost > _BUDGET:
                break
            chosen.append(words[number])
        return chosen

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
