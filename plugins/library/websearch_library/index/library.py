"""The library for async callers: keeps SQLite on worker threads, and loads what works with it when opened."""

from __future__ import annotations

import hashlib
import logging
from array import array
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import anyio

    from websearch_core import Clock

    from .connections import Connections
    from .index import Index

T = TypeVar("T")

log = logging.getLogger(__name__)

_READERS = 4
_STEPS = 20_000
"""Of SQLite's virtual machine, between two looks at whether a search was cancelled."""
_LOOK_S = 1.0
"""How often a running server looks whether another process has changed the library: reading one row."""
_UNREAD = "unread"

_ADDRESSES = """
SELECT url FROM page WHERE source != 'docs' UNION ALL SELECT asked FROM page WHERE asked != ''
"""


class Library:
    """One library file. `open` never fails: without a usable file the built-in documentation is searched in memory."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path.expanduser().absolute()
        self._clock = clock
        self._connections: Connections | None = None
        self._known: array[int] = array("Q")
        self._revision = _UNREAD
        self._look_lock = Lock()
        self._closing = Event()
        self._watch: Thread | None = None
        self._readers: anyio.CapacityLimiter | None = None
        self._writers: anyio.CapacityLimiter | None = None
        self._users = 0

    async def open(self) -> None:
        """Be ready to read; puts the built-in documentation in when it is missing or of another version.

        Several components may open one library: the last `aclose` closes it.
        """
        import anyio

        from .connections import Connections

        self._users += 1
        if self._users > 1:
            return
        self._connections = connections = Connections(self.path)
        await anyio.to_thread.run_sync(connections.open, self._clock.now())
        self._readers = anyio.CapacityLimiter(1 if connections.in_memory else _READERS)
        self._writers = anyio.CapacityLimiter(1)
        await anyio.to_thread.run_sync(self._look)
        if not connections.in_memory:
            self._closing = closing = Event()
            self._watch = Thread(target=self._look_until, args=(closing,), name="websearch-library", daemon=True)
            self._watch.start()

    @property
    def in_memory(self) -> bool:
        """Whether the file could not be used, so that only the documentation is there."""
        return self._connections is not None and self._connections.in_memory

    @property
    def holds_more(self) -> bool:
        """Whether there is more than the built-in documentation, as of a second ago. No I/O."""
        return bool(self._known)

    @property
    def revision(self) -> str:
        """Another text after every change, whoever made it, as of a second ago. No I/O."""
        return self._revision

    def knows(self, url: str) -> bool:
        """Whether there is a copy of a URL, as of a second ago. No I/O."""
        key = _key(url)
        at = bisect_left(self._known, key)
        return at < len(self._known) and self._known[at] == key

    async def read(self, work: Callable[[Index], T]) -> T:
        """Run `work` on a worker thread; cancelling interrupts SQLite. Raises sqlite3.Error."""
        import anyio

        call = _Call(self._opened, work)
        try:
            return await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._readers)
        except anyio.get_cancelled_exc_class():
            call.abandon()
            raise

    async def write(self, work: Callable[[Index], T]) -> T:
        """Run `work` in one transaction on a worker thread, one at a time. Raises `UnusableError`, sqlite3.Error."""
        import anyio

        connections = self._opened

        def run() -> T:
            writer = connections.writer()
            with connections.told_apart(), writer.transaction():
                return work(writer)

        # Not abandoned when cancelled: a transaction that was begun is ended.
        return await anyio.to_thread.run_sync(run, limiter=self._writers)

    async def catch_up(self) -> None:
        """Know now what was changed, here or by another process."""
        import anyio

        if not self.in_memory:
            await anyio.to_thread.run_sync(self._look)

    async def aclose(self) -> None:
        """Close every connection, unless others still use the library."""
        import anyio

        self._users = max(0, self._users - 1)
        if self._users:
            return
        self._closing.set()
        if self._watch:
            await anyio.to_thread.run_sync(self._watch.join)
            self._watch = None
        if self._connections:
            await anyio.to_thread.run_sync(self._connections.close)

    @property
    def _opened(self) -> Connections:
        if self._connections is None:
            raise RuntimeError("the library is not open")
        return self._connections

    def _look_until(self, closing: Event) -> None:
        """Also when nobody asks: the first question after a change is to find it."""
        while not closing.wait(_LOOK_S):
            self._look()

    def _look(self) -> None:
        """Learn which addresses are there, unless nothing was written since."""
        import sqlite3

        connections = self._opened
        with self._look_lock:
            try:
                index = connections.take()
                try:
                    revision = index.revision()
                    if revision != self._revision:
                        rows = index.connection.execute(_ADDRESSES)
                        self._known = array("Q", sorted(_key(url) for (url,) in rows))
                        self._revision = revision
                finally:
                    connections.give(index)
            except sqlite3.Error:
                if self._revision != _UNREAD:
                    log.warning("the library's file could not be read")
                self._revision = _UNREAD


class _Call(Generic[T]):
    """One piece of work on a worker thread that can be interrupted."""

    def __init__(self, connections: Connections, work: Callable[[Index], T]) -> None:
        self._connections = connections
        self._work = work
        self._lock = Lock()
        self._index: Index | None = None
        self._abandoned = False

    def __call__(self) -> T:
        index = self._connections.take()
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
            self._connections.give(index, spoilt=self._abandoned)

    def abandon(self) -> None:
        """Stop as soon as SQLite notices; the connection is not used again."""
        with self._lock:
            self._abandoned = True
            if self._index:
                self._index.connection.interrupt()


def _key(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big")
