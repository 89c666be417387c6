"""The proxy's connections end with the page that they are for, and with the proxy."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import pytest

from websearch_browser.network.proxy import GuardedProxy, PageAccess
from websearch_core import FetchRequest

URL = "https://site.example/"
PATIENCE_S = 5.0


class Slow:
    """A connection that says nothing, and takes a while to close."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.closing = asyncio.Event()
        self.may_close = asyncio.Event()
        self.closed = asyncio.Event()

    async def receive(self, max_bytes: int) -> bytes:
        await asyncio.Event().wait()
        return b""

    async def aclose(self) -> None:
        self.closing.set()
        await self.may_close.wait()
        self.closed.set()


class Door:
    """Leads to one connection."""

    def __init__(self) -> None:
        self.connection = Slow()

    async def screened(self, request: FetchRequest) -> FetchRequest:
        return request

    async def connect(self, url: str) -> Slow:
        self.connection.opened.set()
        return self.connection


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
async def proxy(door: Door) -> AsyncIterator[GuardedProxy]:
    made = GuardedProxy(door, block_trackers=False)  # pyright: ignore[reportArgumentType]
    yield made
    door.connection.may_close.set()
    await made.aclose()


async def tunnel(proxy: GuardedProxy, given: PageAccess) -> asyncio.StreamWriter:
    host, _, port = (await proxy.start()).partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    known = b64encode(f"{given.username}:{given.password}".encode()).decode()
    writer.write(f"CONNECT site.example:443 HTTP/1.1\r\nProxy-Authorization: Basic {known}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    return writer


@pytest.mark.parametrize("again", ["the proxy's end", "another one"])
async def test_a_connection_is_closed_however_often_its_task_is_cancelled(
    proxy: GuardedProxy, door: Door, again: str
) -> None:
    connection = door.connection
    async with asyncio.timeout(PATIENCE_S):
        with proxy.leave(FetchRequest(url=URL), 1000) as given:
            writer = await tunnel(proxy, given)
            tasks: list[asyncio.Task[Any]] = list(given.tasks)
        await connection.closing.wait()
        if again == "another one":
            for task in tasks:
                task.cancel()
        closing = asyncio.ensure_future(proxy.aclose())
        await asyncio.sleep(0)
        connection.may_close.set()
        await closing
        await connection.closed.wait()
    writer.close()


# not in the turn in which asyncio has accepted it and made no transport: then a server that closes loses it (3.11)
@pytest.mark.parametrize("turns", [0, 3, 4, 5])
async def test_whoever_comes_while_it_closes_is_sent_away(proxy: GuardedProxy, turns: int) -> None:
    host, _, port = (await proxy.start()).partition(":")
    with socket.create_connection((host, int(port))) as comer:
        comer.setblocking(False)
        for _ in range(turns):
            await asyncio.sleep(0)
        await proxy.aclose()
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                assert await asyncio.get_running_loop().sock_recv(comer, 1) == b""
