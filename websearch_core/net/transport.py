"""The guarded transport: requests over pooled connections to checked addresses, heads of bounded size."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, AsyncIterable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.to_thread
import httpcore2

from ..contract.errors import InvalidRequest, TooLarge
from .connector import HEADERS_TOO_LARGE, Connector, Stream, explained

if TYPE_CHECKING:
    from .connector import Locate
    from .proxies import Proxies
    from .urls import Target

_MAX_HEADERS = 64 * 1024
_CONNECTIONS = 256
_IDLE_CONNECTIONS = 64
_IDLE_S = 4.0
"""Shorter than what servers commonly grant (5 s), so that we close first and no request meets a closing server."""
_COOKIES = frozenset({"set-cookie", "set-cookie2"})


class Reply:
    """A status, its headers, and the body still to come. To be closed."""

    def __init__(self, response: httpcore2.Response) -> None:
        self.status = response.status
        self.headers: dict[str, str] = {}
        """Names in lower case; values of one name joined with a comma; no cookies: nothing here keeps any."""
        self.sets_cookie = False
        for raw_name, raw_value in response.headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name in _COOKIES:
                self.sets_cookie = True
            else:
                self.headers[name] = f"{self.headers[name]}, {value}" if name in self.headers else value
        self.chunks = _chunks(response)
        """The body as it came, still compressed."""
        self._response = response

    async def aclose(self) -> None:
        """Free the connection: for the next request if the body was read to its end."""
        try:
            await self.chunks.aclose()
        finally:
            await self._response.aclose()


class GuardedTransport:
    """Sends requests to addresses that `locate` has checked, and to no other. Whatever the core sends goes this way."""

    def __init__(self, locate: Locate, proxies: Proxies, ca_file: str, names_to_proxy: bool) -> None:
        self._connectors = {
            scheme: Connector(scheme, locate, proxies, self._tls, names_to_proxy) for scheme in ("http", "https")
        }
        self._ca_file = ca_file
        self._pools: dict[str, httpcore2.AsyncConnectionPool] = {}
        self._context: ssl.SSLContext | None = None
        self._making = anyio.Lock()

    async def send(
        self,
        method: str,
        target: Target,
        headers: Sequence[tuple[str, str]],
        content: bytes | AsyncIterable[bytes] = b"",
        timeouts: Mapping[str, float | None] | None = None,
    ) -> Reply:
        """Send one request; the reply must be closed. Raises only `BackendError`; cancelling frees the connection."""
        pool = await self._pool(target.scheme)
        scheme, host, path = target.scheme.encode(), target.host.encode(), target.path.encode("ascii")
        try:
            verb = method.encode("ascii")
            lines = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
        except UnicodeEncodeError:
            raise InvalidRequest("the request's method or headers are not valid") from None
        request = httpcore2.Request(
            verb,
            httpcore2.URL(scheme=scheme, host=host, port=target.port, target=path),
            headers=[(b"Host", target.authority.encode()), *lines],
            content=content,
            extensions={"timeout": timeouts or {}},
        )
        with explained():
            response = await pool.handle_async_request(request)
        if isinstance(stream := cast("Any", response).extensions.get("network_stream"), Stream):
            stream.begin_body()
        if sum(len(name) + len(value) + 4 for name, value in response.headers) > _MAX_HEADERS:
            await response.aclose()
            raise TooLarge(HEADERS_TOO_LARGE)
        return Reply(response)

    async def connect(self, target: Target) -> Stream:
        """A connection of its own to the target's host, never pooled: the caller closes it."""
        with explained():
            return await self._connectors[target.scheme].connect_tcp(target.host, target.port)

    async def aclose(self) -> None:
        """Close every pooled connection; a later request opens new ones."""
        pools, self._pools = self._pools, {}
        for pool in pools.values():
            await pool.aclose()

    async def _pool(self, scheme: str) -> httpcore2.AsyncConnectionPool:
        if scheme not in self._pools:
            context = await self._tls() if scheme == "https" else None
            pool = httpcore2.AsyncConnectionPool(
                ssl_context=context,
                max_connections=_CONNECTIONS,
                max_keepalive_connections=_IDLE_CONNECTIONS,
                keepalive_expiry=_IDLE_S,
                network_backend=self._connectors[scheme],
            )
            self._pools.setdefault(scheme, pool)
        return self._pools[scheme]

    async def _tls(self) -> ssl.SSLContext:
        async with self._making:
            if self._context is None:
                self._context = await anyio.to_thread.run_sync(_ssl_context, self._ca_file)
        return self._context


def _ssl_context(ca_file: str) -> ssl.SSLContext:
    context = httpcore2.default_ssl_context()
    if ca_file:
        context.load_verify_locations(cafile=ca_file)
    return context


async def _chunks(response: httpcore2.Response) -> AsyncGenerator[bytes]:
    with explained():
        async with aclosing(response.aiter_stream()) as stream:
            async for chunk in stream:
                yield chunk
