"""An ordinary client of httpx2 for one engine: what a vendor's SDK sends through it is guarded and paced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

from .http_errors import of_engine
from .transport import httpx_errors

if TYPE_CHECKING:
    from ..contract.interfaces import Clock
    from .key_rotation import KeyRotation
    from .transport import GuardedTransport


class PacedTransport(httpx2.AsyncBaseTransport):
    """A guarded transport that waits for its turn at the engine and learns the engine's limits from its answers."""

    def __init__(self, guarded: GuardedTransport, pool: KeyRotation, clock: Clock, timeout_s: float) -> None:
        self._guarded = guarded
        self._pool = pool
        self._clock = clock
        self._timeout_s = timeout_s

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request within the time limit, its wait included. A redirect comes without `Location`: nobody follows it.

        Raises errors of httpx2, whose `__cause__` is our `BackendError`.
        """
        ends = self._clock.monotonic() + self._timeout_s
        with httpx_errors(request):
            target = self._guarded.check(str(request.url))  # refused before it takes a turn
            turn = await self._pool.turn(ends)
        response = await self._guarded.exchange(request, target, ends - self._clock.monotonic())
        try:
            error = of_engine(response.status_code, response.headers, self._clock.now())
            await self._pool.learn(turn, response.headers, error)
        except BaseException:  # cancelled while the store was slow
            await response.aclose()
            raise
        if 300 <= response.status_code < 400:
            response.headers.pop("location", None)
        return response
