"""The loopback site does what it says."""

from __future__ import annotations

import asyncio
import gzip

import httpx2
import pytest

from websearch_core.testing.misbehaviour import (
    Bomb,
    CutShort,
    Drip,
    Flaky,
    Hang,
    HugeHeaders,
    Silent,
    Unframed,
    WrongLength,
    redirect,
    wrong_charset,
)
from websearch_core.testing.site import LoopbackSite, answer


@pytest.fixture
async def site():
    async with LoopbackSite() as served:
        yield served


@pytest.fixture
async def client():
    async with httpx2.AsyncClient(trust_env=False, timeout=5) as opened:
        yield opened


async def test_a_request_is_recorded_with_path_query_headers_and_body(site, client):
    site.route("POST /search", answer(200, json={"ok": True}))
    got = await client.post(f"{site.url}/search?q=a%20b&n=", json={"x": 1}, headers={"X-One": "1"})
    assert got.json() == {"ok": True}
    [request] = site.requests
    assert (request.method, request.path, request.query) == ("POST", "/search", {"q": "a b", "n": ""})
    assert request.headers["x-one"] == "1"
    assert request.json() == {"x": 1}
    assert "a b" in request.everything


async def test_connections_are_kept_and_counted(site, client):
    site.route("/*", answer(200, "hi"))
    for _ in range(3):
        assert (await client.get(f"{site.url}/x")).text == "hi"
    assert (site.connections, len(site.requests)) == (1, 3)


async def test_chunked_bodies_and_forms_are_read(site, client):
    async def pieces():
        yield b"a=1&"
        yield b"b=2"

    site.route("/", lambda request: answer(200, request.form["b"]))
    assert (await client.post(f"{site.url}/", content=pieces())).text == "2"


async def test_routes_know_methods_prefixes_and_the_last_one_wins(site, client):
    site.route("/a/*", answer(200, "prefix")).route("GET /a/b", answer(200, "exact"))
    assert (await client.get(f"{site.url}/a/b")).text == "exact"
    assert (await client.post(f"{site.url}/a/b")).text == "prefix"
    assert (await client.get(f"{site.url}/else")).status_code == 404


async def test_a_client_that_leaves_early_is_noticed(site, client):
    site.route("/hang", Hang())
    call = asyncio.ensure_future(client.get(f"{site.url}/hang"))
    await site.asked.wait()
    assert not site.closed_early.done()
    call.cancel()
    async with asyncio.timeout(60):
        assert (await site.closed_early).path == "/hang"


async def test_a_hanging_answer_can_be_released(site, client):
    site.route("/hang", Hang(answer(200, "late"))).route("/half", Hang(after_head=True))
    calls = [asyncio.ensure_future(client.get(f"{site.url}/{path}")) for path in ("hang", "half")]
    await site.asked.wait()
    site.release()
    assert [got.text for got in await asyncio.gather(*calls)] == ["late", "ok"]
    assert not site.closed_early.done()


async def test_a_dripping_answer_arrives_in_pieces(site, client):
    site.route("/", Drip(b"abc", every_s=0.001))
    assert (await client.get(site.url)).text == "abc"


async def test_an_endless_drip_ends_with_the_client(site, client):
    site.route("/", Drip(every_s=0.001))
    async with client.stream("GET", site.url) as got:
        assert await anext(aiter(got.aiter_raw())) == b"."
    async with asyncio.timeout(60):
        await site.closed_early


async def test_a_bomb_unpacks_to_a_thousand_times_its_size(site, client):
    site.route("/", Bomb(2_000_000))
    async with client.stream("GET", site.url) as got:
        packed = b"".join([piece async for piece in got.aiter_raw()])
    assert len(packed) < 4_000
    assert len(gzip.decompress(packed)) == 2_000_000


@pytest.mark.parametrize(
    "bad", [CutShort(), WrongLength(b"short", claimed=100), Silent()], ids=lambda bad: type(bad).__name__
)
async def test_broken_framing_is_an_error_for_the_client(site, client, bad):
    site.route("/", bad)
    with pytest.raises(httpx2.TransportError):
        await client.get(site.url)


async def test_more_bytes_than_claimed_are_sent_too(site, client):
    site.route("/", WrongLength(b"longer", claimed=4))
    assert (await client.get(site.url)).content[:4] == b"long"


async def test_an_answer_without_length_ends_with_the_connection(site, client):
    site.route("/", Unframed(answer(200, "text")))
    assert (await client.get(site.url)).text == "text"


async def test_a_flaky_site_recovers(site, client):
    site.route("/", Flaky(2))
    assert [(await client.get(site.url)).status_code for _ in range(3)] == [503, 503, 200]


async def test_redirects_headers_and_charsets_are_as_scripted(site, client):
    site.route("/r", redirect("/x", 307)).route("/c", wrong_charset("naïve")).route("/h", HugeHeaders(20_000))
    got = await client.get(f"{site.url}/r")
    assert (got.status_code, got.headers["location"]) == (307, "/x")
    assert "�" in (await client.get(f"{site.url}/c")).text
    assert len((await client.get(f"{site.url}/h")).headers) > 20


async def test_a_handler_may_be_async_and_may_choose_a_misbehaviour(site, client):
    async def choose(request):
        return Flaky(1) if "flaky" in request.query else answer(200, "fine")

    site.route("/", choose)
    assert (await client.get(f"{site.url}/?flaky=")).status_code == 503
    assert (await client.get(f"{site.url}/")).text == "fine"
