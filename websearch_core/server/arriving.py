"""Requests whose bodies are still on the way: where every place is taken, a slow one gives its place up."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator

PATIENCE_S = 1.0
"""How long a body may take before its place may be given to somebody whose request is there."""


class ArrivingBodies:
    """Whose bodies are on the way, and since when."""

    def __init__(self) -> None:
        self._since: dict[asyncio.Timeout, tuple[str, float]] = {}

    @contextlib.asynccontextmanager
    async def one(self, who: str, seconds: float) -> AsyncGenerator[None]:
        """While a body of this caller arrives. Raises TimeoutError when that takes too long, or its place is needed."""
        async with asyncio.timeout(seconds) as waiting:
            self._since[waiting] = (who, asyncio.get_running_loop().time())
            try:
                yield
            finally:
                self._since.pop(waiting, None)

    def give_up_one(self) -> bool:
        """End the oldest slow one of the caller with the most of them; whether there was one."""
        now = asyncio.get_running_loop().time()
        slow = {
            waiting: who
            for waiting, (who, since) in self._since.items()
            if since <= now - PATIENCE_S and not waiting.expired()  # that one is about to go by itself
        }
        for most, _ in Counter(slow.values()).most_common(1):
            waiting = next(waiting for waiting, who in slow.items() if who == most)
            waiting.reschedule(now)
            del self._since[waiting]
        return bool(slow)
