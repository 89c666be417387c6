"""A client that costs little itself: raw JSON-RPC over keep-alive connections, one call in flight on each."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import httptools

Era = Literal["2026-07-28", "2025-11-25"]
ERAS: tuple[Era, ...] = ("2026-07-28", "2025-11-25")
EXPECTED = b"Bench result 7"
"""In the last of eight hits: an answer without it is an error."""


@dataclass
class Run:
    """What one burst of calls came to; an error counts neither as speed nor as throughput."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    """What was answered instead, and how often."""

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def quantile(self, share: float) -> float:
        """Seconds within which this share of the calls was answered."""
        ordered = sorted(self.latencies) or [math.inf]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Connection(asyncio.Protocol):
    """One keep-alive connection, one request at a time."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._body: list[bytes] = []
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("closed before the answer"))

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_result((self._parser.get_status_code(), b"".join(self._body)))
        self._body = []
        self._parser = httptools.HttpResponseParser(self)

    async def post(self, request: bytes) -> tuple[int, bytes]:
        """Send these bytes; the status and the body of the answer."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        if self._transport:
            self._transport.close()


def searching(number: int) -> dict[str, Any]:
    """A call of `search`; every number asks something new, so that no cache answers."""
    return {"name": "search", "arguments": {"query": f"what is known about subject {number}"}}


def request_of(port: int, era: Era, called: Mapping[str, Any]) -> bytes:
    """A `tools/call` as it goes over the wire."""
    params: dict[str, Any] = dict(called)
    headers = [f"mcp-protocol-version: {era}"]
    if era == "2026-07-28":
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": era,
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        headers += ["mcp-method: tools/call", f"mcp-name: {called['name']}"]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    head = [
        "POST /mcp HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        *headers,
        f"content-length: {len(body)}",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body


def result(body: bytes) -> dict[str, Any]:
    """The JSON-RPC result of an answer, plain JSON or a server-sent event."""
    lines = body.decode().splitlines()
    data = next((line.removeprefix("data:") for line in lines if line.startswith("data:") and "jsonrpc" in line), None)
    message = json.loads(data if data is not None else body)
    if "result" not in message:
        raise SystemExit(f"The server refused the call: {message}")
    return message["result"]


async def once(port: int, era: Era) -> dict[str, Any]:
    """One call, its result in full."""
    _, connection = await asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", port)
    status, body = await connection.post(request_of(port, era, searching(0)))
    connection.close()
    if status != 200:
        raise SystemExit(f"The server answered {status}: {body[:300]!r}")
    return result(body)


async def burst(
    port: int,
    era: Era,
    *,
    in_flight: int,
    calls: int,
    numbers: itertools.count[int],
    ask_for: Callable[[int], Mapping[str, Any]] = searching,
    expected: bytes = EXPECTED,
) -> Run:
    """`calls` calls over `in_flight` connections, each asking again as soon as it has its answer.

    An answer without the `expected` bytes is an error.
    """
    loop = asyncio.get_running_loop()
    connections = [(await loop.create_connection(Connection, "127.0.0.1", port))[1] for _ in range(in_flight)]
    run = Run()
    remaining = iter(range(calls))

    async def ask(connection: Connection) -> None:
        for _ in remaining:
            request = request_of(port, era, ask_for(next(numbers)))
            begin = time.perf_counter()
            try:
                status, body = await connection.post(request)
            except (OSError, httptools.HttpParserError) as error:
                run.errors[type(error).__name__] += 1
                return
            if status == 200 and expected in body:
                run.latencies.append(time.perf_counter() - begin)
            else:
                run.errors[f"HTTP {status}: {body[:200].decode(errors='replace')}"] += 1

    begin = time.perf_counter()
    await asyncio.gather(*map(ask, connections))
    run.seconds = time.perf_counter() - begin
    for connection in connections:
        connection.close()
    return run
