"""Loopback servers that misbehave, a resolver that says what a test wants, a clock that is turned by hand."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpcore2
import pytest

from websearch_core import FetchRequest
from websearch_core.net.engine_client import EngineHttpClient
from websearch_core.net.guarded_client import GuardedHttpClient
from websearch_core.net.policy import AddressPolicy
from websearch_core.settings.configuration import NetSettings

Handler = Callable[[str, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class TurnedClock:
    """Time moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return 1_700_000_000.0 + self.at

    def monotonic(self) -> float:
        return 1000.0 + self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)


class Names:
    """Answers from a table; a list of lists is answered in turn."""

    def __init__(self, table: Mapping[str, list[str]]) -> None:
        self.table = dict(table)
        self.turns: dict[str, list[list[str]]] = {}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if self.turns.get(host):
            return self.turns[host].pop(0)
        return self.table[host]


class Server:
    """Counts connections, keeps the heads of requests, answers as its handler says."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self.connections = 0
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.closed = asyncio.Event()
        self.asked = asyncio.Event()
        self.port = 0

    async def start(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, host, port, ssl=tls, limit=2**20)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                self.heads.append(head)
                length = next((line for line in head.lower().splitlines() if line.startswith("content-length:")), ":0")
                self.bodies.append(await reader.readexactly(int(length.partition(":")[2])))
                self.asked.set()
                await self._handler(head, reader, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError, ssl.SSLError):
            pass
        finally:
            self.closed.set()
            writer.close()


class Bench:
    """What a test of the doors needs, in one place."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.clock = TurnedClock()
        self.names = Names({})

    @staticmethod
    def answer(body: bytes | str = b"ok", status: int = 200, *extra: str, length: int | None = None) -> bytes:
        content = body.encode() if isinstance(body, str) else body
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content) if length is None else length}", *extra]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + content

    async def serve(self, what: bytes | Handler | dict[str, bytes] = b"", **start: Any) -> Server:
        """A server that sends these bytes, or those for the path asked, or does what the function does."""

        async def fixed(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            path = head.split(" ")[1]
            writer.write(what.get(path, self.answer("?", 404)) if isinstance(what, dict) else what or self.answer())

        server = Server(what if callable(what) else fixed)
        running = await server.start(**start)

        async def stop() -> None:
            running.close()

        self._stack.push_async_callback(stop)
        return server

    def web(self, *private: str, environ: Mapping[str, str] | None = None, **settings: Any) -> GuardedHttpClient:
        net = NetSettings(private=private, **settings)
        door = GuardedHttpClient(AddressPolicy(net), net, self.clock, resolve=self.names, environ=environ or {})
        self._stack.push_async_callback(door.aclose)
        return door

    def web_to(self, *servers: Server, **settings: Any) -> GuardedHttpClient:
        """A door that may reach these servers, by address and by any public-looking name."""
        return self.web(*(f"127.0.0.1:{server.port}" for server in servers), **settings)

    def api(self, base: Server | str, settings: Mapping[str, Any] | None = None, **options: Any) -> EngineHttpClient:
        url = base if isinstance(base, str) else f"http://127.0.0.1:{base.port}"
        options.setdefault("environ", {})
        door = EngineHttpClient(url, NetSettings(**settings or {}), self.clock, resolve=self.names, **options)
        self._stack.push_async_callback(door.aclose)
        return door

    @staticmethod
    def url(server: Server, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{server.port}{path}"

    def ask(self, server: Server, path: str = "/", **fields: Any) -> FetchRequest:
        return FetchRequest(url=self.url(server, path), **fields)


@pytest.fixture(autouse=True)
def _stay_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even with a broken guard no test leaves this machine: it fails instead, as no error of ours."""
    connect = httpcore2.AnyIOBackend.connect_tcp

    async def only_loopback(self: Any, host: str, port: int, *args: Any, **options: Any) -> Any:
        if host != "localhost":
            assert ip_address(host).is_loopback, f"a test tried to leave loopback, for {host}"
        return await connect(self, host, port, *args, **options)

    monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", only_loopback)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with AsyncExitStack() as stack:
        yield Bench(stack)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A self-signed certificate for `www.example.com` and `proxy.example.com`, and a server's context with it."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    hosts = [x509.DNSName("www.example.com"), x509.DNSName("localhost")]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    pem = folder / "ca.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret = folder / "key.pem"
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, secret)
    return pem, context
