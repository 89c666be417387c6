"""Connections before anybody knows whose they are: how many, how large a head, how slow a client."""

from __future__ import annotations

import socket
from typing import Any

import anyio
import pytest

from websearch_core.server.uvicorn_limits import MAX_HEAD
from websearch_core.testing.fakes import FakeGateway

from .conftest import StandIn, asked, listening, page, raw_request, read_all, rpc

HEALTH = b"GET /health HTTP/1.1\r\nhost: a\r\n\r\n"
LIST = rpc("tools/list")


def head(size: int, end: bytes = b"\r\n\r\n") -> bytes:
    """A head with many headers."""
    lines = b"".join(b"\r\nx-%07d: %s" % (number, b"v" * 89) for number in range(size // 102))
    return b"GET /health HTTP/1.1\r\nhost: a\r\nconnection: close" + lines + end


async def taken(port: int, *parts: bytes) -> bytes:
    """All that comes back for these bytes, sent one after the other."""
    stream = await anyio.connect_tcp("127.0.0.1", port)
    data = b""
    try:
        for part in parts:
            await stream.send(part)
            if part.endswith(b"\r\n\r\n"):
                data += await stream.receive()
    except anyio.BrokenResourceError:
        pass
    with anyio.fail_after(60):
        return data + await read_all(stream)


@pytest.mark.parametrize(
    "parts",
    [
        (head(100_000),),
        (head(100_000, end=b""),),
        (b"GET /" + b"a" * 70_000,),
        (b"GET / HTTP/1.1\r\nx: ", b"v" * 40_000, b"v" * 40_000),
        (HEALTH, head(100_000)),
        (HEALTH, head(40_000, end=b""), b"\r\nx: " + b"v" * 40_000),
    ],
    ids=["whole", "unfinished", "address", "one header", "second request", "second request in parts"],
)
async def test_a_head_that_is_too_large_is_refused(parts: tuple[bytes, ...]) -> None:
    async with listening(StandIn()) as (_, port):
        data = await taken(port, *parts)
    assert data.count(b"HTTP/1.1 ") == 1 + parts.count(HEALTH)
    assert b"HTTP/1.1 400 Bad Request\r\n" in data


async def test_a_head_within_the_limit_is_served_whatever_the_size_of_the_body() -> None:
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "x", "note": "y" * 300_000}})
    async with listening(StandIn()) as (_, port):
        assert b" 200 OK" in await taken(port, head(MAX_HEAD - 200))
        assert b" 200 OK" in await taken(port, raw_request(body, connection="close"))


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (b"\r\n",),
        (b"GET / HT",),
        (HEALTH, b"G"),
        (b"GET /health HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n", b"x"),
    ],
    ids=["nothing", "an empty line", "half a head", "half a second head", "a body that nobody reads"],
)
async def test_a_client_that_makes_us_wait_for_a_head_is_left(
    parts: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("websearch_core.server.uvicorn_limits.HEAD_SECONDS", 0.05)
    async with listening(StandIn()) as (server, port):
        await taken(port, *parts)
        assert not server.should_exit


async def test_a_client_that_is_served_or_idle_is_waited_for() -> None:
    async with listening(StandIn()) as (server, port):
        stream = await asked(port, HEALTH)
        await stream.receive()
        (wire,) = server.server_state.connections
        assert wire._late is None
        assert wire.timeout_keep_alive_task.when() - wire.loop.time() > 60
        await stream.send(raw_request(LIST, connection="close"))
        assert b" 200 OK" in await read_all(stream)


async def test_connections_beyond_the_cap_are_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("websearch_core.server.http.SPARE_CONNECTIONS", 1)
    async with listening(StandIn(server={"max_in_flight": 1})) as (server, port):
        first, second = await asked(port, HEALTH), await asked(port, HEALTH)
        for stream in (first, second):
            assert b" 200 OK" in await stream.receive()
        assert await taken(port) == b""
        await first.aclose()
        with anyio.fail_after(60):
            while len(server.server_state.connections) > 1:
                await anyio.lowlevel.checkpoint()
        third = await asked(port, HEALTH)
        assert b" 200 OK" in await third.receive()
        await second.aclose()
        await third.aclose()


@pytest.mark.parametrize("connection", ["close", "keep-alive"])
async def test_an_answer_that_nobody_reads_is_given_up(
    connection: str, system_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("websearch_core.server.uvicorn_limits.STALL_SECONDS", 0.05)
    addresses = [f"https://{letter}.example/" for letter in "abc"]
    chain = FakeGateway(pages={address: page(address, "a b " * 250_000) for address in addresses})
    body = rpc("tools/call", {"name": "fetch", "arguments": {"urls": addresses, "max_chars": 1_000_000}})
    given = {"max_output_tokens": 10_000_000, "pages": True}
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        async with listening(StandIn(chain=chain, clock=system_clock, server=given)) as (server, port):
            client.connect(("127.0.0.1", port))
            client.sendall(raw_request(body, connection=connection))
            with anyio.fail_after(60):
                while not chain.requests or server.server_state.connections:
                    await anyio.lowlevel.checkpoint()
