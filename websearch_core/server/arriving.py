"""Requests whose bodies are still on the way: where every place is taken, a slow one gives its place up."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

import anyio

PATIENCE_S = 1.0
"""So long a body may take before its place may be given to somebody whose request is there."""


class ArrivingBodies:
    """Whose bodies are on the way, and since when."""

    def __init__(self) -> None:
        self._since: dict[str, dict[anyio.CancelScope, float]] = {}

    @contextlib.contextmanager
    def one(self, who: str, scope: anyio.CancelScope) -> Generator[None]:
        """While a body of theirs arrives; `scope` ends the waiting for it."""
        theirs = self._since.setdefault(who, {})
        theirs[scope] = anyio.current_time()
        try:
            yield
        finally:
            self._forget(who, scope)

    def give_up_one(self) -> bool:
        """End the oldest slow one of whoever has the most of them; whether there was one."""
        latest = anyio.current_time() - PATIENCE_S
        slow = {who: [scope for scope, since in its.items() if since <= latest] for who, its in self._since.items()}
        who = max(slow, key=lambda who: len(slow[who]), default="")
        if not slow.get(who):
            return False
        scope = slow[who][0]
        scope.cancel()
        self._forget(who, scope)
        return True

    def _forget(self, who: str, scope: anyio.CancelScope) -> None:
        theirs = self._since.get(who, {})
        theirs.pop(scope, None)
        if not theirs:
            self._since.pop(who, None)
