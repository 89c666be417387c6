"""Judges what a page asks for while it is still in the browser, where every address can be read, of https, too.

It sees every hop of the page and of frames in its process. What it does not see (workers, other processes) the proxy
judges by host: the proxy is the wall, this is the doorkeeper.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from websearch_core import BackendError, FetchRequest
from websearch_core.kit import Refused

from .trackers import is_tracker

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from websearch_core.kit import GuardedClient

    from ..chromium.devtools import DevTools

_DOCUMENT = "Document"


class RequestAdmission:
    """The doorkeeper of one page."""

    def __init__(
        self, web: GuardedClient, request: FetchRequest, blocked: frozenset[str], *, block_trackers: bool
    ) -> None:
        """`blocked` are resource types as the DevTools protocol names them, in lower case."""
        self._web = web
        self._request = request
        self._blocked = blocked
        self._block_trackers = block_trackers
        self._tasks: set[asyncio.Task[None]] = set()
        self._frame = ""
        self.at = request.url
        """Where the page itself is, or was on its way to."""
        self._moved = False
        self.failure: BackendError | None = None
        """Why the page itself was not let through."""

    async def watch(self, devtools: DevTools) -> None:
        """Judge everything from now on."""

        def judge(event: dict[str, Any]) -> None:
            task = asyncio.ensure_future(self._judged(devtools, event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        target = await devtools.send("Target.getTargetInfo")
        self._frame = target["targetInfo"]["targetId"]
        devtools.on("Fetch.requestPaused", judge)
        await devtools.send("Fetch.enable", patterns=[{"urlPattern": "*", "requestStage": "Request"}])

    async def stop(self) -> None:
        """Let nothing more through."""
        for task in (ending := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)

    async def _judged(self, devtools: DevTools, event: dict[str, Any]) -> None:
        url, kind = str(event["request"]["url"]), str(event.get("resourceType", ""))
        main = kind == _DOCUMENT and event.get("frameId") == self._frame
        answer: dict[str, Any] = {"requestId": event["requestId"]}
        try:
            judged = await self._admitted(url, kind, main=main)
        except BackendError as error:
            if main:
                self.failure = error
            await _told(devtools.send("Fetch.failRequest", **answer, errorReason="BlockedByClient"))
            return
        if judged != url.partition("#")[0]:
            answer["url"] = judged
        await _told(devtools.send("Fetch.continueRequest", **answer))

    async def _admitted(self, url: str, kind: str, *, main: bool) -> str:
        """The address to ask for. Raises `BackendError`."""
        if url.startswith(("data:", "blob:", "about:")):
            return url.partition("#")[0]
        if kind.lower() in self._blocked:
            raise Refused("the page can do without it")
        if not main:
            if self._block_trackers and is_tracker(url.partition("//")[2].partition("/")[0].partition(":")[0]):
                raise Refused("a tracker")
            request = self._request.model_copy(update={"url": url, "allowed_domains": ()})
            return (await self._web.screened(request)).url
        judged = await self._web.admitted(self._request.model_copy(update={"url": url}), self.at if self._moved else "")
        self.at, self._moved = url, True
        return judged.url


async def _told(sending: Coroutine[Any, Any, Any]) -> None:
    """Say it, unless the page has gone meanwhile."""
    from playwright.async_api import Error

    with contextlib.suppress(Error):
        await sending
