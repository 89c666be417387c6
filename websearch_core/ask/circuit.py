"""One thing that is open or closed: a whole source, or its answers to one kind of request."""

from __future__ import annotations

from .rests import Rest


class Circuit:
    """Closed without a rest, open during one, and half-open after it: then the next to enter is the probe."""

    def __init__(self) -> None:
        self.rest: Rest | None = None
        self.failures = 0
        """In a row, while it is closed."""
        self.probing = False
        self.generation = 0
        """Rises with each change: who entered before it has no say any more."""

    def left(self, now: float) -> float | None:
        """Seconds for which nobody is let through, 0 while a probe is out; None: somebody is."""
        if self.rest is None or (self.rest.until <= now and not self.probing):
            return None
        return max(self.rest.until - now, 0.0)

    def enter(self) -> int:
        """One call goes through. The generation that it belongs to."""
        self.probing = self.rest is not None
        return self.generation

    def leave(self, generation: int) -> None:
        """A call came to nothing that counts."""
        if generation == self.generation:
            self.probing = False

    def change(self, rest: Rest | None) -> None:
        """Open, or close."""
        self.rest = rest
        self.failures = 0
        self.probing = False
        self.generation += 1
