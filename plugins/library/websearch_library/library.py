"""The library for async callers: finds its file, keeps SQLite on worker threads, and works on without a file."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from array import array
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from . import corpus, schema
from .index import Index

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    import anyio

    from websearch_core import Clock

T = TypeVar("T")

log = logging.getLogger(__name__)

_READERS = 4
_STEPS = 20_000
"""Of SQLite's virtual machine, between two looks at whether a search was cancelled."""
_LOOK_S = 5.0
"""How often a running server looks whether another process has added pages."""


_ADDRESSES = """
SELECT url FROM page WHERE source != 'docs' UNION ALL SELECT asked FROM page WHERE asked != ''
"""


class UnusableError(Exception):
    """The library's file cannot be used. The text says why and what to do."""


class Library:
    """One library file. `open` never fails: without a usable file the built-in documentation is searched in memory."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path.expanduser().absolute()
        self._clock = clock
        self._idle: list[Index] = []
        self._memory: Index | None = None
        self._writer: Index | None = None
        self._known: array[int] = array("Q")
        self._known_at = -_LOOK_S
        self._state: tuple[object, ...] = ()
        self._watch_lock = Lock()
        self._watch: ThreadPoolExecutor | None = None
        self._readers: anyio.CapacityLimiter | None = None
        self._writers: anyio.CapacityLimiter | None = None
        self._pooled = True
        self._users = 0

    async def open(self) -> None:
        """Be ready to read; puts the built-in documentation in when it is missing or of another version.

        Several components may open one library: the last `aclose` closes it.
        """
        from concurrent.futures import ThreadPoolExecutor

        import anyio

        self._users += 1
        if self._users > 1:
            return
        self._readers, self._writers = anyio.CapacityLimiter(_READERS), anyio.CapacityLimiter(1)
        await anyio.to_thread.run_sync(self._open)
        if self._memory:
            self._readers = anyio.CapacityLimiter(1)
        self._watch = ThreadPoolExecutor(1, "websearch-library")

    @property
    def in_memory(self) -> bool:
        """Whether the file could not be used, so that only the documentation is there."""
        return self._memory is not None

    @property
    def holds_more(self) -> bool:
        """Whether there is more than the built-in documentation, as of a few seconds ago. No I/O on this thread."""
        self._look_again()
        return bool(self._known)

    def knows(self, url: str) -> bool:
        """Whether there is a copy of a URL, as of a few seconds ago. No I/O on this thread."""
        self._look_again()
        key = _key(url)
        at = bisect_left(self._known, key)
        return at < len(self._known) and self._known[at] == key

    async def read(self, work: Callable[[Index], T]) -> T:
        """Run `work` on a worker thread; cancelling interrupts SQLite. Raises sqlite3.Error."""
        import anyio

        call = _Call(self, work)
        try:
            return await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._readers)
        except anyio.get_cancelled_exc_class():
            call.abandon()
            raise

    async def write(self, work: Callable[[Index], T]) -> T:
        """Run `work` in one transaction on a worker thread, one at a time. Raises `UnusableError`, sqlite3.Error."""
        import anyio

        def run() -> T:
            self._writer = self._writer or self.open_writer()
            with self._writer.transaction():
                return work(self._writer)

        # Not abandoned when cancelled: a transaction that was begun is ended.
        return await anyio.to_thread.run_sync(run, limiter=self._writers)

    async def catch_up(self) -> None:
        """Know now what was added, here or by another process."""
        import anyio

        if self._memory is None:
            await anyio.to_thread.run_sync(self._look)

    async def aclose(self) -> None:
        """Close every connection, unless others still use the library."""
        import anyio

        self._users = max(0, self._users - 1)
        if self._users:
            return
        if self._watch:
            self._watch.shutdown(wait=False, cancel_futures=True)
            self._watch = None
        await anyio.to_thread.run_sync(self._close)

    def open_writer(self) -> Index:
        """A connection for writing; blocks. Raises `UnusableError`."""
        try:
            return Index(schema.open_writer(self.path))
        except schema.UnknownVersion:
            raise UnusableError(f"{self.path} was made by another version; move it away and add again") from None
        except sqlite3.OperationalError as error:
            raise self._unwritable(str(error)) from None
        except sqlite3.DatabaseError:
            raise UnusableError(f"{self.path} is damaged or no library; move it away and add again") from None
        except OSError as error:
            raise self._unwritable(error.strerror or "") from None

    def _unwritable(self, why: str) -> UnusableError:
        return UnusableError(f"{self.path} cannot be written ({why}); set [plugin.library] path")

    def _open(self) -> None:
        writer: Index | None = None
        try:
            writer = self.open_writer()
            corpus.install(writer, self._clock.now())
        except (UnusableError, sqlite3.Error) as error:
            # A folder where we may not write is a fine place to read from.
            if not self._readable():
                log.warning("the library's file cannot be used; only its documentation is searched: %s", error)
                self._memory = Index(schema.open_memory())
                corpus.install(self._memory, self._clock.now())
        finally:
            if writer:
                writer.connection.close()
        if self._memory is None:
            self._look()

    def _readable(self) -> bool:
        try:
            connection = schema.open_reader(self.path)
            connection.close()
        except sqlite3.Error:
            return False
        self._pooled = False
        return True

    def take(self) -> Index:
        """An idle connection for reading, or a new one; blocks."""
        if self._memory:
            return self._memory
        try:
            return self._idle.pop()
        except IndexError:
            return Index(schema.open_reader(self.path))

    def give(self, index: Index, *, spoilt: bool = False) -> None:
        """Give back what `take` gave."""
        if index is self._memory:
            return
        if spoilt or not self._pooled or not self._users:
            index.connection.close()
        else:
            self._idle.append(index)

    def _look_again(self) -> None:
        now = self._clock.monotonic()
        if self._watch and self._memory is None and now - self._known_at >= _LOOK_S:
            self._known_at = now
            self._watch.submit(self._look)

    def _look(self) -> None:
        """Learn which addresses are there, unless nothing was written since."""
        with self._watch_lock:
            try:
                index = self.take()
                try:
                    state = index.connection.execute("SELECT count(*), max(id), max(fetched_at) FROM page").fetchone()
                    if state != self._state:
                        rows = index.connection.execute(_ADDRESSES)
                        self._known = array("Q", sorted(_key(url) for (url,) in rows))
                        self._state = state
                finally:
                    self.give(index)
            except sqlite3.Error:
                log.warning("the library's file could not be read")

    def _close(self) -> None:
        for index in (*self._idle, self._memory, self._writer):
            if index:
                index.connection.close()
        self._idle.clear()
        self._memory = self._writer = None


class _Call(Generic[T]):
    """One piece of work on a worker thread that can be interrupted."""

    def __init__(self, library: Library, work: Callable[[Index], T]) -> None:
        self._library = library
        self._work = work
        self._lock = Lock()
        self._index: Index | None = None
        self._abandoned = False

    def __call__(self) -> T:
        index = self._library.take()
        with self._lock:
            self._index = index
        # `interrupt` stops a statement that runs; the handler stops one that begins just afterwards.
        index.connection.set_progress_handler(lambda: self._abandoned, _STEPS)
        try:
            return self._work(index)
        finally:
            index.connection.set_progress_handler(None, 0)
            with self._lock:
                self._index = None
            self._library.give(index, spoilt=self._abandoned)

    def abandon(self) -> None:
        """Stop as soon as SQLite notices; the connection is not used again."""
        with self._lock:
            self._abandoned = True
            if self._index:
                self._index.connection.interrupt()


def _key(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big")
