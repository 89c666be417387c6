"""State of one process: least recently used goes first, counted in bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import ClassVar, NamedTuple

from ..interfaces import Clock, Store

OVERHEAD = 120
"""Bytes that an entry costs besides its key and value."""


class _Entry(NamedTuple):
    value: bytes
    expires: float | None
    size: int


class MemoryStore(Store):
    """A store for one process and one event loop; no operation awaits, so each is atomic.

    A value that is larger than the whole store is not kept: `set` forgets the key, `add_if_absent` and
    `compare_and_set` say False.
    """

    name: ClassVar[str] = "memory"

    def __init__(self, clock: Clock, max_bytes: int) -> None:
        self._clock = clock
        self._max_bytes = max_bytes
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._bytes = 0

    @property
    def size(self) -> int:
        """Bytes in use, the overhead of entries included; never above `max_bytes`."""
        return self._bytes

    async def get(self, key: str) -> bytes | None:
        """The value, or None when there is none or it has expired."""
        entry = self._live(key)
        return entry.value if entry else None

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Set; `ttl` in seconds, None: until evicted."""
        self._put(key, value, self._expiry(ttl))

    async def add_if_absent(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Set unless there is a value; whether this call set it."""
        return self._live(key) is None and self._put(key, value, self._expiry(ttl))

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter and return it. Raises ValueError when the value there is no counter."""
        entry = self._live(key)
        total = amount + (int(entry.value) if entry else 0)
        self._put(key, b"%d" % total, entry.expires if entry else self._expiry(ttl))
        return total

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it."""
        entry = self._live(key)
        current = entry.value if entry else None
        return current == expected and self._put(key, value, self._expiry(ttl))

    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""
        self._drop(key)

    async def aclose(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._bytes = 0

    def _expiry(self, ttl: float | None) -> float | None:
        return None if ttl is None else self._clock.monotonic() + ttl

    def _live(self, key: str) -> _Entry | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.expires is not None and entry.expires <= self._clock.monotonic():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return entry

    def _put(self, key: str, value: bytes, expires: float | None) -> bool:
        self._drop(key)
        size = len(key.encode("utf-8", "surrogatepass")) + len(value) + OVERHEAD
        if size > self._max_bytes or (expires is not None and expires <= self._clock.monotonic()):
            return False
        while self._bytes + size > self._max_bytes:
            self._drop(next(iter(self._entries)))
        self._entries[key] = _Entry(value, expires, size)
        self._bytes += size
        return True

    def _drop(self, key: str) -> None:
        if (entry := self._entries.pop(key, None)) is not None:
            self._bytes -= entry.size
