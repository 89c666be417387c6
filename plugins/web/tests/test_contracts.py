"""Every component of this plugin keeps its kind's contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from websearch_core import Extractor, Fetcher, FetchRequest, PluginContext
from websearch_core.kit import Refused
from websearch_core.testing import ExtractorContract, FetcherContract, LoopbackSite, RecordedRequest, Response, answer
from websearch_core.testing.fakes import context
from websearch_core.testing.samples.pdf import PdfWriter, pages_of, pdf_of
from websearch_web import plugin
from websearch_web.data.csv_extractor import CsvExtractor
from websearch_web.data.json_extractor import JsonExtractor
from websearch_web.data.xml_extractor import XmlExtractor
from websearch_web.feeds.extractor import FeedExtractor
from websearch_web.fetcher import HttpFetcher
from websearch_web.html.extractor import HtmlExtractor
from websearch_web.html.fallback_reader import FallbackHtmlExtractor
from websearch_web.images.extractor import ImageExtractor
from websearch_web.pdf.extractor import PdfExtractor
from websearch_web.text.markdown_extractor import MarkdownExtractor
from websearch_web.text.text_extractor import RawTextExtractor, TextExtractor

TEXT = "Rivers find their way to the sea, and carry what the mountains gave them. " * 8


def a_pdf() -> bytes:
    """A page with a heading, text and a table."""
    writer = PdfWriter("Of Rivers", "Ann Lee", "D:20250304101112Z")
    writer.heading("Rivers")
    writer.paragraph(TEXT)
    writer.table([["River", "Length"], ["Rhine", "1233"], ["Loire", "1006"]])
    return bytes(writer)


class WebExtractorContract(ExtractorContract):
    """The plugin's own instance."""

    plugin = "web"

    def extractor(self, ctx: PluginContext) -> Extractor:
        return next(one for one in plugin.websearch_extractors(ctx) if type(one) is self.component)


class TestHtml(WebExtractorContract):
    component = HtmlExtractor
    media_type = "text/html"
    good = f"<html><head><title>T</title></head><body><main><h1>Rivers</h1><p>{TEXT}</p></main></body></html>".encode()
    expected = ("# Rivers", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = {
        b"<body><p>Seen.</p><p style='display:none'>UNSEEN</p><!-- UNSEEN --></body>": "UNSEEN",
        b"<style>.x{display:none}</style><p>Seen by whoever comes.</p><p class=x>UNSEEN</p>": "UNSEEN",
    }


class TestSecondReader(WebExtractorContract):
    component = FallbackHtmlExtractor
    media_type = "text/html"
    good = TestHtml.good
    expected = ("Rivers", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = TestHtml.hidden


class TestMarkdown(WebExtractorContract):
    component = MarkdownExtractor
    media_type = "text/markdown"
    good = f"# Rivers\n\n{TEXT}\n".encode()
    expected = ("# Rivers", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = {b"Seen.\n\n<!-- UNSEEN -->\n": "UNSEEN"}


class TestJson(WebExtractorContract):
    component = JsonExtractor
    media_type = "application/json"
    good = b'{"name": "Rivers", "length": [1, 2, 3]}'
    expected = ('"name": "Rivers"',)


class TestPdf(WebExtractorContract):
    component = PdfExtractor
    media_type = "application/pdf"
    good = a_pdf()
    expected = ("# Rivers", "carry what the mountains gave", "| Rhine | 1233 |")
    hidden: ClassVar[Mapping[bytes, str]] = {
        pdf_of(pages_of([b"BT /R 11 Tf 60 700 Td (Seen.) Tj ET BT /R 1 Tf 60 600 Td (UNSEEN) Tj ET"])): "UNSEEN",
        pdf_of(pages_of([b"BT /R 11 Tf 60 700 Td (Seen.) Tj ET 1 g BT /R 9 Tf 60 600 Td (UNSEEN) Tj ET"])): "UNSEEN",
        pdf_of(pages_of([b"BT /R 11 Tf 60 700 Td (Seen.) Tj ET BT /R 11 Tf -900 600 Td (UNSEEN) Tj ET"])): "UNSEEN",
    }


class TestFeed(WebExtractorContract):
    component = FeedExtractor
    media_type = "application/rss+xml"
    good = (
        "<rss version='2.0'><channel><title>Rivers</title><item><title>The Rhine</title><link>/rhine</link>"
        f"<description>{TEXT}</description></item></channel></rss>"
    ).encode()
    expected = ("# Rivers", "[The Rhine](https://site.example/rhine)", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = {
        b"<rss version='2.0'><channel><item><title>Seen</title><description>x &lt;p hidden&gt;UNSEEN&lt;/p&gt;"
        b"</description></item></channel></rss>": "UNSEEN"
    }


class TestXml(WebExtractorContract):
    component = XmlExtractor
    media_type = "application/xml"
    good = f"<rivers><river length='1233'><name>Rhine</name><text>{TEXT}</text></river></rivers>".encode()
    expected = ("**river** (length=1233)", "**name**: Rhine", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = {b"<a>Seen <!-- UNSEEN --></a>": "UNSEEN"}


class TestCsv(WebExtractorContract):
    component = CsvExtractor
    media_type = "text/csv"
    good = b'River,Length\nRhine,"1,233"\nLoire,"1,006"\n'
    expected = ("| River | Length |", "| Rhine | 1,233 |")


class TestImage(WebExtractorContract):
    component = ImageExtractor
    media_type = "image/png"
    good = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x03\x20\x00\x00\x02\x58\x08\x02\x00\x00\x00"
    expected = ("PNG image, 800 \u00d7 600 pixels",)


class TestText(WebExtractorContract):
    component = TextExtractor
    media_type = "text/plain"
    good = f"Rivers\n\n{TEXT}\n".encode()
    expected = ("Rivers", "carry what the mountains gave")


class TestRaw(WebExtractorContract):
    component = RawTextExtractor
    media_type = "text/x-data"
    good = TEXT.encode()
    expected = ("Rivers", "carry what the mountains gave")


class TestHttp(FetcherContract):
    component = HttpFetcher
    plugin = "web"
    raw = True

    def good_answer(self, request: RecordedRequest) -> Response:
        return answer(200, f"<p>{TEXT}</p>", content_type="text/html; charset=utf-8")

    def fetcher(self, ctx: PluginContext) -> Fetcher:
        return next(iter(plugin.websearch_fetchers(ctx)))


@pytest.fixture
async def site() -> AsyncIterator[LoopbackSite]:
    """A site that records what it is asked."""
    async with LoopbackSite() as started:
        yield started


async def test_markdown_is_asked_for_first_unless_switched_off(site: LoopbackSite) -> None:
    site.route("/*", answer(200, body=b"x", headers={"content-type": "text/plain"}))
    for settings, first in (({}, "text/markdown"), ({"accept_markdown": False}, "text/html")):
        ctx = context("web", settings)
        (fetcher,) = plugin.websearch_fetchers(ctx)
        await fetcher.fetch(FetchRequest(url=f"{site.url}/x"))
        assert site.requests[-1].headers["accept"].startswith(first)
        assert site.requests[-1].headers["accept-language"] == "*"
        await ctx.web.aclose()


async def test_an_unchanged_document_is_a_304(site: LoopbackSite) -> None:
    site.route("/*", answer(304, headers={"etag": '"v1"'}))
    ctx = context("web")
    (fetcher,) = plugin.websearch_fetchers(ctx)
    download = await fetcher.fetch(FetchRequest(url=f"{site.url}/x", etag='"v1"'))
    assert download.status == 304
    assert site.requests[-1].headers["if-none-match"] == '"v1"'
    await ctx.web.aclose()


@pytest.mark.parametrize("respected", [True, False])
async def test_robots_txt_is_obeyed_where_the_operator_wants_that(respected: bool, tmp_path: Path) -> None:
    web = context("web", {}, data_dir=tmp_path).web
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, "User-agent: *\nDisallow: /private", content_type="text/plain"))
        site.route("/private", answer(200, "words", content_type="text/plain"))
        site.route("/open", answer(302, "", headers={"location": f"{site.url}/private"}))
        fetcher = HttpFetcher(web)
        for path in ("/private", "/open"):
            request = FetchRequest(url=f"{site.url}{path}", obey_robots=respected)
            if respected:
                with pytest.raises(Refused):
                    await fetcher.fetch(request)
            else:
                assert (await fetcher.fetch(request)).body == b"words"
        await web.aclose()


async def test_the_fetcher_says_what_it_sends(tmp_path: Path) -> None:
    web = context("web", {}, data_dir=tmp_path).web
    async with LoopbackSite() as site:
        site.route("/*", answer(200, "words", content_type="text/plain"))
        fetcher = HttpFetcher(web, accept_language="de")
        request = FetchRequest(url=f"{site.url}/x")
        await fetcher.fetch(request)
        sent = site.requests[-1].headers
        assert {name: sent.get(name) for name in fetcher.sends(request)} == fetcher.sends(request)
        assert {"accept", "accept-language", "accept-encoding", "user-agent"} <= fetcher.sends(request).keys()
        await web.aclose()
