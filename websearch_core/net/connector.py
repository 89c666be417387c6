"""Connections to checked addresses only, directly or through the operator's proxy."""

# ruff: noqa: ARG002, ASYNC109 - the signatures are httpcore's
from __future__ import annotations

import re
import select
import socket
import ssl
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import anyio
import anyio.lowlevel
import httpcore2

from ..contract.clients import RawConnection
from ..contract.errors import BackendError, InvalidRequest, TimedOut, TooLarge
from .http_errors import ConnectionBroken, NotConnected, UntrustedCertificate
from .proxies import Proxies, Proxy
from .urls import normal_host

HEADERS_TOO_LARGE = "the response's headers are larger than the limit"
_TRY_S = 5.0
"""How long one of several addresses may take; the last one has all the time that is left."""
_MAX_HEADS = 256 * 1024
"""Of all heads of one answer together, interim ones included."""
_HEAD_PIECE = 4096
"""Read at once while heads are parsed: a few milliseconds' work."""
_TCP = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())
_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})")

Locate = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port → the addresses that may be connected to, checked. Raises `BackendError`."""


class Stream(httpcore2.AsyncNetworkStream, RawConnection):
    """A connection to a checked address, which bounds the heads of answers.

    After a request everything counts as head until `begin_body` says that the final head is there: a server may send
    interim ones (1xx) for ever, each cheap for it and dear for us. As a `RawConnection` it awaits no head.
    """

    def __init__(self, inner: httpcore2.AsyncNetworkStream) -> None:
        self._inner = inner
        self._head_left: int | None = None
        self._socket: socket.socket | None = inner.get_extra_info("socket")

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Bytes as they come; empty at the end. Raises `TooLarge` for heads without end."""
        if self._head_left is None:
            return await self._inner.read(max_bytes, timeout)
        if self._head_left < _MAX_HEADS:
            # TLS may have the next piece ready, and would let no other task run before it is read
            await anyio.lowlevel.checkpoint()
        data = await self._inner.read(min(max_bytes, _HEAD_PIECE), timeout)
        self._head_left -= len(data)
        if self._head_left < 0:
            raise TooLarge(HEADERS_TOO_LARGE)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """All bytes, after which an answer's head is awaited."""
        self._head_left = _MAX_HEADS
        await self._inner.write(buffer, timeout)

    def begin_body(self) -> None:
        """The head of the answer is complete."""
        self._head_left = None

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        """See `RawConnection.receive`."""
        self.begin_body()
        with explained():
            return await self.read(max_bytes)

    async def send(self, data: bytes) -> None:
        """See `RawConnection.send`."""
        with explained():
            await self.write(data)

    async def aclose(self) -> None:
        """Close the socket, even when cancelled."""
        with anyio.CancelScope(shield=True):
            await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """The same connection, encrypted, or closed if that fails. The certificate must name `server_hostname`."""
        try:
            return Stream(await self._inner.start_tls(ssl_context, server_hostname, timeout))
        except BaseException:
            await self.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        """As the connection says."""
        # the pool asks this of every idle connection for every request; the way through the layers costs ten times more
        if info == "is_readable" and self._socket is not None and hasattr(select, "poll"):
            return _is_readable(self._socket)
        return self._inner.get_extra_info(info)


@dataclass(eq=False)
class Connector(httpcore2.AsyncNetworkBackend):
    """Opens connections for one scheme. A name is looked up once, by `locate`, and only its answer is connected to.

    The caller starts TLS afterwards with the name: SNI and Host never see the address.
    """

    scheme: str
    locate: Locate
    proxies: Proxies
    tls: Callable[[], Awaitable[ssl.SSLContext]]
    names_to_proxy: bool

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> Stream:
        """Connect. Raises `BackendError`; `NotConnected` when no address answered."""
        proxy = self.proxies.choose(self.scheme, host, port)
        if proxy is not None and self.names_to_proxy and normal_host(host)[1] is None:
            return await self._tunnel(proxy, host, port)
        addresses = await self.locate(host, port)
        failure: BackendError = NotConnected("no connection to the site")
        for address in addresses:
            try:
                with anyio.fail_after(None if address == addresses[-1] else _TRY_S):
                    if proxy is None or self.proxies.choose(self.scheme, address, port) is None:
                        return Stream(await _TCP.connect_tcp(address, port))
                    return await self._tunnel(proxy, address, port)
            except NotConnected as error:
                failure = error
            except (httpcore2.NetworkError, httpcore2.TimeoutException, OSError):
                continue
        raise failure

    async def _tunnel(self, proxy: Proxy, host: str, port: int) -> Stream:
        """Ask the proxy for a connection to exactly this address (RFC 9110 §9.3.6)."""
        try:
            stream = Stream(await _TCP.connect_tcp(proxy.host, proxy.port))
        except (httpcore2.NetworkError, OSError):
            raise NotConnected("no connection to the outgoing proxy: check [net] proxy") from None
        try:
            if proxy.secure:
                stream = cast("Stream", await stream.start_tls(await self.tls(), proxy.host))
            authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}"]
            if proxy.authorization:
                lines.append(f"Proxy-Authorization: {proxy.authorization}")
            await stream.write(("\r\n".join(lines) + "\r\n\r\n").encode("ascii"))
            await _accepted(stream)
        except BaseException as error:
            await stream.aclose()
            if isinstance(error, httpcore2.NetworkError | OSError):
                raise NotConnected("the outgoing proxy broke the connection") from None
            raise
        return stream


async def _accepted(stream: Stream) -> None:
    head = b""
    while b"\r\n\r\n" not in head:
        data = await stream.read(_HEAD_PIECE)
        if not data:
            break
        head += data
    status = _STATUS.match(head)
    # a server behind the tunnel does not speak first: more bytes than the head would be the proxy's own
    if status is None or not head.endswith(b"\r\n\r\n"):
        raise NotConnected("the outgoing proxy did not answer as a proxy does")
    if status[1] == b"407":
        raise NotConnected("the outgoing proxy asks for credentials: set them in [net] proxy")
    if not status[1].startswith(b"2"):
        raise NotConnected("the outgoing proxy refused the connection")


def _is_readable(connection: socket.socket) -> bool:
    if connection.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


@contextmanager
def explained() -> Generator[None]:
    """Turns what httpcore raises into our errors."""
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
    causes: list[BaseException] = [error]
    while (above := causes[-1].__cause__ or causes[-1].__context__) is not None and above not in causes:
        causes.append(above)
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
                return TooLarge(HEADERS_TOO_LARGE)
            return ConnectionBroken("the answer was cut short or is not HTTP")
        case httpcore2.LocalProtocolError():
            return InvalidRequest("the request's headers are not valid")
        case _:
            return ConnectionBroken("the connection broke")
