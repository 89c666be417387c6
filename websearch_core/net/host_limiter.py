"""Politeness to sites: how many requests at once go to one host, how soon after each other, and pauses it asked for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from ..contract.interfaces import Clock, Store
from ..stores.memory import MemoryStore
from .rate_limiter import RateLimiter, shared_schedules
from .rate_schedule import Window

_OWN_STORE_BYTES = 1_000_000


@dataclass(slots=True)
class _Host:
    room: anyio.Semaphore
    users: int = 0


class HostLimiter:
    """Bounds the requests to each host. A host that nobody visits takes no memory."""

    def __init__(self, per_host: int, pace_s: float, clock: Clock, store: Callable[[], Store] | None = None) -> None:
        """Processes that share a store keep one pace. `store` is called at each use: it is chosen later."""
        self._per_host = per_host
        self._windows = (Window(1, pace_s),) if pace_s else ()
        self._clock = clock
        meaning = "[net] pace_s is kept in this process alone"
        self._kept = shared_schedules(store or MemoryStore(clock, _OWN_STORE_BYTES), clock, meaning)
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def enter(self, host: str, ends: float) -> AsyncGenerator[None]:
        """Wait until a request to the host may go, and count it until the end. `ends` is on `Clock.monotonic`.

        Raises `RateBudgetExceeded` when the host's pace allows none before that.
        """
        entry = self._hosts.setdefault(host, _Host(anyio.Semaphore(self._per_host)))
        entry.users += 1
        try:
            async with entry.room:
                if self._windows:
                    limiter = RateLimiter(f"net:pace:{host}", self._clock, self._kept, self._windows)
                    moment = await limiter.reserve(ends - self._clock.monotonic(), ends)
                    await limiter.wait(moment, ends)
                yield
        finally:
            entry.users -= 1
            if not entry.users:
                del self._hosts[host]
