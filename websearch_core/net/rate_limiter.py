"""Keeps a schedule of requests together with all processes that share the store, alone while the store fails."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import inf

import anyio

from ..contract.errors import Code
from ..contract.interfaces import Clock, Store
from ..stores.resilient import ResilientStore
from .rate_schedule import AT_ONCE_S, FURTHEST_S, LONGEST_REST_S, RateSchedule, Window, is_late

WAITING_SHARE = 0.5
"""Of the time that a request has left, how much it may wait: the rest is for the answer."""
KEPT_S = 86_400.0
"""The schedule of a key that was not used for a day is forgotten."""
STORE_PATIENCE_S = 5.0
"""A store that takes longer has failed. With less, every slow disk would hide what other processes send."""
STORE_AGAIN_S = 30.0
"""A store that has failed is asked again after this."""
MOST_TRIES = 100
"""Other processes may write first this often in a row; then the store has failed."""
MOST_CONFIRMED = 10
"""A request that is late again and again (a slow store, a busy machine) goes after this."""
GIVING_BACK_S = 0.5
"""A cancelled request waits at most this long for the store to take its moment back; else that is lost."""


def shared_schedules(store: Store | Callable[[], Store], clock: Clock, meaning: str) -> ResilientStore:
    """The store as rate limiters use it. `meaning`: what its failure means, for the log."""
    return ResilientStore(store, clock, "memory", meaning, patience_s=STORE_PATIENCE_S, again_s=STORE_AGAIN_S)


class RateLimiter:
    """The schedule of one key at one engine, or of one host."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        kept: ResilientStore | None,
        windows: tuple[Window, ...] = (),
        kept_s: float = KEPT_S,
    ) -> None:
        """`windows` hold until the engine's headers say others. Without `kept` every request may go at once.

        A schedule that was not used for `kept_s` is forgotten.
        """
        self._name = name
        self._clock = clock
        self._kept = kept
        self._windows = windows
        self._kept_s = kept_s
        self._seen = RateSchedule()
        self._lock = anyio.Lock(fast_acquire=True)

    async def reserve(self, budget_s: float, ends: float = inf, promised: float | None = None) -> float:
        """Promise the earliest moment (on `Clock.now`) for one more request, at most `budget_s` from now.

        `ends` (on `Clock.monotonic`) is the request's end: the store gets a share of the time until then. `promised` is
        what this request was promised before, at or after that moment. Raises what `RateSchedule.refusal` says when the
        wait is longer; then the schedule is as before.
        """
        moment = self._clock.now()

        def reserve(schedule: RateSchedule) -> RateSchedule:
            nonlocal moment
            now = self._clock.now()
            moment, changed = schedule.reserved(now, self._known(now), promised)
            if moment - now > min(max(budget_s, 0.0), FURTHEST_S):
                raise schedule.refusal(moment - now, now)
            return changed

        await self._change(reserve, ends)
        return moment

    async def wait(self, moment: float, ends: float) -> float:
        """Sleep until a promised moment. Returns the one that counts: it may be later.

        Meanwhile an answer may have asked for a rest, and other requests may have gone late. Raises as `reserve`, then
        the moment is free again, as when this is cancelled.
        """
        try:
            late = 0
            while True:
                now = self._clock.now()
                if moment - now > AT_ONCE_S:
                    await self._clock.sleep(moment - now)
                elif late < MOST_CONFIRMED and is_late(moment, now, self._known(now)):
                    late += 1
                else:
                    break
                left = ends - self._clock.monotonic()
                moment = await self.reserve(left * WAITING_SHARE, ends, moment)
        except BaseException:
            with anyio.move_on_after(GIVING_BACK_S, shield=True):
                await self._change(lambda schedule: schedule.without(moment))
            raise
        return moment

    async def told(self, moment: float, windows: tuple[Window, ...], rest_s: float, code: Code) -> None:
        """What the answer to the request of this moment taught: windows, if any, and how long to rest, if at all."""
        now = self._clock.now()

        def tell(schedule: RateSchedule) -> RateSchedule:
            if schedule.is_news(now, windows):
                schedule = schedule.taught(moment, now, windows)
            return schedule.at_rest(now + min(rest_s, LONGEST_REST_S), code, now) if rest_s > 0 else schedule

        if rest_s > 0 or self._seen.is_news(now, windows):
            await self._change(tell)

    async def state(self) -> tuple[float, Code, float]:
        """Seconds until the rest is over (0 without a rest), its reason, and seconds until one more request may go."""
        if self._kept is not None:
            self._seen = RateSchedule.of(await self._kept.get(self._name))
        now = self._clock.now()
        moment, _ = self._seen.reserved(now, self._known(now))
        return self._seen.resting(now), self._seen.rest_code, moment - now

    def _known(self, now: float) -> tuple[Window, ...]:
        return self._seen.known(now) or self._windows

    async def _change(self, change: Callable[[RateSchedule], RateSchedule], ends: float = inf) -> None:
        """Apply `change`, again if another process wrote meanwhile. Raises what it raises."""
        if self._kept is None:
            return
        async with self._lock:
            for tries in count(1):
                seconds = max(0.0, ends - self._clock.monotonic()) * WAITING_SHARE
                raw = await self._kept.get(self._name, seconds=seconds)
                self._seen = RateSchedule.of(raw)
                changed = change(self._seen)
                if changed == self._seen or await self._kept.compare_and_set(
                    self._name, raw, changed.stored(), self._kept_s, seconds=seconds
                ):
                    self._seen = changed
                    return
                if tries % MOST_TRIES == 0:
                    self._kept.give_up("changed", "others were always quicker")
