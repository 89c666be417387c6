"""State in one SQLite file, shared by the processes of one machine."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import TypeVar

from ..contract.errors import StartupError, WebsearchError
from ..contract.interfaces import Clock, Store

T = TypeVar("T")

OVERHEAD = 120
"""Bytes that a row costs besides its key and value."""
TOUCH_S = 60.0
"""A read renews an entry's place in the order of use at most this often: reads mostly stay reads."""
STATE = inf
"""When state was last used: never older than anything kept, so it goes last."""
MAX_STATE = 100_000
"""Counters and locks at once: beyond it the first to expire goes, so that a flood of them leaves room for the rest."""
BUSY_MS = 5000
"""How long a write of state waits for another process's write."""
BRIEF_MS = 250
"""How long `set` does: what may be evicted at any time is not worth a longer wait."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS kv (
  k TEXT PRIMARY KEY, v BLOB NOT NULL, expires REAL, used REAL NOT NULL, size INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS kv_used ON kv (used, size);
CREATE INDEX IF NOT EXISTS kv_expires ON kv (expires) WHERE expires IS NOT NULL;
"""


class SqliteStore(Store):
    """A store in a file (WAL). Each operation is one transaction, in the one thread that uses the store's connection.

    Expired rows are purged and others evicted as bytes are written, in the order that `Store` names; the sum of all
    entries stays near `max_bytes`, at most a sixteenth above it for each process that writes. Call `start` first.
    """

    name: str = "sqlite"

    def __init__(self, path: str | Path, clock: Clock, max_bytes: int) -> None:
        self._path = Path(path).expanduser()
        self._clock = clock
        self._max_bytes = max_bytes
        self._written = 0
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._thread = ThreadPoolExecutor(1, "store")

    async def start(self) -> None:
        """Open or create the file. Raises StartupError when it is not a usable database."""
        await self._in_thread(self._open)

    async def aclose(self) -> None:
        """Close the file."""
        if self._connection is not None:
            await self._in_thread(self._connection.close)
            self._connection = None
        self._thread.shutdown(wait=False)
        self._thread = ThreadPoolExecutor(1, "store")  # it may be started again

    async def get(self, key: str) -> bytes | None:
        """The value, or None when there is none or it has expired."""

        def read() -> bytes | None:
            row = self._row(self._opened, key)
            now = self._clock.now()
            if row is not None and now - row[2] > TOUCH_S:
                # The order of use is approximate: a read neither fails nor waits because another process is writing.
                with suppress(sqlite3.OperationalError), self._transaction(0) as db:
                    db.execute("UPDATE kv SET used = ? WHERE k = ?", (now, key))
            return row and row[0]

        return await self._in_thread(read)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Set; `ttl` in seconds, None: until evicted."""
        now = self._clock.now()
        await self._write(lambda db: self._put(db, key, value, self._expiry(ttl), used=now), BRIEF_MS)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter and return it. Raises ValueError when the value there is no counter."""

        def add(db: sqlite3.Connection) -> int:
            row = self._row(db, key)
            total = amount + (int(row[0]) if row else 0)
            self._put(db, key, b"%d" % total, row[1] if row else self._expiry(ttl), used=STATE)
            return total

        return await self._write(add)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it."""

        def swap(db: sqlite3.Connection) -> bool:
            row = self._row(db, key)
            current = row[0] if row else None
            return current == expected and self._put(db, key, value, self._expiry(ttl), used=STATE)

        return await self._write(swap)

    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""
        await self._write(lambda db: db.execute("DELETE FROM kv WHERE k = ?", (key,)))

    async def _write(self, change: Callable[[sqlite3.Connection], T], busy_ms: int = BUSY_MS) -> T:
        def work() -> T:
            with self._transaction(busy_ms) as db:
                return change(db)

        return await self._in_thread(work)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._connection is not None and self._process != os.getpid():
            raise RuntimeError("the store was opened before a fork: each process must start its own")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "") != "SQLITE_FULL":  # Python's own have none
                raise
            raise WebsearchError(f"{self._path}: the disk is full; make room there or move [store] path") from None

    def _open(self) -> None:
        db = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Pages and answers lie in it: only the operator may read the file.
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            db = sqlite3.connect(self._path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
            self._prepare(db)
        except (OSError, sqlite3.Error) as error:
            if db is not None:
                db.close()
            why = error.strerror if isinstance(error, OSError) else str(error)
            remedy = "make it writable, move it away, or name another file"
            raise StartupError(f"[store] path: {self._path} cannot be used ({why}); {remedy}") from None
        self._connection, self._process = db, os.getpid()

    def _prepare(self, db: sqlite3.Connection) -> None:
        # The change to WAL does not wait for a lock (sqlite.org/wal.html §2.3): two processes that start at once meet.
        until = time.monotonic() + BUSY_MS / 1000
        mode = None
        while mode is None:
            try:
                mode = db.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.02)
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
        columns = [row[1] for row in db.execute("PRAGMA table_info(kv)")]
        if columns != ["k", "v", "expires", "used", "size"]:
            raise sqlite3.DatabaseError("its table kv is another program's")
        self._make_room(db)

    @contextmanager
    def _transaction(self, busy_ms: int) -> Generator[sqlite3.Connection]:
        """Waits at most `busy_ms` for another process's write."""
        db = self._opened
        db.execute(f"PRAGMA busy_timeout = {busy_ms}")
        try:
            db.execute("BEGIN IMMEDIATE")
            with db:
                yield db
        finally:
            db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")  # without WAL, reads wait for writes

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("the store has not been started, or is closed")
        return self._connection

    def _expiry(self, ttl: float | None) -> float | None:
        return None if ttl is None else self._clock.now() + ttl

    def _row(self, db: sqlite3.Connection, key: str) -> tuple[bytes, float | None, float] | None:
        """Value, expiry and last use, unless it has expired."""
        found = db.execute("SELECT v, expires, used FROM kv WHERE k = ?", (key,)).fetchone()
        if found is None or (found[1] is not None and found[1] <= self._clock.now()):
            return None
        return bytes(found[0]), found[1], found[2]

    def _put(self, db: sqlite3.Connection, key: str, value: bytes, expires: float | None, *, used: float) -> bool:
        size = len(key.encode()) + len(value) + OVERHEAD
        if size > self._max_bytes or (expires is not None and expires <= self._clock.now()):
            db.execute("DELETE FROM kv WHERE k = ?", (key,))
            return False
        db.execute("INSERT OR REPLACE INTO kv VALUES (?, ?, ?, ?, ?)", (key, value, expires, used, size))
        self._written += size
        if self._written > self._max_bytes // 16:
            self._make_room(db)
        return True

    def _make_room(self, db: sqlite3.Connection) -> None:
        self._written = 0
        db.execute("DELETE FROM kv WHERE expires <= ?", (self._clock.now(),))
        db.execute(
            "DELETE FROM kv WHERE rowid IN (SELECT rowid FROM kv WHERE used = ? "
            "ORDER BY expires IS NULL DESC, expires DESC LIMIT -1 OFFSET ?)",
            (STATE, MAX_STATE),
        )
        excess = db.execute("SELECT coalesce(sum(size), 0) FROM kv").fetchone()[0] - self._max_bytes
        if excess > 0:
            db.execute(
                "DELETE FROM kv WHERE rowid IN (SELECT rowid FROM (SELECT rowid, size, sum(size) OVER "
                "(ORDER BY used, expires IS NULL, expires, rowid) AS running FROM kv) WHERE running - size < ?)",
                (excess,),
            )
