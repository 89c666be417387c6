"""A store as one of its users sees it: it is given time, left alone after a failure, and a failure has one meaning."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from math import inf
from typing import Literal, TypeVar

import anyio

from ..contract.errors import WebsearchError, cause
from ..contract.interfaces import Clock, Store

log = logging.getLogger(__name__)

T = TypeVar("T")

OnFailure = Literal["skip", "memory", "hold"]

MOST_REMEMBERED = 1000
"""Values that `memory` goes on with; of more, those that were seen last."""
FAIR_CHANCE_S = 1.0
"""A store that had less time than this, as a request was in a hurry, has proved nothing when it did not answer."""


class StoreUnavailable(WebsearchError):  # noqa: N818 - it says what is the matter
    """The store failed, did not answer in time, or is left alone after that."""


class ResilientStore(Store):
    """A store for one use, which says what a failure means there.

    `skip`: there is nothing, and nothing is kept. `memory`: as `skip`, but what `get` and `compare_and_set` saw goes on
    in this process. `hold`: `StoreUnavailable` is raised.
    A failure is logged by its type, once until the same operation works again.
    """

    name: str = "resilient"

    def __init__(
        self,
        store: Store | Callable[[], Store],
        clock: Clock,
        on_failure: OnFailure,
        meaning: str,
        *,
        patience_s: float = inf,
        again_s: float = 0.0,
    ) -> None:
        """A function as `store` is called at each use: for stores that are chosen later.

        `meaning` is for the log: what does not work meanwhile. After `patience_s` the store has failed; a store that
        has failed is asked again after `again_s`.
        """
        self._store: Callable[[], Store] = (lambda: store) if isinstance(store, Store) else store
        self._clock = clock
        self._on_failure = on_failure
        self._meaning = meaning
        self._patience_s = patience_s
        self._again_s = again_s
        self._resting_until = -inf
        self._why = ""
        self._logged: dict[str, str] = {}
        self._here: dict[str, bytes | None] = {}

    @property
    def resting(self) -> bool:
        """Whether it has failed lately and is left alone."""
        return self._clock.monotonic() < self._resting_until

    def give_up(self, verb: str, why: str) -> StoreUnavailable:
        """It has failed: log that, and leave it alone for a while."""
        if self._logged.get(verb) != why:
            self._logged[verb] = why
            log.warning("the store could not be %s (%s): %s", verb, why, self._meaning)
        self._resting_until = self._clock.monotonic() + self._again_s
        self._why = why
        return StoreUnavailable(why)

    async def get(self, key: str, *, seconds: float = inf) -> bytes | None:
        """The value, or None. `seconds` is the most time that the store gets."""
        value = await self._ask("read", lambda store: store.get(key), self._here.get(key), seconds)
        self._remember(key, value)
        return value

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Set; `ttl` in seconds, None: until evicted."""
        await self._ask("written", lambda store: store.set(key, value, ttl), None)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter that starts at 0 and return it; 0 where a failure is skipped."""
        return await self._ask("changed", lambda store: store.incr(key, amount, ttl), 0)

    async def compare_and_set(
        self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None, *, seconds: float = inf
    ) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it."""
        here = self._on_failure == "memory" and self._here.get(key) == expected
        done = await self._ask("changed", lambda store: store.compare_and_set(key, expected, value, ttl), here, seconds)
        if done:
            self._remember(key, value)
        return done

    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""
        await self._ask("cleared", lambda store: store.delete(key), None)

    def _remember(self, key: str, value: bytes | None) -> None:
        if self._on_failure == "memory":
            self._here.pop(key, None)
            self._here[key] = value
            if len(self._here) > MOST_REMEMBERED:
                del self._here[next(iter(self._here))]

    def _worked(self, verb: str, answer: T) -> T:
        self._logged.pop(verb, None)
        return answer

    async def _ask(self, verb: str, ask: Callable[[Store], Awaitable[T]], instead: T, seconds: float = inf) -> T:
        """The store's answer; when it has failed, `instead`, or `StoreUnavailable` where that is held."""
        if not self.resting:
            seconds, timeout = min(seconds, self._patience_s), TimeoutError.__name__
            try:
                store = self._store()
                if not store.waits or seconds == inf:
                    return self._worked(verb, await ask(store))
                with anyio.move_on_after(seconds):
                    return self._worked(verb, await ask(store))
                is_proof = seconds >= min(FAIR_CHANCE_S, self._patience_s)
                failure = self.give_up(verb, timeout) if is_proof else StoreUnavailable(timeout)
            except Exception as error:  # noqa: BLE001 - a store is a plugin, which may raise anything
                failure = self.give_up(verb, cause(error))
        else:
            failure = StoreUnavailable(self._why)
        if self._on_failure == "hold":
            raise failure
        return instead
