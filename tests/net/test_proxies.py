"""Outgoing proxies: asked for checked literals only, while SNI and Host keep the name."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import pytest

from websearch_core import FetchRequest, StartupError
from websearch_core.kit import NetworkFailed, Refused
from websearch_core.net.proxies import Proxies
from websearch_core.settings.configuration import NetSettings

PUBLIC = "93.184.215.14"


class ConnectProxy:
    """Records what it is asked for and connects to one loopback port, whatever that was."""

    def __init__(self, to: int, *, answer: bytes = b"HTTP/1.1 200 Connected\r\n\r\n") -> None:
        self.to = to
        self.answer = answer
        self.heads: list[str] = []
        self.port = 0

    @property
    def asked(self) -> list[str]:
        return [head.split(" ")[1] for head in self.heads]

    async def start(self, tls: ssl.SSLContext | None = None) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
            writer.write(self.answer)
            if b" 200 " not in self.answer:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self.to)
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()


@pytest.fixture
async def proxied(bench: Any) -> Any:
    running: list[asyncio.Server] = []

    async def start(to: Any, tls: ssl.SSLContext | None = None, **options: Any) -> ConnectProxy:
        proxy = ConnectProxy(to.port, **options)
        running.append(await proxy.start(tls))
        return proxy

    yield start
    for server in running:
        server.close()


async def test_connect_goes_to_the_checked_literal_and_host_keeps_the_name(bench: Any, proxied: Any) -> None:
    site = await bench.serve()
    proxy = await proxied(site)
    bench.names.table["www.example.com"] = [PUBLIC]
    door = bench.web(proxy=f"http://user:p%40ss@127.0.0.1:{proxy.port}")
    assert (await door.download(FetchRequest(url="http://www.example.com/x"))).body == b"ok"
    assert proxy.asked == [f"{PUBLIC}:80"]
    assert "Proxy-Authorization: Basic dXNlcjpwQHNz\r\n" in proxy.heads[0]
    assert "example" not in proxy.heads[0]
    assert "Host: www.example.com\r\n" in site.heads[0]
    assert "Proxy-Authorization" not in site.heads[0]


@pytest.mark.parametrize("secure_proxy", [False, True])
async def test_tls_goes_through_the_proxy_with_the_name_as_sni(
    bench: Any, proxied: Any, certificate: Any, secure_proxy: bool
) -> None:
    pem, tls = certificate
    names: list[str | None] = []
    site = await bench.serve(tls=tls)
    proxy = await proxied(site, tls if secure_proxy else None)
    tls.sni_callback = lambda connection, name, context: names.append(name)
    bench.names.table["www.example.com"] = ["2606:4700::1111"]
    address = f"https://localhost:{proxy.port}" if secure_proxy else f"http://127.0.0.1:{proxy.port}"
    door = bench.web(environ={"https_proxy": address}, ca_file=str(pem))
    assert (await door.download(FetchRequest(url="https://www.example.com/"))).body == b"ok"
    assert proxy.asked == ["[2606:4700::1111]:443"]
    assert names == (["localhost"] if secure_proxy else []) + ["www.example.com"]


async def test_private_answers_are_refused_before_the_proxy_is_asked(bench: Any, proxied: Any) -> None:
    site = await bench.serve()
    proxy = await proxied(site)
    bench.names.table["www.example.com"] = ["10.0.0.1"]
    door = bench.web(proxy=f"http://127.0.0.1:{proxy.port}")
    with pytest.raises(Refused):
        await door.download(FetchRequest(url="http://www.example.com/"))
    assert proxy.asked == []


async def test_proxy_dns_sends_names_and_still_refuses_literals_and_internal_names(bench: Any, proxied: Any) -> None:
    site = await bench.serve()
    proxy = await proxied(site)
    door = bench.web(proxy=f"http://127.0.0.1:{proxy.port}", proxy_dns=True)
    assert (await door.download(FetchRequest(url="http://www.example.com/"))).body == b"ok"
    assert proxy.asked == ["www.example.com:80"]
    assert bench.names.asked == []
    for host in ("10.0.0.1", "0x7f.1", "localhost", "[::1]", "metadata.google.internal"):
        with pytest.raises(Refused):
            await door.download(FetchRequest(url=f"http://{host}/"))
    assert len(proxy.asked) == 1


async def test_a_loopback_exception_is_reached_without_the_proxy(bench: Any, proxied: Any) -> None:
    site = await bench.serve()
    proxy = await proxied(site)
    bench.names.table["www.example.com"] = ["127.0.0.1"]
    door = bench.web_to(site, proxy=f"http://127.0.0.1:{proxy.port}")
    await door.download(bench.ask(site))
    await door.download(FetchRequest(url=f"http://www.example.com:{site.port}/"))
    assert (proxy.asked, len(site.heads)) == ([], 2)


async def test_an_exempt_address_is_reached_without_the_proxy(bench: Any, proxied: Any) -> None:
    site = await bench.serve()
    proxy = await proxied(site)
    bench.names.table["www.example.com"] = [PUBLIC]
    proxies = Proxies.configured(NetSettings(proxy="http://127.0.0.1:1"), {"NO_PROXY": "93.184.0.0/16"})
    assert proxies.choose("http", PUBLIC, 80) is None
    assert proxies.choose("http", "www.example.com", 80) is not None
    assert proxy.asked == []


async def test_an_api_goes_through_the_proxy_by_name(bench: Any, proxied: Any) -> None:
    site = await bench.serve(bench.answer("{}"))
    proxy = await proxied(site)
    door = bench.api("http://api.example.com", {"proxy": f"http://127.0.0.1:{proxy.port}"})
    assert (await door.get("/x")).json() == {}
    assert proxy.asked == ["api.example.com:80"]
    assert bench.names.asked == []


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "credentials"),
        (b"HTTP/1.1 403 Forbidden\r\nX: secret\r\n\r\n", "refused"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "refused"),
        (b"garbage\r\n\r\n", "did not answer as a proxy"),
        (b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nforged", "did not answer as a proxy"),
        (b"", "did not answer as a proxy"),
    ],
)
async def test_what_the_proxy_says_instead_is_a_network_failure(
    bench: Any, proxied: Any, answer: bytes, text: str
) -> None:
    site = await bench.serve()
    proxy = await proxied(site, answer=answer)
    bench.names.table["www.example.com"] = [PUBLIC]
    with pytest.raises(NetworkFailed, match=text) as error:
        await bench.web(proxy=f"http://127.0.0.1:{proxy.port}").download(FetchRequest(url="http://www.example.com/"))
    assert "secret" not in str(error.value)
    assert site.heads == []


async def test_a_proxy_that_is_not_there_is_named_as_the_problem(bench: Any) -> None:
    bench.names.table["www.example.com"] = [PUBLIC]
    with pytest.raises(NetworkFailed, match="outgoing proxy"):
        await bench.web(proxy="http://127.0.0.1:9").download(FetchRequest(url="http://www.example.com/"))


@pytest.mark.parametrize(
    ("environ", "scheme", "host", "port"),
    [
        ({"HTTPS_PROXY": "http://p:1"}, "https", "p", 1),
        ({"https_proxy": "p:1"}, "https", "p", 1),
        ({"https_proxy": "http://low:1", "HTTPS_PROXY": "http://up:1"}, "https", "low", 1),
        ({"HTTP_PROXY": "https://p.example.com"}, "http", "p.example.com", 443),
        ({"HTTP_PROXY": "http://[::1]:3128/"}, "http", "::1", 3128),
        ({"HTTP_PROXY": "http://p"}, "https", None, 0),
        ({}, "http", None, 0),
    ],
)
def test_the_environment_is_read_in_both_cases(
    environ: dict[str, str], scheme: str, host: str | None, port: int
) -> None:
    chosen = Proxies.configured(NetSettings(), environ).choose(scheme, "example.com", 443)
    assert (chosen and chosen.host, chosen.port if chosen else 0) == (host, port)


def test_the_setting_wins_over_the_environment() -> None:
    proxies = Proxies.configured(NetSettings(proxy="http://mine:1"), {"HTTPS_PROXY": "http://theirs:1"})
    for scheme in ("http", "https"):
        chosen = proxies.choose(scheme, "example.com", 80)
        assert (chosen and chosen.host) == "mine"


@pytest.mark.parametrize(
    ("entry", "host", "port", "direct"),
    [
        ("*", "example.com", 80, True),
        ("example.com", "example.com", 80, True),
        ("example.com", "www.example.com", 80, True),
        ("example.com", "badexample.com", 80, False),
        (".example.com", "www.example.com", 80, True),
        (".example.com", "example.com", 80, False),
        ("example.com:8080", "example.com", 8080, True),
        ("example.com:8080", "example.com", 80, False),
        ("10.0.0.0/8", "10.1.2.3", 80, True),
        ("10.0.0.0/8", "11.1.2.3", 80, False),
        ("10.1.2.3", "10.1.2.3", 80, True),
        ("fd00::/8", "fd12::1", 80, True),
        ("[fd12::1]:80", "fd12::1", 80, True),
        ("other, example.com ,", "example.com", 80, True),
        ("", "localhost", 80, True),
        ("", "127.0.0.9", 80, True),
        ("", "::1", 80, True),
        ("", "example.com", 80, False),
    ],
)
def test_no_proxy_is_honoured(entry: str, host: str, port: int, direct: bool) -> None:
    for environ in ({"NO_PROXY": entry}, {"no_proxy": entry}):
        chosen = Proxies.configured(NetSettings(proxy="http://p:1"), environ).choose("http", host, port)
        assert (chosen is None) is direct


@pytest.mark.parametrize(
    "url", ["socks5://p:1", "http://", "http://p:x", "ftp://p", "http://p/path", "http://u:secret@/"]
)
def test_a_proxy_that_we_cannot_use_stops_the_start_without_showing_it(url: str) -> None:
    for settings, environ, name in (
        (NetSettings(proxy=url), {}, r"\[net\] proxy"),
        (NetSettings(), {"HTTPS_PROXY": url}, "HTTPS_PROXY"),
    ):
        with pytest.raises(StartupError, match=name) as error:
            Proxies.configured(settings, environ)
        assert "secret" not in str(error.value)


def test_a_malformed_exemption_stops_the_start() -> None:
    with pytest.raises(StartupError, match="no_proxy"):
        Proxies.configured(NetSettings(no_proxy=("http://x",)), {})


def test_credentials_are_not_shown() -> None:
    chosen = Proxies.configured(NetSettings(proxy="http://u:secret@p:1"), {}).choose("http", "example.com", 80)
    assert chosen is not None
    assert chosen.authorization
    assert chosen.authorization not in repr(chosen)
