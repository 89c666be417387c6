"""Turns at an engine: the earliest moment for one more request that keeps every window of its limits. No I/O."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from ..contract.errors import BackendError, Code, RateBudgetExceeded, of_code

PADDING_SHARE = 0.05
PADDING_S = 0.05
"""Each window is kept as if it were so much longer, the lesser of the two. An engine counts arrivals: a request that
was held up on its way may be followed too soon by one that was not, and the padding is by how much they may differ. One
that goes out later than half the padding is counted again, from then; the other half is for the way. On an open
connection that takes milliseconds; more padding would cost more than 5 % of what is paid for."""
MOST_COUNTED = 200
"""A window of more requests is kept as several shorter ones: so the log stays small, and bursts are spread."""
MOST_TURNS = 2 * MOST_COUNTED
"""Past and promised ones that are remembered; whoever comes then is told to come back."""
FURTHEST_S = 600.0
"""No turn is promised this far ahead: what lies there was written before the clock was set back."""
LONGEST_REST_S = 3600.0
"""Nobody rests longer, whatever the engine says: asking once an hour harms nobody, and the operator may have bought
more, or the header may be nonsense."""
LEARNED_S = 86_400.0
"""What an engine's headers said holds so long; then it must say it again, or what the plugin declares holds. One odd
header must not slow an engine down for good."""
SAID_AGAIN_S = LEARNED_S / 4
"""Headers that say the same again are written down at most this often: they are in every answer."""
WAITING_SHARE = 0.5
"""Of the time that a request has left, at most so much goes into waiting: the rest is for the answer."""
AT_ONCE_S = 1e-6
"""A wait below this is rounding."""

_RESTING = {
    Code.QUOTA: "the quota is used up, as the engine said; nothing was sent",
    Code.AUTH: "every key was refused lately; nothing was sent",
}


class Window(NamedTuple):
    """At most so many requests in any so many seconds."""

    requests: Annotated[int, Field(gt=0)]
    seconds: Annotated[FiniteFloat, Field(gt=0)]

    @property
    def padding(self) -> float:
        """In seconds."""
        return min(self.seconds * PADDING_SHARE, PADDING_S)

    @property
    def span(self) -> float:
        """Its length with padding."""
        return self.seconds + self.padding

    def counted(self) -> Window:
        """As strict, with a number of requests that the log can hold: k windows of n in s/k keep k · n in s."""
        parts = -(-self.requests // MOST_COUNTED)
        return Window(self.requests // parts, self.seconds / parts)


class RateSchedule(BaseModel):
    """What all processes know of one key at one engine. Moments are seconds since the epoch."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    log: tuple[FiniteFloat, ...] = ()
    """When requests went out or will, in order."""
    windows: tuple[Window, ...] = ()
    """What the engine's headers said."""
    learned: FiniteFloat = 0.0
    """When they did."""
    rest_until: FiniteFloat = 0.0
    rest_code: Code = Code.RATE_LIMITED

    @classmethod
    def of(cls, raw: bytes | None) -> RateSchedule:
        """As it was stored; what cannot be read is forgotten."""
        try:
            return cls.model_validate_json(raw) if raw else cls()
        except ValidationError:
            return cls()

    def stored(self) -> bytes:
        """As bytes."""
        return self.model_dump_json().encode()

    def known(self, now: float) -> tuple[Window, ...]:
        """What the engine's headers said lately."""
        return self.windows if -FURTHEST_S < now - self.learned < LEARNED_S else ()

    def news(self, now: float, windows: tuple[Window, ...]) -> bool:
        """Whether it is worth writing down that an answer's headers say these."""
        return bool(windows) and (windows != self.known(now) or now - self.learned > SAID_AGAIN_S)

    def resting(self, now: float) -> float:
        """Seconds until it is awake; 0 when it is."""
        left = self.rest_until - now
        return left if AT_ONCE_S < left <= LONGEST_REST_S + FURTHEST_S else 0.0

    def earliest(self, now: float, windows: Iterable[Window]) -> float:
        """When the next request may go. Turns that were given back leave gaps, which are used."""
        log = self._near(now)
        at = now + self.resting(now)
        while True:
            before = at
            for window in windows:
                at = _free(log, at, window)
            if at == before:
                return at

    def full(self, now: float) -> bool:
        """Whether no further turn is promised, however long the wait."""
        return len(self._near(now)) >= MOST_TURNS

    def taken(self, at: float, now: float, windows: Sequence[Window]) -> RateSchedule:
        """With this turn in the log, which forgets what no window counts any more."""
        if not windows:
            return self.model_copy(update={"log": ()}) if self.log else self
        longest = max(window.span for window in windows)
        log = [moment for moment in self._near(now) if moment > now - longest]
        insort(log, at)
        return self.model_copy(update={"log": tuple(log)})

    def given_back(self, at: float) -> RateSchedule:
        """Without this turn, which nobody will use."""
        log = list(self.log)
        if at in log:
            log.remove(at)
        return self.model_copy(update={"log": tuple(log)})

    def confirmed(self, at: float, now: float, windows: Sequence[Window]) -> tuple[float, RateSchedule]:
        """When the request of this turn may go, now that it should, and what to remember of it.

        Only what lies in the past stands against it: others may have gone later than they were promised, and whoever
        is promised a turn after this one will confirm it too.
        """
        rest = self.given_back(at)
        past = rest.model_copy(update={"log": tuple(moment for moment in rest.log if moment <= now)})
        free = past.earliest(now, windows)
        if free - now <= AT_ONCE_S:
            free = now if is_late(at, now, windows) else at
        return free, self if free == at else rest.taken(free, now, windows)

    def told(self, at: float, now: float, windows: tuple[Window, ...]) -> RateSchedule:
        """With these windows, in which the request that learned them counts."""
        known = self.model_copy(update={"windows": windows, "learned": now})
        return known if at in self.log else known.taken(at, now, windows)

    def untold(self) -> RateSchedule:
        """Without the windows: the engine says them no more."""
        return self.model_copy(update={"windows": (), "learned": 0.0})

    def at_rest(self, until: float, code: Code, now: float) -> RateSchedule:
        """Asleep until then, or longer if it already is. What a clock that went ahead wrote is no rest."""
        if self.resting(now) and until <= self.rest_until:
            return self
        return self.model_copy(update={"rest_until": until, "rest_code": code})

    def refusal(self, wait: float, now: float) -> BackendError:
        """What to raise instead of waiting so long, marked as `unsent`: the kind says whose limit it is."""
        if self.resting(now) and self.rest_code in _RESTING:
            error = of_code(self.rest_code, _RESTING[self.rest_code], wait)
            error.unsent = True
            return error
        return RateBudgetExceeded(retry_after=wait)

    def _near(self, now: float) -> list[float]:
        return sorted(moment for moment in self.log if moment < now + FURTHEST_S)


def is_late(at: float, now: float, windows: Iterable[Window]) -> bool:
    """Whether a turn is over so long that the engine would count the request noticeably later."""
    return any(now - at > window.padding / 2 for window in windows)


def _free(log: Sequence[float], at: float, window: Window) -> float:
    """From `at` on, the first moment that may join the log under this window.

    `requests` neighbours in the log that the new one would join within one span leave no room; they leave none until
    the first of them is a span ago, so that one walk along the log finds the earliest moment.
    """
    count, span = window.requests, window.span
    for first in range(bisect_right(log, at - span), len(log) - count + 1):
        last = log[first + count - 1]
        if last >= at + span:
            break
        if last - log[first] < span:
            at = max(at, log[first] + span)
    return at
