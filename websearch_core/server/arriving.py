"""Requests whose bodies are still on the way: where every place is taken, a slow one gives its place up."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Generator

import anyio

PATIENCE_S = 1.0
"""How long a body may take before its place may be given to somebody whose request is there."""


class ArrivingBodies:
    """Whose bodies are on the way, and since when."""

    def __init__(self) -> None:
        self._since: dict[anyio.CancelScope, tuple[str, float]] = {}

    @contextlib.contextmanager
    def one(self, who: str, scope: anyio.CancelScope) -> Generator[None]:
        """While a body of theirs arrives; `scope` ends the waiting for it."""
        self._since[scope] = (who, anyio.current_time())
        try:
            yield
        finally:
            self._since.pop(scope, None)

    def give_up_one(self) -> bool:
        """End the oldest slow one of the caller with the most of them; whether there was one."""
        latest = anyio.current_time() - PATIENCE_S
        slow = {scope: who for scope, (who, since) in self._since.items() if since <= latest}
        for most, _ in Counter(slow.values()).most_common(1):
            scope = next(scope for scope, who in slow.items() if who == most)
            scope.cancel()
            del self._since[scope]
        return bool(slow)
