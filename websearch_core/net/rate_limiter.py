"""Whose turn it is at an engine: shared by all processes that share the store, kept in this one while that fails."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import anyio

from ..contract.errors import BackendError, Code
from ..contract.interfaces import Clock, Store
from ..stores.resilient import ResilientStore
from .rate_schedule import AT_ONCE_S, FURTHEST_S, LONGEST_REST_S, WAITING_SHARE, RateSchedule, Window, is_late

KEPT_S = 86_400.0
"""What nobody has touched for a day is forgotten: the first answer teaches it again."""
STORE_PATIENCE_S = 5.0
"""A store that takes longer has failed. Less would drop the turns of other processes whenever a disk is slow."""
STORE_AGAIN_S = 30.0
"""A store that has failed is left alone for so long."""
SILENT_ANSWERS = 20
"""After so many in a row that say no window, those that one answer said are forgotten: that was an odd one."""
MOST_TRIES = 100
"""Another process may come between so often in a row; a store that still changes nothing has failed."""


def shared_turns(store: Callable[[], Store], clock: Clock) -> ResilientStore:
    """The store as rate limiters use it; while it fails, turns go on in this process from where they were last seen."""
    meaning = "turns at engines are kept in this process alone"
    return ResilientStore(store, clock, "memory", meaning, patience_s=STORE_PATIENCE_S, again_s=STORE_AGAIN_S)


class RateLimiter:
    """The turns of one key at one engine. Each method reads the store once, and writes only what is new."""

    def __init__(self, name: str, clock: Clock, kept: ResilientStore | None, windows: tuple[Window, ...] = ()) -> None:
        """`windows` hold until the engine's headers say others. With `kept` None nothing is: turns are at once."""
        self._name = name
        self._clock = clock
        self._kept = kept
        self._windows = windows
        self._seen = RateSchedule()
        self._silent = 0
        self._lock: anyio.Lock | None = None

    async def take(self, budget_s: float, ends: float = inf) -> tuple[float, float]:
        """Promise the earliest turn: its moment on `Clock.now`, and the seconds until then, at most `budget_s`.

        `ends` is the request's end: of the time until then the store gets a share.
        Raises what `RateSchedule.refusal` says when that is longer; then nothing is promised.
        """
        moment = wait = 0.0

        def take(turns: RateSchedule) -> RateSchedule:
            nonlocal moment, wait
            moment, wait = self._next(turns, now := self._clock.now())
            windows = self._of(turns, now)
            if wait > min(max(budget_s, 0.0), FURTHEST_S) or (windows and turns.full(now)):
                raise turns.refusal(wait, now)
            return turns.taken(moment, now, windows)

        await self._changed(take, ends)
        return moment, wait

    async def confirm(self, moment: float, budget_s: float, ends: float = inf) -> float:
        """When the request of this turn may go: its moment, if all went as promised, or a later one.

        To be called when it should go. Raises as `take` does; the turn then is still promised.
        """
        confirmed = moment

        def confirm(turns: RateSchedule) -> RateSchedule:
            nonlocal confirmed
            now = self._clock.now()
            confirmed, changed = turns.confirmed(moment, now, self._of(turns, now))
            if confirmed - now > budget_s:
                raise turns.refusal(confirmed - now, now)
            return changed

        await self._changed(confirm, ends)
        return confirmed

    def is_late(self, moment: float) -> bool:
        """Whether so much time has passed since this turn that it must be confirmed."""
        now = self._clock.now()
        return is_late(moment, now, self._of(self._seen, now))

    async def give_back(self, moment: float) -> None:
        """Nobody will use this turn."""
        await self._changed(lambda turns: turns.given_back(moment))

    async def told(self, moment: float, windows: tuple[Window, ...], rest_s: float, code: Code) -> None:
        """What the answer to the request of this turn taught: windows, if any, and how long to rest, if at all."""
        now = self._clock.now()
        learned = self._seen.news(now, windows)
        self._silent = 0 if windows else self._silent + 1
        forgotten = self._silent >= SILENT_ANSWERS and bool(self._seen.windows)
        until = now + min(rest_s, LONGEST_REST_S)
        if learned or forgotten or rest_s > 0:

            def tell(turns: RateSchedule) -> RateSchedule:
                if learned:
                    turns = turns.told(moment, now, windows)
                elif forgotten:
                    turns = turns.untold()
                return turns.at_rest(until, code, now) if rest_s > 0 else turns

            await self._changed(tell)

    async def resting(self) -> tuple[float, Code]:
        """Seconds until it is awake (0: it is), and why it rests."""
        turns = await self._read()
        return turns.resting(self._clock.now()), turns.rest_code

    async def refusal(self) -> BackendError | None:
        """What `take(0)` would raise now, or None."""
        turns = await self._read()
        _, wait = self._next(turns, now := self._clock.now())
        return turns.refusal(wait, now) if wait else None

    def _next(self, turns: RateSchedule, now: float) -> tuple[float, float]:
        moment = turns.earliest(now, self._of(turns, now))
        return (moment, moment - now) if moment - now > AT_ONCE_S else (now, 0.0)

    def _of(self, turns: RateSchedule, now: float) -> tuple[Window, ...]:
        return turns.known(now) or self._windows

    async def _read(self) -> RateSchedule:
        if self._kept is not None:
            self._seen = RateSchedule.of(await self._kept.get(self._name))
        return self._seen

    async def _changed(self, change: Callable[[RateSchedule], RateSchedule], ends: float = inf) -> None:
        """Apply `change`, again if another process came between. Raises what it raises."""
        if self._kept is None:
            return
        if self._lock is None:
            self._lock = anyio.Lock(fast_acquire=True)
        async with self._lock:
            tries = 0
            while True:
                seconds = max(0.0, ends - self._clock.monotonic()) * WAITING_SHARE
                raw = await self._kept.get(self._name, seconds=seconds)
                self._seen = turns = RateSchedule.of(raw)
                changed = change(turns)
                if changed == turns or await self._kept.compare_and_set(
                    self._name, raw, changed.stored(), KEPT_S, seconds=seconds
                ):
                    self._seen = changed
                    return
                tries += 1
                if tries % MOST_TRIES == 0:
                    self._kept.give_up("changed", "others were always quicker")
