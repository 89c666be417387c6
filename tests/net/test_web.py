"""The door for pages: time, politeness, statuses, validators, cancellation."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import pytest

from websearch_core import BackendError, Caller, FetchRequest, StartupError
from websearch_core.kit import (
    BlockedBySite,
    InvalidRequest,
    NetworkFailed,
    NotFound,
    Paywalled,
    RateLimited,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
    Unsupported,
)
from websearch_core.net.host_limiter import HostLimiter
from websearch_core.net.rate_schedule import FURTHEST_S
from websearch_core.net.urls import parse
from websearch_core.stores.memory import MemoryStore


async def silent(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def drip(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 X\r\nContent-Length: 1000000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


async def drip_headers(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 X\r\nX: ")
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("handler", [silent, drip, drip_headers])
async def test_a_server_that_takes_its_time_ends_on_time(bench: Any, handler: Any) -> None:
    site = await bench.serve(handler)
    with pytest.raises(TimedOut):
        await bench.web_to(site).download(bench.ask(site), timeout_s=0.15)
    await asyncio.wait_for(site.closed.wait(), 60)


async def test_redirects_share_one_deadline(bench: Any) -> None:
    async def slow(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.08)
        number = int(head.split(" ")[1][1:] or 0)
        writer.write(bench.answer("", 302, f"Location: /{number + 1}"))

    site = await bench.serve(slow)
    with pytest.raises(TimedOut):
        await bench.web_to(site, timeout_s=0.2).download(bench.ask(site))
    assert len(site.heads) < 5


@pytest.mark.parametrize("left", [-5.0, 0.0, 0.1])
async def test_the_callers_deadline_counts(bench: Any, left: float) -> None:
    site = await bench.serve(silent)
    caller = Caller(deadline=bench.clock.monotonic() + left)
    with pytest.raises(TimedOut):
        await bench.web_to(site).download(bench.ask(site, caller=caller))


async def test_a_hanging_resolver_ends_on_time(bench: Any) -> None:
    async def hang(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    bench.names.resolve = hang
    with pytest.raises(TimedOut):
        await bench.web().download(FetchRequest(url="https://example.com/"), timeout_s=0.1)


async def test_cancelling_closes_the_connection(bench: Any) -> None:
    site = await bench.serve(silent)
    task = asyncio.create_task(bench.web_to(site).download(bench.ask(site)))
    await asyncio.wait_for(site.asked.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(site.closed.wait(), 60)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidRequest),
        (401, BlockedBySite),
        (402, Paywalled),
        (403, BlockedBySite),
        (404, NotFound),
        (406, Unsupported),
        (408, TimedOut),
        (410, NotFound),
        (413, TooLarge),
        (415, Unsupported),
        (418, InvalidRequest),
        (429, RateLimited),
        (451, BlockedBySite),
        (500, ServerFailed),
        (501, Unsupported),
        (503, ServerFailed),
        (504, TimedOut),
        (999, BlockedBySite),
        (300, UnexpectedResponse),
        (304, UnexpectedResponse),
        (302, UnexpectedResponse),
    ],
)
async def test_each_status_is_the_right_error_without_the_sites_words(bench: Any, status: int, kind: Any) -> None:
    site = await bench.serve(bench.answer("" if status == 304 else "secret page", status))
    with pytest.raises(kind) as error:
        await bench.web_to(site).download(bench.ask(site, "/secret"))
    assert type(error.value) is kind
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("2.5", 2.5),
        ("Tue, 14 Nov 2023 22:13:50 GMT", 30.0),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("9" * 400, None),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_passed_on(bench: Any, status: int, header: str, seconds: float | None) -> None:
    site = await bench.serve(bench.answer("", status, f"Retry-After: {header}"))
    with pytest.raises(BackendError) as error:
        await bench.web_to(site).download(bench.ask(site))
    assert error.value.retry_after == seconds


async def test_a_challenge_is_named_as_one(bench: Any) -> None:
    site = await bench.serve(bench.answer("", 503, "cf-mitigated: challenge"))
    with pytest.raises(BlockedBySite, match="browser check"):
        await bench.web_to(site).download(bench.ask(site))


async def test_304_is_an_answer_to_validators(bench: Any) -> None:
    site = await bench.serve(b'HTTP/1.1 304 X\r\nETag: "1"\r\n\r\n')
    request = bench.ask(site, etag='"1"', last_modified="Tue, 14 Nov 2023 22:00:00 GMT")
    got = await bench.web_to(site).download(request)
    assert (got.status, got.body, got.headers["etag"]) == (304, b"", '"1"')
    assert 'if-none-match: "1"\r\n' in site.heads[0]
    assert "if-modified-since: Tue, 14 Nov 2023 22:00:00 GMT\r\n" in site.heads[0]


@pytest.mark.parametrize(
    ("content_range", "truncated"),
    [("bytes 0-3/4", False), ("bytes 0-3/5", True), ("bytes 1-4/5", True), ("bytes 0-3/*", True), ("", True)],
)
async def test_a_part_that_nobody_asked_for_is_marked(bench: Any, content_range: str, truncated: bool) -> None:
    site = await bench.serve(bench.answer("text", 206, f"Content-Range: {content_range}"))
    assert (await bench.web_to(site).download(bench.ask(site))).truncated is truncated


async def test_headers_of_the_fetcher_are_sent_and_ours_cannot_be_set(bench: Any) -> None:
    site = await bench.serve()
    door = bench.web_to(site, user_agent="us/1")
    await door.download(bench.ask(site), headers={"Accept": "text/markdown"})
    assert "accept: text/markdown\r\n" in site.heads[0]
    assert "user-agent: us/1\r\n" in site.heads[0]
    for name in ("Host", "accept-encoding", "Transfer-Encoding", "Content-Length"):
        with pytest.raises(InvalidRequest):
            await door.download(bench.ask(site), headers={name: "x"})
    for bad in ("a\r\nb: c", "ü€"):
        with pytest.raises(InvalidRequest):
            await door.download(bench.ask(site), headers={"X-Y": bad})
    assert len(site.heads) == 1


async def test_no_more_than_the_limit_go_to_one_host_at_once(bench: Any) -> None:
    busy = most = 0
    room = asyncio.Event()

    async def count(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        if busy == 2:
            room.set()
        await room.wait()
        busy -= 1
        writer.write(bench.answer())

    site = await bench.serve(count)
    door = bench.web_to(site, per_host=2)
    await asyncio.gather(*(door.download(bench.ask(site, f"/{n}")) for n in range(6)))
    assert most == 2
    assert len(site.heads) == 6
    assert dict(door._hosts._rooms) == {}


async def test_requests_to_one_host_keep_their_pace(bench: Any) -> None:
    site = await bench.serve()
    door = bench.web_to(site, pace_s=2.0)
    for _ in range(3):
        await door.download(bench.ask(site))
    assert bench.clock.slept == pytest.approx([2.05, 2.05], abs=1e-4)


async def test_two_processes_that_share_a_store_keep_one_pace(bench: Any) -> None:
    store = MemoryStore(bench.clock, 1_000_000)
    one, other = (HostLimiter(4, 2.0, bench.clock, lambda: store) for _ in range(2))
    a, b, ends = parse("http://a.example/"), parse("http://b.example/"), bench.clock.monotonic() + 20
    async with one.enter(a, ends), other.enter(a, ends), one.enter(b, ends):
        pass
    assert bench.clock.slept == pytest.approx([2.05], abs=1e-4)


async def test_a_hosts_pace_leaves_the_store_soon(bench: Any) -> None:
    class Watched(MemoryStore):
        ttls: ClassVar[list[float | None]] = []

        async def compare_and_set(self, *values: Any, **more: Any) -> bool:
            self.ttls.append(values[3])
            return await super().compare_and_set(*values, **more)

    store = Watched(bench.clock, 1_000_000)
    limiter = HostLimiter(4, 2.0, bench.clock, lambda: store)
    async with limiter.enter(parse("http://a.example/"), bench.clock.monotonic() + 20):
        pass
    assert store.ttls == [FURTHEST_S + 2.0], "as state it would push out counters: there may be very many hosts"


async def test_a_store_that_fails_leaves_the_pace_to_the_process(bench: Any, caplog: Any) -> None:
    def failing() -> Any:
        raise OSError("disk")

    limiter = HostLimiter(4, 2.0, bench.clock, failing)
    for _ in range(2):
        async with limiter.enter(parse("http://a.example/"), bench.clock.monotonic() + 20):
            pass
    assert bench.clock.slept == pytest.approx([2.05], abs=1e-4)
    assert "the store could not be read (OSError): [net] pace_s is kept in this process alone" in caplog.text


async def test_a_closed_door_opens_again(bench: Any) -> None:
    site = await bench.serve()
    door = bench.web_to(site)
    await door.download(bench.ask(site))
    await door.aclose()
    await asyncio.wait_for(site.closed.wait(), 60)
    assert (await door.download(bench.ask(site))).body == b"ok"


async def test_sni_and_host_keep_the_name_while_the_address_is_pinned(bench: Any, certificate: Any) -> None:
    pem, tls = certificate
    names: list[str | None] = []
    tls.sni_callback = lambda connection, name, context: names.append(name)
    site = await bench.serve(tls=tls)
    bench.names.table["www.example.com"] = ["127.0.0.1"]
    url = f"https://www.example.com:{site.port}/"
    assert (await bench.web_to(site, ca_file=str(pem)).download(FetchRequest(url=url))).body == b"ok"
    assert names == ["www.example.com"]
    assert f"Host: www.example.com:{site.port}\r\n" in site.heads[0]


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_certificate_that_is_not_trusted_or_of_another_name_is_said_to_be_the_problem(
    bench: Any, certificate: Any, trusted: bool
) -> None:
    pem, tls = certificate
    site = await bench.serve(tls=tls)
    bench.names.table |= {"www.example.com": ["127.0.0.1"], "other.example.com": ["127.0.0.1"]}
    door = bench.web_to(site, **({"ca_file": str(pem)} if trusted else {}))
    host = "other.example.com" if trusted else "www.example.com"
    with pytest.raises(NetworkFailed, match="certificate") as error:
        await door.download(FetchRequest(url=f"https://{host}:{site.port}/"))
    assert not error.value.retry_helps
    assert site.heads == []


async def test_https_to_a_plain_server_is_a_network_failure(bench: Any) -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 X\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(NetworkFailed):
        await bench.web(f"127.0.0.1:{port}").download(FetchRequest(url=f"https://127.0.0.1:{port}/"))
    server.close()


async def test_cancelling_in_the_middle_of_a_tls_handshake_closes_the_connection(bench: Any) -> None:
    closed, hello = asyncio.Event(), asyncio.Event()

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        hello.set()
        await reader.read()
        closed.set()
        writer.close()

    server = await asyncio.start_server(mute, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    door = bench.web(f"127.0.0.1:{port}")
    task = asyncio.create_task(door.download(FetchRequest(url=f"https://127.0.0.1:{port}/")))
    await asyncio.wait_for(hello.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(closed.wait(), 60)
    server.close()


@pytest.mark.parametrize("content", [None, "not a certificate"])
async def test_an_unusable_ca_file_stops_the_start(bench: Any, tmp_path: Any, content: str | None) -> None:
    file = tmp_path / "ca.pem"
    if content:
        file.write_text(content)
    with pytest.raises(StartupError, match="ca_file"):
        bench.web(ca_file=str(file))


def test_the_doors_cost_nothing_until_they_are_used() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from websearch_core.contract.clock import SystemClock\n"
        "from websearch_core.settings.configuration import NetSettings\n"
        "from websearch_core.net.policy import AddressPolicy\n"
        "from websearch_core.net.guarded_client import GuardedHttpClient\n"
        "from websearch_core.net.engine_client import EngineHttpClient\n"
        "GuardedHttpClient(AddressPolicy(NetSettings()), NetSettings(), SystemClock())\n"
        "EngineHttpClient('https://api.example.com', NetSettings(), SystemClock())\n"
        "print([name for name in ('httpx2', 'httpcore2', 'stamina', 'ssl', 'idna', 'h11') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
