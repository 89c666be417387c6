"""One page: opened, given time to settle, read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import NetworkFailed, TooLarge, Unsupported

from ..chromium.devtools import DevTools
from ..network.request_head import place_of
from . import snapshot
from .chromium_errors import NO_PAGE, of_browser
from .load_state import LoadState

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request, Response

    from ..network.proxy import PageAccess
    from ..network.request_admission import RequestAdmission

WIDTH, HEIGHT = 1280, 900
_NEWS_S = 0.5
_PICTURE_S = 4.0
_PAGES = frozenset(("", "text/html", "application/xhtml+xml"))
_CUT_SHORT = "the answer was cut short or is not HTTP"
_PICTURES = 3
_READS = 12
"""How often a page may go on to another one while its picture is taken, and while it is read."""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """What came of it."""

    final_url: str
    status: int
    headers: Mapping[str, str]
    redirects: Sequence[Mapping[str, str]]
    """Headers of the answers that led here, by whatever way."""
    html: bytes
    picture: bytes


class PageRenderer:
    """Renders one address in a context of its own. Raises `BackendError`, and nothing that Playwright says."""

    def __init__(
        self,
        context: BrowserContext,
        admission: RequestAdmission,
        given: PageAccess,
        judge: Callable[[int, Mapping[str, str], str], BackendError | None],
        *,
        settle_s: float,
        scroll: int,
    ) -> None:
        """`judge` says what a status means at an address."""
        self._context = context
        self._admission = admission
        self._pass = given
        self._settle_s = settle_s
        self._scroll = scroll
        self._response: Response | None = None
        self._redirects: list[Mapping[str, str]] = []
        self._judge = judge
        self._traffic = LoadState()
        self._cut_short = asyncio.Event()
        self._crashed = asyncio.Event()

    async def of(self, url: str, *, max_bytes: int, screenshot: bool) -> RenderedPage:
        """The page at this address."""
        from playwright.async_api import Error

        try:
            page = await self._opened()
            devtools = await DevTools.of(self._context, page)
            await self._traffic.watch(devtools)
            await self._admission.watch(devtools)
            await self._gone_to(page, url)
            await self._settled(page)
            if not screenshot and not self._is_page():
                raise Unsupported(NO_PAGE)
            image = await self._picture(page, devtools) if screenshot else b""
            url, html = await self._document(page, devtools, max_bytes)
        except Error as error:
            await self._last_news()
            raise self._explained(error.message) from None
        if not url.startswith(("http://", "https://")):  # it was on its way elsewhere, and was kept from there
            raise self._explained("")
        return RenderedPage(
            url,
            self._response.status if self._response else 200,
            self._response.headers if self._response else {},
            self._redirects,
            html,
            image,
        )

    async def _opened(self) -> Page:
        page = await self._context.new_page()

        def answered(response: Response) -> None:
            if not _is_of_page(response.request, page):
                return
            if 300 <= response.status < 400 and "location" in response.headers:
                self._redirects.append(response.headers)
                return
            if self._response is not None:  # it led to this one
                self._redirects.append(self._response.headers)
            self._response = response

        def failed(request: Request) -> None:
            if self._response is not None and request == self._response.request:
                self._cut_short.set()

        def crashed(_: Page) -> None:
            self._crashed.set()

        async def another(popup: Page) -> None:
            if popup != page:
                await popup.close()

        page.on("response", answered)
        page.on("requestfailed", failed)
        page.on("crash", crashed)
        self._context.on("page", another)
        return page

    async def _gone_to(self, page: Page, url: str) -> None:
        """Until the document is there. One that is cut short never is, as far as the browser is concerned."""
        going = asyncio.ensure_future(page.goto(url, wait_until="domcontentloaded", timeout=0))
        cut = asyncio.ensure_future(self._cut_short.wait())
        try:
            await asyncio.wait({going, cut}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            cut.cancel()
            # what it says when its page is closed, nobody waits for
            going.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        if not going.done():
            await self._last_news()  # or that it is a download
            if not going.done():
                raise self._explained("") if self._crashed.is_set() else NetworkFailed(_CUT_SHORT)
        going.result()

    async def _settled(self, page: Page) -> None:
        """Until the network is quiet, or it has had its time; then a status that brings no page ends it."""
        await self._traffic.quiet(self._settle_s)
        for _ in range(self._scroll):
            await page.mouse.wheel(0, HEIGHT)
            await self._traffic.quiet(self._settle_s)
        if self._scroll:
            await page.mouse.wheel(0, -HEIGHT * self._scroll)
        if self._admission.failure is not None:
            raise self._admission.failure
        if self._pass.too_large:
            raise TooLarge("the page loads more than the limit")
        if (failure := self._said()) is not None:
            raise failure
        if self._cut_short.is_set():
            raise NetworkFailed(_CUT_SHORT)

    async def _picture(self, page: Page, devtools: DevTools) -> bytes:
        """A picture, or none of a page that never holds still: one that moves on takes its picture with it."""
        from playwright.async_api import Error

        for _ in range(_PICTURES):
            taking = asyncio.ensure_future(snapshot.picture(devtools, WIDTH, HEIGHT))
            taking.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            if not (await asyncio.wait({taking}, timeout=_PICTURE_S))[0]:
                continue
            try:
                return taking.result()
            except Error:
                if self._is_gone(page):
                    raise
                await page.wait_for_load_state("domcontentloaded", timeout=0)
        return b""

    async def _last_news(self) -> None:
        """That a page has died is told last."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._crashed.wait(), _NEWS_S)

    async def _document(self, page: Page, devtools: DevTools, max_bytes: int) -> tuple[str, bytes]:
        """The address and the document; read again where the page went on to another one meanwhile."""
        from playwright.async_api import Error

        for _ in range(_READS):
            try:
                return await snapshot.document(devtools, max_bytes)
            except Error:
                if self._is_gone(page):
                    raise
                await page.wait_for_load_state("domcontentloaded", timeout=0)
        return await snapshot.document(devtools, max_bytes)

    def _is_gone(self, page: Page) -> bool:
        return self._crashed.is_set() or page.is_closed()

    def _said(self) -> BackendError | None:
        """What the page's status means, where it came with one."""
        answer = self._response
        return self._judge(answer.status, answer.headers, answer.url) if answer else None

    def _is_page(self) -> bool:
        """Whether it came as a page: of anything else the browser shows the source, or a frame round it."""
        said = self._response.headers.get("content-type", "") if self._response else ""
        return said.partition(";")[0].strip().lower() in _PAGES

    def _explained(self, message: str) -> BackendError:
        """What really happened: the doorkeeper, the proxy and the status know better than the browser."""
        if self._admission.failure is not None:
            return self._admission.failure
        if (failure := self._said()) is not None:
            return failure
        if self._pass.too_large:
            return TooLarge("the page loads more than the limit")
        known = self._pass.failures.get(place_of(self._admission.at))
        return known or of_browser(message, crashed=self._crashed.is_set())


def _is_of_page(request: Request, page: Page) -> bool:
    """Whether it is for the page's own document, and not for a frame's or a picture."""
    return request.is_navigation_request() and request.frame == page.main_frame
