"""How backends are asked: cache, then one after the other or several at once, merged; each guarded, all explained."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...contract.errors import AllSourcesFailed, BackendError, Code, Failure
from ...contract.interfaces import SearchBackend, Store
from ...contract.models import Caller, SearchRequest
from ...contract.results import Answer
from ...contract.verdicts import Decision
from ..source.answer_cache import ASK_LIVE, MISS, ONLY_CACHE, AnswerCache, CachedSearch, key_of
from ..source.failure_values import as_failure, plugin_bug
from ..source.guarded_source import GuardedSource, Guards, kind_of
from ..source.single_flight import SharedCall, SingleFlight
from .backend_selector import BackendSelector, identity, kept_by
from .constraints import CheckedHits, RequestLimits, checked, pushed_down
from .search_run import SearchRun
from .site_operators import merged, spread
from .stopword_retry import thinned
from .strategy import WHOLE, Strategy

log = logging.getLogger(__name__)

JOIN_GRACE_S = 1.0
"""How much longer than the others a joining backend may take."""
_OF_ALL = frozenset((Code.BLOCKED_BY_SITE, Code.RATE_LIMITED, Code.AUTH, Code.QUOTA, Code.PLAN))
"""What one query meets so, every other would meet, too."""
THIN = 1
"""An answer of this many hits at most is thin."""


class Searcher:
    """Asks backends in the given order. Safe for any number of searches at once."""

    def __init__(
        self,
        backends: Sequence[SearchBackend],
        guards: Guards,
        store: Store,
        *,
        routes: Mapping[str, Sequence[SearchBackend]] | None = None,
        off: Mapping[str, str] | None = None,
        join_grace_s: float = JOIN_GRACE_S,
    ) -> None:
        """`routes`: per vertical, other backends than the usual. `off`: those without their settings → what lacks."""
        self._selector = BackendSelector(backends, routes or {}, off or {})
        self._settings = guards.settings
        self._clock = guards.clock
        self._cache = AnswerCache(store, guards.clock, guards.settings)
        self._flight = SingleFlight[CachedSearch](guards.clock)
        self._join_grace_s = join_grace_s
        self._revisions = {name: guards.revision(backend) for name, backend in self._selector.known.items()}
        self.sources: Mapping[str, GuardedSource] = {
            name: guards.of_backend(backend) for name, backend in self._selector.known.items()
        }
        """Backend → what stands before it."""
        self._strategy = Strategy(guards.settings, self.sources)

    async def search(self, request: SearchRequest) -> CachedSearch:
        """The answer of the cache or of the backends. It is empty only if no backend that answered had a hit.

        Raises `AllSourcesFailed` when every backend that was asked failed, `InvalidRequest` for a named backend that is
        not there. The screen has checked the domain rules.
        """
        chosen = self._selector.chosen(request)
        if not chosen:
            raise AllSourcesFailed(())
        limits = RequestLimits(request, self._clock.now())
        settings = self._settings
        key = key_of(
            request, [settings.strategy, settings.fuse, settings.thin_retry, identity(chosen, self._revisions)]
        )
        age = request.max_age_hours
        if age != 0 and (kept := await self._cache.read(key, CachedSearch)) and self._cache.serves(kept, age):
            trail = (Decision(stage="ask", by="cache", outcome="answer"), *kept.trail)
            return _answer(kept.model_copy(update={"age": self._cache.age(kept), "trail": trail}))
        if age == ONLY_CACHE and not any(kept_by(backend, request) for backend in chosen):
            raise AllSourcesFailed((Failure("cache", Code.NOT_FOUND, MISS, next_step=ASK_LIVE),))

        async def work(call: SharedCall[CachedSearch]) -> CachedSearch:
            found = await self._asked(chosen, SearchRun(request, limits, lambda: call.deadline))
            await self._cache.keep(key, found)
            return found

        try:
            found = await self._flight.run(f"{key}:{age}", request.caller.deadline, work)
        except BackendError as error:
            raise AllSourcesFailed((as_failure("search", error),)) from None
        return _answer(found)

    async def _asked(self, chosen: Sequence[SearchBackend], run: SearchRun) -> CachedSearch:
        """Ask those who serve the request: the ordinary ones by strategy, the joining ones alongside."""

        async def ask(backend: SearchBackend, share: float) -> None:
            await self._ask(run, backend, share)

        ordinary, joining = self._selector.serving(chosen, run)
        if not joining:
            await self._strategy.run(run, ordinary, ask)
        else:
            async with asyncio.TaskGroup() as group:
                beside = replace(run, request=run.request.model_copy(update={"joining": True}))
                joined = {group.create_task(self._ask(beside, backend)): backend for backend in joining}
                await self._strategy.run(run, ordinary, ask)
                grace = self._join_grace_s if run.has_hits(ordinary) else None
                _, late = await asyncio.wait(joined, timeout=grace)
                for task in late:
                    task.cancel()
                    run.failed(Failure(joined[task].name, Code.TIMEOUT, "slower than the others"))
        if self._settings.thin_retry:
            await self._ask_thinner(run, ordinary)
        return run.outcome(self._clock.now(), ordinary, joining)

    async def _ask_thinner(self, run: SearchRun, ordinary: Sequence[SearchBackend]) -> None:
        """Once more without small words, the backend that answered best, when hardly anything was found."""
        query = thinned(run.request.query)
        answered = [backend for backend in ordinary if backend.name in run.answers]
        if not query or not answered or run.found() >= min(THIN + 1, run.request.max_results):
            return
        best = max(answered, key=lambda backend: len(run.answers[backend.name].hits))
        request = run.request.model_copy(update={"query": query})
        again = replace(run, request=request, answers={}, failures={}, notes=[])
        await self._ask(again, best)
        run.thinned(best.name, again.answers.get(best.name))

    async def _ask(self, run: SearchRun, backend: SearchBackend, share: float = WHOLE) -> None:
        """Ask one, for this share of the time; whatever comes of it is in the run. Only cancellation is raised."""
        deadline = run.deadline()
        if deadline is not None:
            now = self._clock.monotonic()
            deadline = now + (deadline - now) * share
        try:
            wanted = spread(run.request, backend)
            requests = [pushed_down(each, backend, wanted.fields) for each in wanted.requests]
            units = max(map(backend.units_for, requests))
        except Exception as error:  # noqa: BLE001 - a plugin's declarations may be anything
            run.failed(as_failure(backend.name, plugin_bug(backend.name, error)))
            return

        async def ask(caller: Caller) -> CheckedHits:
            given = [request.model_copy(update={"caller": caller}) for request in requests]
            answer = await (_several(backend, given) if len(given) > 1 else _one(backend, given[0]))
            if wanted.notes:
                answer = answer.model_copy(update={"notes": (*wanted.notes, *answer.notes)})
            return checked(answer, run.request, backend, run.limits)

        try:
            kind, queries = kind_of(run.request), len(requests)
            answer = await self.sources[backend.name].call(
                ask, run.request.caller, deadline, kind, queries=queries, units=units
            )
        except BackendError as error:
            log.warning("backend %s %s: %s", backend.name, "rests" if error.resting else "could not answer", error.code)
            run.failed(as_failure(backend.name, error))
        else:
            run.answered(backend.name, answer)


async def _one(backend: SearchBackend, request: SearchRequest) -> Answer:
    given = await backend.search(request)
    return given if isinstance(given, Answer) else Answer(hits=tuple(given))


async def _several(backend: SearchBackend, requests: Sequence[SearchRequest]) -> Answer:
    """The answers to parts of one request, as one; some may fail, all may not."""
    given = await asyncio.gather(*(_caught(backend, request) for request in requests))
    answers = [one for one in given if isinstance(one, Answer)]
    errors = [one for one in given if isinstance(one, BackendError)]
    if not errors:
        return merged(answers)
    told = min(errors, key=lambda error: (error.unsent, error.code not in _OF_ALL))
    if not answers:
        raise told
    whole = merged(answers)
    note = f"{backend.name}: {len(errors)} of its {len(requests)} queries failed ({told.code})"
    trouble, retry_after = (None, None) if told.unsent else (told.code, told.retry_after)
    return whole.model_copy(update={"notes": (*whole.notes, note), "trouble": trouble, "retry_after": retry_after})


async def _caught(backend: SearchBackend, request: SearchRequest) -> Answer | BackendError:
    try:
        return await _one(backend, request)
    except BackendError as error:
        return error
    except Exception as error:  # noqa: BLE001 - one part's bug is told as one, and without what it says
        return plugin_bug(backend.name, error)


def _answer(found: CachedSearch) -> CachedSearch:
    """Raises `AllSourcesFailed` when the backends failed."""
    if found.failures:
        raise AllSourcesFailed(found.failures)
    return found
