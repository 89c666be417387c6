"""A fetcher for one site, by a better way than its pages: in a part of the time, and as robots.txt allows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple, Unpack
from urllib.parse import urlsplit

from ...contract.errors import BlockedBySite, ServerFailed, TimedOut
from ...contract.interfaces import Fetcher

if TYPE_CHECKING:
    from ...contract.context import PluginContext
    from ...contract.models import Download, FetchRequest, Page


T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_INLINE_BYTES = 32_768
"""More than this would hold the event loop for too long."""


class SiteReader(Fetcher):
    """Reads one site where its pages are not the source. What fails here is read in the ordinary way.

    Say in `can_fetch` which addresses it takes, and decline `raw`; read them in `read`. All calls get the request's
    deadline, so that they end together. What robots.txt says of the request's own address the core has asked before.
    """

    priority = 30
    patience_s: float = 8.0
    """A reading takes no more, and at most half of the caller's time: the ordinary way needs some, too."""
    ctx: PluginContext
    """As it was handed to the plugin."""

    def __init__(self, ctx: PluginContext) -> None:
        self.ctx = ctx

    @abstractmethod
    async def read(self, request: FetchRequest) -> Download | Page:
        """The document. `request.caller.deadline` is when all of it must be done. Raises `BackendError`."""

    async def fetch(self, request: FetchRequest) -> Download | Page:
        """What `read` gives, in time."""
        import anyio

        began, deadline = self.ctx.clock.monotonic(), request.caller.deadline
        seconds = self.patience_s if deadline is None else min(self.patience_s, (deadline - began) / 2)
        # calls end a little before, so that what there is by then can still be used
        caller = request.caller.model_copy(update={"deadline": began + 0.95 * seconds})
        with anyio.move_on_after(max(0.0, seconds)):
            return await self.read(request.model_copy(update={"caller": caller}))
        raise TimedOut("the site's reader did not get an answer in time")

    async def download(
        self, request: FetchRequest, *, headers: Mapping[str, str] | None = None, max_bytes: int | None = None
    ) -> Download:
        """Another address of the site's as `ctx.web.download` gives it; about robots.txt as `permit`, for every hop."""
        with _left_to_the_ordinary_way():
            return await self.ctx.web.download(request, headers=headers, max_bytes=max_bytes)

    async def permit(self, request: FetchRequest, url: str) -> None:
        """For an address of the site's that `read` asks instead, where `request.obey_robots`.

        Raises `BlockedBySite`, or `ServerFailed` where robots.txt could not be read: the page itself is allowed, so
        others may still read it. Not for an API that is offered to programs: that is not what robots.txt is about.
        """
        if request.obey_robots:
            with _left_to_the_ordinary_way():
                await self.ctx.web.robots.permit(url)

    def allows(self, request: FetchRequest, *addresses: str) -> bool:
        """Whether the caller's `allowed_domains` allow the hosts of all these addresses: for `can_fetch`."""
        from ...net.domains import compiled

        allowed = compiled(request.allowed_domains)
        return not allowed or all(allowed.matches(urlsplit(address).hostname or "") for address in addresses)

    async def made(self, size: int, make: Callable[[Unpack[Ts]], T], *given: *Ts) -> T:
        """The function's result; it runs in a worker where it reads many bytes (`size`)."""
        return make(*given) if size <= _INLINE_BYTES else await self.ctx.workers.run(make, *given)

    def now(self) -> datetime:
        """For `fetched_at`."""
        return datetime.fromtimestamp(self.ctx.clock.now(), UTC)


@contextmanager
def _left_to_the_ordinary_way() -> Generator[None]:
    """What robots.txt says of another address than the page's ends no reading of the page."""
    from ...net.robots import Disallowed, Unread

    try:
        yield
    except Unread as error:
        raise ServerFailed("the site's robots.txt could not be read", retry_after=error.retry_after) from None
    except Disallowed:
        raise BlockedBySite("the site's robots.txt forbids what its reader would ask for") from None
