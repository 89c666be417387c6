"""A client's connection before anybody knows whose it is: how many there are, how large or slow one may be."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD = 64 << 10
"""Bytes of a request line and its headers."""

HEAD_SECONDS = 10.0
"""How long a client may take over a request's head; between requests, uvicorn's keep-alive time counts."""

STALL_SECONDS = 30.0
"""How long a client may leave unread what the buffers do not hold."""

CALLS_SHARE = 0.8
"""Of the time that a stop gives: how long calls may still work. The rest is for telling those that are not done."""


def give_up_unread(listener: socket.socket) -> None:
    """Have the system end connections of this socket whose clients do not read; where it can (Linux)."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALL_SECONDS * 1000))


class GracefulServer(uvicorn.Server):
    """uvicorn's server, which at a stop cuts no call off without an answer."""

    def __init__(self, config: uvicorn.Config, end_calls: Callable[[], None]) -> None:
        """`end_calls` has every call answered at once."""
        super().__init__(config)
        self._end_calls = end_calls

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for the calls, then end them, then wait for their connections."""
        seconds = (self.config.timeout_graceful_shutdown or 0) * CALLS_SHARE
        asyncio.get_running_loop().call_later(seconds, self._end_calls)
        await super().shutdown(sockets)


class BoundedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol on httptools, with bounds. A request in service is for the ASGI guard to bound."""

    def __init__(self, *given: Any, max_connections: int, **more: Any) -> None:
        """Connections beyond `max_connections` are closed at once."""
        super().__init__(*given, **more)
        self._max_connections = max_connections
        self._in_head = False
        self._head_bytes = 0
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] - as uvicorn has it
        """Counted with those that are open already."""
        super().connection_made(transport)
        self._await_head()
        if len(self.connections) > self._max_connections:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """No time matters any more."""
        self._head_came()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a head, of a body, or of both."""
        self._head_bytes += len(data)
        super().data_received(data)
        if not self._in_head:
            self._head_bytes = 0
        elif self._head_bytes > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response("The head is too large.")
        # any byte ends uvicorn's keep-alive time: those that are not for a request in service must lead to one
        if self._late is None and self.cycle.response_complete:
            self._await_head()

    def on_message_begin(self) -> None:
        """The first byte of a head."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """One that came in a single read has not been measured yet."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > MAX_HEAD:
            raise httptools.HttpParserError("the head is too large")
        super().on_headers_complete()
        self._in_head = False
        self._head_came()

    def _await_head(self) -> None:
        self._late = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _head_came(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
