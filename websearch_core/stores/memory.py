"""State of one process: kept values go first, least recently used first, counted in bytes."""

from __future__ import annotations

from collections import OrderedDict
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any, NamedTuple

from ..contract.interfaces import Clock, Store

OVERHEAD = 120
"""Bytes that an entry costs besides its key and value."""
MAX_STATE = 100_000
"""Counters and locks at once: beyond it the first to expire goes, so that a flood of them leaves room for the rest."""


class _Entry(NamedTuple):
    value: bytes
    expires: float
    size: int


class MemoryStore(Store):
    """A store for one process and one event loop; no operation awaits, so each is atomic.

    A value that is larger than the whole store is not kept, nor a `set` one for which state leaves no room: `set`
    forgets the key, `add_if_absent` and `compare_and_set` say False.
    """

    name: str = "memory"
    waits: bool = False

    def __init_subclass__(cls, **given: Any) -> None:
        """A subclass may wait in what it overrides, unless it sets `waits` itself."""
        super().__init_subclass__(**given)
        cls.waits = cls.__dict__.get("waits", True)

    def __init__(self, clock: Clock, max_bytes: int) -> None:
        self._clock = clock
        self._max_bytes = max_bytes
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._state: dict[str, _Entry] = {}
        self._ends: list[tuple[float, str]] = []
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

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter and return it. Raises ValueError when the value there is no counter."""
        entry = self._live(key)
        total = amount + (int(entry.value) if entry else 0)
        self._put(key, b"%d" % total, entry.expires if entry else self._expiry(ttl), state=True)
        return total

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it."""
        entry = self._live(key)
        current = entry.value if entry else None
        return current == expected and self._put(key, value, self._expiry(ttl), state=True)

    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""
        self._drop(key)

    async def aclose(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._state.clear()
        self._ends.clear()
        self._bytes = 0

    def _expiry(self, ttl: float | None) -> float:
        return inf if ttl is None else self._clock.monotonic() + ttl

    def _live(self, key: str) -> _Entry | None:
        entry = self._state.get(key) or self._entries.get(key)
        if entry is None:
            return None
        if entry.expires <= self._clock.monotonic():
            self._drop(key)
            return None
        if key in self._entries:
            self._entries.move_to_end(key)
        return entry

    def _put(self, key: str, value: bytes, expires: float, *, state: bool = False) -> bool:
        self._drop(key)
        size = len(key.encode("utf-8", "surrogatepass")) + len(value) + OVERHEAD
        if size > self._max_bytes or expires <= self._clock.monotonic() or not self._make_room(size, state=state):
            return False
        (self._state if state else self._entries)[key] = _Entry(value, expires, size)
        self._bytes += size
        if state:
            self._note_end(expires, key)
        return True

    def _drop(self, key: str) -> None:
        if (entry := self._entries.pop(key, None) or self._state.pop(key, None)) is not None:
            self._bytes -= entry.size

    def _make_room(self, size: int, *, state: bool) -> bool:
        """Whether it came about: expired state goes, then the least recently used, and only for state other state."""
        now = self._clock.monotonic()
        while (first := self._first_to_end()) is not None and self._state[first].expires <= now:
            self._drop(first)
        while self._entries and self._bytes + size > self._max_bytes:
            self._drop(next(iter(self._entries)))
        while (
            state
            and (self._bytes + size > self._max_bytes or len(self._state) >= MAX_STATE)
            and (first := self._first_to_end()) is not None
        ):
            self._drop(first)
        return self._bytes + size <= self._max_bytes

    def _note_end(self, expires: float, key: str) -> None:
        heappush(self._ends, (expires, key))
        if len(self._ends) > 2 * len(self._state) + 64:
            self._ends = [(entry.expires, name) for name, entry in self._state.items()]
            heapify(self._ends)

    def _first_to_end(self) -> str | None:
        """The state that expires first. Notes of what has gone or has been written again since are passed over."""
        while self._ends:
            expires, key = self._ends[0]
            if (entry := self._state.get(key)) is not None and entry.expires == expires:
                return key
            heappop(self._ends)
        return None
