"""Tables and libraries are loaded beside the start: nobody waits for them but whom they serve first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Warming:
    """One load, in a thread. What fails there fails whoever needs it, so a filter stays closed."""

    def __init__(self, load: Callable[[], object]) -> None:
        """`load` may be called from any thread, and again: it does nothing then."""
        self._load = load
        self._task: asyncio.Task[object] | None = None

    def begin(self) -> None:
        """Start loading."""
        self._task = asyncio.create_task(asyncio.to_thread(self._load), name="guard-warming")

    async def done(self) -> None:
        """Wait until it is there; without `begin`, whoever needs it loads it."""
        if self._task is not None and not (self._task.done() and self._task.exception() is None):
            await asyncio.shield(self._task)

    async def aclose(self) -> None:
        """No task is left behind; a thread cannot be stopped."""
        if self._task is not None:
            await asyncio.wait((self._task,))
