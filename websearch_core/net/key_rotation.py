"""The keys of one door: which of them the next request takes, and how long each rests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

import anyio
from pydantic import SecretStr

from ..contract.errors import AuthFailed, BackendError, Code, QuotaExceeded, RateLimited, StartupError, TimedOut
from ..contract.interfaces import Clock, Store
from .cooldown_rules import LONE_KEY, ONE_OF_SEVERAL_KEYS
from .http_errors import clock_of
from .rate_limiter import RateLimiter, shared_turns
from .rate_schedule import AT_ONCE_S, WAITING_SHARE, Window

MOST_LATE = 5
"""A request that is so often late for its turn (a slow store, a busy machine) goes all the same."""

GIVING_BACK_S = 0.5
"""Whoever is cancelled waits at most so long for the store to take the turn back; else the turn is lost."""

OF_THE_KEY = (AuthFailed, QuotaExceeded, RateLimited)
"""Troubles of one key, which another key may not have. No engine bills these answers."""


class KeyTurn(NamedTuple):
    """One request's permission to go out."""

    position: int
    """Of the key, from 0."""
    key: SecretStr | None
    moment: float
    """On `Clock.now`."""
    wait: float
    """Seconds until then."""


class RestingKey(NamedTuple):
    """A key that is not used now. It is named by its position alone."""

    position: int
    """From 1, in the order of the operator's setting."""
    code: Code
    seconds: float


class EngineState(NamedTuple):
    """What `websearch check` and `/health/ready` may show of one door."""

    origin: str
    keys: int
    """0: it is asked without keys."""
    resting: tuple[RestingKey, ...]
    """Without keys it rests as a whole, as number 1."""
    free_in_s: float
    """Until the next request may go out; 0: at once."""


class KeyRotation:
    """Keys in turn. One that was refused, is used up or was told to wait rests, for all processes."""

    def __init__(
        self,
        owner: str,
        origin: str,
        keys: tuple[SecretStr, ...],
        pace: tuple[int, float] | None,
        store: Callable[[], Store] | None,
        clock: Clock,
    ) -> None:
        """Pools of one owner for one origin, and one pace, share the turns of each key.

        Behind one origin, a gateway's, several engines may stand, each with its own plugin and its own limits.
        Without `store` nothing is paced and nobody rests: keys are only used in turn. Raises StartupError.
        """
        self._origin = origin
        self._keys: tuple[SecretStr | None, ...] = keys or (None,)
        self._next = 0
        windows, suffix = _declared(pace)
        kept = None if store is None else shared_turns(store, clock)
        names = [f"{owner}:{origin}:{_fingerprint(key)}{suffix}" for key in self._keys]
        self._pacers = [RateLimiter(name, clock, kept, windows) for name in names]
        self._clock = clock

    @property
    def size(self) -> int:
        """How many may be tried: 1 without keys."""
        return len(self._keys)

    async def turn(self, ends: float, without: Collection[int] = ()) -> KeyTurn:
        """Wait for the next key's turn. `ends` is the request's end, `without` the positions that it has tried.

        A key that is free at once goes before one that is not. Raises `RateBudgetExceeded`, or why all rest, when no
        turn comes within the share of the time that may be waited.
        """
        turn = await self._take(ends, without)
        pacer = self._pacers[turn.position]
        moment, wait = turn.moment, turn.wait
        try:
            late = 0
            while True:
                if wait > AT_ONCE_S:
                    await self._clock.sleep(wait)
                elif pacer.is_late(moment) and late < MOST_LATE:
                    late += 1
                else:
                    break
                # while we waited it may have been sent to rest, or others may have been late
                moment = await pacer.confirm(moment, self._patience(ends), ends)
                wait = moment - self._clock.now()
        except BaseException:
            with anyio.move_on_after(GIVING_BACK_S, shield=True):
                await pacer.give_back(moment)
            raise
        return turn._replace(moment=moment)

    async def another(self, ends: float, tried: Collection[int]) -> KeyTurn | None:
        """A turn of a key that the request has not tried; None: there is none in time."""
        if len(tried) == self.size:
            return None
        try:
            return await self.turn(ends, tried)
        except BackendError:
            return None

    async def learn(self, turn: KeyTurn, headers: Mapping[str, str], error: BackendError | None) -> None:
        """What came of this turn: the answer's headers, and its error, which is told when to come back."""
        from .ratelimit_headers import heard

        said = heard(headers, clock_of(headers, self._clock.now()))
        if isinstance(error, RateLimited | QuotaExceeded) and error.retry_after is None:
            error.retry_after = said.reset_s
        rest_s, code = said.spent_s, said.spent
        rules = LONE_KEY if self.size == 1 else ONE_OF_SEVERAL_KEYS
        if isinstance(error, RateLimited | QuotaExceeded) and error.code in rules:
            rest_s, code = rules[error.code].seconds(error.retry_after), error.code
        await self._pacers[turn.position].told(turn.moment, said.windows, rest_s, code)

    async def refused(self, turns: Collection[KeyTurn]) -> None:
        """The engine refused these keys and took another for the same request: so it is the keys that are at fault.

        Where it takes none, it may be the request or our address: then no key rests, and the breaker sees to it.
        """
        for turn in turns:
            seconds = ONE_OF_SEVERAL_KEYS[Code.AUTH].seconds(None)
            await self._pacers[turn.position].told(turn.moment, (), seconds, Code.AUTH)

    async def first_free(self, error: BackendError, refused: Collection[KeyTurn]) -> BackendError:
        """`error` of the key tried last, with the time until a key is free, or why the key rests that is free first.

        `AuthFailed`, for which an engine is not asked again, only where each key rests for that or is among `refused`.
        """
        at_fault = {turn.position for turn in refused}
        rests = [await pacer.refusal() for position, pacer in enumerate(self._pacers) if position not in at_fault]
        known = [rest for rest in rests if rest is not None]
        if len(known) < len(rests):
            is_auth = error.code is Code.AUTH
            return TimedOut("a key was refused, and there was no time to try another") if is_auth else error
        if not known or (soonest := _telling(known)).code is Code.AUTH:
            return error
        if soonest.code is not error.code:
            return soonest
        error.retry_after = soonest.retry_after
        return error

    async def state(self) -> EngineState:
        """As it is now, for people."""
        rests = [(number, *await pacer.resting()) for number, pacer in enumerate(self._pacers, 1)]
        refusals = [await pacer.refusal() for pacer in self._pacers]
        return EngineState(
            self._origin,
            sum(key is not None for key in self._keys),
            tuple(RestingKey(number, code, seconds) for number, seconds, code in rests if seconds),
            min(_wait(refusal) if refusal else 0.0 for refusal in refusals),
        )

    def _patience(self, ends: float) -> float:
        """How long a request that ends then may wait for its turn."""
        left = ends - self._clock.monotonic()
        if left <= 0:
            raise TimedOut("the engine did not answer within the time limit")
        return left * WAITING_SHARE

    async def _take(self, ends: float, without: Collection[int]) -> KeyTurn:
        budget_s = self._patience(ends)
        several = self.size - len(without) > 1
        errors: dict[int, BackendError] = {}
        for step in range(self.size):
            position = (self._next + step) % self.size
            if position in without:
                continue
            try:
                return await self._taken(position, 0.0 if several else budget_s, ends)
            except BackendError as error:
                errors[position] = error
        if not errors:
            raise ValueError("no key remains")
        first = min(errors, key=lambda position: _wait(errors[position]))
        if several and _wait(errors[first]) <= budget_s:
            return await self._taken(first, budget_s, ends)
        raise _telling(errors.values())

    async def _taken(self, position: int, budget_s: float, ends: float) -> KeyTurn:
        moment, wait = await self._pacers[position].take(budget_s, ends)
        self._next = (position + 1) % self.size
        return KeyTurn(position, self._keys[position], moment, wait)


def _telling(errors: Iterable[BackendError]) -> BackendError:
    """Why no key is free: of the first that only has to wait; that keys were refused, only where all were."""
    return min(errors, key=lambda error: (error.code is Code.AUTH, _wait(error)))


def _wait(error: BackendError) -> float:
    return 0.0 if error.retry_after is None else error.retry_after


def _declared(pace: tuple[int, float] | None) -> tuple[tuple[Window, ...], str]:
    """The plugin's word on the limit. Doors whose words differ have limits of their own: their turns are kept apart."""
    if pace is None:
        return (), ""
    requests, seconds = pace
    if requests < 1 or not 0 < seconds < float("inf"):
        raise StartupError("a door's pace must be (requests, seconds), at least one request in some time")
    return (Window(requests, seconds).counted(),), f":{requests}/{seconds:g}"


def _fingerprint(key: SecretStr | None) -> str:
    """Tells keys apart without telling them; a cut of the hash, so that nothing can be checked against it for sure."""
    return "" if key is None else sha256(key.get_secret_value().encode()).hexdigest()[:16]
