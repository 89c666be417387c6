"""Hostile answers of a web site: what is read of them, and what is said when nothing can be."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterator

import pytest

import websearch_documents.plugin
import websearch_web.plugin
from websearch_core import BackendError, FetchRequest
from websearch_core.asking.read.extraction import ExtractorChain
from websearch_core.testing import LoopbackSite, answer
from websearch_core.testing.fakes import context
from websearch_core.testing.misbehaviour import Bomb, CutShort, HugeHeaders, Unframed, WrongLength, wrong_charset
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.pdf import PdfWriter
from websearch_core.testing.site import Behaviour

CAP = 200_000
TEXT = "Rivers find their way to the sea, and carry what the mountains gave them. " * 5
PAGE = f"<!doctype html><title>Rivers</title><p>{TEXT}</p>".encode()
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def pdf(pages: int = 1) -> bytes:
    """A document of so many pages."""
    writer = PdfWriter()
    for _ in range(pages):
        writer.paragraph(TEXT)
        writer.page()
    return bytes(writer)


def packed(encoding: str, body: bytes = PAGE, content_type: str = "text/html") -> Behaviour:
    """The body as it stands, under a claim of how it is packed."""
    return answer(200, body, content_type=content_type, headers={"content-encoding": encoding})


def typed(content_type: str, body: bytes = PAGE) -> Behaviour:
    """The body under a claim of its type."""
    return answer(200, body, content_type=content_type)


RAW_DEFLATE = zlib.compress(PAGE)[2:-4]

RESPONSES: dict[str, tuple[Behaviour, str]] = {
    "gzip": (packed("gzip", gzip.compress(PAGE)), "page: Rivers find"),
    "gzip in two members": (packed("gzip", gzip.compress(PAGE) + gzip.compress(b"<p>More.")), "page: Rivers find"),
    "gzip bomb": (Bomb(), "unsupported: application/octet-stream"),
    "gzip bomb of a page": (packed("gzip", gzip.compress(PAGE + b" " * 50_000_000, 1)), "page: Rivers find"),
    "gzip that is none": (packed("gzip"), "network: damaged"),
    "gzip cut": (packed("gzip", gzip.compress(PAGE)[:-10]), "network: cut short"),
    "gzip of nothing": (packed("gzip", gzip.compress(b"")), "unsupported: empty"),
    "gzip in gzip": (packed("gzip", gzip.compress(gzip.compress(PAGE)), ""), "page: Rivers find"),
    "deflate": (packed("deflate", zlib.compress(PAGE)), "page: Rivers find"),
    "deflate without its wrapper": (packed("deflate", RAW_DEFLATE), "page: Rivers find"),
    "deflate bomb": (packed("deflate", zlib.compress(PAGE + b" " * 50_000_000, 1)), "page: Rivers find"),
    "deflate damaged": (packed("deflate", b"\xff" * 500), "network: damaged"),
    "brotli": (packed("br", b"\x0b\x02\x80rivers\x03"), "unsupported: not one that we asked for"),
    "brotli bomb": (packed("br", b"\x81" + b"\xff" * 1000), "unsupported: not one that we asked for"),
    "zstd": (packed("zstd", b"\x28\xb5\x2f\xfd" + bytes(50)), "unsupported: not one that we asked for"),
    "two encodings": (packed("gzip, br", gzip.compress(PAGE)), "unsupported: not one that we asked for"),
    "an encoding of nobody": (packed("x" * 500), "unsupported: not one that we asked for"),
    "an encoding named in capitals": (packed("GZIP", gzip.compress(PAGE)), "page: Rivers find"),
    "identity": (packed("identity"), "page: Rivers find"),
    "a length that is too long": (WrongLength(PAGE, len(PAGE) + 100), "network"),
    "a length that is too short": (WrongLength(b"Rivers find more.", 11), "page: Rivers find"),
    "a body cut short": (CutShort(), "network"),
    "headers without end": (HugeHeaders(), "network|too_large|drift|server"),
    "no length": (Unframed(), "page|network"),
    "a charset that is wrong": (wrong_charset("Flüsse finden über Täler ihren Weg zum Meer."), "page: Flüsse"),
    "a type without a name": (typed("", PAGE), "page: Rivers find"),
    "a type of nobody": (typed("application/x-nobody", PAGE), "page: Rivers find"),
    "a type of nonsense": (typed("nonsense;;;=", PAGE), "page: Rivers find"),
    "a type of 5,000 letters": (typed("a/" + "b" * 5000, PAGE), "page: Rivers find"),
    "a page that calls itself text": (typed("text/plain"), "page: Rivers find"),
    "a page that calls itself bytes": (typed("application/octet-stream"), "page: Rivers find"),
    "a page that calls itself a PDF": (typed("application/pdf"), "page: Rivers find"),
    "a page that calls itself a picture": (typed("image/png"), "page: Rivers find"),
    "a page that calls itself a book": (typed("application/epub+zip"), "page: Rivers find"),
    "a page that calls itself XML": (typed("text/xml", b"<html><p>Rivers find<br></html>"), "page|needs_rendering"),
    "a page that calls itself JSON": (typed("application/json"), "page: Rivers find"),
    "a PDF": (typed("application/pdf", pdf()), "page: Rivers find"),
    "a PDF that calls itself a page": (typed("text/html", pdf()), "page: Rivers find"),
    "a PDF that calls itself text": (typed("text/plain; charset=utf-16", pdf()), "page: Rivers find"),
    "a PDF that is packed": (packed("gzip", gzip.compress(pdf()), "application/pdf"), "page: Rivers find"),
    "a PDF larger than the cap": (typed("application/pdf", pdf(400)), "too_large: limit on downloads|page"),
    "a text document larger than the cap": (
        typed(DOCX, archives.zipped(archives.docx_parts(""), stored=("x",)) + bytes(CAP)),
        "too_large: limit on downloads|drift|unsupported: no text",
    ),
    "a table larger than the cap": (typed("text/csv", b"a,b\n" + b"1,2\n" * 100_000), "page: more rows"),
    "JSON larger than the cap": (typed("application/json", b"[" + b"1," * 200_000 + b"1]"), "page: truncated"),
    "XML larger than the cap": (typed("text/xml", b"<x>" + b"<y>1</y>" * 50_000 + b"</x>"), "page: truncated"),
    "a feed larger than the cap": (
        typed("application/rss+xml", b"<rss version='2.0'><channel>" + b"<item><title>x</title></item>" * 20_000),
        "page: truncated",
    ),
    "nothing": (typed("text/html", b""), "unsupported: empty"),
    "nothing at all": (answer(204), "not_found"),
}


@pytest.fixture
async def site() -> AsyncIterator[LoopbackSite]:
    """A site that answers as a test says."""
    async with LoopbackSite() as started:
        yield started


@pytest.mark.parametrize("name", RESPONSES)
async def test_a_hostile_answer_is_read_or_its_fault_is_named(name: str, site: LoopbackSite) -> None:
    behaviour, expected = RESPONSES[name]
    site.route("/*", behaviour)
    ctx = context("web", net={"max_bytes": CAP, "timeout_s": 10})
    (fetcher,) = websearch_web.plugin.websearch_fetchers(ctx)
    extraction = ExtractorChain(
        [*websearch_web.plugin.websearch_extractors(ctx), *websearch_documents.plugin.websearch_extractors(ctx)]
    )
    try:
        download = await fetcher.fetch(FetchRequest(url=f"{site.url}/x"))
        page = await extraction.page(download, [])
        said = f"page: {page.body}"
        assert len(page.body) <= 5 * CAP
    except BackendError as error:
        said = str(error)
    finally:
        await ctx.web.aclose()
    assert any(fits(said, one) for one in expected.split("|")), said[:300]


def fits(said: str, expected: str) -> bool:
    """`code: words`, the words anywhere in what was said."""
    code, _, words = expected.partition(": ")
    return said.startswith(f"{code}:") and words in said
