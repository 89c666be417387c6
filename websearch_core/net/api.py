"""The door to one engine that the operator configured: bound to its origin, patient, never redirected."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import SecretStr

from ..errors import AuthFailed, BackendError, BlockedBySite, QuotaExceeded, RateLimited, TimedOut, TooLarge, of_code
from ..interfaces import Clock, Store
from ..keys import KeyPool
from ..settings import NetSettings
from . import body
from .authorities import checked_ca_file
from .base import Base
from .challenges import is_challenge
from .failures import NotConnected, clock_of, of_engine, retry_after
from .message import ApiResponse, Parameter, packed, plain
from .pool import OF_THE_KEY, DoorState, Pool, Turn
from .proxies import Proxies
from .resolve import Resolver, SystemResolver
from .retry import Again, repeated
from .urls import Target

if TYPE_CHECKING:
    from .transport import Transport

MAX_ANSWER_BYTES = 4_000_000

_REPEATABLE_WHEN_PAID = frozenset({429, 503})


@dataclass(frozen=True, slots=True)
class _Call:
    """A request before a key is chosen for it."""

    method: str
    path: str = field(repr=False)
    params: Mapping[str, Parameter] = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    paid: bool
    ends: float
    """On `Clock.monotonic`."""


class Api:
    """Calls to one origin. Private addresses are fine here: the operator wrote the address herself."""

    def __init__(
        self,
        base_url: str,
        settings: NetSettings,
        clock: Clock,
        *,
        headers: Mapping[str, str | SecretStr] | None = None,
        auth: tuple[str, SecretStr] | None = None,
        keys: KeyPool | None = None,
        pace: tuple[int, float] | None = None,
        store: Callable[[], Store] | None = None,
        owner: str = "",
        explain: Callable[[ApiResponse], BackendError | None] | None = None,
        max_bytes: int = MAX_ANSWER_BYTES,
        resolve: Resolver | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Cheap; nothing is opened before the first request. Raises StartupError for a bad address, proxy, CA file.

        `headers` and `auth` (HTTP Basic) go with every request. `keys` and `pace` are as in `PluginContext.api`;
        `store` is where turns and rests are kept: without it nothing is paced, and keys are only used in turn. Doors
        of one `owner`, a plugin, to one origin share them.
        `explain` sees each answer before the general table of statuses does. A larger answer than `max_bytes` is
        `TooLarge`.
        """
        self._base = Base(base_url)
        self._settings = settings
        self._clock = clock
        self._headers = dict(headers or {})
        self._auth = auth
        self._keys = keys
        self._pool = Pool(owner, self.origin, keys.keys if keys else (), pace, store, clock)
        self._explain = explain
        self._max_bytes = max_bytes
        self._resolver = resolve or SystemResolver()
        self._proxies = Proxies.configured(settings, os.environ if environ is None else environ)
        self._ca_file = checked_ca_file(settings.ca_file)
        self._transport: Transport | None = None

    def __repr__(self) -> str:
        return f"Api({self.origin!r})"

    @property
    def origin(self) -> str:
        """Scheme, host and port: where everything goes."""
        return self._base.origin

    async def get(
        self,
        path: str,
        *,
        params: Mapping[str, Parameter] | None = None,
        headers: Mapping[str, str | SecretStr] | None = None,
        deadline: float | None = None,
        timeout_s: float | None = None,
        paid: bool = False,
    ) -> ApiResponse:
        """`request("GET", …)`."""
        return await self.request(
            "GET", path, params=params, headers=headers, deadline=deadline, timeout_s=timeout_s, paid=paid
        )

    async def post(
        self,
        path: str,
        *,
        params: Mapping[str, Parameter] | None = None,
        json: Any = None,
        data: Mapping[str, Parameter] | bytes | None = None,
        headers: Mapping[str, str | SecretStr] | None = None,
        deadline: float | None = None,
        timeout_s: float | None = None,
        paid: bool = False,
    ) -> ApiResponse:
        """`request("POST", …)`."""
        return await self.request(
            "POST",
            path,
            params=params,
            json=json,
            data=data,
            headers=headers,
            deadline=deadline,
            timeout_s=timeout_s,
            paid=paid,
        )

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Parameter] | None = None,
        json: Any = None,
        data: Mapping[str, Parameter] | bytes | None = None,
        headers: Mapping[str, str | SecretStr] | None = None,
        deadline: float | None = None,
        timeout_s: float | None = None,
        paid: bool = False,
    ) -> ApiResponse:
        """Call the engine and return its 2xx answer. Raises `BackendError`; no secret or body is in its text.

        `path` is below the base address, with or without a leading slash. `deadline` is the caller's (on
        `Clock.monotonic`); `timeout_s` replaces the settings' total time; both count repeats. A failed call is
        repeated up to twice after network and server failures and 429; a `paid` one only when nothing was sent, and
        after 429 and 503.

        With a store, a request first waits for its turn, for at most half of its time, or raises `NoTurn`; what an
        answer says of limits holds for all that come after, in every process. With several keys, one that is refused,
        used up or told to wait rests, and the next that is awake is tried at once, each at most once; also for paid
        calls, as nobody bills such an answer. When all rest, the error is that of the one that is free first;
        `AuthFailed` only where every key was refused.
        """
        self._base.below(path, params or {})  # refused before it takes a turn
        self._opened()  # loaded now, so that the first request is not late for its turn
        lines, content = self._message(json, data, headers or {})
        ends = self._clock.monotonic() + (timeout_s if timeout_s is not None else self._settings.timeout_s)
        ends = ends if deadline is None else min(ends, deadline)
        call = _Call(method, path, params or {}, lines, content, paid, ends)
        failed: BackendError | None = None

        async def attempt() -> ApiResponse:
            nonlocal failed
            try:
                return await self._attempt(call)
            except Again as again:
                failed = again.error
                raise
            except BackendError as error:
                if failed is None or not error.unsent:
                    raise
                raise failed from None  # no turn for another attempt; but something was sent, and this came of it

        return await repeated(attempt, self._clock, ends, self.origin)

    async def state(self) -> DoorState:
        """How many keys, which of them rest, and when the next request may go out. No key can be told from it."""
        return await self._pool.state()

    async def aclose(self) -> None:
        """Close every connection; a later request opens new ones."""
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.aclose()

    async def _attempt(self, call: _Call) -> ApiResponse:
        """One try; with several keys, at most one with each of them."""
        tried: set[int] = set()
        refused: list[Turn] = []
        turn = await self._pool.turn(call.ends)
        while True:
            response = await self._answered(call, turn)
            error = await self._judged(response, turn)
            if isinstance(error, AuthFailed):
                refused.append(turn)
            else:
                await self._pool.refused(refused)
                refused = []
            if error is None:
                return response
            if self._pool.size == 1 or not isinstance(error, OF_THE_KEY):
                again = error.retry_helps and (not call.paid or response.status in _REPEATABLE_WHEN_PAID)
                raise Again(error) if again else error
            tried.add(turn.position)
            another = await self._pool.another(call.ends, tried)
            if another is None:
                error = _sent(await self._pool.first_free(error, refused))
                raise Again(error) if error.retry_helps else error
            turn = another

    async def _answered(self, call: _Call, turn: Turn) -> ApiResponse:
        """Send it with this turn's key. What fails before there is an answer is raised, as `Again` where that helps."""
        params, headers = call.params, call.headers
        if turn.key is not None and self._keys is not None:
            params, headers = {**params, **self._keys.params(turn.key)}, {**headers, **self._keys.headers(turn.key)}
        target = self._base.below(call.path, params)
        with anyio.move_on_after(max(0.0, call.ends - self._clock.monotonic())):
            try:
                return await self._sent(call.method, target, list(headers.items()), call.content)
            except NotConnected as error:
                raise Again(error) from None
            except BackendError as error:
                if error.retry_helps and not call.paid:
                    raise Again(error) from None
                raise
        raise TimedOut("the engine did not answer within the time limit")

    async def _sent(self, method: str, target: Target, lines: list[tuple[str, str]], content: bytes) -> ApiResponse:
        async with self._opened().send(method, target, lines, content) as reply:
            read = await body.read(reply.chunks, reply.headers.get("content-encoding", ""), self._max_bytes)
        if read.truncated:
            raise TooLarge("the engine's answer is larger than the limit")
        return ApiResponse(reply.status, reply.headers, read.content, retry_after(reply.headers, self._clock.now()))

    def _opened(self) -> Transport:
        from .transport import Transport

        if self._transport is None:
            self._transport = Transport(self._locate, self._proxies, ca_file=self._ca_file, names_to_proxy=True)
        return self._transport

    async def _judged(self, response: ApiResponse, turn: Turn) -> BackendError | None:
        """The error that this answer is, if it is one; what it says of limits is learned."""
        from .windows import heard

        said = heard(response.headers, clock_of(response.headers, self._clock.now()))
        error = self._error(response)
        if isinstance(error, RateLimited | QuotaExceeded) and error.retry_after is None:
            error.retry_after = said.reset_s
        await self._pool.told(turn, said, error)
        return error

    def _error(self, response: ApiResponse) -> BackendError | None:
        general = of_engine(response.status, response.headers, self._clock.now())
        error = None
        if self._explain is not None:
            try:
                error = self._explain(response)
            except BackendError as failed:
                # an explanation that stumbles over the body of an error says less than the status does
                error = failed if general is None else None
        if error is not None and error.retry_after is None:
            error.retry_after = response.retry_after
        error = error or general
        if not isinstance(error, BlockedBySite) and is_challenge(response.status, response.headers, response.content):
            return BlockedBySite("the engine asks for a browser check", retry_after=response.retry_after)
        return error

    def _message(
        self, json_value: Any, data: Mapping[str, Parameter] | bytes | None, extra: Mapping[str, str | SecretStr]
    ) -> tuple[Mapping[str, str], bytes]:
        described, content = packed(json_value, data)
        headers = {"user-agent": self._settings.user_agent, "accept": "application/json, */*;q=0.5", **described}
        if self._auth is not None:
            user, password = self._auth
            pair = f"{user}:{password.get_secret_value()}".encode()
            headers["authorization"] = "Basic " + base64.b64encode(pair).decode("ascii")
        return {**headers, **plain(self._headers), **plain(extra)}, content

    async def _locate(self, host: str, port: int) -> Sequence[str]:
        return [host] if self._base.is_literal else await self._resolver.resolve(host, port)


def _sent(error: BackendError) -> BackendError:
    """Why the key rests that is free first, of a request that went out with others: not that nothing was sent."""
    return of_code(error.code, "", error.retry_after) if error.unsent else error
