"""robots.txt (RFC 9309): may we, and how fast."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread

from ..contract.clients import GuardedClient, Objection, RobotsRules
from ..contract.errors import Advice, BackendError, Code, Refused, UnexpectedResponse
from ..contract.models import FetchRequest
from .http_errors import ENDLESS
from .urls import parse

if TYPE_CHECKING:
    from protego import Protego

    from ..contract.interfaces import Clock

MAX_BYTES = 524_288
"""Of a longer file the lines before count (§2.5: at least 500 KiB)."""
MAX_DELAY_S = 10.0
KEPT_S = 3600.0
"""How long a file is believed; the RFC allows a day (§2.4)."""
KEPT_UNREADABLE_S = 60.0
_SITES = 500
_LONG = 16_384
"""Characters of a file that may hold up the event loop for more than some milliseconds."""
_TIMEOUT_S = 15.0

T = TypeVar("T")

# §2.3.1.3: a file that is "unavailable" (4xx) forbids nothing; one that is unreachable (§2.3.1.4) forbids everything.
_UNAVAILABLE = frozenset(
    (Code.NOT_FOUND, Code.BLOCKED_BY_SITE, Code.INVALID_REQUEST, Code.AUTH, Code.PAYWALLED, Code.UNSUPPORTED)
)


class Disallowed(Refused):
    """A site's robots.txt does not let us read an address."""


class Unread(Disallowed):
    """A robots.txt could not be read, so nothing is taken from there; that may be over soon."""

    @property
    def advice(self) -> Advice:
        """To come again."""
        return Advice("the site's robots.txt could not be read", "try again later", retry_helps=True)


class _Rules(NamedTuple):
    """A file that was read. A long one is asked in a thread: a hostile one takes a third of a second to answer."""

    file: Protego
    is_long: bool = False

    async def say(self, question: Callable[[Protego], T]) -> T:
        return await anyio.to_thread.run_sync(question, self.file) if self.is_long else question(self.file)


class _Kept(NamedTuple):
    rules: _Rules | BackendError
    until: float


class Robots(RobotsRules):
    """The rules of the sites that were visited; each file is asked for once an hour."""

    def __init__(self, web: GuardedClient, user_agent: str, clock: Clock) -> None:
        """`user_agent` is what we send; its product name is the one that rules are looked up for."""
        self._web = web
        self._agent = user_agent.partition("/")[0].partition(" ")[0] or "websearch"
        self._clock = clock
        self._sites: OrderedDict[str, _Kept] = OrderedDict()
        self._reading: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def objection(self, url: str) -> Objection | None:
        """See `RobotsRules.objection`."""
        await self._web.screened(FetchRequest(url=url))
        return await self._said(await self._of(parse(url).origin), url)

    async def permit(self, url: str, *, redirected: bool = False) -> None:
        """See `RobotsRules.permit`."""
        kept = await self._of(parse(url).origin)
        if objection := await self._said(kept, url):
            reason = f"it redirects, and there {objection.reason}" if redirected else objection.reason
            if isinstance(kept.rules, BackendError):
                raise Unread(reason, retry_after=kept.until - self._clock.monotonic())
            raise Disallowed(reason)

    async def _said(self, kept: _Kept, url: str) -> Objection | None:
        rules = kept.rules
        if isinstance(rules, BackendError):
            return Objection(rules.code.value, "robots.txt could not be read, so nothing is taken from there")
        allowed = await rules.say(lambda file: file.can_fetch(url, self._agent))
        return None if allowed else Objection("robots", "the site's robots.txt forbids it")

    async def delay(self, url: str) -> float:
        """See `RobotsRules.delay`."""
        rules = (await self._of(parse(url).origin)).rules
        if isinstance(rules, BackendError):
            return 0.0

        def wanted(file: Protego) -> float:
            rate = file.request_rate(self._agent)
            between = rate.seconds / rate.requests if rate is not None and rate.requests else 0.0
            return max(file.crawl_delay(self._agent) or 0.0, between)

        return min(MAX_DELAY_S, max(0.0, await rules.say(wanted)))

    async def _of(self, site: str) -> _Kept:
        async with self._reading.setdefault(site, anyio.Lock()):  # others wait for the same file
            kept = self._sites.get(site)
            if kept is None or kept.until <= self._clock.monotonic():
                rules = await self._read(site)
                seconds = KEPT_S
                if isinstance(rules, BackendError):
                    seconds = min(max(rules.retry_after or 0.0, KEPT_UNREADABLE_S), KEPT_S)
                kept = self._sites[site] = _Kept(rules, self._clock.monotonic() + seconds)
            self._sites.move_to_end(site)
        while len(self._sites) > _SITES:
            self._sites.popitem(last=False)
        return kept

    async def _read(self, site: str) -> _Rules | BackendError:
        from protego import Protego

        try:
            request = await self._web.screened(FetchRequest(url=f"{site}/robots.txt"))
            download = await self._web.download(request, max_bytes=MAX_BYTES, timeout_s=_TIMEOUT_S)
        except BackendError as error:
            return _Rules(Protego.parse("")) if _is_unavailable(error) else error
        text = download.body.decode("utf-8", "replace")
        if download.truncated:  # half a rule may be a wider one, and our mark is no rule
            text = text.rpartition("\n\n[truncated at ")[0] or text
            text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
        file = await anyio.to_thread.run_sync(Protego.parse, text)  # half a megabyte of rules takes a second
        return _Rules(file, is_long=len(text) > _LONG)


def _is_unavailable(error: BackendError) -> bool:
    """Whether there is no file, as after redirects without an end (§2.3.1.2); else it could not be reached."""
    return error.code in _UNAVAILABLE or (isinstance(error, UnexpectedResponse) and error.field == ENDLESS)
