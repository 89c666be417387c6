"""When one more request may go to an engine under its limits. No I/O."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from ..contract.errors import BackendError, Code, RateBudgetExceeded, of_code
from .cooldown_rules import CLOCKS_DIFFER_S

PADDING_SHARE = 0.05
PADDING_S = 0.05
"""Each window is kept as if it were this much longer, the lesser of the two. An engine counts arrivals, and a request
may take longer on its way than the next one. Half of the padding is for the way; a request that goes out later than the
other half is counted again, from then on."""
MOST_COUNTED = 200
"""A window of more requests is kept as several shorter ones, so that the log stays small and bursts are spread."""
FURTHEST_S = 600.0
"""Nothing is promised this far ahead: what lies there was written before the clock was set back."""
LONGEST_REST_S = 3600.0
"""No rest is longer, whatever the engine says: to ask once an hour does no harm, the operator may have bought more, or
the header may be nonsense."""
LEARNED_S = 3600.0
"""What an engine's headers said holds this long, then what the plugin declares: one odd header must not slow an engine
down for good."""
AT_ONCE_S = 1e-6
"""A wait below this is rounding."""

_RESTING = {
    Code.QUOTA: "the quota is used up, as the engine said; nothing was sent",
    Code.AUTH: "every key was refused lately; nothing was sent",
}


class Window(NamedTuple):
    """At most `requests` in any `seconds`."""

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
    rest_s: FiniteFloat = LONGEST_REST_S
    """How long the rest was when it began."""
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
        return self.windows if abs(now - self.learned) < LEARNED_S else ()

    def is_news(self, now: float, windows: tuple[Window, ...]) -> bool:
        """Whether these windows, from an answer's headers, are worth a write: most answers say the same again."""
        return bool(windows) and (windows != self.known(now) or now - self.learned > LEARNED_S / 4)

    def resting(self, now: float) -> float:
        """Seconds until the rest is over; 0 when it is."""
        left = self.rest_until - now
        return left if AT_ONCE_S < left <= self.rest_s + CLOCKS_DIFFER_S else 0.0

    def reserved(
        self, now: float, windows: Sequence[Window], promised: float | None = None
    ) -> tuple[float, RateSchedule]:
        """The earliest moment for one more request, and the schedule in which it counts.

        `promised` is the moment that this request was given before, and should go at now. Then only past requests stand
        against it: some may have gone later than promised, and those that come after it will ask again, too.
        """
        if promised is None:
            log = _near(self.log, now)
            moment = self._earliest(now, log, windows)
        else:
            log = _near(self.without(promised).log, now)
            moment = self._earliest(now, [other for other in log if other <= now], windows)
            if moment == now and not is_late(promised, now, windows):
                moment = promised
            if moment == promised:
                return moment, self
        if not windows:
            return moment, self.model_copy(update={"log": ()}) if self.log else self
        longest = max(window.span for window in windows)
        log = [other for other in log if other > now - longest]
        insort(log, moment)
        return moment, self.model_copy(update={"log": tuple(log)})

    def without(self, moment: float) -> RateSchedule:
        """A request that was promised this moment will not go."""
        log = list(self.log)
        if moment in log:
            log.remove(moment)
        return self.model_copy(update={"log": tuple(log)})

    def taught(self, moment: float, now: float, windows: tuple[Window, ...]) -> RateSchedule:
        """With these windows, in which the request that learned them, at `moment`, counts."""
        log = self.log if moment in self.log else tuple(sorted((*self.log, moment)))
        return self.model_copy(update={"windows": windows, "learned": now, "log": log})

    def at_rest(self, until: float, code: Code, now: float) -> RateSchedule:
        """At rest until then, or longer if it already is."""
        if self.resting(now) and until <= self.rest_until:
            return self
        rest_s = min(until - now, LONGEST_REST_S)
        return self.model_copy(update={"rest_until": until, "rest_s": rest_s, "rest_code": code})

    def refusal(self, wait: float, now: float) -> BackendError:
        """What to raise instead of waiting this long, marked as `unsent`: the kind says whose limit it is."""
        if self.resting(now) and self.rest_code in _RESTING:
            error = of_code(self.rest_code, _RESTING[self.rest_code], wait)
            error.unsent = True
            return error
        return RateBudgetExceeded(retry_after=wait)

    def _earliest(self, now: float, log: Sequence[float], windows: Iterable[Window]) -> float:
        """Requests that were promised a moment and did not go leave gaps, which are used."""
        moment, before = now + self.resting(now), None
        while moment != before:
            before = moment
            for window in windows:
                moment = _free(log, moment, window)
        return moment if moment - now > AT_ONCE_S else now


def is_late(moment: float, now: float, windows: Iterable[Window]) -> bool:
    """Whether the engine would count a request that goes now, and not at this moment, noticeably later."""
    return any(now - moment > window.padding / 2 for window in windows)


def _free(log: Sequence[float], moment: float, window: Window) -> float:
    """The first moment from this one on that may join the log under this window.

    As many neighbours in the log as the window allows leave no room for one more until a span after the first of them.
    """
    apart = window.span - AT_ONCE_S
    for first in range(bisect_right(log, moment - apart), len(log) - window.requests + 1):
        last = log[first + window.requests - 1]
        if last >= moment + apart:
            break
        if last - log[first] < apart:
            moment = max(moment, log[first] + window.span)
    return moment


def _near(log: Iterable[float], now: float) -> list[float]:
    return sorted(moment for moment in log if moment < now + FURTHEST_S)
