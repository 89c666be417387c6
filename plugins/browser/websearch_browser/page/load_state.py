"""Whether a page is still loading."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..chromium.devtools import DevTools

_QUIET_S = 0.5
_LOOK_S = 0.05
_ENDLESS = frozenset(("EventSource", "Media", "Ping", "WebSocket"))
"""Kinds whose end nobody waits for."""


class LoadState:
    """What one page has asked for and not got yet."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._changed = 0.0

    async def watch(self, devtools: DevTools) -> None:
        """Count from now on."""

        def began(event: dict[str, Any]) -> None:
            if event.get("type") not in _ENDLESS and not str(event["request"]["url"]).startswith("data:"):
                self._open.add(event["requestId"])
                self._changed = _now()

        def ended(event: dict[str, Any]) -> None:
            self._open.discard(event["requestId"])
            self._changed = _now()

        devtools.on("Network.requestWillBeSent", began)
        devtools.on("Network.loadingFinished", ended)
        devtools.on("Network.loadingFailed", ended)
        await devtools.send("Network.enable")

    async def quiet(self, at_most_s: float) -> None:
        """Wait until nothing was under way for half a second, or that time is over."""
        began = self._changed = _now()
        # half a second of nothing is no event that could be waited for
        while _now() - began < at_most_s and (self._open or _now() - self._changed < _QUIET_S):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)


def _now() -> float:
    return asyncio.get_running_loop().time()
