"""In what order backends are asked, and how many at once: until one has hits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from ...contract.interfaces import SearchBackend
from ...settings.configuration import ChainSettings
from ..source.failure_values import as_failure
from ..source.guarded_source import GuardedSource, kind_of
from .search_run import SearchRun

Ask = Callable[[SearchBackend, float], Coroutine[Any, Any, None]]
"""Ask one, for at most this share of the time that is left; whatever comes of it is in the run. Only cancellation
is raised."""

WHOLE = 1.0
WHILE_ANOTHER_WAITS = 0.5
"""One that hangs must leave the next one time to answer."""


LEAST_PATIENCE_S = 0.05
"""A second backend is never asked sooner than this: however quick the first usually is, it may stumble."""


class Strategy:
    """`[chain] strategy`, `fuse` and `hedge`."""

    def __init__(self, settings: ChainSettings, sources: Mapping[str, GuardedSource]) -> None:
        self._settings = settings
        self._sources = sources

    async def run(self, run: SearchRun, backends: Sequence[SearchBackend], ask: Ask) -> None:
        """Ask until a backend has hits, or none is left."""
        if self._settings.strategy == "fuse":
            first = await self._first(run, backends)
            share = WHILE_ANOTHER_WAITS if len(first) < len(backends) else WHOLE
            async with asyncio.TaskGroup() as group:
                for backend in first:
                    group.create_task(ask(backend, share))
            if run.has_hits(first):
                return
            backends = [backend for backend in backends if backend not in first]
        waiting = [backend for backend in backends if backend.name not in run.failures]
        while waiting:
            asked = await self._next(run, waiting, ask)
            if run.has_hits(asked):
                return
            waiting = [backend for backend in waiting if backend not in asked]

    async def _first(self, run: SearchRun, backends: Sequence[SearchBackend]) -> list[SearchBackend]:
        """Those to be asked at once: awake, and no two that sell the same index."""
        first: dict[str, SearchBackend] = {}
        for backend in backends:
            if len(first) == self._settings.fuse:
                break
            owner = backend.index_owner or backend.name
            if owner in first:
                continue
            source = self._sources[backend.name]
            await source.refresh()
            if (error := source.resting(kind_of(run.request))) is not None:
                run.failed(as_failure(backend.name, error))
            else:
                first[owner] = backend
        return list(first.values())

    async def _next(self, run: SearchRun, waiting: Sequence[SearchBackend], ask: Ask) -> Sequence[SearchBackend]:
        """Ask the first, and the second, too, when the first is slower than usual; those that were asked."""
        first, *others = waiting
        patience = self._sources[first.name].p95() if self._settings.hedge else None
        kind = kind_of(run.request)
        second = next((other for other in others if self._sources[other.name].resting(kind) is None), None)
        if patience is None or second is None:
            await ask(first, WHOLE if second is None else WHILE_ANOTHER_WAITS)
            return (first,)
        share = WHILE_ANOTHER_WAITS if len(others) > 1 else WHOLE
        running = {asyncio.create_task(ask(first, share))}
        try:
            done, _ = await asyncio.wait(running, timeout=max(patience, LEAST_PATIENCE_S))
            if done:
                return (first,)
            run.notes.append(f"{first.name} was slower than usual, so {second.name} was asked, too")
            running.add(asyncio.create_task(ask(second, share)))
            while running and not run.has_hits((first, second)):
                _, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        return (first, second)
