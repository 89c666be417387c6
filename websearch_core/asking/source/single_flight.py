"""Single-flight: callers that want the same thing at the same time share one piece of work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from math import inf
from typing import Any, Generic, TypeVar

from ...contract.errors import ServerFailed, TimedOut
from ...contract.interfaces import Clock

T = TypeVar("T")

LAST_WORDS_S = 1.0
"""How long the last caller that leaves waits for the cancelled work to close its connections."""


class SharedCall(Generic[T]):
    """One piece of work and those who wait for it."""

    def __init__(self) -> None:
        self.task: asyncio.Task[T] | None = None
        self.waiting = 0
        self._latest = -inf

    @property
    def deadline(self) -> float | None:
        """The latest of all callers' deadlines so far, on the clock's monotonic time; None: a caller has none."""
        return None if self._latest == inf else self._latest

    def board(self, deadline: float | None) -> None:
        """One more caller waits, until `deadline`."""
        self._latest = max(self._latest, inf if deadline is None else deadline)
        self.waiting += 1


class SingleFlight(Generic[T]):
    """Work by key, in a task of its own: a caller's cancellation fails no other, and when all have gone it ends."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._trips: dict[str, SharedCall[T]] = {}

    async def run(self, key: str, deadline: float | None, work: Callable[[SharedCall[T]], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns or raises; it is started unless work of this key is under way.

        Raises `TimedOut` at the caller's own deadline; the work goes on for the others.
        """
        import anyio

        seconds = None if deadline is None else deadline - self._clock.monotonic()
        if seconds is not None and seconds <= 0:
            raise TimedOut
        trip = self._trips.get(key)
        if trip is None:
            trip = SharedCall[T]()
        trip.board(deadline)
        task = trip.task
        if task is None:
            task = trip.task = asyncio.create_task(work(trip))
            self._trips[key] = trip
            task.add_done_callback(lambda done: self._landed(key, trip, done))
        try:
            with anyio.move_on_after(seconds) as patience:
                await asyncio.wait((task,))
        finally:
            trip.waiting -= 1
            if not trip.waiting and not task.done():
                self._forget(key, trip)
                task.cancel()
                # Structured as far as it can be: when the call has ended, so has its upstream request.
                with anyio.CancelScope(shield=True), anyio.move_on_after(LAST_WORDS_S):
                    await asyncio.wait((task,))
        if patience.cancelled_caught and (not task.done() or task.cancelled()):
            raise TimedOut
        if task.cancelled():
            raise ServerFailed("the work was stopped")
        return task.result()

    def _landed(self, key: str, trip: SharedCall[T], task: asyncio.Task[T]) -> None:
        self._forget(key, trip)
        if not task.cancelled():
            task.exception()  # Looked at, so that asyncio does not report it when no caller waits any more.

    def _forget(self, key: str, trip: SharedCall[T]) -> None:
        if self._trips.get(key) is trip:
            del self._trips[key]
