"""The SQLite connections of one library: finds a usable file, pools readers. Blocking; for worker threads."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from . import bundled_docs, schema
from .index import Index

_OF_THE_DISK = ("SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_BUSY", "SQLITE_CANTOPEN")

log = logging.getLogger(__name__)


class UnusableError(Exception):
    """The library's file cannot be used. The text says why and what to do."""


class Connections:
    """`open` never fails: without a usable file the built-in documentation is searched in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[Index] = []
        self._memory: Index | None = None
        self._writer: Index | None = None
        self._pooled = True

    @property
    def in_memory(self) -> bool:
        """Whether the file could not be used, so that only the documentation is there."""
        return self._memory is not None

    def open(self, now: float) -> None:
        """Put the built-in documentation in when it is missing or of another version."""
        writer: Index | None = None
        try:
            writer = self._new_writer()
            bundled_docs.install(writer, now)
        except (UnusableError, sqlite3.Error) as error:
            # A folder where we may not write is a fine place to read from.
            if self._readable():
                self._pooled = False
            else:
                log.warning("the library's file cannot be used; only its documentation is searched: %s", error)
                self._memory = Index(schema.open_memory())
                bundled_docs.install(self._memory, now)
        finally:
            if writer:
                writer.connection.close()

    def writer(self) -> Index:
        """The one connection for writing. Raises `UnusableError`."""
        self._writer = self._writer or self._new_writer()
        return self._writer

    @contextmanager
    def told_apart(self) -> Generator[None]:
        """While writing: what the disk cannot do is an `UnusableError`, everything else stays what it is."""
        try:
            yield
        except sqlite3.OperationalError as error:
            name = getattr(error, "sqlite_errorname", "")  # Python's own have none
            if name == "SQLITE_FULL":
                why = "the disk is full; make room there, or set [plugin.library] path"
                raise UnusableError(f"{self._path}: {why}") from None
            if name.startswith(_OF_THE_DISK):
                raise _unwritable(self._path, str(error)) from None
            raise

    def take(self) -> Index:
        """An idle connection for reading, or a new one. Raises sqlite3.Error."""
        if self._memory:
            return self._memory
        try:
            return self._idle.pop()
        except IndexError:
            return Index(schema.open_reader(self._path))

    def give(self, index: Index, *, spoilt: bool = False) -> None:
        """Give back what `take` gave."""
        if index is self._memory:
            return
        if spoilt or not self._pooled:
            index.connection.close()
        else:
            self._idle.append(index)

    def close(self) -> None:
        """Close every connection; one that is still taken is closed when it is given back."""
        self._pooled = False
        for index in (*self._idle, self._memory, self._writer):
            if index:
                index.connection.close()
        self._idle.clear()
        self._memory = self._writer = None

    def _new_writer(self) -> Index:
        path = self._path
        try:
            return Index(schema.open_writer(path))
        except schema.UnknownVersion:
            raise UnusableError(f"{path} was made by another version; move it away and add again") from None
        except sqlite3.OperationalError as error:
            raise _unwritable(path, str(error)) from None
        except sqlite3.DatabaseError:
            raise UnusableError(f"{path} is damaged or no library; move it away and add again") from None
        except OSError as error:
            raise _unwritable(path, error.strerror or "") from None

    def _readable(self) -> bool:
        try:
            schema.open_reader(self._path).close()
        except sqlite3.Error:
            return False
        return True


def _unwritable(path: Path, why: str) -> UnusableError:
    return UnusableError(f"{path} cannot be written ({why}); set [plugin.library] path")
