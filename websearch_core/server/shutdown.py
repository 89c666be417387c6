"""A stop tells the calls that are still in flight that they are over, before their connections are cut."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp import MCPError
from mcp_types import INTERNAL_ERROR

STOPPING = "server: the server is stopping. Next: ask again in a moment. A retry may help."

Handler = Callable[[Any, Any], Awaitable[dict[str, Any]]]


def _refused() -> dict[str, Any]:
    raise MCPError(INTERNAL_ERROR, STOPPING)


class CallsInFlight:
    """The calls that are being answered."""

    def __init__(self) -> None:
        self._scopes: set[anyio.CancelScope] = set()
        self._over = False

    def end(self) -> None:
        """From now on every call is answered with an error at once."""
        self._over = True
        for scope in self._scopes:
            scope.cancel()

    def ending(
        self,
        handle: Handler,
        ended: Callable[[], dict[str, Any]] = _refused,
        seconds: float | None = None,
        late: Callable[[], dict[str, Any]] = _refused,
    ) -> Handler:
        """The handler; when it is ended, the answer is what `ended` gives, and after `seconds` what `late` gives."""

        async def handled(ctx: Any, params: Any) -> dict[str, Any]:
            with anyio.move_on_after(seconds) as scope:
                self._scopes.add(scope)
                if self._over:
                    scope.cancel()
                try:
                    return await handle(ctx, params)
                finally:
                    self._scopes.discard(scope)
            return ended() if self._over else late()

        return handled
