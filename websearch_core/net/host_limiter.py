"""Politeness: how many requests at once go to one host, and how soon after each other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import anyio

from ..contract.interfaces import Clock, Store
from ..stores.resilient import ResilientStore, StoreUnavailable

_REMEMBERED = 1024
_STORE_PATIENCE_S = 5.0
_STORE_AGAIN_S = 30.0
_MOST_TRIES = 100
_FURTHEST_S = 600.0
"""A moment that lies further ahead was written before the clock was set back."""


@dataclass(slots=True)
class _Host:
    room: anyio.Semaphore
    users: int = field(default=0)


class HostLimiter:
    """One lane per host; a host that nobody visits takes no memory. Processes that share a store keep one pace."""

    def __init__(self, per_host: int, pace_s: float, clock: Clock, store: Callable[[], Store] | None = None) -> None:
        """`store` is called at each use: it is chosen later."""
        self._per_host = per_host
        self._pace_s = pace_s
        self._clock = clock
        self._store = store and ResilientStore(
            store,
            clock,
            "hold",
            "[net] pace_s is kept in this process alone",
            patience_s=_STORE_PATIENCE_S,
            again_s=_STORE_AGAIN_S,
        )
        self._lanes: dict[str, _Host] = {}
        self._free_at: dict[str, float] = {}

    @asynccontextmanager
    async def enter(self, host: str) -> AsyncGenerator[None]:
        """Wait for a place and for the pace, hold the place until the end."""
        lane = self._lanes.get(host)
        if lane is None:
            lane = self._lanes[host] = _Host(anyio.Semaphore(self._per_host))
        lane.users += 1
        try:
            async with lane.room:
                if self._pace_s:
                    await self._pace(host)
                yield
        finally:
            lane.users -= 1
            if not lane.users:
                del self._lanes[host]

    async def _pace(self, host: str) -> None:
        wait = await self._shared_wait(host)
        if wait is None:
            wait = self._wait(host)
        if wait > 0:
            await self._clock.sleep(wait)

    async def _shared_wait(self, host: str) -> float | None:
        """Seconds until the moment that is taken here, among all processes; None: the store does not say."""
        if self._store is None:
            return None
        key = f"net:pace:{host}"
        with suppress(StoreUnavailable):
            for _ in range(_MOST_TRIES):  # another process may come between
                raw = await self._store.get(key)
                now = self._clock.now()
                start = min(max(now, float(raw or 0)), now + _FURTHEST_S)
                free_at = start + self._pace_s
                if await self._store.compare_and_set(key, raw, repr(free_at).encode(), free_at - now):
                    return start - now
        return None

    def _wait(self, host: str) -> float:
        now = self._clock.monotonic()
        if len(self._free_at) > _REMEMBERED:
            self._free_at = {name: at for name, at in self._free_at.items() if at > now}
        start = max(now, self._free_at.get(host, now))
        self._free_at[host] = start + self._pace_s
        return start - now
