"""Hosts that asked for a pause (Retry-After, RFC 9110 §10.2.3): left alone until it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import RateLimited

if TYPE_CHECKING:
    from ..interfaces import Clock

LONGEST_S = 3600.0
"""Whoever asks for more is asked again after so long."""
MOST = 1024
"""Hosts that are remembered; of more, those whose pause is over first are forgotten."""


class OnPause(RateLimited):
    """The host's pause is not over; nothing was sent."""

    unsent = True


class Pauses:
    """Until when each host is to be left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def check(self, host: str) -> None:
        """Raises `OnPause` where the host is to be left alone: it says for how long."""
        if (until := self._until.get(host)) is None:
            return
        if (left := until - self._clock.monotonic()) > 0:
            raise OnPause("the site asked for a pause that is not over, so nothing was sent", retry_after=left)
        del self._until[host]

    def keep(self, host: str, seconds: float) -> None:
        """The host asked to be left alone for so long; of two pauses the longer counts."""
        until = self._clock.monotonic() + min(seconds, LONGEST_S)
        self._until[host] = max(until, self._until.get(host, until))
        while len(self._until) > MOST:
            del self._until[min(self._until, key=self._until.__getitem__)]
