"""The tools and resources together: what is kept, for whom, for how long, and what an answer says."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest

from websearch_core import Caller
from websearch_core.kit import BlockedByFilter, FetchAnswer, InvalidRequest, NotFound, estimate_tokens
from websearch_core.testing import FakeClock, FakeGateway, context
from websearch_core.testing.fakes import page
from websearch_packet.plugin import websearch_outputs, websearch_prompts, websearch_resources, websearch_tools

LONG = "# Tea\n\n" + "".join(
    f"## Sort {n}\n\nThis is sort {n}, of the year {1900 + n}. It is a tea.\n\n" for n in range(300)
)
ANN, BOB = FakeGateway(caller=Caller(tenant="ann")), FakeGateway(caller=Caller(tenant="bob"))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def ctx(clock):
    return context("packet", {"keep_s": 100, "answer_tokens": 1000}, clock=clock)


def tool(ctx, name):
    return next(each for each in websearch_tools(ctx) if each.name == name)


def resource(ctx, kind):
    return next(each for each in websearch_resources(ctx) if each.name == f"webfetch-{kind}")


async def call(ctx, name, gateway=ANN, **arguments):
    called = tool(ctx, name)
    return await called.call(called.arguments.model_validate(arguments), gateway)


async def fetched(ctx, body=LONG, gateway=ANN, tokens=1000.0, **about):
    [output] = websearch_outputs(ctx)
    return await output.of(FetchAnswer(page=page("https://example.com/tea", body, **about)), gateway, tokens)


@pytest.mark.parametrize("body", [LONG, "```json\n" + '{"tea": "green"},\n' * 2000 + "```\n", "tea " * 9000])
@pytest.mark.parametrize("tokens", [600.0, 1000.0, 3000.0])
async def test_a_packet_that_was_cut_says_where_both_its_text_and_its_data_go_on(ctx, body, tokens) -> None:
    output = await fetched(ctx, body, tokens=tokens)
    at = output.next_offset
    assert at is not None
    assert 0 < at <= len(output.structured["content"])
    assert body[:at].rstrip() in output.text


async def test_a_packet_that_is_whole_goes_on_nowhere(ctx) -> None:
    output = await fetched(ctx, "# Tea\n\nGreen.", tokens=3000.0)
    assert (output.next_offset, output.links) == (None, ())


async def test_a_large_page_becomes_its_beginning_and_links_to_the_whole(ctx) -> None:
    output = await fetched(ctx, screenshot=b"\x89PNG")
    packet = output.structured
    assert packet["next_offset"] < packet["content_chars"] == len(LONG)
    assert f"webfetch://content/{packet['source_id']}" in output.text
    assert [(link.uri.split("/")[2], link.media_type) for link in output.links] == [
        ("packet", "application/json"),
        ("content", "text/markdown"),
        ("screenshot", "image/png"),
    ]
    assert "content" in packet["resources"]


async def test_a_small_page_needs_no_link(ctx) -> None:
    output = await fetched(ctx, "Tea is a drink.", tokens=2000.0)
    assert output.links == ()
    assert output.structured["content"] == "Tea is a drink."


async def test_what_was_kept_is_read_again_whole(ctx) -> None:
    source_id = (await fetched(ctx, screenshot=b"\x89PNG")).structured["source_id"]
    packet = json.loads(await resource(ctx, "packet").read(f"webfetch://packet/{source_id}", ANN))
    normalized = json.loads(await resource(ctx, "normalized").read(f"webfetch://normalized/{source_id}", ANN))
    assert packet["content"] == LONG
    assert packet["key_blocks"][1]["text"] == "## Sort 0"
    assert packet.pop("hashes")["content_hash"] == page("https://e.example/", LONG).content_hash
    assert normalized == packet
    assert await resource(ctx, "content").read(f"webfetch://content/{source_id}", ANN) == LONG
    assert await resource(ctx, "screenshot").read(f"webfetch://screenshot/{source_id}", ANN) == b"\x89PNG"


async def test_nobody_reads_or_sees_another_tenants(ctx) -> None:
    source_id = (await fetched(ctx)).structured["source_id"]
    for kind in ("packet", "content", "normalized", "screenshot"):
        with pytest.raises(NotFound):
            await resource(ctx, kind).read(f"webfetch://{kind}/{source_id}", BOB)
    for name in ("chunk", "compact"):
        with pytest.raises(NotFound, match="fetch the page again"):
            await call(ctx, name, BOB, source_id=source_id)
    packets = resource(ctx, "packet")
    assert await packets.listed(BOB) == []
    assert list(await packets.complete("source_id", "", BOB)) == []
    assert [link.name for link in await packets.listed(ANN)] == [source_id]


async def test_the_list_has_the_newest_first_each_once_until_it_is_forgotten(ctx, clock) -> None:
    packets, pictures = resource(ctx, "packet"), resource(ctx, "screenshot")
    first = (await fetched(ctx, "One.", title="The first")).structured["source_id"]
    second = (await fetched(ctx, "Two.", screenshot=b"\x89PNG")).structured["source_id"]
    await fetched(ctx, "One.", title="The first")
    listed = await packets.listed(ANN)
    assert [(link.name, link.title) for link in listed] == [(first, "The first"), (second, "Title")]
    assert listed[0].description.startswith("Fetched from example.com at 2025-")
    assert (listed[0].size, listed[0].modified.year) == (4, 2025)
    assert list(await packets.complete("source_id", "", ANN)) == [first, second]
    assert list(await pictures.complete("source_id", "", ANN)) == [second]
    assert await pictures.listed(ANN) == ()
    clock.advance(101)
    assert await packets.listed(ANN) == []
    with pytest.raises(NotFound):
        await packets.read(f"webfetch://packet/{first}", ANN)


async def test_many_packets_are_listed_up_to_a_hundred(ctx) -> None:
    for n in range(105):
        await fetched(ctx, f"Number {n}.")
    assert len(await resource(ctx, "packet").listed(ANN)) == 100


async def test_where_nothing_is_kept_no_address_is_promised() -> None:
    ctx = context("packet", {"keep_s": 0})
    output = await fetched(ctx)
    assert (output.links, output.structured["resources"]) == ((), {})
    assert "webfetch:" not in output.text


async def test_chunks_of_a_kept_page_come_in_pieces(ctx) -> None:
    source_id = (await fetched(ctx)).structured["source_id"]
    first, spans, chunks = 0, [], []
    while True:
        data = (
            await call(ctx, "chunk", source_id=source_id, max_tokens=300, strategy="balanced", first=first)
        ).structured
        chunks += data["chunks"]
        if "next_chunk" not in data:
            break
        assert data["next_chunk"] > first
        first = data["next_chunk"]
    spans = [(chunk["start"], chunk["end"]) for chunk in chunks]
    assert "".join(LONG[start:end] for start, end in spans) == LONG
    assert [chunk["chunk_id"] for chunk in chunks] == [f"{source_id}:c{n}" for n in range(data["total_chunks"])]
    assert data["total_est_tokens"] == sum(chunk["est_tokens"] for chunk in chunks)


@pytest.mark.parametrize("room", [400, 600, 2000])
@pytest.mark.parametrize("wanted", [300, 4000])
async def test_chunks_that_a_small_answer_holds_are_whole_and_go_on(ctx, room, wanted) -> None:
    gateway = FakeGateway(caller=ANN.caller, answer_tokens=room)
    source_id = (await fetched(ctx)).structured["source_id"]
    first, spans = 0, []
    while first is not None:
        output = await call(ctx, "chunk", gateway, source_id=source_id, max_tokens=wanted, first=first)
        data = output.structured
        assert estimate_tokens(output.text) <= room
        assert all(chunk["text"] in output.text for chunk in data["chunks"])
        assert (data["max_tokens"] < wanted) == ("an answer holds no longer chunk" in output.text)
        spans += [(chunk["start"], chunk["end"]) for chunk in data["chunks"]]
        first = data.get("next_chunk")
        assert (first is None) != (f"continue with first={first}" in output.text)
    assert "".join(LONG[start:end] for start, end in spans) == LONG


@pytest.mark.parametrize("mode", ["structural", "salience", "map_reduce", "question_focused"])
async def test_what_is_shortened_fits_into_a_small_answer(ctx, mode) -> None:
    gateway = FakeGateway(caller=ANN.caller, answer_tokens=600)
    source_id = (await fetched(ctx)).structured["source_id"]
    output = await call(ctx, "compact", gateway, source_id=source_id, max_tokens=9000, mode=mode, question="sort 17")
    assert estimate_tokens(output.text) <= 600
    assert "an answer holds no more" in output.text


async def test_a_packet_that_is_extracted_fits_into_a_small_answer(ctx) -> None:
    gateway = FakeGateway(caller=ANN.caller, answer_tokens=600)
    encoded = base64.b64encode(LONG.encode()).decode()
    output = await call(ctx, "extract", gateway, raw_bytes=encoded, content_type="text/markdown")
    assert estimate_tokens(output.text) <= 600


async def test_a_packet_can_be_given_as_it_was_got_and_is_judged(ctx) -> None:
    packet = (await fetched(ctx, "# A\n\nText.", tokens=5000.0)).structured
    gateway = FakeGateway()
    data = (await call(ctx, "chunk", gateway, packet=packet)).structured
    assert [chunk["text"] for chunk in data["chunks"]] == ["# A\n\nText."]
    assert [document.body for document in gateway.inspected] == ["# A\n\nText."]
    assert gateway.inspected[0].reached.startswith("urn:sha256:")
    for name in ("chunk", "compact"):
        with pytest.raises(BlockedByFilter):
            await call(ctx, name, FakeGateway(bad=lambda document: "Text" in document.body), packet=packet)


async def test_a_page_is_shortened_by_its_name_or_by_its_chunks(ctx) -> None:
    source_id = (await fetched(ctx)).structured["source_id"]
    short = await call(ctx, "compact", source_id=source_id, max_tokens=200)
    assert short.untrusted
    assert short.structured["source_id"] == source_id
    assert 0 < short.structured["est_tokens"] <= 200
    assert short.structured["compacted"]["summary"] in short.text
    chunks = (await call(ctx, "chunk", source_id=source_id, max_tokens=400, overlap_tokens=50)).structured
    again = await call(ctx, "compact", chunks=chunks, max_tokens=200, mode="map_reduce")
    assert again.structured["compacted"]["sentences"]
    with pytest.raises(InvalidRequest):
        await call(ctx, "compact", chunks={"chunks": [5]})


async def test_bytes_become_a_packet_that_claims_no_address(ctx) -> None:
    gateway = FakeGateway()
    body = b"# Tea\n\nFor all."
    encoded = base64.urlsafe_b64encode(body).decode()
    packet = (
        await call(
            ctx,
            "extract",
            gateway,
            raw_bytes=encoded,
            content_type="text/markdown; charset=utf-8",
            include_raw_excerpt=True,
        )
    ).structured
    [download, _] = gateway.extracted
    assert (download.media_type, download.charset, download.body) == ("text/markdown", "utf-8", body)
    assert packet["canonical_url"] == f"urn:sha256:{hashlib.sha256(body).hexdigest()}"
    assert packet["hashes"]["raw_hash"] == hashlib.sha256(body).hexdigest()
    assert packet["raw_excerpt"] == body.decode()
    assert packet["content"] == body.decode()


@pytest.mark.parametrize("raw", ["not base64!", "====", "dGVhx"])
async def test_what_is_no_base64_is_refused(ctx, raw) -> None:
    with pytest.raises(InvalidRequest, match="raw_bytes"):
        await call(ctx, "extract", raw_bytes=raw)


async def test_an_address_is_fetched_and_its_source_read_where_that_is_wanted(ctx) -> None:
    gateway = FakeGateway(pages={"https://example.com/": page("https://example.com/", "Tea. " * 400)})
    packet = (await call(ctx, "extract", gateway, url="https://example.com/", include_raw_excerpt=True)).structured
    assert [request.raw for request in gateway.requests] == [False, True]
    assert len(packet["raw_excerpt"]) == 1000
    assert "raw_hash" not in packet["hashes"]


def test_all_tools_are_off_until_they_are_named(ctx) -> None:
    assert all(each.optional for each in websearch_tools(ctx))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("fetch-url", {"mode": "bogus"}),
        ("fetch-and-chunk", {"strategy": "bogus"}),
        ("fetch-and-chunk", {"max_tokens": "abc"}),
        ("fetch-and-chunk", {"max_tokens": "5"}),
        ("fetch-and-compact", {"mode": "http"}),
    ],
)
async def test_a_prompt_takes_no_word_that_its_tool_would_refuse(name, wrong) -> None:
    prompt = next(one for one in websearch_prompts() if one.name == name)
    [argument] = wrong
    with pytest.raises(InvalidRequest, match=f"{argument}: must be"):
        await prompt.render({"url": "https://example.com/", **wrong}, ANN)
    assert "example.com" in await prompt.render({"url": "https://example.com/"}, ANN)
