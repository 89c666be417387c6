"""Tells observers what happened, after the fact and out of the way: they can change and delay nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..contract.interfaces import Observer
    from ..contract.results import Event

log = logging.getLogger(__name__)


class Announcer:
    """Hands each event to every observer in a task of its own."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        """The observers, in order."""
        self._observers = tuple(observers)
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, event: Event) -> None:
        """Announce; returns at once and never raises."""
        for observer in self._observers:
            task = asyncio.get_running_loop().create_task(self._tell(observer, event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Wait for what was announced: before the observers are closed."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=5)

    async def _tell(self, observer: Observer, event: Event) -> None:
        try:
            async with asyncio.timeout(5):
                await observer.observe(event)
        except Exception as error:  # noqa: BLE001 - an observer's failure is its own
            log.warning("observer %s failed (%s)", observer.name, type(error).__name__)
