"""The library's tables: puts copies of pages in, takes them out, and finds passages. Blocking; for worker threads."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from . import passages
from .best_window import BestWindow
from .fts_query import FtsQuery, any_of
from .page_copy import PageCopy, PutResult
from .word_rarity import WordRarity, telling

_SHIFT = 16
_MOST_CANDIDATES = 400
_ENOUGH = 5
"""Pages with every word, after which no loose search is made."""
_LOOSE_PAGES = 30
QUORUM = 0.5
"""Of the weight of a query's words, what a page that lacks some must hold."""
FLOOR = 0.7
"""The same beside the answers of others. Chosen by `evals/library.py`: with half, two to three times as many queries
about other things find pages that merely share words with them."""
_COLUMNS = (
    "url, asked, host, source, path, title, author, site, published, language, chars, hash, etag, last_modified, "
    "fetched_at"
)
_COPY = (
    "url, asked, source, path, title, author, site, published, language, chars, etag, last_modified, fetched_at, hash"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A search: what to look for, and among which pages."""

    expression: FtsQuery
    limit: int
    sources: tuple[str, ...] = ()
    """Only pages of these; empty: of all."""
    accepts: Callable[[str], bool] | None = None
    """Whether pages of a host may be found."""
    since: float | None = None
    until: float | None = None
    """Only pages known to have been published between these moments, both inclusive."""
    quorum: float = QUORUM
    """Of the weight of the words, what a page must hold that lacks some of them."""


class FoundPassage(NamedTuple):
    """The best passage of one page."""

    number: int
    """The page's, for `Index.body`."""
    copy: PageCopy
    heading: str
    passage: str
    place: int
    """The passage's, for `Index.code_around`."""
    score: float
    """Larger is better; comparable within one answer only."""


class Index:
    """One connection's view of the library."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._rarity: WordRarity | None = None

    @contextmanager
    def transaction(self) -> Generator[None]:
        """All or nothing; what was committed stays, however the process ends."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk has ended it already
                self.connection.execute("ROLLBACK")
            raise

    def put(self, copies: Iterable[PageCopy]) -> PutResult:
        """Add or replace by URL, within a transaction; a page whose text is the same is not indexed again."""
        total = PutResult()
        for copy in copies:
            total = total.plus(self._put(copy))
        if any(total):
            self._changed()
        return total

    def _put(self, copy: PageCopy) -> PutResult:
        body = _clean(copy.body[: passages.MOST_CHARS])
        digest = _digest(copy, body)
        known = self.connection.execute("SELECT id, hash, title FROM page WHERE url = ?", (copy.url,)).fetchone()
        if known and known[1] == digest:
            self.connection.execute(
                "UPDATE page SET asked = ?, source = ?, path = ?, etag = ?, last_modified = ?, fetched_at = ? "
                "WHERE id = ?",
                (copy.asked, copy.source, copy.path, copy.etag, copy.last_modified, copy.fetched_at, known[0]),
            )
            return PutResult(unchanged=1)
        if known:
            self._forget(known[0], known[2])
        values = (
            copy.url,
            copy.asked,
            urlsplit(copy.url).hostname or "",
            copy.source,
            copy.path,
            _clean(copy.title),
            _clean(copy.author),
            _clean(copy.site),
            copy.published,
            copy.language,
            len(body),
            digest,
            copy.etag,
            copy.last_modified,
            copy.fetched_at,
        )
        marks = ", ".join("?" * len(values))
        page = self.connection.execute(f"INSERT INTO page ({_COLUMNS}) VALUES ({marks})", values).lastrowid  # noqa: S608
        self._index(page or 0, copy.title, body)
        return PutResult(changed=1) if known else PutResult(added=1)

    def _index(self, page: int, title: str, body: str) -> None:
        title = _clean(title)
        stored: list[tuple[int, str, str]] = []
        words: list[tuple[int, str, str]] = []
        for number, passage in enumerate(passages.cut(body), page << _SHIFT):
            stored.append((number, passage.heading, passage.text))
            words.append((number, *_indexed(title, passage.heading, passage.text)))
        self.connection.executemany("INSERT INTO passage (id, heading, text) VALUES (?, ?, ?)", stored)
        self.connection.executemany("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", words)

    def _forget(self, page: int, title: str) -> None:
        # A contentless FTS table takes a row out only when it is told the very text that was put in.
        rows = self._passages(page)
        self.connection.executemany(
            "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)",
            [(number, *_indexed(title, heading, text)) for number, heading, text in rows],
        )
        self.connection.execute("DELETE FROM passage WHERE id BETWEEN ? AND ?", _span(page))
        self.connection.execute("DELETE FROM page WHERE id = ?", (page,))

    def remove(self, where: str, values: tuple[Any, ...]) -> int:
        """Take out the pages that a condition on `page` selects, within a transaction; how many there were."""
        rows = self.connection.execute(f"SELECT id, title FROM page WHERE {where}", values).fetchall()  # noqa: S608
        for page, title in rows:
            self._forget(page, title)
        if rows:
            self._changed()
        return len(rows)

    def search(self, question: Question) -> list[FoundPassage]:
        """The best passage of each page, best page first: passages with every word, then those with most of them."""
        condition, values = self._condition(question)
        expression = question.expression
        found = self._matching(expression.every, condition, values, question.limit)
        if expression.some and len(found) < min(question.limit, _ENOUGH):
            known = {one.number for one in found}
            found += [one for one in self._loosely(question, condition, values) if one.number not in known]
        return found[: question.limit]

    def _loosely(self, question: Question, condition: str, values: tuple[Any, ...]) -> list[FoundPassage]:
        self._rarity = self._rarity or WordRarity(self.connection)
        counts = self._rarity.of(question.expression.some)
        looked_for = telling(counts)
        if not looked_for:
            return []
        words = BestWindow(tuple(counts), self._rarity.weights(counts))
        judged = [
            (words.share(f"{one.copy.title}\n{one.heading}\n{one.passage}"), one)
            for one in self._matching(any_of(looked_for), condition, values, _LOOSE_PAGES)
        ]
        judged.sort(key=lambda pair: -pair[0] * pair[1].score)
        return [one for share, one in judged if share >= question.quorum]

    def _matching(self, match: str, condition: str, values: tuple[Any, ...], pages: int) -> list[FoundPassage]:
        # `ORDER BY rank` and not `bm25(…)`: FTS5 then sorts by itself, without reading what is joined.
        join = f"CROSS JOIN page ON page.id = words.rowid >> {_SHIFT} AND {condition}" if condition else ""
        rows = self.connection.execute(
            f"SELECT words.rowid, words.rank FROM words {join} WHERE words MATCH ? ORDER BY words.rank LIMIT ?",  # noqa: S608
            (*values, match, _MOST_CANDIDATES),
        )
        best: dict[int, FoundPassage] = {}
        for passage, rank in rows:
            page = passage >> _SHIFT
            if page not in best and (one := self._found(passage, -rank)):
                best[page] = one
                if len(best) == pages:
                    break
        rows.close()
        return list(best.values())

    def _condition(self, question: Question) -> tuple[str, tuple[Any, ...]]:
        conditions: list[str] = []
        values: list[Any] = []
        if question.sources:
            conditions.append(f"page.source IN ({', '.join('?' * len(question.sources))})")
            values += question.sources
        if question.accepts:
            hosts = [host for (host,) in self.connection.execute("SELECT DISTINCT host FROM page")]
            conditions.append("page.host IN (SELECT value FROM json_each(?))")
            values.append(json.dumps([host for host in hosts if question.accepts(host)]))
        if question.since is not None:
            conditions.append("page.published >= ?")
            values.append(question.since)
        if question.until is not None:
            conditions.append("page.published <= ?")
            values.append(question.until)
        return " AND ".join(conditions), tuple(values)

    def _found(self, passage: int, score: float) -> FoundPassage | None:
        row = self.connection.execute("SELECT heading, text FROM passage WHERE id = ?", (passage,)).fetchone()
        copy = self._one("id = ?", passage >> _SHIFT)
        if row is None or copy is None:
            return None
        return FoundPassage(passage >> _SHIFT, copy, row[0], row[1], passage, score)

    def find(self, url: str) -> PageCopy | None:
        """The copy of a URL, with its body; a URL that was redirected finds the copy that it led to."""
        row = self.connection.execute("SELECT id FROM page WHERE url = ?", (url,)).fetchone()
        row = row or self.connection.execute("SELECT id FROM page WHERE asked = ? AND asked != ''", (url,)).fetchone()
        if row is None:
            return None
        copy = self._one("id = ?", row[0])
        return replace(copy, body=self.body(row[0])) if copy else None

    def body(self, page: int, most: int | None = None) -> str:
        """A page's text, or at least its first `most` characters."""
        pieces: list[str] = []
        length = 0
        for _, _, text in self._passages(page):
            pieces.append(text)
            length += len(text)
            if most is not None and length >= most:
                break
        return "".join(pieces)

    def code_around(self, place: int) -> str:
        """The mark of the fenced code in which a passage begins; empty where it begins in none."""
        rows = self.connection.execute(
            "SELECT text FROM passage WHERE id >= ? AND id < ? AND (text LIKE '%```%' OR text LIKE '%~~~%') "
            "ORDER BY id",
            (place >> _SHIFT << _SHIFT, place),
        )
        return passages.fence_open_after(text for (text,) in rows)

    def copies(self, where: str = "1", values: tuple[Any, ...] = (), limit: int = -1) -> list[PageCopy]:
        """Copies without their bodies, oldest first."""
        rows = self.connection.execute(
            f"SELECT {_COPY} FROM page WHERE {where} ORDER BY fetched_at, id LIMIT ?",  # noqa: S608
            (*values, limit),
        )
        return [_copy(row) for row in rows]

    def counts(self) -> dict[str, tuple[int, int]]:
        """Per source: pages and characters."""
        rows = self.connection.execute("SELECT source, count(*), sum(chars) FROM page GROUP BY source")
        return {source: (pages, chars) for source, pages, chars in rows}

    def revision(self) -> str:
        """Another text after every change of the pages, by whichever process; never one that was there before."""
        return self.meta("revision")

    def meta(self, key: str) -> str:
        """A remembered value; empty when there is none."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value."""
        self.connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def _changed(self) -> None:
        # Not counted: a file that is made anew would count to the same numbers again.
        self.set_meta("revision", secrets.token_hex(8))

    def _one(self, where: str, *values: Any) -> PageCopy | None:
        row = self.connection.execute(f"SELECT {_COPY} FROM page WHERE {where}", values).fetchone()  # noqa: S608
        return _copy(row) if row else None

    def _passages(self, page: int) -> sqlite3.Cursor:
        return self.connection.execute("SELECT id, heading, text FROM passage WHERE id BETWEEN ? AND ?", _span(page))


def _span(page: int) -> tuple[int, int]:
    return page << _SHIFT, (page << _SHIFT) + (1 << _SHIFT) - 1


def _copy(row: tuple[Any, ...]) -> PageCopy:
    return PageCopy(**dict(zip(_COPY.split(", "), row, strict=True)))


def _indexed(title: str, heading: str, text: str) -> tuple[str, str]:
    """What the two columns of `words` hold; a change here needs a new schema version."""
    above = title if heading in title else f"{title}\n{heading}"
    return passages.spaced(above), passages.spaced(passages.plain(text))


def _clean(text: str) -> str:
    """The text less what SQLite cannot store: halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode()


def _digest(copy: PageCopy, body: str) -> str:
    parts = (copy.title, copy.author, copy.site, str(copy.published), copy.language, body)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
