"""Politeness to sites: requests at once to one host, their distance in time, and the pauses that it asks for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

import anyio

from ..contract.errors import RateLimited
from ..contract.interfaces import Clock, Store
from ..stores.memory import MemoryStore
from .cooldown_rules import HOST, PAGE
from .rate_limiter import RateLimiter, shared_schedules
from .rate_schedule import FURTHEST_S, Window
from .urls import Target

MOST_PAUSES = 2048
"""Hosts and addresses that are remembered; of more, those whose pause is over first are forgotten."""
_OWN_STORE_BYTES = 1_000_000


class OnPause(RateLimited):
    """The pause that a site asked for is not over; nothing was sent."""

    unsent = True


class HostLimiter:
    """Limits on requests to each host. A host without requests takes no memory, but for its pause."""

    def __init__(self, per_host: int, pace_s: float, clock: Clock, store: Callable[[], Store] | None = None) -> None:
        """Processes that share a store keep one pace. `store` is called at each use: it is chosen later."""
        self._per_host = per_host
        self._windows = (Window(1, pace_s),) if pace_s else ()
        self._kept_s = FURTHEST_S + pace_s  # there are more hosts than room for a day of them
        self._clock = clock
        meaning = "[net] pace_s is kept in this process alone"
        self._kept = shared_schedules(store or MemoryStore(clock, _OWN_STORE_BYTES), clock, meaning)
        self._rooms: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._paused: dict[str, float] = {}

    @asynccontextmanager
    async def enter(self, target: Target, ends: float) -> AsyncGenerator[None]:
        """Wait until a request may go, and count it until the end. `ends` is on `Clock.monotonic`.

        Raises `OnPause`, or `RateBudgetExceeded` when the host's pace allows none before that.
        """
        self.check(target)
        async with self._rooms.setdefault(target.host, anyio.Semaphore(self._per_host)):
            if self._windows:
                limiter = RateLimiter(f"net:pace:{target.host}", self._clock, self._kept, self._windows, self._kept_s)
                moment = await limiter.reserve(ends - self._clock.monotonic(), ends)
                await limiter.wait(moment, ends)
            self.check(target)  # it may have asked for a pause while this request waited
            yield

    def check(self, target: Target) -> None:
        """Raises `OnPause`, with the time that is left, where the address or its host is left alone."""
        until = max(self._paused.get(target.authority, 0.0), self._paused.get(target.url, 0.0))
        if (left := until - self._clock.monotonic()) > 0:
            raise OnPause("the site asked for a pause that is not over, so nothing was sent", retry_after=left)

    def pause(self, target: Target, seconds: float) -> None:
        """The address asked for this pause (RFC 9110 §10.2.3); its host has it, too, for a while. The longer counts."""
        now = self._clock.monotonic()
        for name, rule in ((target.url, PAGE), (target.authority, HOST)):
            self._paused[name] = max(self._paused.get(name, 0.0), now + rule.seconds(seconds))
        while len(self._paused) > MOST_PAUSES:
            del self._paused[min(self._paused, key=self._paused.__getitem__)]
