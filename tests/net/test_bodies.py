"""Every byte is counted: on the wire, after decompression, in headers; and the cut is marked."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import FetchRequest
from websearch_core.kit import NetworkFailed, TooLarge, Unsupported
from websearch_core.net import body

HTML = "Content-Type: text/html; charset=utf-8"


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
        ("gzip", lambda data: gzip.compress(data[:7]) + gzip.compress(data[7:]) + b"\0\0\0"),
        ("identity", lambda data: data),
    ],
)
async def test_encodings_that_we_asked_for_are_unpacked(bench: Any, encoding: str, pack: Any) -> None:
    text = b"hello, world\n" * 50_000
    site = await bench.serve(bench.answer(pack(text), 200, f"Content-Encoding: {encoding}", "Content-Type: text/plain"))
    got = await bench.web_to(site).download(bench.ask(site))
    assert got.body == text
    assert (got.bytes_read, got.truncated, got.media_type) == (len(text), False, "text/plain")
    assert "accept-encoding: gzip, deflate\r\n" in site.heads[0]


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress"])
async def test_other_encodings_are_unsupported(bench: Any, encoding: str) -> None:
    site = await bench.serve(bench.answer(b"x", 200, f"Content-Encoding: {encoding}"))
    with pytest.raises(Unsupported):
        await bench.web_to(site).download(bench.ask(site))


@pytest.mark.parametrize("damage", [lambda b: b[:-9], lambda b: b[:20] + b"\xff" * 40 + b[60:], lambda b: b"no" + b])
async def test_a_damaged_or_cut_compressed_body_is_a_network_failure(bench: Any, damage: Any) -> None:
    packed = damage(gzip.compress(bytes(range(256)) * 40))
    site = await bench.serve(bench.answer(packed, 200, "Content-Encoding: gzip"))
    with pytest.raises(NetworkFailed):
        await bench.web_to(site).download(bench.ask(site))


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate])
@pytest.mark.parametrize("on_cap", ["error", "truncate"])
async def test_a_decompression_bomb_ends_at_the_cap(bench: Any, pack: Any, on_cap: str) -> None:
    encoding = "gzip" if pack is gzip.compress else "deflate"
    bomb = pack(b"\0" * 50_000_000)
    assert len(bomb) < 100_000
    site = await bench.serve(bench.answer(bomb, 200, f"Content-Encoding: {encoding}", "Content-Type: image/x-bomb"))
    door = bench.web_to(site, max_bytes=1_000_000)
    tracemalloc.start()
    try:
        if on_cap == "error":
            with pytest.raises(TooLarge):
                await door.download(bench.ask(site), on_cap="error")
        else:
            got = await door.download(bench.ask(site))
            assert (len(got.body), got.truncated) == (1_000_000, True)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


async def test_compressed_data_that_unpacks_to_nothing_ends_at_the_cap_too(bench: Any) -> None:
    site = await bench.serve(bench.answer(gzip.compress(b"") * 20_000, 200, "Content-Encoding: gzip"))
    got = await bench.web_to(site, max_bytes=10_000).download(bench.ask(site))
    assert (got.truncated, got.bytes_read) == (True, 0)


async def test_a_body_in_endless_crumbs_is_too_large(bench: Any) -> None:
    async def endless(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1\r\nx\r\n" * 1000)
            await writer.drain()

    site = await bench.serve(endless)
    with pytest.raises(TooLarge, match="too many small pieces"):
        await bench.web_to(site).download(bench.ask(site))
    await asyncio.wait_for(site.closed.wait(), 60)


CRUMBS = {
    "plain": ("", [b"x"] * 20_000),
    "compressed": ("gzip", [bytes([byte]) for byte in gzip.compress(b"x" * 20_000, 0)]),
    "members that hold nothing": ("gzip", [gzip.compress(b"") * 1000] * 20),
    "after the end": ("deflate", [zlib.compress(b""), *[b"x"] * 20_000]),
}


@pytest.mark.parametrize("kind", CRUMBS)
async def test_crumbs_are_limited_and_others_get_their_turn_between_them(kind: str) -> None:
    encoding, crumbs = CRUMBS[kind]
    turns = 0

    async def chunks() -> Any:
        for crumb in crumbs:
            yield crumb

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    with pytest.raises(TooLarge, match="too many small pieces"):
        await body.read(chunks(), encoding, 100_000_000)
    task.cancel()
    assert turns > 100


async def test_a_body_in_many_modest_pieces_is_whole() -> None:
    async def chunks() -> Any:
        for _ in range(30_000):
            yield b"x" * 100

    assert await body.read(chunks(), "", 10_000_000) == body.Body(b"x" * 3_000_000, truncated=False)


@given(st.binary(max_size=3000), st.integers(1, 60), st.sampled_from(["gzip", "deflate", "raw"]))
def test_any_body_comes_out_as_it_went_in_however_it_is_chunked(data: bytes, size: int, kind: str) -> None:
    packed = {"gzip": gzip.compress(data) * 2, "deflate": zlib.compress(data), "raw": raw_deflate(data)}[kind]

    async def chunks() -> Any:
        for start in range(0, len(packed), size):
            yield packed[start : start + size]

    got = asyncio.run(body.read(chunks(), "gzip" if kind == "gzip" else "deflate", 100_000))
    assert got == body.Body(data * (2 if kind == "gzip" else 1), truncated=False)


@pytest.mark.parametrize(
    ("operator", "asked", "caller", "cap"),
    [(100, None, None, 100), (100, 50, 70, 50), (100, 70, 50, 50), (40, 50, 70, 40)],
)
async def test_the_lowest_cap_wins(bench: Any, operator: int, asked: int, caller: int, cap: int) -> None:
    site = await bench.serve(bench.answer("a" * 200, 200, HTML))
    request = bench.ask(site, max_bytes=asked)
    got = await bench.web_to(site, max_bytes=operator).download(request, max_bytes=caller)
    assert got.body == b"a" * cap + f"\n\n[truncated at {cap} bytes]".encode()
    assert (got.truncated, got.bytes_read) == (True, cap)


async def test_a_body_of_exactly_the_cap_is_whole(bench: Any) -> None:
    site = await bench.serve(bench.answer("a" * 100, 200, HTML))
    got = await bench.web_to(site, max_bytes=100).download(bench.ask(site), on_cap="error")
    assert (got.body, got.truncated) == (b"a" * 100, False)


async def test_a_declared_length_over_the_cap_is_not_read(bench: Any) -> None:
    site = await bench.serve(bench.answer("", 200, length=10**9))
    with pytest.raises(TooLarge):
        await bench.web_to(site).download(bench.ask(site), on_cap="error")
    await asyncio.wait_for(site.closed.wait(), 60)


async def test_an_endless_body_is_cut_and_the_connection_closed(bench: Any) -> None:
    async def endless(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"2710\r\n" + b"x" * 10_000 + b"\r\n")
            await writer.drain()

    site = await bench.serve(endless)
    got = await bench.web_to(site, max_bytes=100_000).download(bench.ask(site))
    assert (got.truncated, got.bytes_read) == (True, 100_000)
    await asyncio.wait_for(site.closed.wait(), 60)


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("utf-8", "aé€😀" * 20),
        ("utf-16-le", "a€😀" * 20),
        ("utf-16-be", "a€😀" * 20),
        ("utf-16", "a€😀" * 20),
        ("gb18030", "中文a" * 20),
        ("shift_jis", "日本語a" * 20),
        ("euc-kr", "한국어a" * 20),
        ("big5", "中文a" * 20),
        ("iso-8859-1", "aé" * 20),
        ("no-such-charset", "abc" * 20),
    ],
)
def test_the_cut_is_on_a_character_boundary_whatever_the_charset(charset: str, text: str) -> None:
    codec = charset if charset != "no-such-charset" else "ascii"
    whole = text.encode(codec)
    for cap in range(4, len(whole) - 1):
        readable = body.cut(whole[:cap], cap, charset, marked=True).decode(codec)
        start, mark, end = readable.partition("\n\n[truncated at ")
        assert (mark, end) == ("\n\n[truncated at ", f"{cap} bytes]")
        assert text.startswith(start)
        assert len(start.encode(codec)) > cap - 4


@pytest.mark.parametrize(
    ("header", "marked"),
    [
        ("text/plain", True),
        ("application/json", True),
        ("application/ld+json; charset=utf-8", True),
        ("application/xhtml+xml", True),
        ("image/png", False),
        ("application/pdf", False),
        ("application/octet-stream", False),
        ("", True),
    ],
)
async def test_only_text_is_marked_in_its_body(bench: Any, header: str, marked: bool) -> None:
    site = await bench.serve(bench.answer("a" * 50, 200, *([f"Content-Type: {header}"] if header else [])))
    got = await bench.web_to(site, max_bytes=10).download(bench.ask(site))
    assert got.truncated
    assert got.body.endswith(b"[truncated at 10 bytes]") is marked


@pytest.mark.parametrize(
    "head",
    [
        b"X: " + b"a" * 70_000 + b"\r\n",
        b"".join(b"X-%d: %s\r\n" % (n, b"a" * 1000) for n in range(80)),
        b"X: " + b"a" * 5_000_000 + b"\r\n",
    ],
)
async def test_headers_beyond_the_cap_are_too_large(bench: Any, head: bytes) -> None:
    site = await bench.serve(b"HTTP/1.1 200 X\r\nContent-Length: 0\r\n" + head + b"\r\n")
    with pytest.raises(TooLarge, match="headers"):
        await bench.web_to(site).download(bench.ask(site))
    await asyncio.wait_for(site.closed.wait(), 60)


async def test_headers_that_never_end_are_too_large(bench: Any) -> None:
    async def endless(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\n")
        while True:
            writer.write(b"X: y\r\n" * 100)
            await writer.drain()

    site = await bench.serve(endless)
    with pytest.raises(TooLarge, match="headers"):
        await bench.web_to(site).download(bench.ask(site))


async def test_interim_answers_that_never_end_are_too_large(bench: Any) -> None:
    async def endless(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"HTTP/1.1 103 X\r\n\r\n" * 100)
            await writer.drain()

    site = await bench.serve(endless)
    with pytest.raises(TooLarge, match="headers"):
        await bench.web_to(site).download(bench.ask(site))
    await asyncio.wait_for(site.closed.wait(), 60)


@pytest.mark.parametrize("secure", [False, True])
async def test_interim_answers_are_passed_over_and_count_anew_for_each_request(
    bench: Any, certificate: Any, secure: bool
) -> None:
    pem, tls = certificate
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n" * 2000
    site = await bench.serve(hints + bench.answer("x" * 400_000), tls=tls if secure else None)
    bench.names.table["www.example.com"] = ["127.0.0.1"]
    url = f"{'https' if secure else 'http'}://www.example.com:{site.port}/"
    door = bench.web_to(site, ca_file=str(pem))
    for _ in range(4):
        assert (await door.download(FetchRequest(url=url))).bytes_read == 400_000
    assert site.connections == 1


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nshort",
        b"HTTP/1.1 200 X\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nshort",
        b"HTTP/1.1 200 X\r\nContent-Length: x\r\n\r\nshort",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"\xff\xfe\0garbage\r\n\r\n",
        b"HTTP/1.1 200",
    ],
)
async def test_a_cut_or_senseless_answer_is_a_network_failure(bench: Any, sent: bytes) -> None:
    async def hang_up(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        writer.close()

    site = await bench.serve(hang_up)
    with pytest.raises(NetworkFailed):
        await bench.web_to(site).download(bench.ask(site))


@pytest.mark.parametrize(
    ("header", "media_type", "charset"),
    [
        ('Text/HTML; Charset="UTF-8"', "text/html", "utf-8"),
        ("text/html;x=1; charset='gbk'", "text/html", "gbk"),
        ("text/html, text/plain", "text/html", ""),
        ("nonsense", "", ""),
    ],
)
async def test_content_type_is_read_leniently(bench: Any, header: str, media_type: str, charset: str) -> None:
    site = await bench.serve(bench.answer("x", 200, f"Content-Type: {header}"))
    got = await bench.web_to(site).download(bench.ask(site))
    assert (got.media_type, got.charset) == (media_type, charset)
