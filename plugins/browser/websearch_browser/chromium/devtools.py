"""The DevTools protocol of one page, typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, cast

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page


class DevTools:
    """A session with one page. Its calls raise Playwright's errors."""

    def __init__(self, session: Any) -> None:
        self._session = session

    @classmethod
    async def of(cls, context: BrowserContext, page: Page) -> Self:
        """A session of its own, beside Playwright's."""
        return cls(await context.new_cdp_session(page))

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol."""
        return cast("dict[str, Any]", await self._session.send(method, parameters))

    def on(self, event: str, told: Callable[[dict[str, Any]], None]) -> None:
        """Be told of an event."""
        self._session.on(event, told)
