"""How backends are asked: cache, then one after the other or several at once, merged; each guarded, all explained."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ..answers import Answer, Event
from ..errors import BackendError, Code, Failure, InvalidRequest, NoAnswer
from ..interfaces import Clock, SearchBackend, Store
from ..models import Caller, Hit, SearchRequest, Value
from ..settings import ChainSettings
from ..verdicts import Decision
from .breaker import OF_THE_SERVICE, Breaker
from .cache import MISS, ONLY_CACHE, Cache, KeptSearch, key_of
from .emulate import Checked, Limits, checked, pushed_down
from .failures import as_failure, plugin_bug
from .flight import Flight, Trip
from .round import Outcome, Round
from .source import Source

log = logging.getLogger(__name__)

T = TypeVar("T")

JOIN_GRACE_S = 1.0
"""How much longer than the others a joining backend may take."""


class Found(Value):
    """What the backends found."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    """Those that answered, in the order of asking."""
    cached: bool = False
    age: float | None = None
    """Seconds since the backends were asked, when cached."""
    trail: tuple[Decision, ...] = ()
    cost: float | None = None
    """What the backends said that it cost, added up; None: nothing was said, or it came from the cache."""


class Searching:
    """Asks backends in the given order. Safe for any number of searches at once."""

    def __init__(
        self,
        backends: Sequence[SearchBackend],
        settings: ChainSettings,
        clock: Clock,
        store: Store,
        notify: Callable[[Event], None],
        *,
        join_grace_s: float = JOIN_GRACE_S,
    ) -> None:
        """`notify` is told of every call to a backend; it returns at once and never raises."""
        self._backends = tuple(backends)
        self._settings = settings
        self._clock = clock
        self._cache = Cache(store, clock, settings)
        self._flight = Flight[Outcome](clock)
        self._join_grace_s = join_grace_s
        self._sources = {
            backend.name: Source(
                backend.name,
                clock,
                notify,
                timeout_s=settings.backend_timeout_s,
                concurrency=settings.backend_concurrency,
                breaker=Breaker(clock, OF_THE_SERVICE | {Code.BLOCKED_BY_SITE}),
            )
            for backend in self._backends
        }

    def states(self) -> Mapping[str, str]:
        """Backend → `closed`, `open` or `half-open`: how its breaker stands."""
        return {name: source.state for name, source in self._sources.items()}

    async def search(self, request: SearchRequest) -> Found:
        """The answer of the cache or of the backends. It is empty only if no backend that answered had a hit.

        Raises `NoAnswer` when every backend that was asked failed, `InvalidRequest` for a malformed domain rule.
        """
        if not self._backends:
            raise NoAnswer(())
        try:
            limits = Limits(request, self._clock.now())
        except ValueError as error:
            raise InvalidRequest(str(error)) from None
        key = key_of(request, self._asking())
        age = request.max_age_hours
        if age != 0 and (kept := await self._cache.read(key, KeptSearch)) and self._cache.serves(kept, age):
            return _found(kept, age=self._cache.age(kept))
        if age == ONLY_CACHE and not any(_keeps(backend, request) for backend in self._backends):
            raise NoAnswer((Failure("cache", Code.NOT_FOUND, MISS),))

        async def work(trip: Trip[Outcome]) -> Outcome:
            outcome = await self._asked(Round(request, limits, lambda: trip.deadline))
            await self._cache.keep(key, outcome.kept, brief=outcome.brief)
            return outcome

        try:
            outcome = await self._flight.run(f"{key}:{age}", request.caller.deadline, work)
        except BackendError as error:
            raise NoAnswer((as_failure("search", error),)) from None
        return _found(outcome.kept, cost=outcome.cost)

    async def _asked(self, round_: Round) -> Outcome:
        """Ask those who serve the request: the ordinary ones by strategy, the joining ones alongside."""
        serving = [backend for backend in self._backends if self._serves(backend, round_)]
        joining = [backend for backend in serving if _property(backend, "joins", default=False)]
        ordinary = [backend for backend in serving if backend not in joining]
        if not ordinary:
            ordinary, joining = joining, ordinary
        if not joining:
            await self._by_strategy(round_, ordinary)
        else:
            async with asyncio.TaskGroup() as group:
                joined = {group.create_task(self._ask(round_, backend)): backend for backend in joining}
                await self._by_strategy(round_, ordinary)
                grace = self._join_grace_s if round_.has_hits(ordinary) else None
                _, late = await asyncio.wait(joined, timeout=grace)
                for task in late:
                    task.cancel()
                    round_.failed(Failure(joined[task].name, Code.TIMEOUT, "slower than the others"))
        return round_.outcome(self._clock.now(), ordinary, joining)

    async def _by_strategy(self, round_: Round, backends: Sequence[SearchBackend]) -> None:
        """Ask until somebody has hits."""
        if self._settings.strategy == "fuse":
            first = self._first(round_, backends)
            async with asyncio.TaskGroup() as group:
                for backend in first:
                    group.create_task(self._ask(round_, backend))
            if round_.has_hits(first):
                return
            backends = [backend for backend in backends if backend not in first]
        for backend in backends:
            if backend.name not in round_.failures:
                await self._ask(round_, backend)
            if round_.has_hits((backend,)):
                return

    def _first(self, round_: Round, backends: Sequence[SearchBackend]) -> list[SearchBackend]:
        """Those to be asked at once: awake, and no two that sell the same index."""
        first: dict[str, SearchBackend] = {}
        for backend in backends:
            if len(first) == self._settings.fuse:
                break
            lineage = backend.lineage or backend.name
            if lineage in first:
                continue
            if (error := self._sources[backend.name].resting()) is not None:
                round_.failed(as_failure(backend.name, error))
            else:
                first[lineage] = backend
        return list(first.values())

    def _serves(self, backend: SearchBackend, round_: Round) -> bool:
        request = round_.request
        if request.vertical not in backend.verticals:
            detail = f"it does not search {request.vertical}"
            round_.skipped(Failure(backend.name, Code.UNSUPPORTED, detail))
            return False
        if request.max_age_hours == ONLY_CACHE and not _keeps(backend, request):
            round_.skipped(Failure(backend.name, Code.NOT_FOUND, MISS))
            return False
        most = backend.max_query_chars
        if most is not None and len(request.query) > most:
            detail = f"it takes queries of at most {most} characters"
            round_.skipped(Failure(backend.name, Code.INVALID_REQUEST, detail))
            round_.notes.append(f"{backend.name} was not asked: {detail}")
            return False
        return True

    async def _ask(self, round_: Round, backend: SearchBackend) -> None:
        """Ask one; whatever comes of it is in the round. Only cancellation is raised."""

        async def ask(caller: Caller) -> Checked:
            request = pushed_down(round_.request.model_copy(update={"caller": caller}), backend)
            given = await backend.search(request)
            answer = given if isinstance(given, Answer) else Answer(hits=tuple(given))
            return checked(answer, round_.request, backend, round_.limits)

        try:
            answer = await self._sources[backend.name].call(ask, round_.request.caller, round_.deadline())
        except BackendError as error:
            log.warning("backend %s could not answer: %s", backend.name, error.code)
            round_.failed(as_failure(backend.name, error))
        else:
            round_.answered(backend.name, answer)

    def _asking(self) -> list[object]:
        """Who is asked and how, for the cache's key."""
        who = [
            [backend.name, _property(backend, "joins", default=False), _property(backend, "revision", default="")]
            for backend in self._backends
        ]
        return [self._settings.strategy, self._settings.fuse, who]


def _found(kept: KeptSearch, *, cost: float | None = None, age: float | None = None) -> Found:
    """The answer as the chain gets it. Raises `NoAnswer` when the backends failed."""
    if kept.failures:
        raise NoAnswer(kept.failures)
    trail = kept.trail
    if age is not None:
        trail = (Decision(stage="ask", by="cache", outcome="answer"), *trail)
    return Found(
        hits=kept.hits,
        notes=kept.notes,
        backends=kept.backends,
        cached=age is not None,
        age=age,
        trail=trail,
        cost=cost,
    )


def _keeps(backend: SearchBackend, request: SearchRequest) -> bool:
    """Whether the engine has a cache of its own that it can be held to."""
    return "max_age_hours" in backend.verticals.get(request.vertical, frozenset())


def _property(backend: SearchBackend, name: str, default: T) -> T:
    try:
        return getattr(backend, name)
    except Exception as error:  # noqa: BLE001 - a plugin's property may do anything
        plugin_bug(backend.name, error)
        return default
