"""A bare connection is judged, pinned and led through the operator's proxy like a download's."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

import pytest

from websearch_core.kit import InvalidRequest, NetworkFailed, Refused


async def echo(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"said " + head.encode())


async def heard(connection: Any, end: bytes) -> bytes:
    data = b""
    while not data.endswith(end):
        data += await connection.receive()
    return data


async def test_bytes_go_both_ways_untouched_and_without_bound(bench: Any) -> None:
    async def flood(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"x" * 1_000_000 + b"end")

    site = await bench.serve(flood)
    bench.names.table["site.example.com"] = ["127.0.0.1"]
    connection = await bench.web_to(site).connect(f"https://site.example.com:{site.port}/")
    await connection.send(b"anything at all\r\n\r\n")
    assert await heard(connection, b"end") == b"x" * 1_000_000 + b"end"
    assert site.heads == ["anything at all\r\n\r\n"]
    await connection.aclose()
    await site.closed.wait()


@pytest.mark.parametrize(
    "address",
    [
        *("http://127.0.0.1:{port}/", "https://2130706433:{port}/", "http://[::ffff:127.0.0.1]:{port}/"),
        *("http://localhost:{port}/", "https://canary.example.com:{port}/", "http://user@127.0.0.1:{port}/"),
        *("ftp://127.0.0.1:{port}/", "canary.example.com:{port}"),
    ],
)
async def test_a_forbidden_host_is_not_connected_to(bench: Any, address: str) -> None:
    canary = await bench.serve()
    bench.names.table["canary.example.com"] = ["127.0.0.1"]
    with pytest.raises((Refused, InvalidRequest)):
        await bench.web().connect(address.format(port=canary.port))
    assert canary.connections == 0


async def test_one_forbidden_address_among_good_ones_refuses_the_name(bench: Any) -> None:
    site = await bench.serve()
    bench.names.table["mixed.example.com"] = ["127.0.0.1", "10.0.0.1"]
    with pytest.raises(Refused):
        await bench.web_to(site).connect(f"http://mixed.example.com:{site.port}/")
    assert site.connections == 0


async def test_the_operators_rules_hold(bench: Any) -> None:
    site = await bench.serve()
    bench.names.table["denied.example.com"] = ["127.0.0.1"]
    with pytest.raises(Refused):
        await bench.web_to(site, deny=("denied.example.com",)).connect(f"http://denied.example.com:{site.port}/")
    assert site.connections == 0


async def test_a_name_is_looked_up_once(bench: Any) -> None:
    site = await bench.serve(echo)
    bench.names.turns["turn.example.com"] = [["127.0.0.1"], ["10.0.0.1"]]
    connection = await bench.web_to(site).connect(f"http://turn.example.com:{site.port}/")
    await connection.send(b"hello\r\n\r\n")
    assert await heard(connection, b"hello\r\n\r\n")
    assert bench.names.asked == ["turn.example.com"]
    await connection.aclose()


async def test_it_goes_through_the_operators_proxy_to_the_checked_address(bench: Any) -> None:
    async def tunnel(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" if head.startswith("CONNECT") else b"through")

    proxy = await bench.serve(tunnel)
    bench.names.table["www.example.com"] = ["93.184.215.14"]
    web = bench.web(proxy=f"http://127.0.0.1:{proxy.port}")
    connection = await web.connect("https://www.example.com/")
    await connection.send(b"hello\r\n\r\n")
    assert await heard(connection, b"through") == b"through"
    assert proxy.heads[0].startswith("CONNECT 93.184.215.14:443 ")
    await connection.aclose()


async def test_nobody_there_is_a_network_failure(bench: Any) -> None:
    with pytest.raises(NetworkFailed):
        await bench.web("127.0.0.1:1").connect("http://127.0.0.1:1/")


async def test_a_connection_that_broke_says_so(bench: Any) -> None:
    async def hang_up(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # without lingering, closing is a reset (RST) and no orderly end
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    site = await bench.serve(hang_up)
    connection = await bench.web_to(site).connect(bench.url(site))
    await connection.send(b"hello\r\n\r\n")
    with pytest.raises(NetworkFailed):
        while await connection.receive():
            pass
    await connection.aclose()


async def test_a_status_means_the_same_as_for_a_download(bench: Any) -> None:
    assert bench.web().failure(200, {}) is None
    assert bench.web().failure(429, {"retry-after": "7"}).retry_after == 7
