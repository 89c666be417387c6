"""Leaves an endpoint alone for a while after it failed several times in a row."""

from __future__ import annotations

from websearch_core import Clock


class Breaker:
    """Closed: calls go out. Open: they do not. After the rest one failure opens it again, one success closes it."""

    def __init__(self, clock: Clock, failures: int, rest_s: float) -> None:
        self._clock = clock
        self._most = failures
        self._rest_s = rest_s
        self._failures = 0
        self._failed = float("-inf")
        self._until = 0.0

    @property
    def rests_s(self) -> float:
        """For how many seconds the endpoint is still left alone; 0: it is not."""
        return max(0.0, self._until - self._clock.monotonic())

    def failed(self, began: float) -> None:
        """A call that began then failed; calls that were out together count once: a page takes several."""
        if began < self._failed:
            return
        self._failed = self._clock.monotonic()
        self._failures += 1
        if self._failures >= self._most:
            self._until = self._failed + self._rest_s

    def succeeded(self) -> None:
        """A call was answered."""
        self._failures = 0
        self._until = 0.0
