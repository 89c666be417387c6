"""An ordinary client of httpx2 over the guard: what a vendor's SDK sends is bound, paced and bounded like the rest."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from websearch_core import BackendError, Caller, SearchRequest
from websearch_core.asking.source.breaker import Breaker
from websearch_core.asking.source.guarded_source import GuardedSource
from websearch_core.kit import (
    AuthFailed,
    InvalidRequest,
    NetworkFailed,
    QuotaExceeded,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
)
from websearch_core.net.http_errors import of_exception
from websearch_core.server.logs import log_to_stderr
from websearch_core.settings.configuration import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeBackend

if TYPE_CHECKING:
    import openai

COMPLETION = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}],
}


def cause_of(error: pytest.ExceptionInfo[BaseException]) -> Any:
    return error.value.__cause__


@pytest.fixture
async def ctx() -> AsyncIterator[Any]:
    made = context("acme")
    yield made
    await made.aclose()


def sdk(ctx: Any, base_url: str, **options: Any) -> openai.AsyncOpenAI:
    client = ctx.http_client(base_url, **options)
    import openai  # takes a second: every process of the tests reads this file

    return openai.AsyncOpenAI(api_key="sesame", base_url=base_url, http_client=client, max_retries=0)


async def asked(client: openai.AsyncOpenAI) -> str:
    done = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "words"}])
    return done.choices[0].message.content or ""


async def test_the_sdk_of_a_vendor_runs_through_it(ctx: Any, loopback_site: LoopbackSite) -> None:
    loopback_site.route("/v1/chat/completions", answer(json=COMPLETION))
    assert await asked(sdk(ctx, f"{loopback_site.url}/v1")) == "hello"
    [request] = loopback_site.requests
    assert request.headers["authorization"] == "Bearer sesame"
    assert request.headers["accept-encoding"] == "gzip, deflate"
    assert list(ctx.origins) == [loopback_site.url]


async def test_the_backend_of_the_guide_asks_through_the_sdk(loopback_site: LoopbackSite) -> None:
    guide = (Path(__file__).parents[2] / "docs/writing-a-plugin.md").read_text(encoding="utf-8")
    section = guide.partition("### Through a vendor's SDK\n")[2]
    module: dict[str, Any] = {}
    exec(section.partition("```python\n")[2].partition("```")[0], module)
    row = {"attributes": {"url": "https://example.com/1"}, "content": [{"text": "Text.", "type": "text"}]}
    page = {"object": "page", "data": [{**row, "file_id": "f", "filename": "One", "score": 1.0}], "has_more": False}
    loopback_site.route("/v1/vector_stores/s/search", answer(json=page))
    ctx = context("openai", {"base_url": f"{loopback_site.url}/v1", "api_key": "sesame", "store": "s"})
    [backend] = module["websearch_search_backends"](ctx)
    [hit] = await backend.search(SearchRequest(query="words", max_results=3))
    assert (hit.url, hit.title, hit.snippet) == ("https://example.com/1", "One", "Text.")
    assert loopback_site.requests[0].json() == {"query": "words", "max_num_results": 3}
    assert list(ctx.origins) == [loopback_site.url]
    await ctx.aclose()


async def test_the_sdk_reads_a_stream(ctx: Any, bench: Any) -> None:
    def chunk(text: str) -> str:
        choices = [{"index": 0, "delta": {"content": text}}]
        return json.dumps({**COMPLETION, "object": "chat.completion.chunk", "choices": choices})

    events = "".join(f"data: {data}\n\n" for data in (chunk("hel"), chunk("lo"), "[DONE]"))
    site = await bench.serve(bench.answer(gzip.compress(events.encode()), 200, "Content-Encoding: gzip"))
    client = sdk(ctx, bench.url(site, "/v1"))
    stream = await client.chat.completions.create(model="m", messages=[], stream=True)
    assert "".join([event.choices[0].delta.content or "" async for event in stream]) == "hello"


@pytest.mark.parametrize(
    ("status", "kind", "headers"),
    [
        (401, AuthFailed, ()),
        (402, QuotaExceeded, ()),
        (429, RateLimited, ("Retry-After: 7",)),
        (503, ServerFailed, ()),
        (302, UnexpectedResponse, ("Location: /elsewhere",)),
    ],
)
async def test_the_core_reads_statuses_in_what_the_sdk_raises(
    ctx: Any, bench: Any, status: int, kind: type[BackendError], headers: tuple[str, ...]
) -> None:
    site = await bench.serve(bench.answer("a body with words", status, *headers))
    client = sdk(ctx, bench.url(site, "/v1"))
    clock = FakeClock()
    source = GuardedSource(
        FakeBackend(), ChainSettings(backend_timeout_s=5), clock, lambda _: None, Breaker(clock, frozenset())
    )

    async def ask(caller: Caller) -> Any:
        return await asked(client)

    with pytest.raises(kind) as error:
        await source.call(ask, Caller(), None)
    assert type(error.value) is kind
    assert error.value.retry_after == (7 if status == 429 else None)
    assert "words" not in str(error.value)
    assert len(site.heads) == 1


async def test_the_core_reads_our_own_errors_in_what_the_sdk_raises(ctx: Any) -> None:
    import openai

    with pytest.raises(openai.APIConnectionError) as error:
        await asked(sdk(ctx, "http://127.0.0.1:9"))
    assert isinstance(of_exception(error.value, 0.0), NetworkFailed)


def test_an_exception_of_another_kind_stays_a_bug() -> None:
    error = ValueError("words")
    error.__cause__ = KeyError("words")
    error.__cause__.__cause__ = error
    assert of_exception(error, 0.0) is None


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/v1/x",
        "https://example.com/v1",
        "ws://{site}/v1",
        "/../admin",
        "/%2e%2e/x",
        "/..%2fx",
        "/a%2F%2e%2E%5C..%2fx",
    ],
)
async def test_another_origin_and_what_is_not_below_the_base_are_refused(bench: Any, address: str) -> None:
    site = await bench.serve()
    client = bench.api(bench.url(site, "/v1")).http_client()
    with pytest.raises(httpx2.ConnectError) as error:
        await client.get(httpx2.URL(address.format(site=f"127.0.0.1:{site.port}")))
    assert isinstance(cause_of(error), Refused)
    assert site.connections == 0


async def test_a_method_that_is_not_ascii_is_our_error(bench: Any) -> None:
    client = bench.api(await bench.serve()).http_client()
    with pytest.raises(httpx2.ConnectError) as error:
        await client.request("G\u00c9T", "/")
    assert isinstance(cause_of(error), InvalidRequest)


async def test_user_and_password_in_an_address_are_refused(bench: Any) -> None:
    site = await bench.serve()
    client = bench.api(site).http_client()
    with pytest.raises(httpx2.ConnectError) as error:
        await client.get(f"http://user:secret@127.0.0.1:{site.port}/")
    assert isinstance(cause_of(error), Refused)
    assert "secret" not in str(error.value)
    assert site.connections == 0


async def test_redirects_are_not_followed_even_where_the_client_would(bench: Any) -> None:
    site = await bench.serve({"/from": bench.answer("moved", 307, "Location: /to"), "/to": bench.answer("there")})
    client = bench.api(site).http_client()
    got = await client.get("/from", follow_redirects=True)
    assert (got.status_code, got.text, got.next_request) == (307, "moved", None)
    assert len(site.heads) == 1


async def test_cookies_are_not_kept(bench: Any) -> None:
    site = await bench.serve(bench.answer("ok", 200, "Set-Cookie: id=1"))
    client = bench.api(site).http_client()
    for _ in range(2):
        assert "set-cookie" not in (await client.get("/")).headers
    assert not any("cookie" in head.lower() for head in site.heads)


async def test_host_and_the_headers_of_the_connection_are_ours(bench: Any) -> None:
    site = await bench.serve(bench.answer())
    client = bench.api(site).http_client()
    given = {"host": "other.example", "connection": "upgrade", "upgrade": "h2c", "accept-encoding": "br", "x-mine": "1"}
    await client.post("/", json={"a": 1}, headers=given)
    head = site.heads[0].lower()
    assert f"host: 127.0.0.1:{site.port}\r\n" in head
    assert "x-mine: 1\r\n" in head
    assert not any(word in head for word in ("other.example", "upgrade", ": br"))
    assert site.bodies == [b'{"a":1}']


async def test_a_body_that_is_sent_in_pieces_arrives(bench: Any, loopback_site: LoopbackSite) -> None:
    loopback_site.route("/*", answer(200, "ok"))
    client = bench.api(loopback_site.url).http_client()
    got = await client.post("/up", files={"file": ("a.txt", b"x" * 100_000)})
    assert (got.text, loopback_site.requests[0].body.count(b"x") >= 100_000) == ("ok", True)


@pytest.mark.parametrize("packed", [False, True])
async def test_a_body_larger_than_the_limit_is_refused(bench: Any, packed: bool) -> None:
    body = b"x" * 50_000_000 if packed else b"x" * 20_001
    sent = (gzip.compress(body), "Content-Encoding: gzip") if packed else (body, "X: y")
    site = await bench.serve(bench.answer(sent[0], 200, sent[1]))
    client = bench.api(site, max_bytes=20_000).http_client()
    with pytest.raises(httpx2.ReadError) as error:
        await client.get("/")
    assert isinstance(cause_of(error), TooLarge)


async def test_a_packed_body_arrives_unpacked_without_the_headers_that_describe_it(bench: Any) -> None:
    site = await bench.serve(bench.answer(gzip.compress(b"words"), 200, "Content-Encoding: gzip"))
    got = await bench.api(site).http_client().get("/")
    assert (got.content, "content-encoding" in got.headers, "content-length" in got.headers) == (b"words", False, False)


@pytest.mark.parametrize("begun", [False, True])
async def test_the_whole_answer_must_come_in_time(bench: Any, begun: bool) -> None:
    async def slow(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if begun:
            writer.write(bench.answer("x", length=1000))
        while not reader.at_eof():
            await asyncio.sleep(0.05)
            if begun:
                writer.write(b"x")
            await writer.drain()  # raises where the other side broke off, which is no end of what is read

    site = await bench.serve(slow)
    client = bench.api(site).http_client(0.3)
    with pytest.raises(httpx2.ReadTimeout) as error:
        await client.get("/", timeout=60)
    assert isinstance(cause_of(error), TimedOut)
    await asyncio.wait_for(site.closed.wait(), 60)


async def test_the_timeouts_of_the_client_hold_too(bench: Any) -> None:
    async def silent(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(5)

    site = await bench.serve(silent)
    with pytest.raises(httpx2.ReadTimeout):
        await bench.api(site).http_client().get("/", timeout=0.1)


async def test_its_requests_share_the_turns_of_the_plugin(ctx: Any, loopback_site: LoopbackSite) -> None:
    loopback_site.route("/*", answer(200, "ok"))
    client = ctx.http_client(loopback_site.url, pace=(1, 4.0))
    await client.get("/")
    await client.get("/")
    await ctx.api(loopback_site.url, pace=(1, 4.0)).get("/")
    assert ctx.clock.slept == [pytest.approx(4, abs=0.3)] * 2


async def test_no_turn_in_time_means_that_nothing_is_sent(ctx: Any, loopback_site: LoopbackSite) -> None:
    loopback_site.route("/*", answer(200, "ok"))
    client = ctx.http_client(loopback_site.url, pace=(1, 60.0), timeout_s=10)
    await client.get("/")
    with pytest.raises(httpx2.ConnectError) as error:
        await client.get("/")
    assert isinstance(cause_of(error), RateLimited)
    assert cause_of(error).unsent
    assert len(loopback_site.requests) == 1


async def test_an_engine_that_asks_for_a_pause_has_it(ctx: Any, loopback_site: LoopbackSite) -> None:
    loopback_site.route("/*", answer(429, "slow", headers={"retry-after": "5"}))
    client = ctx.http_client(loopback_site.url)
    assert (await client.get("/")).status_code == 429
    await client.get("/")
    assert ctx.clock.slept == [pytest.approx(5, abs=0.3)]


async def test_who_is_cancelled_while_the_store_is_slow_frees_the_connection(bench: Any) -> None:
    class Slow(MemoryStore):
        async def compare_and_set(self, *args: Any) -> bool:
            if site.heads:
                stuck.set()
                await asyncio.sleep(60)
            return await super().compare_and_set(*args)

    stuck = asyncio.Event()
    site = await bench.serve(bench.answer("", 429, "Retry-After: 5", length=10))
    store = Slow(bench.clock, 1_000_000)
    client = bench.api(site, store=lambda: store).http_client()
    asking = asyncio.create_task(client.get("/"))
    await asyncio.wait_for(stuck.wait(), 60)
    asking.cancel()
    await asyncio.wait({asking})
    await asyncio.wait_for(site.closed.wait(), 60)


async def test_the_core_closes_it(loopback_site: LoopbackSite) -> None:
    ctx = context("acme")
    client = ctx.http_client(loopback_site.url)
    await ctx.aclose()
    with pytest.raises(RuntimeError, match="closed"):
        await client.get("/")


async def test_no_log_tells_what_was_asked(bench: Any, caplog: pytest.LogCaptureFixture) -> None:
    site = await bench.serve(bench.answer())
    caplog.set_level(logging.INFO)
    log_to_stderr()
    await bench.api(site).http_client().get("/", params={"q": "words"})
    assert "words" not in caplog.text
