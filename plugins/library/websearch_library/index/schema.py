"""Opens the library's file, makes its tables, and keeps to one version of them."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

VERSION = 1
BUSY_S = 15.0

_TABLES = """
CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    asked TEXT NOT NULL,            -- the address that led here by redirect, else ''
    host TEXT NOT NULL,
    source TEXT NOT NULL,           -- 'docs', 'web' or 'file'
    path TEXT NOT NULL,             -- of a local file; never shown to a model
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    site TEXT NOT NULL,
    published REAL,
    language TEXT NOT NULL,
    chars INTEGER NOT NULL,
    hash TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    fetched_at REAL NOT NULL
);
CREATE INDEX page_host ON page (host);
CREATE INDEX page_source ON page (source, fetched_at);
CREATE INDEX page_asked ON page (asked) WHERE asked != '';
CREATE INDEX page_path ON page (path) WHERE path != '';
CREATE TABLE passage (
    id INTEGER PRIMARY KEY,         -- page.id << 16 | number: a passage's page is known without a look-up
    heading TEXT NOT NULL,
    text TEXT NOT NULL              -- all passages of a page, joined, are its body
);
CREATE VIRTUAL TABLE words USING fts5 (
    title, body, content='', tokenize='porter unicode61 remove_diacritics 2'
);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
CREATE TABLE frontier (
    id INTEGER PRIMARY KEY,
    job TEXT NOT NULL,
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    state TEXT NOT NULL,            -- 'waiting', 'done' or 'failed'
    UNIQUE (job, url)
);
CREATE INDEX frontier_waiting ON frontier (job, state, depth, id);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class UnknownVersion(sqlite3.DatabaseError):
    """The file was made by another version of this package."""


def open_writer(path: Path) -> sqlite3.Connection:
    """A connection that may write; makes the folder, the file and its tables. Raises OSError or sqlite3.Error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = _connect(path.as_uri())
    try:
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16000")
        prepare(connection)
        _check_writable(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    # The change to WAL does not wait for a lock (sqlite.org/wal.html §2.3): two processes that start at once meet.
    until = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that only reads. Raises sqlite3.Error."""
    try:
        return _checked(_connect(f"{path.as_uri()}?mode=ro"))
    except UnknownVersion:
        raise
    except sqlite3.OperationalError:
        # In a folder where we may not write, SQLite cannot keep its -shm file; nobody writes there then.
        return _checked(_connect(f"{path.as_uri()}?mode=ro&immutable=1"))


def open_memory() -> sqlite3.Connection:
    """An empty library that lives as long as the connection."""
    connection = _connect("file::memory:")
    prepare(connection)
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables unless they are there; two processes may do so at once."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    if version not in (0, VERSION):
        raise UnknownVersion("made by another version")


def _connect(uri: str) -> sqlite3.Connection:
    # Connections move between worker threads, one at a time; transactions are begun and ended by hand.
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


def _checked(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            raise UnknownVersion("made by another version")
    except BaseException:
        connection.close()
        raise
    return connection


def _check_writable(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")
