"""The only way out of the browser: a proxy on loopback that asks the core's guarded client for every connection."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from websearch_core import BackendError, FetchRequest
from websearch_core.kit import InvalidRequest, TimedOut, TooLarge

from .request_head import MAX_HEAD, RequestHead, read_head
from .trackers import is_tracker

if TYPE_CHECKING:
    from websearch_core.kit import GuardedClient, RawConnection

_PIECE = 65_536
_END = b"Content-Length: 0\r\nConnection: close\r\n\r\n"
_UNKNOWN = b'HTTP/1.1 407 Who is it\r\nProxy-Authenticate: Basic realm="page"\r\n' + _END
_NO = b"HTTP/1.1 403 No\r\n" + _END
_CONNECTED = b"HTTP/1.1 200 Connected\r\n\r\n"
_CONNECT_S = 15.0


@dataclass(slots=True)
class PageAccess:
    """One page's leave to go out, and what became of it."""

    request: FetchRequest
    """In whose name the page's requests are screened."""
    max_bytes: int
    """The most that may come in."""
    username: str = field(default_factory=lambda: secrets.token_hex(8))
    password: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    failures: dict[str, BackendError] = field(default_factory=dict[str, BackendError])
    """Host and port → why there was no connection."""
    received: int = 0
    too_large: bool = False
    tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])


class GuardedProxy:
    """Serves pages that hold a pass; whoever has none learns nothing and reaches nothing."""

    def __init__(self, web: GuardedClient, *, block_trackers: bool) -> None:
        self._web = web
        self._block_trackers = block_trackers
        self._passes: dict[str, PageAccess] = {}
        self._server: asyncio.Server | None = None
        self._starting = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Listen on a port of the system's choice, unless it does: `127.0.0.1:PORT`."""
        async with self._starting:
            if self._server is None:
                self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0, limit=MAX_HEAD)
            return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def aclose(self) -> None:
        """Close the port and every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in (ending := list(self._tasks)):
            if not task.cancelling():  # else it is closing its connection
                task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)

    @contextlib.contextmanager
    def leave(self, request: FetchRequest, max_bytes: int) -> Generator[PageAccess]:
        """A pass for one page; afterwards it is worthless, and its connections are closed."""
        given = PageAccess(request.model_copy(update={"allowed_domains": ()}), max_bytes)
        self._passes[given.username] = given
        try:
            yield given
        finally:
            del self._passes[given.username]
            for task in given.tasks:
                task.cancel()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """In a task that is known before it runs: whoever closes the proxy meanwhile ends it, too."""
        if self._server is None:  # closed while this connection was on its way
            writer.transport.abort()
            return
        task = asyncio.create_task(self._served(reader, writer))
        self._tasks.add(task)

        def ended(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            writer.transport.abort() if task.cancelled() else writer.close()

        task.add_done_callback(ended)

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # the browser sees a closed connection; why is in the pass
        with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError, TimeoutError, BackendError):
            await self._serve(reader, writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        given = self._holder(head.authorization)
        if given is None:
            writer.write(_UNKNOWN)
            return
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - `_accepted` runs this in a task
        given.tasks.add(task)
        connection: RawConnection | None = None
        try:
            connection = await self._connection(head, given)
            if connection is None:
                if head.tunnel:
                    writer.write(_NO)
                return
            if head.tunnel:
                writer.write(_CONNECTED)
            else:
                await connection.send(head.forwarded())
            await _both_ways(reader, writer, connection, given, None if head.tunnel else head.length)
        finally:
            given.tasks.discard(task)
            if connection is not None:
                # in a task of its own: whoever is cancelled a second time here leaves no connection open
                await asyncio.shield(asyncio.ensure_future(connection.aclose()))

    async def _connection(self, head: RequestHead, given: PageAccess) -> RawConnection | None:
        """A connection by the guarded client, or None: the pass says why."""
        try:
            if self._block_trackers and is_tracker(urlsplit(head.url).hostname or ""):
                return None
            request = await self._web.screened(given.request.model_copy(update={"url": head.url}))
            if not head.tunnel and not head.moved_to(request.url):
                raise InvalidRequest("the page asks for an address that cannot be asked")
            async with asyncio.timeout(_CONNECT_S):
                return await self._web.connect(request.url)
        except BackendError as error:
            failure = error
        except TimeoutError:
            failure = TimedOut("the site did not answer within the time limit")
        except ValueError:  # no address at all
            return None
        given.failures[head.place] = failure
        return None

    def _holder(self, authorization: str) -> PageAccess | None:
        scheme, _, told = authorization.partition(" ")
        try:
            username, _, password = b64decode(told, validate=True).decode().partition(":")
        except (NotBase64, ValueError):
            return None
        given = self._passes.get(username)
        known = given is not None and hmac.compare_digest(given.password.encode(), password.encode())
        return given if known and scheme.lower() == "basic" else None


async def _both_ways(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    connection: RawConnection,
    given: PageAccess,
    length: int | None,
) -> None:
    """Carry bytes until the other side ends, or the browser ends a tunnel; of a request, only its `length` of body."""

    async def out() -> None:
        left = length
        while left is None or left > 0:
            data = await reader.read(_PIECE if left is None else min(_PIECE, left))
            if not data:
                return
            await connection.send(data)
            left = left - len(data) if left is not None else None
        # a second request on this connection would not have been judged: it is never read
        await asyncio.get_running_loop().create_future()

    async def back() -> None:
        while data := await connection.receive(_PIECE):
            given.received += len(data)
            if given.received > given.max_bytes:
                given.too_large = True
                raise TooLarge("the page loads more than the limit")
            writer.write(data)
            await writer.drain()

    ways = {asyncio.ensure_future(out()), asyncio.ensure_future(back())}
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
