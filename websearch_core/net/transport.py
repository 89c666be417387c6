"""One request over pooled connections: headers of bounded size, failures as our errors."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.to_thread
import httpcore2

from ..errors import BackendError, InvalidRequest, TimedOut, TooLarge
from .dial import Connection, Dialer, Stream
from .failures import BrokenOff, NotConnected, Untrusted
from .proxies import Proxies
from .urls import Target

if TYPE_CHECKING:
    from collections.abc import Generator

    from .dial import Locate

_MAX_HEADERS = 64 * 1024
_CONNECTIONS = 256
_IDLE_CONNECTIONS = 64
_IDLE_S = 4.0
"""Shorter than what servers commonly grant (5 s), so that we close first and no request meets a closing server."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A status, its headers, and the body still to come."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; values of one name joined with a comma; no cookies: nothing here keeps any."""
    chunks: AsyncGenerator[bytes]
    sets_cookie: bool = False


class Transport:
    """Sends requests. Raises only `BackendError`; leaving `send`, or being cancelled in it, frees the connection."""

    def __init__(self, locate: Locate, proxies: Proxies, *, ca_file: str, names_to_proxy: bool) -> None:
        self._locate = locate
        self._proxies = proxies
        self._ca_file = ca_file
        self._names_to_proxy = names_to_proxy
        self._pools: dict[str, httpcore2.AsyncConnectionPool] = {}
        self._context: ssl.SSLContext | None = None
        self._making = anyio.Lock()

    @asynccontextmanager
    async def send(
        self, method: str, target: Target, headers: Sequence[tuple[str, str]], content: bytes = b""
    ) -> AsyncGenerator[Reply]:
        """Send one request; the reply's body may be read inside the context."""
        pool = await self._pool(target.scheme)
        async with AsyncExitStack() as stack:
            with _explained():
                response = await pool.handle_async_request(_request(method, target, headers, content))
            stack.push_async_callback(response.aclose)
            if isinstance(stream := cast("Any", response).extensions.get("network_stream"), Stream):
                stream.begin_body()
            if sum(len(name) + len(value) + 4 for name, value in response.headers) > _MAX_HEADERS:
                raise TooLarge("the response's headers are larger than the limit")
            chunks = await stack.enter_async_context(aclosing(_chunks(response)))
            sets_cookie = any(name.lower() == b"set-cookie" for name, _ in response.headers)
            yield Reply(response.status, _merged(response.headers), chunks, sets_cookie)

    async def connect(self, target: Target) -> Connection:
        """A connection of its own to the target's host, never pooled: whoever asked for it closes it."""
        with _explained():
            stream = await self._dialer(target.scheme).connect_tcp(target.host, target.port)
        return Connection(cast("Stream", stream))

    async def aclose(self) -> None:
        """Close every pooled connection."""
        pools, self._pools = self._pools, {}
        for pool in pools.values():
            await pool.aclose()

    async def _pool(self, scheme: str) -> httpcore2.AsyncConnectionPool:
        if scheme not in self._pools:
            context = await self._tls() if scheme == "https" else None
            self._pools.setdefault(
                scheme,
                httpcore2.AsyncConnectionPool(
                    ssl_context=context,
                    max_connections=_CONNECTIONS,
                    max_keepalive_connections=_IDLE_CONNECTIONS,
                    keepalive_expiry=_IDLE_S,
                    network_backend=self._dialer(scheme),
                ),
            )
        return self._pools[scheme]

    def _dialer(self, scheme: str) -> Dialer:
        return Dialer(scheme, self._locate, self._proxies, self._tls, names_to_proxy=self._names_to_proxy)

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


def _request(method: str, target: Target, headers: Sequence[tuple[str, str]], content: bytes) -> httpcore2.Request:
    try:
        lines = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
    except UnicodeEncodeError:
        raise InvalidRequest("the request's headers are not valid") from None
    return httpcore2.Request(
        method=method.encode("ascii"),
        url=httpcore2.URL(
            scheme=target.scheme.encode("ascii"),
            host=target.host.encode("ascii"),
            port=target.port,
            target=target.path.encode("ascii"),
        ),
        headers=[(b"Host", target.authority.encode("ascii")), *lines],
        content=content,
    )


async def _chunks(response: httpcore2.Response) -> AsyncGenerator[bytes]:
    with _explained():
        async with aclosing(response.aiter_stream()) as stream:
            async for chunk in stream:
                yield chunk


def _merged(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name in ("set-cookie", "set-cookie2"):
            continue
        merged[name] = f"{merged[name]}, {value}" if name in merged else value
    return merged


@contextmanager
def _explained() -> Generator[None]:
    try:
        yield
    except (
        httpcore2.TimeoutException,
        httpcore2.NetworkError,
        httpcore2.ProtocolError,
        httpcore2.UnsupportedProtocol,
        OSError,  # ssl.SSLError is one
    ) as error:
        raise _error(error) from None


def _error(error: Exception) -> BackendError:
    causes = [error, *_causes(error)]
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return Untrusted(
            "the site's certificate is not valid or not trusted here: check the name, or set [net] ca_file"
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return NotConnected("TLS with the site failed")
    match error:
        case httpcore2.TimeoutException():
            return TimedOut()
        case httpcore2.ConnectError():
            return NotConnected("no connection to the site")
        case httpcore2.RemoteProtocolError():
            if any(getattr(cause, "error_status_hint", 0) == 431 for cause in causes):
                return TooLarge("the response's headers are larger than the limit")
            return BrokenOff("the answer was cut short or is not HTTP")
        case httpcore2.LocalProtocolError():
            return InvalidRequest("the request's headers are not valid")
        case _:
            return BrokenOff("the connection broke")


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    while (cause := error.__cause__ or error.__context__) is not None and len(found) < 8:
        found.append(cause)
        error = cause
    return found
