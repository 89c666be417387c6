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
    """One piece of work and the callers that wait for it."""

    def __init__(self) -> None:
        self.task: asyncio.Task[T] | None = None
        self.waiting = 0
        self._latest = -inf

    @property
    def deadline(self) -> float | None:
        """The latest of all callers' deadlines so far, on the clock's monotonic time; None: a caller has none."""
        return None if self._latest == inf else self._latest

    def join(self, deadline: float | None) -> None:
        """One more caller waits, until `deadline`."""
        self._latest = max(self._latest, inf if deadline is None else deadline)
        self.waiting += 1


class SingleFlight(Generic[T]):
    """Work by key, in a task of its own: a caller's cancellation fails no other, and when all have gone it ends."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._calls: dict[str, SharedCall[T]] = {}

    async def run(self, key: str, deadline: float | None, work: Callable[[SharedCall[T]], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns or raises; it is started unless work of this key is under way.

        Raises `TimedOut` at the caller's own deadline; the work goes on for the others.
        """
        seconds = None if deadline is None else deadline - self._clock.monotonic()
        if seconds is not None and seconds <= 0:
            raise TimedOut
        call = self._calls.setdefault(key, SharedCall[T]())
        call.join(deadline)
        if (task := call.task) is None:
            task = call.task = asyncio.create_task(work(call))
            task.add_done_callback(lambda done: self._ended(key, call, done))
        try:
            await asyncio.wait((task,), timeout=seconds)
        finally:
            late = not task.done()
            call.waiting -= 1
            if not call.waiting and late:
                import anyio

                self._forget(key, call)
                task.cancel()
                # Structured as far as it can be: when the call has ended, so has its upstream request.
                with anyio.CancelScope(shield=True), anyio.move_on_after(LAST_WORDS_S):
                    await asyncio.wait((task,))
        if late and (not task.done() or task.cancelled()):
            raise TimedOut
        if task.cancelled():
            raise ServerFailed("the work was stopped")
        return task.result()

    def _ended(self, key: str, call: SharedCall[T], task: asyncio.Task[T]) -> None:
        self._forget(key, call)
        if not task.cancelled():
            task.exception()  # Looked at, so that asyncio does not report it when no caller waits any more.

    def _forget(self, key: str, call: SharedCall[T]) -> None:
        if self._calls.get(key) is call:
            del self._calls[key]
