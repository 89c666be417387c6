"""What a bad web server does, one class each: routes for `LoopbackSite`."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from .site import Behaviour, Exchange, Response, answer

OK = answer(200, "ok")


@dataclass(frozen=True)
class Drip:
    """Sends the body a piece at a time and never closes in between; an endless body when `body` is empty."""

    body: bytes = b""
    every_s: float = 0.02
    piece: int = 1
    content_type: str = "text/plain; charset=utf-8"

    async def play(self, exchange: Exchange) -> None:
        """Drip until the body or the client's patience ends."""
        exchange.keep = False
        await exchange.send(answer(content_type=self.content_type).head(len(self.body) or 10**9))
        for piece in self._pieces():
            await exchange.send(piece)
            await asyncio.sleep(self.every_s)

    def _pieces(self) -> Iterator[bytes]:
        while not self.body:
            yield b"."
        for start in range(0, len(self.body), self.piece):
            yield self.body[start : start + self.piece]


@dataclass(frozen=True)
class Hang:
    """Says nothing until `site.release()`, then behaves as `then`; with `after_head`, the headers come at once."""

    then: Behaviour = OK
    after_head: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Wait to be released."""
        if self.after_head:
            exchange.keep = False
            await exchange.send(OK.head(len(OK.body)))
        await exchange.released.wait()
        await (exchange.send(OK.body) if self.after_head else self.then.play(exchange))


@dataclass(frozen=True)
class Bomb:
    """A gzip answer that is a thousand times larger when unpacked."""

    unpacked: int = 64_000_000
    content_type: str = "text/plain; charset=utf-8"

    async def play(self, exchange: Exchange) -> None:
        """Send it as one well-framed answer."""
        headers = {"content-encoding": "gzip"}
        await answer(200, _bomb(self.unpacked), headers=headers, content_type=self.content_type).play(exchange)


@dataclass(frozen=True)
class WrongLength:
    """Claims `claimed` bytes, sends all of `body`, closes."""

    body: bytes
    claimed: int

    async def play(self, exchange: Exchange) -> None:
        """Send more or less than was claimed."""
        exchange.keep = False
        await exchange.send(OK.head(self.claimed) + self.body)


@dataclass(frozen=True)
class CutShort:
    """Sends the head and the first half of a good answer, then closes."""

    good: Response = field(default_factory=lambda: answer(200, "all of this was promised"))

    async def play(self, exchange: Exchange) -> None:
        """Stop in the middle."""
        exchange.keep = False
        body = self.good.body or b"half of nothing"
        await exchange.send(self.good.head(len(body)) + body[: len(body) // 2])


@dataclass(frozen=True)
class HugeHeaders:
    """An answer whose head alone has `size` bytes."""

    size: int = 1_000_000

    async def play(self, exchange: Exchange) -> None:
        """Send many headers of a thousand bytes."""
        exchange.keep = False
        many = {f"x-filler-{n}": "x" * 1000 for n in range(self.size // 1000)}
        await answer(200, "ok", headers=many).play(exchange)


@dataclass
class Flaky:
    """Answers `failures` times with `bad`, then as `then`; `None` for `bad` closes the connection without a word."""

    failures: int = 1
    then: Behaviour = OK
    bad: Response | None = field(default_factory=lambda: answer(503, "later"))

    async def play(self, exchange: Exchange) -> None:
        """Fail while failures are left."""
        if self.failures <= 0:
            await self.then.play(exchange)
            return
        self.failures -= 1
        if self.bad is None:
            exchange.keep = False
        else:
            await self.bad.play(exchange)


@dataclass(frozen=True)
class Unframed:
    """An answer without a length, which ends where the connection does."""

    good: Response = OK

    async def play(self, exchange: Exchange) -> None:
        """Send and close."""
        exchange.keep = False
        await exchange.send(self.good.head() + self.good.body)


@dataclass(frozen=True)
class Silent:
    """Closes the connection without a word."""

    async def play(self, exchange: Exchange) -> None:
        """Say nothing."""
        exchange.keep = False


def redirect(to: str, status: int = 302) -> Response:
    """An answer that points elsewhere."""
    return answer(status, "elsewhere", headers={"location": to})


def wrong_charset(text: str, *, actual: str = "windows-1252", claimed: str = "utf-8") -> Response:
    """HTML that is encoded otherwise than its header says."""
    return answer(200, text.encode(actual), content_type=f"text/html; charset={claimed}")


@lru_cache(maxsize=2)
def _bomb(unpacked: int) -> bytes:
    return gzip.compress(bytes(unpacked), compresslevel=6)
