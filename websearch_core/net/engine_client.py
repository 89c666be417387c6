"""The client for one engine that the operator configured: bound to its origin, patient, never redirected."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import SecretStr

from ..contract.clients import EngineClient
from ..contract.engine_response import EngineResponse, Parameter
from ..contract.errors import AuthFailed, BackendError, BlockedBySite, TimedOut, TooLarge, of_code
from ..contract.interfaces import Clock, Store
from ..contract.keys import KeyPool
from ..settings.configuration import NetSettings
from . import body
from .base_url import BaseUrl
from .challenges import is_challenge
from .connections import Connections
from .engine_message import packed, plain
from .http_errors import NotConnected, of_engine, retry_after
from .key_rotation import OF_THE_KEY, AcquiredKey, EngineState, KeyRotation
from .resolve import Resolver, SystemResolver
from .retry import RetryWanted, repeated

if TYPE_CHECKING:
    import httpx2

    from .urls import Target

MAX_ANSWER_BYTES = 4_000_000

_REPEATABLE_WHEN_PAID = frozenset({429, 503})


class EngineHttpClient(EngineClient):
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
        explain: Callable[[EngineResponse], BackendError | None] | None = None,
        max_bytes: int = MAX_ANSWER_BYTES,
        resolve: Resolver | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Cheap; nothing is opened before the first request. Raises StartupError for a bad address, proxy, CA file.

        `headers` and `auth` (HTTP Basic) go with every request. `keys` and `pace` are as in `PluginContext.api`;
        `store` is where the schedules of keys are kept: without it nothing is paced, and keys only rotate.
        Clients of one `owner`, a plugin, for one origin share them. `explain` sees each answer before the general table
        of statuses does. A larger answer than `max_bytes` is `TooLarge`.
        """
        self._base = BaseUrl(base_url)
        self._settings = settings
        self._clock = clock
        self._headers = {"user-agent": settings.user_agent, "accept": "application/json, */*;q=0.5"}
        if auth is not None:
            pair = f"{auth[0]}:{auth[1].get_secret_value()}".encode()
            self._headers["authorization"] = "Basic " + base64.b64encode(pair).decode("ascii")
        self._headers |= plain(headers or {})
        self._key_pool = keys
        self._keys = KeyRotation(owner, self.origin, keys.keys if keys else (), pace, store, clock)
        self._explain = explain
        self._max_bytes = max_bytes
        self._resolver = resolve or SystemResolver()
        self._connections = Connections(self._locate, settings, environ, names_to_proxy=True)
        self._http_clients: list[httpx2.AsyncClient] = []

    def __repr__(self) -> str:
        return f"EngineHttpClient({self.origin!r})"

    @property
    def origin(self) -> str:
        """See `EngineClient.origin`."""
        return self._base.address.origin

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
    ) -> EngineResponse:
        """See `EngineClient.request`."""
        target = self._base.below(path, params or {})  # refused before it counts
        self._connections.transport()  # loaded now, so that the first request is not late
        described, content = packed(json, data)
        lines = described | self._headers | plain(headers or {})
        ends = self._clock.monotonic() + (timeout_s if timeout_s is not None else self._settings.timeout_s)
        ends = ends if deadline is None else min(ends, deadline)

        async def send(key: SecretStr | None) -> EngineResponse:
            signed, address = lines, target
            if key is not None and self._key_pool is not None:
                signed = lines | self._key_pool.headers(key)
                if of_key := self._key_pool.params(key):
                    address = self._base.below(path, {**(params or {}), **of_key})
            with anyio.move_on_after(max(0.0, ends - self._clock.monotonic())):
                try:
                    return await self._sent(method, address, list(signed.items()), content)
                except BackendError as error:
                    if isinstance(error, NotConnected) or (error.retry_helps and not paid):
                        raise RetryWanted(error) from None
                    raise
            raise TimedOut("the engine did not answer within the time limit")

        return await repeated(lambda: self._attempt(send, ends, paid=paid), self._clock, ends, self.origin)

    def http_client(self, timeout_s: float | None = None) -> httpx2.AsyncClient:
        """An ordinary client of httpx2 over this origin, for a vendor's SDK: as `PluginContext.http_client` says."""
        import httpx2

        from .http_client import PacedTransport

        seconds = self._settings.timeout_s if timeout_s is None else timeout_s
        transport = PacedTransport(
            self._connections.transport(), self._base, self._keys, self._clock, seconds, self._max_bytes
        )
        headers = {"user-agent": self._settings.user_agent}
        client = httpx2.AsyncClient(
            transport=transport, base_url=self._base.address.url, headers=headers, timeout=seconds, trust_env=False
        )
        self._http_clients.append(client)
        return client

    async def state(self) -> EngineState:
        """How many keys, which of them rest, and when the next request may go out. No key can be told from it."""
        return await self._keys.state()

    async def aclose(self) -> None:
        """Close every connection; a later request opens new ones."""
        for client in self._http_clients:
            await client.aclose()
        await self._connections.aclose()

    async def _attempt(
        self, send: Callable[[SecretStr | None], Awaitable[EngineResponse]], ends: float, *, paid: bool
    ) -> EngineResponse:
        """One try; with several keys, at most one with each of them."""
        failed: dict[int, BackendError] = {}
        refused: list[AcquiredKey] = []
        acquired = await self._keys.acquire(ends)
        while True:
            response = await send(acquired.key)
            error = self._error(response)
            await self._keys.learn(acquired, response.headers, error)
            if isinstance(error, AuthFailed):
                refused.append(acquired)
            else:
                await self._keys.refused(refused)
                refused = []
            if error is None:
                return response
            if self._keys.size == 1 or not isinstance(error, OF_THE_KEY):
                again = error.retry_helps and (not paid or response.status in _REPEATABLE_WHEN_PAID)
                raise RetryWanted(error) if again else error
            failed[acquired.position] = error
            try:
                acquired = await self._keys.acquire(ends, failed)
            except BackendError as error:
                # other keys' requests were sent
                told = of_code(error.code, "", error.retry_after) if error.unsent else error
                raise RetryWanted(told) if told.retry_helps else told from None

    async def _sent(self, method: str, target: Target, lines: list[tuple[str, str]], content: bytes) -> EngineResponse:
        async with aclosing(await self._connections.transport().send(method, target, lines, content)) as reply:
            read = await body.read(reply.chunks, reply.headers.get("content-encoding", ""), self._max_bytes)
        if read.truncated:
            raise TooLarge("the engine's answer is larger than the limit")
        return EngineResponse(reply.status, reply.headers, read.content, retry_after(reply.headers, self._clock.now()))

    def _error(self, response: EngineResponse) -> BackendError | None:
        """The error that this answer is, if it is one."""
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

    async def _locate(self, host: str, port: int) -> Sequence[str]:
        return [host] if self._base.address.literal else await self._resolver.resolve(host, port)
