"""Politeness: how many requests at once go to one host, and how soon after each other."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from ..interfaces import Clock

_REMEMBERED = 1024


@dataclass(slots=True)
class _Lane:
    room: anyio.Semaphore
    users: int = field(default=0)


class Lanes:
    """One lane per host; a host that nobody visits takes no memory."""

    def __init__(self, per_host: int, pace_s: float, clock: Clock) -> None:
        self._per_host = per_host
        self._pace_s = pace_s
        self._clock = clock
        self._lanes: dict[str, _Lane] = {}
        self._free_at: dict[str, float] = {}

    @asynccontextmanager
    async def enter(self, host: str) -> AsyncGenerator[None]:
        """Wait for a place and for the pace, hold the place until the end."""
        lane = self._lanes.get(host)
        if lane is None:
            lane = self._lanes[host] = _Lane(anyio.Semaphore(self._per_host))
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
        now = self._clock.monotonic()
        if len(self._free_at) > _REMEMBERED:
            self._free_at = {name: at for name, at in self._free_at.items() if at > now}
        start = max(now, self._free_at.get(host, now))
        self._free_at[host] = start + self._pace_s
        if start > now:
            await self._clock.sleep(start - now)
