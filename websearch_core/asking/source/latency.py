"""How long a source's answers take: what is slow for it."""

from __future__ import annotations

from collections import deque
from math import ceil

REMEMBERED = 100
ENOUGH = 20
"""Fewer answers say nothing about how slow is slow."""


class Latencies:
    """Of the last hundred answers."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=REMEMBERED)

    def add(self, seconds: float) -> None:
        """One more answer came."""
        self._seconds.append(seconds)

    def at_least(self, seconds: float) -> None:
        """A call was given up after this time: counts as an answer that took that long, if that is slow."""
        # Else only the quick ones would count, and ever more answers would seem slow.
        if (slow := self.p95()) is not None and seconds > slow:
            self.add(seconds)

    def p95(self) -> float | None:
        """Seconds in which nineteen of twenty came; None: too few to tell."""
        if len(self._seconds) < ENOUGH:
            return None
        return sorted(self._seconds)[ceil(len(self._seconds) * 0.95) - 1]
