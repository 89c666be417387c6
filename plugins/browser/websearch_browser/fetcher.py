"""The `browser` fetcher: a page as it is after its scripts have run."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio

from websearch_core import Code, Download, Fetcher, FetchRequest
from websearch_core.kit import ServerFailed, TimedOut, TooLarge

from .chromium.browser_process import in_time
from .chromium.running_browser import RunningBrowser
from .network.proxy import GuardedProxy
from .network.request_admission import RequestAdmission
from .page.renderer import HEIGHT, WIDTH, PageRenderer, RenderedPage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.async_api import BrowserContext

    from websearch_core import PluginContext

    from .chromium.installation import Chromium
    from .network.proxy import PageAccess
    from .settings import BrowserSettings

_KEPT = frozenset(("age", "cache-control", "content-language", "date", "expires", "vary"))
"""Headers that still hold for a rendered page: validators do not, for they are the shell's."""
_PICTURED = frozenset(("font", "image"))
_MEGABYTE = 1_000_000


class BrowserFetcher(Fetcher):
    """Chromium, asked where a page needs it or where somebody wants to see it."""

    name: str = "browser"
    priority = 55
    renders = True
    mends = frozenset((Code.NEEDS_RENDERING, Code.BLOCKED_BY_SITE))

    def __init__(
        self, ctx: PluginContext, settings: BrowserSettings, chromium: Chromium, *, extra: Sequence[str] = ()
    ) -> None:
        """Cheap; Chromium starts with the first page. `extra` are more flags for it, for tests."""
        self._web = ctx.web
        self._clock = ctx.clock
        self._agent = ctx.user_agent
        self._settings = settings
        self._working: set[asyncio.Task[Download]] = set()
        self._room = anyio.Semaphore(settings.pages)
        self._proxy = GuardedProxy(ctx.web, block_trackers=settings.block_trackers)
        self.browser = RunningBrowser(chromium, memory_bytes=settings.memory_mb * _MEGABYTE, extra=extra)

    async def aclose(self) -> None:
        """End the browser with all its processes, and close the proxy."""
        for task in (ending := set(self._working)):
            if not task.cancelling():  # else it is closing its page
                task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        await self.browser.aclose()
        await self._proxy.aclose()

    def can_fetch(self, request: FetchRequest) -> bool:
        """Http and https only."""
        return request.url.lower().startswith(("http://", "https://"))

    async def fetch(self, request: FetchRequest) -> Download:
        """The document as it is after its scripts have run, in UTF-8, and a picture where one is asked for."""
        seconds = self._settings.timeout_s
        if request.caller.deadline is not None:
            seconds = min(seconds, request.caller.deadline - self._clock.monotonic())
        # a task of its own: whoever asked does not wait until a page that hangs is closed
        working = asyncio.create_task(self._in_turn(request))
        self._working.add(working)
        working.add_done_callback(self._done)
        try:
            done, _ = await asyncio.wait({working}, timeout=max(0.0, seconds))
            if done and working.cancelled():
                raise ServerFailed("the browser was closed")
            if done:
                return working.result()
            raise TimedOut("the page was not rendered within the time limit")
        finally:
            working.cancel()

    async def _in_turn(self, asked: FetchRequest) -> Download:
        # no browser is started for what the guarded client would refuse
        request = await self._web.screened(asked)
        async with self._room:
            return self._download(asked, await self._rendered(request))

    def _done(self, working: asyncio.Task[Download]) -> None:
        self._working.discard(working)
        if not working.cancelled():
            working.exception()  # told to whoever still waited

    async def _rendered(self, request: FetchRequest) -> RenderedPage:
        settings = self._settings
        proxy = await self._proxy.start()
        before = self.browser.ended_for_memory
        with self._proxy.leave(request, settings.transfer_mb * _MEGABYTE) as given:
            admission = RequestAdmission(
                self._web, request, self._blocked(request), block_trackers=settings.block_trackers
            )
            async with self.browser.context(proxy, self._agent, **self._options(proxy, given)) as context:
                rendering = PageRenderer(
                    context,
                    admission,
                    given,
                    self._web.failure,
                    settle_s=settings.settle_s,
                    scroll=settings.scroll,
                )
                cap = min(settings.max_bytes, request.max_bytes or settings.max_bytes)
                working = asyncio.ensure_future(rendering.of(request.url, max_bytes=cap, screenshot=request.screenshot))
                try:
                    await asyncio.wait({working})
                finally:
                    await _ended(working, context, admission)
        try:
            return working.result()
        except ServerFailed:
            if self.browser.ended_for_memory > before:
                raise TooLarge("the page takes more memory than the limit") from None
            raise

    def _blocked(self, request: FetchRequest) -> frozenset[str]:
        return frozenset(self._settings.block) - (_PICTURED if request.screenshot else frozenset())

    def _options(self, proxy: str, given: PageAccess) -> dict[str, object]:
        """Of a context: nothing is kept, nothing is granted, nothing is downloaded."""
        return {
            "proxy": {"server": f"http://{proxy}", "username": given.username, "password": given.password},
            "viewport": {"width": WIDTH, "height": HEIGHT},
            "accept_downloads": False,
            "service_workers": "block",
            "permissions": [],
        }

    def _download(self, request: FetchRequest, rendered: RenderedPage) -> Download:
        return Download(
            url=request.url,
            final_url=rendered.final_url,
            status=rendered.status,
            media_type="text/html",
            charset="utf-8",
            headers=_kept(rendered.headers),
            redirects=tuple(map(_kept, rendered.redirects)),
            body=rendered.html,
            bytes_read=len(rendered.html),
            screenshot=rendered.picture,
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )


def _kept(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in headers.items() if name in _KEPT}


async def _ended(working: asyncio.Future[RenderedPage], context: BrowserContext, admission: RequestAdmission) -> None:
    """Playwright's calls end cleanly when their page is closed, and only then: they are not cancelled."""
    await admission.stop()
    if not working.done():
        await in_time(context.close())
        await in_time(working)
