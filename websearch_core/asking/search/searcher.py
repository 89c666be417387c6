"""How backends are asked: cache, then one after the other or several at once, merged; each guarded, all explained."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...contract.errors import AllSourcesFailed, BackendError, Code, Failure, InvalidRequest
from ...contract.fields import Value
from ...contract.interfaces import Clock, SearchBackend, Store
from ...contract.models import Caller, Hit, SearchRequest
from ...contract.results import Answer, Event
from ...contract.verdicts import Decision
from ...settings.configuration import ChainSettings
from ..source.answer_cache import ASK_LIVE, MISS, ONLY_CACHE, AnswerCache, CachedSearch, key_of
from ..source.failure_values import as_failure, plugin_bug
from ..source.guarded_source import GuardedSource, Guards, kind_of
from ..source.single_flight import SharedCall, SingleFlight
from .backend_selector import BackendSelector, identity, kept_by
from .constraints import CheckedHits, RequestLimits, checked, pushed_down
from .search_run import Outcome, SearchRun
from .site_operators import merged, spread
from .stopword_retry import thinned
from .strategy import WHOLE, Strategy

log = logging.getLogger(__name__)

JOIN_GRACE_S = 1.0
"""How much longer than the others a joining backend may take."""
HOPELESS = frozenset((Code.BLOCKED_BY_SITE, Code.RATE_LIMITED, Code.AUTH, Code.QUOTA, Code.PLAN))
"""What one part of a request meets, the others will meet, too: they are not asked on."""
THIN = 1
"""An answer of at most so many hits is thin."""


class SearchOutcome(Value):
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


class Searcher:
    """Asks backends in the given order. Safe for any number of searches at once."""

    def __init__(
        self,
        backends: Sequence[SearchBackend],
        settings: ChainSettings,
        clock: Clock,
        store: Store,
        notify: Callable[[Event], None],
        *,
        routes: Mapping[str, Sequence[SearchBackend]] | None = None,
        off: Mapping[str, str] | None = None,
        guards: Guards | None = None,
        join_grace_s: float = JOIN_GRACE_S,
    ) -> None:
        """`routes`: per vertical, other backends than the usual. `off`: those without their settings → what lacks.

        `notify` is told of every call to a backend; it returns at once and never raises.
        """
        self._panel = BackendSelector(backends, routes or {}, off or {})
        self._settings = settings
        self._clock = clock
        self._cache = AnswerCache(store, clock, settings)
        self._flight = SingleFlight[Outcome](clock)
        self._join_grace_s = join_grace_s
        guards = guards or Guards(settings, clock, notify)
        self._revisions = {name: guards.revision(backend) for name, backend in self._panel.everybody.items()}
        self.sources: Mapping[str, GuardedSource] = {
            name: guards.of_backend(backend) for name, backend in self._panel.everybody.items()
        }
        """Backend → what stands before it."""
        self._strategy = Strategy(settings, self.sources)

    async def search(self, request: SearchRequest) -> SearchOutcome:
        """The answer of the cache or of the backends. It is empty only if no backend that answered had a hit.

        Raises `AllSourcesFailed` when every backend that was asked failed, `InvalidRequest` for a malformed domain rule
        and for a named backend that is not there.
        """
        chosen = self._panel.chosen(request)
        if not chosen:
            raise AllSourcesFailed(())
        try:
            limits = RequestLimits(request, self._clock.now())
        except ValueError as error:
            raise InvalidRequest(str(error)) from None
        settings = self._settings
        key = key_of(
            request, [settings.strategy, settings.fuse, settings.thin_retry, identity(chosen, self._revisions)]
        )
        age = request.max_age_hours
        if age != 0 and (kept := await self._cache.read(key, CachedSearch)) and self._cache.serves(kept, age):
            return _found(kept, age=self._cache.age(kept))
        if age == ONLY_CACHE and not any(kept_by(backend, request) for backend in chosen):
            raise AllSourcesFailed((Failure("cache", Code.NOT_FOUND, MISS, next_step=ASK_LIVE),))

        async def work(trip: SharedCall[Outcome]) -> Outcome:
            outcome = await self._asked(chosen, SearchRun(request, limits, lambda: trip.deadline))
            await self._cache.keep(key, outcome.kept, brief=outcome.brief)
            return outcome

        try:
            outcome = await self._flight.run(f"{key}:{age}", request.caller.deadline, work)
        except BackendError as error:
            raise AllSourcesFailed((as_failure("search", error),)) from None
        return _found(outcome.kept, cost=outcome.cost)

    async def _asked(self, chosen: Sequence[SearchBackend], round_: SearchRun) -> Outcome:
        """Ask those who serve the request: the ordinary ones by strategy, the joining ones alongside."""

        async def ask(backend: SearchBackend, share: float) -> None:
            await self._ask(round_, backend, share)

        ordinary, joining = self._panel.serving(chosen, round_)
        if not joining:
            await self._strategy.run(round_, ordinary, ask)
        else:
            async with asyncio.TaskGroup() as group:
                beside = replace(round_, request=round_.request.model_copy(update={"joining": True}))
                joined = {group.create_task(self._ask(beside, backend)): backend for backend in joining}
                await self._strategy.run(round_, ordinary, ask)
                grace = self._join_grace_s if round_.has_hits(ordinary) else None
                _, late = await asyncio.wait(joined, timeout=grace)
                for task in late:
                    task.cancel()
                    round_.failed(Failure(joined[task].name, Code.TIMEOUT, "slower than the others"))
        if self._settings.thin_retry:
            await self._ask_thinner(round_, ordinary)
        return round_.outcome(self._clock.now(), ordinary, joining)

    async def _ask_thinner(self, round_: SearchRun, ordinary: Sequence[SearchBackend]) -> None:
        """Once more without small words, the backend that answered best, when hardly anything was found."""
        query = thinned(round_.request.query)
        answered = [backend for backend in ordinary if backend.name in round_.answers]
        if not query or not answered or round_.found() >= min(THIN + 1, round_.request.max_results):
            return
        best = max(answered, key=lambda backend: len(round_.answers[backend.name].hits))
        request = round_.request.model_copy(update={"query": query})
        again = replace(round_, request=request, answers={}, failures={}, notes=[])
        await self._ask(again, best)
        round_.thinned(best.name, again.answers.get(best.name))

    async def _ask(self, round_: SearchRun, backend: SearchBackend, share: float = WHOLE) -> None:
        """Ask one, for this share of the time; whatever comes of it is in the round. Only cancellation is raised."""
        deadline = round_.deadline()
        if deadline is not None:
            now = self._clock.monotonic()
            deadline = now + (deadline - now) * share
        try:
            wanted = spread(round_.request, backend)
            requests = [pushed_down(each, backend, wanted.fields) for each in wanted.requests]
            units = max(map(backend.units_for, requests))
        except Exception as error:  # noqa: BLE001 - a plugin's declarations may be anything
            round_.failed(as_failure(backend.name, plugin_bug(backend.name, error)))
            return

        async def ask(caller: Caller) -> CheckedHits:
            given = [request.model_copy(update={"caller": caller}) for request in requests]
            answer = await (_several(backend, given) if len(given) > 1 else _one(backend, given[0]))
            answer = answer.model_copy(update={"notes": (*wanted.notes, *answer.notes)})
            return checked(answer, round_.request, backend, round_.limits)

        try:
            kind, queries = kind_of(round_.request), len(requests)
            answer = await self.sources[backend.name].call(
                ask, round_.request.caller, deadline, kind, queries=queries, units=units
            )
        except BackendError as error:
            log.warning("backend %s %s: %s", backend.name, "rests" if error.resting else "could not answer", error.code)
            round_.failed(as_failure(backend.name, error))
        else:
            round_.answered(backend.name, answer)


async def _one(backend: SearchBackend, request: SearchRequest) -> Answer:
    given = await backend.search(request)
    return given if isinstance(given, Answer) else Answer(hits=tuple(given))


async def _several(backend: SearchBackend, requests: Sequence[SearchRequest]) -> Answer:
    """The answers to parts of one request, as one; some may fail, all may not.

    When one part shows that the source will not answer the others either, these are not waited for.
    """
    parts = [asyncio.create_task(_caught(backend, request)) for request in requests]
    waiting = set(parts)
    try:
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if any(_tells(part.result()) == 0 for part in done):
                break
    finally:
        for part in waiting:
            part.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    given = [part.result() for part in parts if not part.cancelled()]
    answers = [one for one in given if isinstance(one, Answer)]
    errors = sorted((one for one in given if isinstance(one, BackendError)), key=_tells)
    if not answers:
        raise errors[0]
    whole = merged(answers)
    if not errors:
        return whole
    told = errors[0]
    note = f"{backend.name}: {len(parts) - len(answers)} of its {len(parts)} queries failed ({told.code})"
    trouble = None if told.unsent else told.code
    return whole.model_copy(update={"notes": (*whole.notes, note), "trouble": trouble})


def _tells(given: Answer | BackendError) -> int:
    """How much it says about the source: 0 what the other parts will meet, too; 2 what was never sent."""
    if isinstance(given, Answer):
        return 1
    return 2 if given.unsent else 0 if given.code in HOPELESS else 1


async def _caught(backend: SearchBackend, request: SearchRequest) -> Answer | BackendError:
    try:
        return await _one(backend, request)
    except BackendError as error:
        return error
    except Exception as error:  # noqa: BLE001 - one part's bug is told as one, and without what it says
        return plugin_bug(backend.name, error)


def _found(kept: CachedSearch, *, cost: float | None = None, age: float | None = None) -> SearchOutcome:
    """The answer as the chain gets it. Raises `AllSourcesFailed` when the backends failed."""
    if kept.failures:
        raise AllSourcesFailed(kept.failures)
    trail = kept.trail
    if age is not None:
        trail = (Decision(stage="ask", by="cache", outcome="answer"), *trail)
    return SearchOutcome(
        hits=kept.hits,
        notes=kept.notes,
        backends=kept.backends,
        cached=age is not None,
        age=age,
        trail=trail,
        cost=cost,
    )
