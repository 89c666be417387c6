"""Hosts and addresses that asked for a pause (Retry-After, RFC 9110 §10.2.3): left alone until it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..contract.errors import RateLimited
from .cooldown_rules import HOST, PAGE

if TYPE_CHECKING:
    from ..contract.interfaces import Clock
    from .urls import Target

MOST = 2048
"""Hosts and addresses that are remembered; of more, those whose pause is over first are forgotten."""


class OnPause(RateLimited):
    """The host's pause is not over; nothing was sent."""

    unsent = True


class _Pause(NamedTuple):
    """Moments on `Clock.monotonic`."""

    until: float
    """Before this nothing is sent."""
    asked: float
    """What the site asked for, which may be later: whoever is turned away is told this."""


class RequestedPauses:
    """Until when each host and each address is to be left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pauses: dict[str, _Pause] = {}

    def check(self, target: Target) -> None:
        """Raises `OnPause` where the address or its host is to be left alone: it says for how long."""
        now = self._clock.monotonic()
        pauses = (self._pauses.get(target.authority), self._pauses.get(target.url))
        if left := [pause.asked - now for pause in pauses if pause and pause.until > now]:
            raise OnPause("the site asked for a pause that is not over, so nothing was sent", retry_after=max(left))

    def keep(self, target: Target, seconds: float) -> None:
        """The address asked to be left alone for so long, and with it for a while its host; the longer pause counts."""
        now = self._clock.monotonic()
        for name, rule in ((target.url, PAGE), (target.authority, HOST)):
            pause = _Pause(now + rule.seconds(seconds), now + seconds)
            if (before := self._pauses.get(name)) and before.until > now:
                pause = _Pause(max(pause.until, before.until), max(pause.asked, before.asked))
            self._pauses[name] = pause
            while len(self._pauses) > MOST:
                del self._pauses[min(self._pauses, key=self._pauses.__getitem__)]
