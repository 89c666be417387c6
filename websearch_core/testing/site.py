"""A web site on 127.0.0.1 that a test scripts: it answers, records what it was asked, and misbehaves on demand."""

from __future__ import annotations

import asyncio
import inspect
import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any, Protocol, Self
from urllib.parse import parse_qsl, unquote, urlsplit

MAX_HEAD = 1_000_000
"""Bytes of request head that the site reads before it gives up."""


@dataclass(frozen=True)
class RecordedRequest:
    """One request as it arrived."""

    method: str
    target: str
    """As sent: path and query, still encoded."""
    headers: Mapping[str, str]
    """Names in lower case; repeated headers are joined by a comma."""
    body: bytes = b""

    @cached_property
    def path(self) -> str:
        """The decoded path."""
        return unquote(urlsplit(self.target).path)

    @cached_property
    def query(self) -> dict[str, str]:
        """The decoded query; of repeated names the last."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @cached_property
    def form(self) -> dict[str, str]:
        """The body as an HTML form."""
        return dict(parse_qsl(self.text, keep_blank_values=True))

    @property
    def text(self) -> str:
        """The body as UTF-8."""
        return self.body.decode("utf-8", "replace")

    @property
    def everything(self) -> str:
        """Target, headers and body as one string: for tests that look for a word that must (not) leave."""
        return "\n".join((unquote(self.target), *(f"{k}: {v}" for k, v in self.headers.items()), self.text))

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Response:
    """A well-behaved answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def play(self, exchange: Exchange) -> None:
        """Send it, with its true length, on a connection that stays open."""
        await exchange.send(self.head(len(self.body)) + (b"" if exchange.request.method == "HEAD" else self.body))

    def head(self, length: int | None = None) -> bytes:
        """Status line and headers; `length` None: the body ends where the connection does."""
        framing = {} if self.status == 304 else {"content-length": str(length)}
        headers = {**({"connection": "close"} if length is None else framing), **self.headers}
        lines = (f"HTTP/1.1 {self.status} Said", *(f"{name}: {value}" for name, value in headers.items()), "", "")
        return "\r\n".join(lines).encode("latin-1")


def answer(
    status: int = 200,
    body: bytes | str = b"",
    *,
    json: Any = None,
    headers: Mapping[str, str] | None = None,
    content_type: str = "",
) -> Response:
    """An answer: `json` is encoded; text is sent as UTF-8. The content type follows from what is given."""
    if json is not None:
        body = _dumps(json)
    kind = content_type or ("application/json" if json is not None else "text/plain; charset=utf-8")
    content = body.encode() if isinstance(body, str) else body
    return Response(status, content, {"content-type": kind, **(headers or {})})


class Behaviour(Protocol):
    """How the site treats one request: the ready ones are in `websearch_core.testing.misbehaviour`."""

    async def play(self, exchange: Exchange) -> None:
        """Write to the exchange; the connection is closed afterwards if `exchange.keep` is False."""
        ...


Handler = Callable[[RecordedRequest], "Response | Behaviour | Awaitable[Response | Behaviour]"]


class Exchange:
    """One request and the connection that it came on."""

    def __init__(self, request: RecordedRequest, writer: asyncio.StreamWriter, released: asyncio.Event) -> None:
        self.request = request
        self.released = released
        """Set by `LoopbackSite.release`."""
        self.keep = request.headers.get("connection", "").lower() != "close"
        self._writer = writer

    async def send(self, data: bytes) -> None:
        """Write and wait until the kernel took it."""
        self._writer.write(data)
        await self._writer.drain()


class LoopbackSite:
    """`async with LoopbackSite() as site:` serves `site.url` until the block ends."""

    def __init__(self, host: str = "127.0.0.1", *, tls: ssl.SSLContext | None = None) -> None:
        self.host = host
        self.port = 0
        self.connections = 0
        """How many were opened so far."""
        self.requests: list[RecordedRequest] = []
        self._routes: dict[str, Behaviour | Handler] = {}
        self._tls = tls
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def open(self) -> int:
        """How many connections are open now."""
        return len(self._writers)

    @property
    def url(self) -> str:
        """Scheme, address and port, without a slash at the end."""
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    def route(self, path: str, behaviour: Behaviour | Handler) -> Self:
        """Treat requests for `path` so: exact, or ending in `*`; `"POST /search"` narrows to a method; last wins."""
        self._routes.pop(path, None)
        self._routes[path] = behaviour
        return self

    def release(self) -> None:
        """Let every hanging answer go on."""
        self._released.set()

    async def idle(self) -> None:
        """Wait until no connection is open."""
        await self._idle.wait()

    async def __aenter__(self) -> Self:
        self._idle = asyncio.Event()
        self._idle.set()
        self._released = asyncio.Event()
        self.asked = asyncio.Event()
        """Set when the first request has arrived in full."""
        self.closed_early: asyncio.Future[RecordedRequest] = asyncio.get_running_loop().create_future()
        """`await site.closed_early`: the first request whose client went away before its answer was complete."""
        self._server = await asyncio.get_running_loop().create_server(
            self._protocol, self.host, self.port, ssl=self._tls
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        self.closed_early.cancel()
        await asyncio.sleep(0)

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        reader = _Reader(limit=MAX_HEAD)

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            task = asyncio.ensure_future(self._serve(reader, writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        return asyncio.StreamReaderProtocol(reader, connected)

    async def _serve(self, reader: _Reader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        self._idle.clear()
        try:
            keep = True
            while keep and (request := await _read(reader)):
                self.requests.append(request)
                self.asked.set()
                exchange = Exchange(request, writer, self._released)
                keep = await self._play(exchange, reader) and exchange.keep
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the client's end of the line: what a test sees of it is on the client's side
        finally:
            self._writers.discard(writer)
            writer.close()
            if not self._writers:
                self._idle.set()

    async def _play(self, exchange: Exchange, reader: _Reader) -> bool:
        """Play the route's behaviour; False when the client left before the end."""
        playing = asyncio.ensure_future(self._answered(exchange))
        leaving = asyncio.ensure_future(reader.gone.wait())
        try:
            await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done() and not isinstance(playing.exception(), OSError):
                playing.result()
                return True
            if not self.closed_early.done():
                self.closed_early.set_result(exchange.request)
            return False
        finally:
            playing.cancel()
            leaving.cancel()
            await asyncio.gather(playing, leaving, return_exceptions=True)

    async def _answered(self, exchange: Exchange) -> None:
        found: Any = self._behaviour(exchange.request)
        if callable(found):
            found = found(exchange.request)
        if inspect.isawaitable(found):
            found = await found
        await found.play(exchange)

    def _behaviour(self, request: RecordedRequest) -> Behaviour | Handler:
        for pattern, behaviour in reversed(self._routes.items()):
            method, _, path = pattern.rpartition(" ")
            fits = request.path.startswith(path[:-1]) if path.endswith("*") else request.path == path
            if fits and method in ("", request.method):
                return behaviour
        return answer(404, "nothing here")


class _Reader(asyncio.StreamReader):
    """A stream that says when the other side has gone, without reading ahead."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.gone = asyncio.Event()

    def feed_eof(self) -> None:
        super().feed_eof()
        self.gone.set()

    def set_exception(self, exc: Exception) -> None:
        super().set_exception(exc)
        self.gone.set()


async def _read(reader: asyncio.StreamReader) -> RecordedRequest | None:
    """The next request; None when the client closed in between."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    method, target, _ = first.split(" ", 2)
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        known = headers.get(name.lower())
        headers[name.lower()] = f"{known}, {value.strip()}" if known else value.strip()
    body = b""
    if "chunked" in headers.get("transfer-encoding", ""):
        while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readuntil(b"\r\n")
    elif length := int(headers.get("content-length", "0")):
        body = await reader.readexactly(length)
    return RecordedRequest(method, target, headers, body)


def _dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
