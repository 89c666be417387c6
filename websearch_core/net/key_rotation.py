"""The keys of one engine client: which of them the next request takes, and how long each rests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from pydantic import SecretStr

from ..contract.errors import AuthFailed, BackendError, Code, QuotaExceeded, RateLimited, StartupError, TimedOut
from ..contract.interfaces import Clock, Store
from .cooldown_rules import LONE_KEY, ONE_OF_SEVERAL_KEYS
from .http_errors import clock_of
from .rate_limiter import WAITING_SHARE, RateLimiter, shared_schedules
from .rate_schedule import Window

OF_THE_KEY = (AuthFailed, QuotaExceeded, RateLimited)
"""Troubles of one key, which another key may not have. No engine bills these answers."""


class AcquiredKey(NamedTuple):
    """One request's permission to go out, and the key that it carries."""

    position: int
    """Of the key, from 0."""
    key: SecretStr | None
    moment: float
    """On `Clock.now`."""


class RestingKey(NamedTuple):
    """A key that is not used now. It is named by its position alone."""

    position: int
    """From 1, in the order of the operator's setting."""
    code: Code
    seconds: float


class EngineState(NamedTuple):
    """What `websearch check` and `/health/ready` may show of one engine client."""

    origin: str
    keys: int
    """0: it is asked without keys."""
    resting: tuple[RestingKey, ...]
    """Without keys it rests as a whole, as number 1."""
    free_in_s: float
    """Until the next request may go out; 0: at once."""


class KeyRotation:
    """Each request takes the next key. One that is refused, used up or told to wait rests, for all processes."""

    def __init__(
        self,
        owner: str,
        origin: str,
        keys: tuple[SecretStr, ...],
        pace: tuple[int, float] | None,
        store: Callable[[], Store] | None,
        clock: Clock,
    ) -> None:
        """Clients of one owner, one origin and one pace share the schedule of each key.

        Behind one origin, a gateway's, several engines may stand, each with its own plugin and its own limits.
        Without `store` nothing is paced and no key rests. Raises StartupError.
        """
        self._origin = origin
        self._keys: tuple[SecretStr | None, ...] = keys or (None,)
        self._next = 0
        self._clock = clock
        windows, suffix = _declared(pace)
        kept = store and shared_schedules(store, clock, "the pace of engines is kept in this process alone")
        names = [f"{owner}:{origin}:{_fingerprint(key)}{suffix}" for key in self._keys]
        self._limiters = [RateLimiter(name, clock, kept, windows) for name in names]

    @property
    def size(self) -> int:
        """How many may be tried: 1 without keys."""
        return len(self._keys)

    async def acquire(self, ends: float, failed: Mapping[int, BackendError] = MappingProxyType({})) -> AcquiredKey:
        """Wait for a key that is not among those that `failed` the request, by position.

        One that is free at once goes before one that is not. `ends` is the request's end. Raises when no key is free
        within the share of the time that may be waited: the error of the key that will be free first, but that keys
        were refused only where all were.
        """
        left = ends - self._clock.monotonic()
        if left <= 0 and len(failed) < self.size:
            raise TimedOut("no time was left to try another key" if failed else "no time was left for the request")
        order = [(self._next + step) % self.size for step in range(self.size)]
        order = [position for position in order if position not in failed]
        errors: dict[int, BackendError] = {}
        for budget_s in (0.0, left * WAITING_SHARE):
            for position in order:
                try:
                    moment = await self._limiters[position].reserve(budget_s, ends)
                except BackendError as error:
                    errors[position] = error
                    continue
                self._next = (position + 1) % self.size
                moment = await self._limiters[position].wait(moment, ends)
                return AcquiredKey(position, self._keys[position], moment)
            order = sorted(errors, key=lambda position: _wait(errors[position]))[:1]
        raise min([*failed.values(), *errors.values()], key=lambda error: (error.code is Code.AUTH, _wait(error)))

    async def learn(self, acquired: AcquiredKey, headers: Mapping[str, str], error: BackendError | None) -> None:
        """Learn from the answer's headers and its error, which gets the time to come back where it has none."""
        from .ratelimit_headers import heard

        said = heard(headers, clock_of(headers, self._clock.now()))
        rest_s, code = said.spent_s, said.spent
        if isinstance(error, RateLimited | QuotaExceeded):
            if error.retry_after is None:
                error.retry_after = said.reset_s
            rules = LONE_KEY if self.size == 1 else ONE_OF_SEVERAL_KEYS
            if rule := rules.get(error.code):
                rest_s, code = rule.seconds(error.retry_after), error.code
            if self.size > 1:
                error.retry_after = rest_s
        await self._limiters[acquired.position].told(acquired.moment, said.windows, rest_s, code)

    async def refused(self, keys: Collection[AcquiredKey]) -> None:
        """The engine refused these keys and took another for the same request: so it is the keys that are at fault.

        Where it takes none, it may be the request or our address: then no key rests, and the breaker sees to it.
        """
        for acquired in keys:
            seconds = ONE_OF_SEVERAL_KEYS[Code.AUTH].seconds(None)
            await self._limiters[acquired.position].told(acquired.moment, (), seconds, Code.AUTH)

    async def state(self) -> EngineState:
        """As it is now, for people."""
        states = [await limiter.state() for limiter in self._limiters]
        resting = [RestingKey(number, code, rest_s) for number, (rest_s, code, _) in enumerate(states, 1) if rest_s]
        keys = sum(key is not None for key in self._keys)
        return EngineState(self._origin, keys, tuple(resting), min(free_in_s for *_, free_in_s in states))


def _wait(error: BackendError) -> float:
    return error.retry_after or 0.0


def _declared(pace: tuple[int, float] | None) -> tuple[tuple[Window, ...], str]:
    """The limit that the plugin declares, and what keeps the schedules of clients with different limits apart."""
    if pace is None:
        return (), ""
    requests, seconds = pace
    if requests < 1 or not 0 < seconds < float("inf"):
        raise StartupError("a client's pace must be (requests, seconds), at least one request in some time")
    return (Window(requests, seconds).counted(),), f":{requests}/{seconds:g}"


def _fingerprint(key: SecretStr | None) -> str:
    """Tells keys apart without telling them; a cut of the hash, so that nothing can be checked against it for sure."""
    return "" if key is None else sha256(key.get_secret_value().encode()).hexdigest()[:16]
