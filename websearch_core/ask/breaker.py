"""Rest for a source that keeps failing, so that callers do not wait for it and it is not pestered."""

from __future__ import annotations

from typing import Literal

from ..errors import BackendError, Code, of_code
from ..interfaces import Clock

State = Literal["closed", "open", "half-open"]

THRESHOLD = 5
"""Failures in a row that open it."""
FIRST_REST_S = 30.0
LONGEST_REST_S = 600.0
RATE_LIMIT_REST_S = 60.0
"""After a 429 that does not say when to come back."""
LONGEST_RATE_LIMIT_REST_S = 3600.0
"""A 429 may ask for no more: asking once an hour harms nobody, and a nonsensical header must not silence a source."""
ACCOUNT_REST_S = 300.0
"""After a refused key, an empty account or a plan that lacks the call: only the operator can mend these."""

RESTING = "resting after repeated failures"
OF_THE_SERVICE = frozenset((Code.TIMEOUT, Code.NETWORK, Code.SERVER))
_AT_ONCE = frozenset((Code.RATE_LIMITED, Code.AUTH, Code.QUOTA, Code.PLAN))


class Breaker:
    """Closed: calls pass. Open: none does. Half-open, when the rest is over: exactly one, and it decides.

    `admit` gives a permit or raises; the permit goes to exactly one of `succeeded`, `failed` and `released`. What calls
    report that were let through before the last change of state is ignored.
    """

    def __init__(self, clock: Clock, counts: frozenset[Code] = OF_THE_SERVICE) -> None:
        """`counts` are the codes of which five in a row open it; rate limits and account trouble open it at once."""
        self._clock = clock
        self._counts = counts
        self._failures: int = 0
        self._rest = FIRST_REST_S
        self._until: float | None = None
        self._probing = False
        self._generation: int = 0
        self._code = Code.SERVER

    @property
    def state(self) -> State:
        """`open` while it rests; `half-open` from then until a probe has answered."""
        if self._until is None:
            return "closed"
        return "half-open" if self._clock.monotonic() >= self._until else "open"

    def resting(self) -> BackendError | None:
        """The error that `admit` would raise now, or None."""
        if self._until is None:
            return None
        remaining = self._until - self._clock.monotonic()
        if remaining <= 0 and not self._probing:
            return None
        return of_code(self._code, RESTING, max(remaining, 1.0))

    def admit(self) -> int:
        """A permit for one call. Raises the last failure's kind of error, with the time that remains."""
        if (error := self.resting()) is not None:
            raise error
        self._probing = self._until is not None
        return self._generation

    def succeeded(self, permit: int) -> None:
        """The source answered: closed, and everything is forgotten."""
        if permit != self._generation:
            return
        if self._until is not None:
            self._generation += 1
        self._failures = 0
        self._rest = FIRST_REST_S
        self._until = None
        self._probing = False

    def released(self, permit: int) -> None:
        """The call came to nothing that says something about the source: cancelled, or the request was at fault."""
        if permit == self._generation:
            self._probing = False

    def failed(self, permit: int, error: BackendError) -> None:
        """The call failed: whether that counts depends on its code."""
        if permit != self._generation:
            return
        if error.code in _AT_ONCE:
            self._open(error.code, _rest_for(error))
        elif error.code not in self._counts:
            self.released(permit)
        elif self._probing:
            self._rest = min(self._rest * 2, LONGEST_REST_S)
            self._open(error.code, self._rest)
        else:
            self._failures += 1
            if self._failures >= THRESHOLD:
                self._open(error.code, self._rest)

    def _open(self, code: Code, seconds: float) -> None:
        self._code = code
        self._until = self._clock.monotonic() + seconds
        self._probing = False
        self._failures = 0
        self._generation += 1


def _rest_for(error: BackendError) -> float:
    if error.code is not Code.RATE_LIMITED:
        return ACCOUNT_REST_S
    asked = RATE_LIMIT_REST_S if error.retry_after is None else error.retry_after
    return min(max(asked, 0.0), LONGEST_RATE_LIMIT_REST_S)
