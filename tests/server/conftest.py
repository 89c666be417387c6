"""A stand-in for the assembly, a client without sockets, and the raw JSON-RPC of both protocol eras."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
import httpx2
import pytest

from websearch_core.chain.request_screen import RequestScreen
from websearch_core.contract.clock import SystemClock
from websearch_core.contract.models import Caller, Hit, Page, SearchRequest
from websearch_core.contract.results import SearchAnswer
from websearch_core.server import lifecycle as server_lifecycle
from websearch_core.server.http import build_app, uvicorn_server_of
from websearch_core.server.lifecycle import started
from websearch_core.server.uvicorn_limits import give_up_unread
from websearch_core.settings.configuration import Configuration
from websearch_core.startup import lifecycle
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import FakeClock, FakeGateway

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
ERAS = (MODERN, LEGACY)


@dataclass
class StandIn:
    """What the server needs of an assembly, and nothing of the chain."""

    chain: Any = field(default_factory=FakeGateway)
    server: Mapping[str, Any] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)
    clock: Any = field(default_factory=FakeClock)
    tools: Sequence[Any] = ()
    outputs: Sequence[Any] = ()
    resources: Sequence[Any] = ()
    prompts: Sequence[Any] = ()
    lenses: Sequence[Any] = ()
    token_verifiers: Sequence[Any] = ()
    floor: frozenset[str] = frozenset()
    every_backend: Sequence[Any] = ()
    fetchers: Sequence[Any] = ()
    workers: Any = None
    keyless: Sequence[str] = ()
    origins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ready: tuple[bool, Mapping[str, str]] = (True, {"fake": "closed"})
    fails_to_start: Exception | None = None
    started: int = 0
    closed: int = 0
    warmed: int = 0

    def __post_init__(self) -> None:
        self.configuration = Configuration({"server": dict(self.server)}, dict(self.environ), "test")
        if not hasattr(self.chain, "screening"):
            self.chain.screening = RequestScreen((), cast("Any", None), cast("Any", None))
        self.store = MemoryStore(self.clock, 1_000_000)

    def readiness(self) -> tuple[bool, Mapping[str, str]]:
        return self.ready

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Any]:
        if self.fails_to_start:
            raise self.fails_to_start
        self.started += 1
        try:
            yield self.chain
        finally:
            self.closed += 1

    async def warm(self) -> None:
        self.warmed += 1


@pytest.fixture(autouse=True)
def _stand_ins_start_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(assembly: Any) -> Any:
        return assembly.running() if isinstance(assembly, StandIn) else lifecycle.running(assembly)

    async def warmed(assembly: Any) -> None:
        await (assembly.warm() if isinstance(assembly, StandIn) else lifecycle.warm(assembly))

    monkeypatch.setattr(server_lifecycle, "running", begun)
    monkeypatch.setattr(server_lifecycle, "warm", warmed)


def rpc(method: str, params: Mapping[str, Any] | None = None, *, era: str = MODERN, number: int = 1) -> dict[str, Any]:
    """One request as it goes over the wire in an era."""
    given = dict(params or {})
    if era == MODERN:
        given["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            **given.get("_meta", {}),
        }
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": given}


def headers_for(body: Mapping[str, Any], era: str = MODERN) -> dict[str, str]:
    """The headers that a client of this era sends with this request."""
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": era,
    }
    if era == MODERN:
        headers["mcp-method"] = body["method"]
        params = body.get("params", {})
        if name := params.get("name") or params.get("uri"):
            headers["mcp-name"] = name
    return headers


def messages(response: httpx2.Response) -> list[dict[str, Any]]:
    """The JSON-RPC messages of an answer, whichever form it came in."""
    if response.headers["content-type"].startswith("text/event-stream"):
        data = [line[5:] for line in response.text.splitlines() if line.startswith("data:")]
        return [json.loads(each) for each in data if each.strip()]
    return [response.json()]


class Client:
    """Raw JSON-RPC to an application in this process."""

    def __init__(self, app: Any, http: httpx2.AsyncClient, warm: anyio.Event) -> None:
        self.app = app
        self.http = http
        self.warm = warm
        """Set when what loads in the background is there."""

    async def post(self, body: Mapping[str, Any], era: str = MODERN, **headers: str) -> httpx2.Response:
        sent = headers_for(body, era) | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.post("/mcp", content=json.dumps(body), headers=sent)

    async def rpc(self, method: str, params: Mapping[str, Any] | None = None, era: str = MODERN) -> dict[str, Any]:
        return messages(await self.post(rpc(method, params, era=era), era))[-1]

    async def tool(self, name: str, arguments: Mapping[str, Any], era: str = MODERN) -> dict[str, Any]:
        answer = await self.rpc("tools/call", {"name": name, "arguments": arguments}, era)
        return answer["result"]


@contextlib.asynccontextmanager
async def serving(assembly: Any) -> AsyncIterator[Client]:
    """The application of this assembly, started, and a client of it."""
    warm = anyio.Event()
    app = build_app(assembly)
    async with started(assembly, lambda: None, warm.set), app.sessions():
        transport = httpx2.ASGITransport(app=app.serve)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8089") as http:
            yield Client(app, http, warm)


class Remembers:
    """A chain that remembers who asked, and waits when told to."""

    def __init__(self) -> None:
        self.callers: list[Caller] = []
        self.called = anyio.Event()
        self.go = anyio.Event()
        self.go.set()

    async def search(self, request: SearchRequest) -> SearchAnswer:
        self.callers.append(request.caller)
        self.called.set()
        await self.go.wait()
        return SearchAnswer()


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def hit(number: int = 1, **fields: Any) -> Hit:
    given = {
        "url": f"https://example.com/{number}",
        "title": f"Title {number}",
        "snippet": f"Snippet {number}.",
        "source": "fake",
    }
    return Hit(**(given | fields))


def page(url: str = "https://example.com/a", body: str = "# A\n\nText.\n", **fields: Any) -> Page:
    return Page.from_markdown(body, url=url, **fields)


@pytest.fixture
def system_clock() -> SystemClock:
    return SystemClock()


@contextlib.asynccontextmanager
async def listening(assembly: Any, graceful_s: int = 1) -> AsyncIterator[tuple[Any, int]]:
    """The application under uvicorn on a free loopback port: the uvicorn server and the port."""
    import socket

    listener = socket.create_server(("127.0.0.1", 0))
    give_up_unread(listener)
    app = build_app(assembly)
    server = uvicorn_server_of(app, assembly.configuration.server, graceful_s)
    async with started(assembly, lambda: None), app.sessions(), anyio.create_task_group() as group:
        group.start_soon(server.serve, [listener])
        try:
            yield server, listener.getsockname()[1]
        finally:
            server.should_exit = True


async def asked(port: int, request: bytes) -> Any:
    stream = await anyio.connect_tcp("127.0.0.1", port)
    await stream.send(request)
    return stream


async def read_all(stream: Any) -> bytes:
    data = b""
    async with stream:
        try:
            while True:
                data += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return data


def raw_request(body: Mapping[str, Any], era: str = MODERN, **headers: str) -> bytes:
    """The bytes of one POST /mcp."""
    content = json.dumps(body).encode()
    sent = {"host": "127.0.0.1", "content-length": str(len(content)), **headers_for(body, era), **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    return f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + content
