"""The guarded transport: requests over pooled connections to checked addresses, heads of bounded size."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any, Self, cast

import anyio
import anyio.to_thread
import httpcore2
import httpx2

from ..contract.errors import BackendError, InvalidRequest, Refused, TimedOut, TooLarge
from . import body
from .connections import OUR_HEADERS
from .connector import Connection, Connector, Stream
from .http_errors import ConnectionBroken, NotConnected, UntrustedCertificate

if TYPE_CHECKING:
    from collections.abc import Generator

    from .connector import Locate
    from .proxies import Proxies
    from .urls import Target

_MAX_HEADERS = 64 * 1024
_CONNECTIONS = 256
_IDLE_CONNECTIONS = 64
_IDLE_S = 4.0
"""Shorter than what servers commonly grant (5 s), so that we close first and no request meets a closing server."""
_COOKIES = frozenset({"set-cookie", "set-cookie2"})
_OF_THE_WIRE = frozenset({"content-encoding", "content-length"})
"""What no longer holds for a body that has been decompressed."""


class Reply:
    """A status, its headers, and the body still to come. `async with` frees the connection."""

    def __init__(self, response: httpcore2.Response) -> None:
        self.status = response.status
        self.sets_cookie = False
        self.headers: Mapping[str, str] = self._merged(response.headers)
        """Names in lower case; values of one name joined with a comma; no cookies: nothing here keeps any."""
        self.chunks = _chunks(response)
        """The body as it came, still compressed."""
        self._response = response

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Free the connection: for the next request if the body was read to its end."""
        try:
            await self.chunks.aclose()
        finally:
            await self._response.aclose()

    def _merged(self, headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
        merged: dict[str, str] = {}
        for raw_name, raw_value in headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name in _COOKIES:
                self.sets_cookie = True
                continue
            merged[name] = f"{merged[name]}, {value}" if name in merged else value
        return merged


class _Body(httpx2.AsyncByteStream):
    """A reply's body, decompressed, of at most `cap` bytes, before `ends` on anyio's clock."""

    def __init__(self, reply: Reply, request: httpx2.Request, cap: int, ends: float) -> None:
        self._reply = reply
        self._request = request
        self._cap = cap
        self._ends = ends

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        encoding = self._reply.headers.get("content-encoding", "")
        with httpx_errors(self._request):
            async with aclosing(body.pieces(self._reply.chunks, encoding, self._cap)) as pieces:
                while True:
                    piece: bytes | None = None
                    with anyio.CancelScope(deadline=self._ends) as scope:
                        piece = await anext(pieces, None)
                    if scope.cancelled_caught:
                        raise TimedOut
                    if piece is None:
                        return
                    yield piece

    async def aclose(self) -> None:
        await self._reply.aclose()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends requests to addresses that `locate` has checked, and to no other. Both clients of the core stand on it.

    `send` is what they use; `handle_async_request` is the same for an ordinary client of httpx2.
    """

    def __init__(
        self,
        check: Callable[[str], Target],
        locate: Locate,
        proxies: Proxies,
        *,
        ca_file: str,
        names_to_proxy: bool,
        max_bytes: int,
        timeout_s: float,
    ) -> None:
        """`check` reads and judges the address of a request that a client of httpx2 sends.

        `max_bytes`, of a body after decompression, and `timeout_s`, of a whole exchange, are the limits of such
        requests: `send` leaves both to its callers.
        """
        self.check = check
        self._max_bytes = max_bytes
        self._timeout_s = timeout_s
        self._locate = locate
        self._proxies = proxies
        self._ca_file = ca_file
        self._names_to_proxy = names_to_proxy
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
        request = _request(method, target, headers, content, timeouts)
        with _explained():
            response = await pool.handle_async_request(request)
        if isinstance(stream := cast("Any", response).extensions.get("network_stream"), Stream):
            stream.begin_body()
        if sum(len(name) + len(value) + 4 for name, value in response.headers) > _MAX_HEADERS:
            await response.aclose()
            raise TooLarge("the response's headers are larger than the limit")
        return Reply(response)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """As `send`, for a client of httpx2: its timeouts, and its errors, whose `__cause__` is our `BackendError`."""
        with httpx_errors(request):
            target = self.check(str(request.url))
        return await self.exchange(request, target, self._timeout_s)

    async def exchange(self, request: httpx2.Request, target: Target, timeout_s: float) -> httpx2.Response:
        """`handle_async_request` for an address that has been checked. The body, too, must come within `timeout_s`.

        It is decompressed already. Whatever the request says, the Host header and those of the connection are ours.
        """
        with httpx_errors(request):
            reply: Reply | None = None
            with anyio.move_on_after(timeout_s) as scope:
                stream = cast("AsyncIterable[bytes]", request.stream)
                timeouts = request.extensions.get("timeout")
                reply = await self.send(request.method, target, _lines(request), stream, timeouts)
            if reply is None:
                raise TimedOut
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in reply.headers.items()
            if name not in _OF_THE_WIRE or "content-encoding" not in reply.headers
        ]
        return httpx2.Response(
            reply.status, headers=headers, stream=_Body(reply, request, self._max_bytes, scope.deadline)
        )

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

    def _dialer(self, scheme: str) -> Connector:
        return Connector(scheme, self._locate, self._proxies, self._tls, names_to_proxy=self._names_to_proxy)

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


def _lines(request: httpx2.Request) -> list[tuple[str, str]]:
    lines = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw]
    return [*(line for line in lines if line[0].lower() not in OUR_HEADERS), ("accept-encoding", body.ACCEPT_ENCODING)]


def _request(
    method: str,
    target: Target,
    headers: Sequence[tuple[str, str]],
    content: bytes | AsyncIterable[bytes],
    timeouts: Mapping[str, float | None] | None,
) -> httpcore2.Request:
    try:
        verb = method.encode("ascii")
        lines = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
    except UnicodeEncodeError:
        raise InvalidRequest("the request's method or headers are not valid") from None
    return httpcore2.Request(
        method=verb,
        url=httpcore2.URL(
            scheme=target.scheme.encode("ascii"),
            host=target.host.encode("ascii"),
            port=target.port,
            target=target.path.encode("ascii"),
        ),
        headers=[(b"Host", target.authority.encode("ascii")), *lines],
        content=content,
        extensions={"timeout": timeouts} if timeouts else None,
    )


async def _chunks(response: httpcore2.Response) -> AsyncGenerator[bytes]:
    with _explained():
        async with aclosing(response.aiter_stream()) as stream:
            async for chunk in stream:
                yield chunk


@contextmanager
def httpx_errors(request: httpx2.Request) -> Generator[None]:
    """Turns our errors into those of httpx2 that tell a client the same: no time, nothing sent, or broken off."""
    try:
        yield
    except BackendError as error:
        kind: type[httpx2.TransportError] = httpx2.ReadError
        if isinstance(error, TimedOut):
            kind = httpx2.ReadTimeout
        elif error.unsent or isinstance(error, NotConnected | UntrustedCertificate | Refused | InvalidRequest):
            kind = httpx2.ConnectError
        raise kind(str(error), request=request) from error


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
        return UntrustedCertificate(
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
            return ConnectionBroken("the answer was cut short or is not HTTP")
        case httpcore2.LocalProtocolError():
            return InvalidRequest("the request's headers are not valid")
        case _:
            return ConnectionBroken("the connection broke")


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    while (cause := error.__cause__ or error.__context__) is not None and len(found) < 8:
        found.append(cause)
        error = cause
    return found
