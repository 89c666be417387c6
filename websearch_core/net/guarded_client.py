"""The client for addresses that came from outside: every hop judged, every byte counted, one deadline for all."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import anyio

from ..contract.clients import GuardedClient, RawConnection
from ..contract.errors import (
    BackendError,
    BlockedBySite,
    InvalidRequest,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    UnexpectedResponse,
)
from ..contract.interfaces import Clock, Store
from ..contract.models import Download, FetchRequest
from ..settings.configuration import NetSettings
from .body import ACCEPT_ENCODING
from .connections import OUR_HEADERS, Connections
from .document import location, read
from .host_limiter import HostLimiter
from .http_errors import ENDLESS, ConnectionBroken, of_site
from .policy import AddressPolicy
from .resolve import Resolver, SystemResolver
from .retry import RetryWanted, repeated
from .urls import Target, join, parse

if TYPE_CHECKING:
    from .robots import Robots
    from .transport import Reply

MAX_REDIRECTS = 5
FIRST_TRY = 0.6
"""Of the time for a download, how much may pass until an answer begins: then it is asked for once more."""
LEAST_FOR_TWO_S = 2.0
"""With less time than this a silent site is asked once."""

Screen = Callable[[FetchRequest], Awaitable[FetchRequest]]

_OURS = OUR_HEADERS | {"content-length", "transfer-encoding"}
_VALIDATORS = frozenset({"if-none-match", "if-modified-since"})
_HARMLESS = frozenset({"accept", "accept-encoding", "accept-language", "user-agent"})
"""Headers that go to every host of a chain of redirects; all others stay with the first origin."""


@dataclass(slots=True)
class _Visit:
    """A download that is under way, at one of its hops."""

    asked: str
    """The address that the caller gave."""
    request: FetchRequest
    target: Target
    headers: Mapping[str, str]
    cap: int
    on_cap: str
    ends: float
    """On `Clock.monotonic`."""
    first_byte_s: float | None
    """How long the first try may wait for an answer to begin; None: as long as there is time."""
    tries: int = 1
    """How often a site may be asked once more."""

    def try_again(self) -> bool:
        """Whether there is another try; it is taken."""
        self.first_byte_s = None
        self.tries -= 1
        return self.tries >= 0


class GuardedHttpClient(GuardedClient):
    """The only way in which a page is fetched. Nothing here can be told to reach what the policy forbids."""

    screen: Screen | None
    """For the core alone to set: called with the request of every redirect's target before it is fetched.

    What left the first time was screened by the chain, and so is what leaves next. It returns the request to go on
    with, or raises.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        settings: NetSettings,
        clock: Clock,
        *,
        resolve: Resolver | None = None,
        environ: Mapping[str, str] | None = None,
        store: Callable[[], Store] | None = None,
    ) -> None:
        """Cheap; nothing is opened before the first download. Processes that share `store` keep one pace per host.

        Raises StartupError for a bad proxy or CA file.
        """
        self.screen = None
        self._policy = policy
        self._settings = settings
        self._clock = clock
        self._resolver = resolve or SystemResolver()
        self._connections = Connections(self._locate, settings, environ, names_to_proxy=settings.proxy_dns)
        self._hosts = HostLimiter(settings.per_host, settings.pace_s, clock, store)

    @functools.cached_property
    def robots(self) -> Robots:  # pyright: ignore[reportIncompatibleMethodOverride] - read as a property is
        """See `GuardedClient.robots`."""
        from .robots import Robots

        return Robots(self, self._settings.user_agent, self._clock)

    async def download(
        self,
        request: FetchRequest,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        on_cap: Literal["error", "truncate"] = "truncate",
        timeout_s: float | None = None,
        onward: Callable[[Download], str] | None = None,
    ) -> Download:
        """See `GuardedClient.download`."""
        cap = min(limit for limit in (self._settings.max_bytes, request.max_bytes, max_bytes) if limit is not None)
        seconds = timeout_s if timeout_s is not None else self._settings.timeout_s
        if request.caller.deadline is not None:
            seconds = min(seconds, request.caller.deadline - self._clock.monotonic())
        target = self._policy.check(request.url, request.allowed_domains)
        first_byte_s = seconds * FIRST_TRY if seconds >= LEAST_FOR_TWO_S else None
        lines = self._headers(request, headers or {})
        ends = self._clock.monotonic() + seconds
        visit = _Visit(request.url, request, target, lines, cap, on_cap, ends, first_byte_s)
        with anyio.move_on_after(max(0.0, seconds)):
            return await self._follow(visit, onward)
        raise TimedOut("the site did not answer within the time limit")

    async def connect(self, url: str) -> RawConnection:
        """See `GuardedClient.connect`."""
        return await self._connections.transport().connect(self._policy.check(url))

    def failure(self, status: int, headers: Mapping[str, str], url: str = "") -> BackendError | None:
        """See `GuardedClient.failure`."""
        error = of_site(status, headers, self._clock.now())
        if url and error is not None and error.retry_after:
            self._hosts.pause(parse(url), error.retry_after)
        return error

    async def admitted(self, request: FetchRequest, before: str = "") -> FetchRequest:
        """See `GuardedClient.admitted`."""
        if before:
            self._check_way(parse(before), parse(request.url))
        request = await self.screened(request)
        if request.obey_robots:
            await self.robots.permit(request.url, redirected=bool(before))
        self._hosts.check(parse(request.url))
        return request

    def sends(self, headers: Mapping[str, str]) -> dict[str, str]:
        """See `GuardedClient.sends`."""
        sent = {"user-agent": self._settings.user_agent, "accept": "*/*"}
        for name, value in headers.items():
            if name.lower() in _OURS:
                raise InvalidRequest(
                    "the client sets this header itself: Host, Accept-Encoding and those of the connection"
                )
            sent[name.lower()] = value
        return sent | {"accept-encoding": ACCEPT_ENCODING}

    async def screened(self, request: FetchRequest) -> FetchRequest:
        """See `GuardedClient.screened`."""
        if self.screen is not None:
            return await self.screen(request)
        target = self._policy.check(request.url, request.allowed_domains)
        return request if target.url == request.url else request.model_copy(update={"url": target.url})

    async def aclose(self) -> None:
        """Close every connection; a later download opens new ones."""
        await self._connections.aclose()

    async def _follow(self, visit: _Visit, onward: Callable[[Download], str] | None) -> Download:
        visited = {visit.target.url}
        redirects: list[Mapping[str, str]] = []
        cookies = False
        while True:
            if visit.request.obey_robots:
                await self.robots.permit(visit.target.url, redirected=len(visited) > 1)
            reply, download = await repeated(
                lambda: self._attempt(visit), self._clock, visit.ends, visit.target.origin, attempts=2
            )
            where = location(reply)
            cookies = cookies or reply.sets_cookie
            if download is not None:
                download = download.model_copy(update={"redirects": tuple(redirects)})
                if onward is None or not (where := onward(download)):
                    return download
            there = _led(visit.target, where)
            if download is not None and there == visit.target:  # it renews itself
                return download
            if len(visited) > MAX_REDIRECTS:
                raise _astray(f"the site redirects more than {MAX_REDIRECTS} times", cookies=cookies)
            await self._move(visit, there)
            if visit.target.url in visited:
                raise _astray("the site redirects in a circle", cookies=cookies)
            visited.add(visit.target.url)
            redirects.append(reply.headers)

    async def _attempt(self, visit: _Visit) -> tuple[Reply, Download | None]:
        """One hop's answer, and the document unless it redirects."""
        async with self._hosts.enter(visit.target, visit.ends), aclosing(await self._sent(visit)) as reply:
            if location(reply):
                return reply, None
            try:
                confirmed = reply.status == 304 and not _VALIDATORS.isdisjoint(visit.headers)
                if not confirmed and (error := self.failure(reply.status, reply.headers, visit.target.url)):
                    raise error
                now = self._clock.now()
                return reply, await read(reply, visit.asked, visit.target, visit.cap, visit.on_cap, now)
            except (RateLimited, ServerFailed) as error:
                if error.retry_after is None or not visit.try_again():
                    raise
                raise RetryWanted(error) from None

    async def _sent(self, visit: _Visit) -> Reply:
        try:
            with anyio.move_on_after(visit.first_byte_s):
                return await self._connections.transport().send("GET", visit.target, list(visit.headers.items()))
            raise TimedOut("the site did not answer within the time limit")
        except (ConnectionBroken, TimedOut) as error:
            if visit.try_again():
                raise RetryWanted(error) from None
            raise

    async def _move(self, visit: _Visit, there: Target) -> None:
        """To the next hop, which is judged like the first."""
        before = visit.target
        self._check_way(before, there)
        target = self._policy.check(there.url, visit.request.allowed_domains)
        visit.request = visit.request.model_copy(update={"url": target.url})
        if self.screen is not None:
            visit.request = await self.screened(visit.request)
            target = self._policy.check(visit.request.url, visit.request.allowed_domains)
        visit.target = target
        # validators are of the address that was asked, never of where it leads
        kept = _HARMLESS if target.origin != before.origin else frozenset(visit.headers) - _VALIDATORS
        visit.headers = {name: value for name, value in visit.headers.items() if name in kept}

    def _check_way(self, here: Target, there: Target) -> None:
        if here.scheme == "https" and there.scheme == "http" and not self._settings.allow_downgrade:
            raise Refused("the site redirects from https to http")

    def _headers(self, request: FetchRequest, custom: Mapping[str, str]) -> dict[str, str]:
        headers = self.sends(custom)
        if request.etag:
            headers["if-none-match"] = request.etag
        if request.last_modified:
            headers["if-modified-since"] = request.last_modified
        return headers

    async def _locate(self, host: str, port: int) -> list[str]:
        target = parse(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")
        addresses = [str(target.literal)] if target.literal else await self._resolver.resolve(target.host, port)
        return [str(address) for address in self._policy.judge(addresses, target)]


def _led(here: Target, location: str) -> Target:
    """Where a redirect leads. Raises `UnexpectedResponse`: the caller's address is not the one that is wrong."""
    try:
        return join(here, location)
    except (InvalidRequest, Refused) as error:
        raise UnexpectedResponse("location", "the site redirects to what is no address of the web") from error


def _astray(detail: str, *, cookies: bool) -> BackendError:
    """The error of endless redirects. If the site set cookies, a reader that keeps them may get through."""
    return BlockedBySite(detail) if cookies else UnexpectedResponse(ENDLESS, detail)
