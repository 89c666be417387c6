"""Sites that asked for a pause (Retry-After, RFC 9110 §10.2.3) are left alone until it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract.errors import RateLimited
from .cooldown_rules import HOST, PAGE

if TYPE_CHECKING:
    from ..contract.interfaces import Clock
    from .urls import Target

MOST = 2048
"""Hosts and addresses that are remembered; of more, those whose pause is over first are forgotten."""


class OnPause(RateLimited):
    """The pause is not over; nothing was sent."""

    unsent = True


class RequestedPauses:
    """Until when (on `Clock.monotonic`) each host and each address is left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def check(self, target: Target) -> None:
        """Raises `OnPause`, with the time that is left, where the address or its host is left alone."""
        until = max(self._until.get(target.authority, 0.0), self._until.get(target.url, 0.0))
        if (left := until - self._clock.monotonic()) > 0:
            raise OnPause("the site asked for a pause that is not over, so nothing was sent", retry_after=left)

    def keep(self, target: Target, seconds: float) -> None:
        """The address asked for this pause. Its host is left alone, too, for a while; the longer pause counts."""
        now = self._clock.monotonic()
        for name, rule in ((target.url, PAGE), (target.authority, HOST)):
            self._until[name] = max(self._until.get(name, 0.0), now + rule.seconds(seconds))
        while len(self._until) > MOST:
            del self._until[min(self._until, key=self._until.__getitem__)]
