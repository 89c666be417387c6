"""Real connections: who goes away cancels the work; a stop is clean; a bad address is explained."""

from __future__ import annotations

import hashlib
import socket
from typing import Any

import anyio
import pytest
from sse_starlette.sse import AppStatus

from websearch_core.contract.errors import StartupError
from websearch_core.contract.models import FetchRequest, SearchRequest
from websearch_core.contract.results import FetchAnswer, SearchAnswer
from websearch_core.server.http import _check_listen, bound, is_loopback, security_of, serve_http
from websearch_core.server.lifecycle import started
from websearch_core.settings.configuration import Configuration, ServerSettings

from .conftest import ERAS, LEGACY, StandIn, asked, digest, listening, page, raw_request, read_all, rpc


class Waits:
    """A chain whose searches wait for `go`, and which knows how they ended."""

    def __init__(self) -> None:
        self.called = anyio.Event()
        self.go = anyio.Event()
        self.ended = anyio.Event()
        self.cancelled = False

    async def search(self, request: SearchRequest) -> SearchAnswer:
        self.called.set()
        try:
            await self.go.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled = True
            raise
        finally:
            self.ended.set()
        return SearchAnswer()

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        if request.url.endswith("/slow"):
            await self.search(SearchRequest(query="x"))
        return FetchAnswer(page=page(request.url))


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_goes_away_cancels_its_search(era: str, system_clock: Any) -> None:
    chain = Waits()
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}}, era=era)
    async with listening(StandIn(chain=chain, clock=system_clock)) as (_, port):
        stream = await asked(port, raw_request(body, era))
        await chain.called.wait()
        await stream.aclose()
        with anyio.fail_after(60):
            await chain.ended.wait()
    assert chain.cancelled


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_goes_away_in_mid_stream_cancels_its_fetches(era: str, system_clock: Any) -> None:
    chain = Waits()
    urls = ["https://a.example/", "https://a.example/slow"]
    given = {"name": "fetch", "arguments": {"urls": urls}, "_meta": {"progressToken": 1}}
    async with listening(StandIn(chain=chain, clock=system_clock)) as (_, port):
        stream = await asked(port, raw_request(rpc("tools/call", given, era=era), era))
        data = b""
        while b"notifications/progress" not in data:
            data += await stream.receive()
        await chain.called.wait()
        await stream.aclose()
        with anyio.fail_after(60):
            await chain.ended.wait()
    assert chain.cancelled


async def test_a_cancelled_call_gives_its_place_back(system_clock: Any) -> None:
    chain = Waits()
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}})
    async with listening(StandIn(chain=chain, clock=system_clock, server={"max_in_flight": 1})) as (_, port):
        stream = await asked(port, raw_request(body))
        await chain.called.wait()
        await stream.aclose()
        await chain.ended.wait()
        with anyio.fail_after(60):
            while True:
                stream = await asked(port, raw_request(rpc("tools/list"), connection="close"))
                if b" 200 OK" in await read_all(stream):
                    break


@pytest.mark.parametrize("era", ERAS)
async def test_a_stop_lets_a_call_in_flight_finish(era: str, system_clock: Any) -> None:
    chain = Waits()
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}}, era=era)
    stand_in = StandIn(chain=chain, clock=system_clock)
    async with listening(stand_in, graceful_s=60) as (server, port):
        stream = await asked(port, raw_request(body, era))
        await chain.called.wait()
        server.should_exit = True
        chain.go.set()
        with anyio.fail_after(60):
            data = await read_all(stream)
    assert b"No results." in data
    assert (stand_in.started, stand_in.closed) == (1, 1)


@pytest.mark.parametrize("era", ERAS)
async def test_a_stop_does_not_wait_for_ever_and_tells_who_still_waits(
    era: str, system_clock: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AppStatus, "enable_automatic_graceful_drain", False)  # as serve_http has it
    chain = Waits()
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}}, era=era)
    stand_in = StandIn(chain=chain, clock=system_clock)
    with anyio.fail_after(60):
        async with listening(stand_in, graceful_s=1) as (server, port):
            stream = await asked(port, raw_request(body, era))
            await chain.called.wait()
            server.should_exit = True
            data = await read_all(stream)
    assert chain.cancelled
    assert b"the server is stopping" in data
    assert b'"isError":true' in data
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert stand_in.closed == 1


async def test_half_a_request_is_no_error(system_clock: Any, caplog: pytest.LogCaptureFixture) -> None:
    request = raw_request(rpc("tools/list"))
    async with listening(StandIn(clock=system_clock)) as (_, port):
        stream = await asked(port, request[:-5])
        await stream.aclose()
        stream = await asked(port, raw_request(rpc("tools/list"), connection="close"))
        assert b" 200 OK" in await read_all(stream)
    assert "Traceback" not in caplog.text


async def test_a_request_that_never_arrives_is_given_up(system_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("websearch_core.server.asgi_guard.BODY_SECONDS", 0.05)
    async with listening(StandIn(clock=system_clock)) as (_, port):
        stream = await asked(port, raw_request(rpc("tools/list"))[:-5])
        assert b" 408 " in await read_all(stream)


async def test_a_full_door_ends_the_oldest_slow_body_of_whoever_has_the_most(
    system_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("websearch_core.server.arriving.PATIENCE_S", 0.0)
    tokens = {name: digest(name) for name in ("alice", "bob", "carol")}

    def request(name: str) -> bytes:
        return raw_request(rpc("tools/list"), authorization=f"Bearer {name}", connection="close")

    async with listening(StandIn(clock=system_clock, server={"max_in_flight": 3, "tokens": tokens})) as (_, port):
        slow = [await asked(port, request(name)[:-5]) for name in ("bob", "alice", "alice")]
        while True:  # until all three have taken their places at the door
            data = await read_all(await asked(port, request("carol")))
            assert b" 200 OK" in data
            with anyio.move_on_after(0.05):
                assert b" 408 " in await slow[1].receive()
                break
        await slow[1].aclose()
        for stream, name in ((slow[0], "bob"), (slow[2], "alice")):
            await stream.send(request(name)[-5:])
            assert b" 200 OK" in await read_all(stream)


async def test_bodies_that_are_not_slow_keep_their_places(system_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("websearch_core.server.arriving.PATIENCE_S", 1000.0)
    async with listening(StandIn(clock=system_clock, server={"max_in_flight": 1})) as (_, port):
        stream = await asked(port, raw_request(rpc("tools/list"), connection="close")[:-5])
        while b" 503 " not in await read_all(await asked(port, raw_request(rpc("tools/list"), connection="close"))):
            pass
        await stream.send(raw_request(rpc("tools/list"), connection="close")[-5:])
        assert b" 200 OK" in await read_all(stream)


async def test_forty_calls_with_one_id_on_many_connections_are_not_mixed_up(system_clock: Any) -> None:
    class Echoes:
        async def search(self, request: SearchRequest) -> SearchAnswer:
            await anyio.lowlevel.checkpoint()
            return SearchAnswer(notes=(f"<{request.query}>",))

    async with listening(StandIn(chain=Echoes(), clock=system_clock)) as (_, port):

        async def ask(query: str) -> None:
            body = rpc("tools/call", {"name": "search", "arguments": {"query": query}}, era=LEGACY, number=1)
            stream = await asked(port, raw_request(body, LEGACY, connection="close"))
            assert f"<{query}>" in (await read_all(stream)).decode()

        async with anyio.create_task_group() as group:
            for number in range(40):
                group.start_soon(ask, f"q{number}")


def test_a_port_in_use_is_explained() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartupError, match=rf"cannot listen on 127.0.0.1:{port} .*WEBSEARCH_SERVER__LISTEN"):
            bound(f"127.0.0.1:{port}")


@pytest.mark.parametrize("listen", ["192.0.2.1:8089", "a..example:1", f"{'ü' * 71}:1"])
def test_an_address_of_nobody_is_explained(listen: str) -> None:
    with pytest.raises(StartupError, match="cannot listen on"):
        bound(listen)


@pytest.mark.parametrize(
    ("trusted", "statuses"),
    [([], [b"200", b"429"]), (["192.0.2.1"], [b"200", b"429"]), (["127.0.0.0/8"], [b"200"] * 2)],
)
async def test_only_a_trusted_proxy_says_who_calls(trusted: list[str], statuses: list[bytes]) -> None:
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}})
    seen = []
    async with listening(StandIn(server={"address_rate_per_minute": 1, "trusted_proxies": trusted})) as (_, port):
        for visitor in ("198.51.100.1", "198.51.100.2"):
            request = raw_request(body, connection="close", **{"x-forwarded-for": visitor})
            seen.append((await read_all(await asked(port, request)))[9:12])
    assert seen == statuses


@pytest.mark.parametrize("entry", ["*", "proxy.example", "10.0.0.7/24", ""])
def test_a_trusted_proxy_is_named_by_its_address(entry: str) -> None:
    with pytest.raises(StartupError, match=r"trusted_proxies.*must be an address or a network, for example"):
        Configuration({"server": {"trusted_proxies": [entry]}}, {})


@pytest.mark.parametrize("listen", ["0.0.0.0:8089", "[::]:8089", "192.0.2.1:80", "search.example:80"])
def test_beyond_loopback_without_a_token_refuses_to_start(listen: str) -> None:
    with pytest.raises(StartupError, match="websearch token new"):
        serve_http(StandIn(server={"listen": listen}))


@pytest.mark.parametrize(
    "more",
    [
        {"tokens": {"a": hashlib.sha256(b"a").hexdigest()}},
        {"insecure": True},
        {"listen": "127.0.0.2:1"},
        {"listen": "localhost:1"},
        {"listen": "[::1]:1"},
    ],
)
def test_a_token_or_insecure_or_loopback_may_start(more: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    _check_listen(StandIn(server={"listen": "0.0.0.0:8089"} | more))
    assert ("without tokens (insecure = true)" in caplog.text) == ("insecure" in more)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("[::1]", True), ("localhost", True), ("0.0.0.0", False), ("x", False)],
)
def test_loopback_is_known_by_number(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_the_address_listened_on_is_an_allowed_host() -> None:
    hosts = security_of(
        ServerSettings(listen="192.0.2.1:80", allowed_hosts=("a.example", "b.example:81"))
    ).allowed_hosts
    assert {"192.0.2.1", "192.0.2.1:*", "a.example", "a.example:*", "b.example:81", "127.0.0.1:*"} <= set(hosts)
    assert "b.example:81:*" not in hosts


def test_a_component_that_does_not_start_stops_the_server() -> None:
    error = StartupError("acme: its model is missing; run `acme download`")
    with pytest.raises(StartupError, match="its model is missing"):
        serve_http(StandIn(server={"listen": "127.0.0.1:0"}, fails_to_start=error))


def test_libraries_tracebacks_are_kept_out_of_the_log() -> None:
    import logging
    import sys

    from websearch_core.server.logs import NoTracebacks

    try:
        raise ValueError("secret page text")
    except ValueError:
        record = logging.LogRecord(
            "mcp.server.runner", logging.ERROR, "", 1, "handler %r failed", ("x",), sys.exc_info()
        )
    assert NoTracebacks().filter(record)
    assert logging.Formatter().format(record) == "handler 'x' failed (ValueError)"


@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_what_a_callers_header_said_is_kept_out_of_the_log(header: str) -> None:
    import logging

    from websearch_core.server.logs import NoTracebacks

    said = f"Invalid {header} header: http://a-callers-own: words\x1b[31m"
    record = logging.LogRecord("mcp.server.transport_security", logging.WARNING, "", 1, said, (), None)
    assert NoTracebacks().filter(record)
    told = logging.Formatter().format(record)
    assert told.startswith(f"Invalid {header} header; ")
    assert "allowed_hosts" in told
    assert "words" not in told


async def test_what_can_wait_is_loaded_while_the_server_answers(system_clock: Any) -> None:
    assembly, warm = StandIn(clock=system_clock), anyio.Event()
    async with started(assembly, lambda: None, warm.set):
        assert (assembly.started, assembly.warmed) == (1, 0)
        await warm.wait()
    assert (assembly.warmed, assembly.closed) == (1, 1)


async def test_a_filter_that_cannot_be_loaded_stops_the_server(system_clock: Any) -> None:
    class Broken(StandIn):
        async def warm(self) -> None:
            raise StartupError("acme: its model is missing")

    assembly, stopped = Broken(clock=system_clock), anyio.Event()
    with pytest.raises(StartupError, match="its model is missing"):
        async with started(assembly, stopped.set):
            await stopped.wait()
    assert assembly.closed == 1
