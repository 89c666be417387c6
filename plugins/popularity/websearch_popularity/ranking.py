"""Cloudflare Radar's list, kept fresh in the background; a failure keeps what there is until it is too old."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable

import anyio.to_thread

from websearch_core import BackendError, Clock
from websearch_core.kit import Workers

from .hashed_names import SALT_BYTES, HashedNames
from .list_file import ListFile
from .list_parser import packed_ranking

log = logging.getLogger(__name__)

Download = Callable[[], Awaitable[bytes]]
Chance = Callable[[], float]

_FIRST_RETRY_S = 60.0
_LONGEST_RETRY_S = 6 * 3600.0
_READING_S = 120.0
_EARLY_SHARE = 0.1
"""Refreshes come up to this much early, each at another moment: processes do not all ask at once."""


class Ranking:
    """The names to believe now, from memory; None: nobody."""

    def __init__(
        self,
        copy: ListFile,
        clock: Clock,
        workers: Workers,
        download: Download,
        *,
        bucket: int,
        refresh_s: float,
        chance: Chance,
    ) -> None:
        self.label = f"Cloudflare Radar's {bucket} most popular domains"
        self.fetched: float | None = None
        """When the list in memory was downloaded."""
        self._copy = copy
        self._clock = clock
        self._workers = workers
        self._download = download
        self._bucket = bucket
        self._refresh_s = refresh_s
        self._early_s = refresh_s * _EARLY_SHARE * chance()
        self._chance = chance
        self._names: HashedNames | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def names(self) -> HashedNames | None:
        """The list in memory, unless it is too old."""
        if self.fetched is None or not self._copy.usable(self.fetched, self._clock.now()):
            return None
        return self._names

    @property
    def due(self) -> float | None:
        """When the list should be replaced at the latest; None: now."""
        return None if self.names is None or self.fetched is None else self.fetched + self._refresh_s

    async def load(self) -> None:
        """Take what is on disk, if it may be believed and is newer than what we have; asks nobody."""
        ranked = await anyio.to_thread.run_sync(self._copy.read, self._clock.now())
        if ranked is not None and (self.fetched is None or ranked.fetched > self.fetched):
            self._names, self.fetched = ranked

    async def start(self) -> None:
        """Load, and keep fresh from now on; waits for nobody."""
        await self.load()
        self._task = asyncio.create_task(self._keep_fresh(), name="popularity")

    async def aclose(self) -> None:
        """Stop keeping it fresh."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def refresh(self) -> None:
        """Download the list and swap it in. Raises `BackendError`, and keeps the old one then."""
        salt = secrets.token_bytes(SALT_BYTES)
        text = await self._download()
        packed = await self._workers.run(packed_ranking, text, self._bucket, salt, seconds=_READING_S)
        fetched = self._clock.now()
        self._names, self.fetched = await anyio.to_thread.run_sync(HashedNames, packed, salt), fetched
        try:
            await anyio.to_thread.run_sync(self._copy.write, packed, salt, fetched)
        except OSError as error:
            log.warning("the popularity list is not kept on disk (%s)", type(error).__name__)

    async def _keep_fresh(self) -> None:
        failures = 0
        while True:
            if (wait := self._wait()) > 0:
                await self._clock.sleep(wait)
            try:
                await self.load()  # another process may have been here
                if self._wait() <= 0:
                    await self.refresh()
                failures = 0
            except Exception as error:  # noqa: BLE001 - whatever happens, it is tried again
                failures += 1
                pause = self._pause(failures, getattr(error, "retry_after", None))
                why = error.code if isinstance(error, BackendError) else type(error).__name__
                log.warning("the popularity list was not refreshed (%s); next try in %.0f s", why, pause)
                await self._clock.sleep(pause)

    def _wait(self) -> float:
        """Until the next refresh; not above 0: it is time."""
        return 0.0 if self.due is None else self.due - self._early_s - self._clock.now()

    def _pause(self, failures: int, asked: float | None) -> float:
        longest = min(_FIRST_RETRY_S * 2 ** min(failures - 1, 20), _LONGEST_RETRY_S)
        return max(longest * (1 + self._chance()) / 2, min(asked or 0.0, _LONGEST_RETRY_S))
