"""The real clock; tests bring another."""

from __future__ import annotations

import time


class SystemClock:
    """`Clock` of this machine."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never run backwards: the clock of every deadline."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        import anyio

        await anyio.sleep(seconds)
