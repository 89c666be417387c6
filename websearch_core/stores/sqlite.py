"""State in one SQLite file, shared by the processes of one machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..contract.errors import StartupError, WebsearchError
from ..contract.interfaces import Clock, Store

if TYPE_CHECKING:
    import sqlite3

    from anyio import CapacityLimiter

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
    """A store in a file (WAL). Each operation is one transaction, in a thread, on the store's only connection.

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
        self._turn: CapacityLimiter | None = None
        self._in_use = threading.Lock()

    async def start(self) -> None:
        """Open or create the file. Raises StartupError when it is not a usable database."""
        import anyio

        self._turn = anyio.CapacityLimiter(1)
        await self._in_thread(self._open)

    async def aclose(self) -> None:
        """Close the file."""
        if self._connection is not None:
            await self._in_thread(self._connection.close)
            self._connection = None

    async def get(self, key: str) -> bytes | None:
        """The value, or None when there is none or it has expired."""
        return await self._in_thread(lambda: self._get(key))

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Set; `ttl` in seconds, None: until evicted."""

        def work() -> None:
            with self._waiting(BRIEF_MS), self._transaction() as db:
                self._put(db, key, value, self._expiry(ttl), used=self._clock.now())

        await self._in_thread(work)

    async def add_if_absent(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Set unless there is a value; whether this call set it."""
        return await self.compare_and_set(key, None, value, ttl)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter and return it. Raises ValueError when the value there is no counter."""

        def work() -> int:
            with self._transaction() as db:
                row = self._row(db, key)
                total = amount + (int(row[0]) if row else 0)
                self._put(db, key, b"%d" % total, row[1] if row else self._expiry(ttl), used=STATE)
                return total

        return await self._in_thread(work)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it."""

        def work() -> bool:
            with self._transaction() as db:
                row = self._row(db, key)
                if (row[0] if row else None) != expected:
                    return False
                return self._put(db, key, value, self._expiry(ttl), used=STATE)

        return await self._in_thread(work)

    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""

        def work() -> None:
            with self._transaction() as db:
                db.execute("DELETE FROM kv WHERE k = ?", (key,))

        await self._in_thread(work)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        from anyio import to_thread

        if self._turn is None:
            raise RuntimeError("the store has not been started")
        return await to_thread.run_sync(self._alone, work, limiter=self._turn)

    def _alone(self, work: Callable[[], T]) -> T:
        # Who is cancelled gives up its turn while its thread is still at work on the connection: the next one waits.
        import sqlite3

        with self._in_use:
            try:
                return work()
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorname", "") != "SQLITE_FULL":  # Python's own have none
                    raise
                raise WebsearchError(f"{self._path}: the disk is full; make room there or move [store] path") from None

    def _open(self) -> None:
        import sqlite3

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Pages and answers lie in it: nobody but the operator may read the file.
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            self._connection = sqlite3.connect(
                self._path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
            )
            self._prepare(self._connection)
        except (OSError, sqlite3.Error) as error:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            why = error.strerror if isinstance(error, OSError) else str(error)
            remedy = "make it writable, move it away, or name another file"
            raise StartupError(f"[store] path: {self._path} cannot be used ({why}); {remedy}") from None

    def _prepare(self, db: sqlite3.Connection) -> None:
        self._use_wal(db)
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
        columns = [row[1] for row in db.execute("PRAGMA table_info(kv)")]
        if columns != ["k", "v", "expires", "used", "size"]:
            import sqlite3

            raise sqlite3.DatabaseError("its table kv is another program's")
        with self._transaction():
            self._make_room(db)

    def _use_wal(self, db: sqlite3.Connection) -> None:
        import sqlite3
        import time

        # The change to WAL does not wait for a lock (sqlite.org/wal.html §2.3): two processes that start at once meet.
        until = time.monotonic() + BUSY_MS / 1000
        while True:
            try:
                db.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.02)
            else:
                return

    @contextmanager
    def _waiting(self, milliseconds: int) -> Generator[None]:
        """Wait no longer than this for another process's write."""
        db = self._opened
        db.execute(f"PRAGMA busy_timeout = {milliseconds}")
        try:
            yield
        finally:
            db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection]:
        db = self._opened
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:  # a full disk has ended it already
                db.execute("ROLLBACK")
            raise

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("the store is closed")
        return self._connection

    def _expiry(self, ttl: float | None) -> float | None:
        return None if ttl is None else self._clock.now() + ttl

    def _get(self, key: str) -> bytes | None:
        db = self._opened
        now = self._clock.now()
        row = db.execute("SELECT v, expires, used FROM kv WHERE k = ?", (key,)).fetchone()
        if row is None or (row[1] is not None and row[1] <= now):
            return None
        if now - row[2] > TOUCH_S:
            self._touch(db, key, now)
        return bytes(row[0])

    def _touch(self, db: sqlite3.Connection, key: str, now: float) -> None:
        import sqlite3

        # The order of use is approximate: a read neither fails nor waits because another process is writing.
        with self._waiting(0), suppress(sqlite3.OperationalError):
            db.execute("UPDATE kv SET used = ? WHERE k = ?", (now, key))

    def _row(self, db: sqlite3.Connection, key: str) -> tuple[bytes, float | None] | None:
        row = db.execute("SELECT v, expires FROM kv WHERE k = ?", (key,)).fetchone()
        if row is None or (row[1] is not None and row[1] <= self._clock.now()):
            return None
        return bytes(row[0]), row[1]

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
