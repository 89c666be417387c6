"""An ordinary client of httpx2 for one engine: what a vendor's SDK sends through it is guarded and paced."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Generator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import anyio
import httpx2

from ..contract.errors import BackendError, InvalidRequest, Refused, TimedOut
from . import body
from .connections import OUR_HEADERS
from .http_errors import NotConnected, UntrustedCertificate, of_engine

if TYPE_CHECKING:
    from ..contract.interfaces import Clock
    from .base_url import BaseUrl
    from .key_rotation import KeyRotation
    from .transport import GuardedTransport, Reply

_OF_THE_WIRE = frozenset({"content-encoding", "content-length"})
"""What no longer holds for a body that has been decompressed."""


@dataclass(eq=False)
class PacedTransport(httpx2.AsyncBaseTransport):
    """The guarded transport for one engine: requests keep the engine's pace, and its limits are learned."""

    guarded: GuardedTransport
    base: BaseUrl
    """Requests go below it only."""
    keys: KeyRotation
    clock: Clock
    timeout_s: float
    max_bytes: int
    """Of a body after decompression."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request within the time limit, its wait and its body included; the body comes decompressed.

        Whatever the request says, the Host header and those of the connection are ours. A redirect comes without
        `Location`, so that no client follows it. Raises errors of httpx2, whose `__cause__` is our `BackendError`.
        """
        ends = self.clock.monotonic() + self.timeout_s
        with _httpx_errors(request):
            target = self.base.below(str(request.url), {})  # refused before it counts
            acquired = await self.keys.acquire(ends)
            sent = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw]
            sent = [line for line in sent if line[0].lower() not in OUR_HEADERS]
            sent.append(("accept-encoding", body.ACCEPT_ENCODING))
            reply: Reply | None = None
            with anyio.move_on_after(ends - self.clock.monotonic()) as scope:
                stream = cast("AsyncIterable[bytes]", request.stream)
                timeouts = request.extensions.get("timeout")
                reply = await self.guarded.send(request.method, target, sent, stream, timeouts)
            if reply is None:
                raise TimedOut
        try:
            error = of_engine(reply.status, reply.headers, self.clock.now())
            await self.keys.learn(acquired, reply.headers, error)
        except BaseException:  # cancelled while the store was slow
            await reply.aclose()
            raise
        unwanted = _OF_THE_WIRE if "content-encoding" in reply.headers else frozenset[str]()
        if 300 <= reply.status < 400:
            unwanted |= {"location"}
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in reply.headers.items()
            if name not in unwanted
        ]
        stream = _Body(reply, request, self.max_bytes, scope.deadline)
        return httpx2.Response(reply.status, headers=headers, stream=stream)


@dataclass(eq=False)
class _Body(httpx2.AsyncByteStream):
    """A reply's body, decompressed, of at most `cap` bytes, before `ends` on anyio's clock."""

    reply: Reply
    request: httpx2.Request
    cap: int
    ends: float

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        encoding = self.reply.headers.get("content-encoding", "")
        with _httpx_errors(self.request):
            async with aclosing(body.pieces(self.reply.chunks, encoding, self.cap)) as pieces:
                while True:
                    piece: bytes | None = None
                    with anyio.CancelScope(deadline=self.ends) as scope:
                        piece = await anext(pieces, None)
                    if scope.cancelled_caught:
                        raise TimedOut
                    if piece is None:
                        return
                    yield piece

    async def aclose(self) -> None:
        await self.reply.aclose()


@contextmanager
def _httpx_errors(request: httpx2.Request) -> Generator[None]:
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
