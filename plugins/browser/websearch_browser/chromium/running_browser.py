"""A Chromium that is always there: started when it is first needed, and replaced when it has died."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from websearch_core.kit import ServerFailed

from .browser_process import BrowserProcess, in_time

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

    from .installation import Chromium

_log = logging.getLogger(__name__)
_LIKE = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"


class RunningBrowser:
    """Safe for several pages at once."""

    def __init__(self, chromium: Chromium, *, memory_bytes: int, extra: Sequence[str] = ()) -> None:
        """Cheap; nothing runs before the first page. `extra` are more flags, for tests."""
        self._chromium = chromium
        self._memory_bytes = memory_bytes
        self._extra = tuple(extra)
        self._starting: asyncio.Task[BrowserProcess] | None = None
        self._retired: set[BrowserProcess] = set()

    @property
    def leader(self) -> int | None:
        """Process id of the browser, whose session all its processes are in; None: none runs."""
        running = self._running()
        return running.leader if running else None

    @property
    def ended_for_memory(self) -> int:
        """How many processes were ended because together they took too much memory."""
        running = self._running()
        return running.ended_for_memory if running else 0

    @asynccontextmanager
    async def context(self, way_out: str, agent: str, **options: Any) -> AsyncGenerator[BrowserContext]:
        """A fresh profile of its own, gone afterwards. Raises `ServerFailed` when no browser can be had.

        `way_out` is where a browser that must be started finds its only way out; `agent` says who we are, after what
        sites look for before they send the page that browsers get.
        """
        started = await self._ready(way_out)
        started.pages += 1
        # a task of its own: whoever is cancelled meanwhile would leave a context behind that nobody knows
        major = started.browser.version.partition(".")[0]
        opening = asyncio.ensure_future(
            started.browser.new_context(user_agent=f"{_LIKE} Chrome/{major}.0.0.0 Safari/537.36 {agent}", **options)
        )
        try:
            await asyncio.wait({opening})
            if opening.exception() is not None:
                self._retire(started)  # its driver may have died, and it does not know
                raise ServerFailed("the browser did not open a page")
            yield opening.result()
        finally:
            if not await in_time(_closed(opening)):
                self._retire(started)
            started.pages -= 1
            if started in self._retired and not started.pages:
                await self._end(started)

    async def aclose(self) -> None:
        """End every process and remove every file."""
        if self._starting is not None:
            await asyncio.wait({self._starting})
            if running := self._running():
                await self._end(running)
        self._starting = None
        for started in list(self._retired):
            await self._end(started)

    async def _ready(self, proxy: str) -> BrowserProcess:
        starting = self._starting
        if starting is None or (starting.done() and (self._running() is None or not starting.result().alive)):
            starting = self._starting = asyncio.ensure_future(self._replaced(proxy, self._running()))
            starting.add_done_callback(_looked_at)
        # a caller who has no more time leaves the start to the next one
        return await asyncio.shield(starting)

    async def _replaced(self, proxy: str, dead: BrowserProcess | None) -> BrowserProcess:
        if dead is not None:
            _log.warning("the browser died; starting another")
            await dead.end()
        return await BrowserProcess.start(self._chromium, proxy, self._memory_bytes, self._extra)

    def _retire(self, started: BrowserProcess) -> None:
        """Open no more pages in it: one does not open or close, or the machine is busy. Its other pages go on."""
        if started is self._running():
            self._starting = None
            self._retired.add(started)

    async def _end(self, started: BrowserProcess) -> None:
        if started is self._running():
            self._starting = None
        self._retired.discard(started)
        await started.end()

    def _running(self) -> BrowserProcess | None:
        starting = self._starting
        usable = starting is not None and starting.done() and not starting.cancelled() and not starting.exception()
        return starting.result() if starting is not None and usable else None


async def _closed(opening: asyncio.Future[BrowserContext]) -> None:
    with contextlib.suppress(Exception):
        await (await opening).close()


def _looked_at(starting: asyncio.Task[BrowserProcess]) -> None:
    """Its failure was told to whoever still waited."""
    if not starting.cancelled():
        starting.exception()
