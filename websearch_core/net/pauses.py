"""Hosts and addresses that asked for a pause (Retry-After, RFC 9110 §10.2.3): left alone until it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..errors import RateLimited

if TYPE_CHECKING:
    from ..interfaces import Clock
    from .urls import Target

LONGEST_S = 3600.0
"""Whoever asks for more is asked again after so long."""
OF_HOST_S = 120.0
"""No longer than this one address of a host speaks for all others: they may be other people's."""
MOST = 1024
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


class Pauses:
    """Until when each host and each address is to be left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._hosts: dict[str, _Pause] = {}
        self._addresses: dict[str, _Pause] = {}

    def check(self, target: Target) -> None:
        """Raises `OnPause` where the address or its host is to be left alone: it says for how long."""
        now = self._clock.monotonic()
        pauses = (self._hosts.get(target.authority), self._addresses.get(target.url))
        if left := [pause.asked - now for pause in pauses if pause and pause.until > now]:
            raise OnPause("the site asked for a pause that is not over, so nothing was sent", retry_after=max(left))

    def keep(self, target: Target, seconds: float) -> None:
        """The address asked to be left alone for so long, its host for `OF_HOST_S` at most; the longer pause counts."""
        self._keep(self._addresses, target.url, seconds, LONGEST_S)
        self._keep(self._hosts, target.authority, seconds, OF_HOST_S)

    def _keep(self, pauses: dict[str, _Pause], name: str, seconds: float, most: float) -> None:
        now = self._clock.monotonic()
        pause = _Pause(now + min(seconds, most), now + seconds)
        if (before := pauses.get(name)) and before.until > now:
            pause = _Pause(max(pause.until, before.until), max(pause.asked, before.asked))
        pauses[name] = pause
        while len(pauses) > MOST:
            del pauses[min(pauses, key=pauses.__getitem__)]
