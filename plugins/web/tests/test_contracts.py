"""Every component of this plugin keeps its kind's contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import ClassVar

import pytest

from websearch_core import Extractor, Fetcher, FetchRequest, PluginContext
from websearch_core.testing import ExtractorContract, FetcherContract, LoopbackSite, RecordedRequest, Response, answer
from websearch_core.testing.fakes import context
from websearch_web import plugin
from websearch_web.fetcher import HttpFetcher
from websearch_web.html.extractor import HtmlExtractor
from websearch_web.html.second import SecondReader
from websearch_web.json_document import JsonExtractor
from websearch_web.markdown import MarkdownExtractor
from websearch_web.plain import PlainText

TEXT = "Rivers find their way to the sea, and carry what the mountains gave them. " * 8


def made_by_the_hook(ctx: PluginContext, kind: type[Extractor]) -> Extractor:
    """The plugin's own instance."""
    return next(extractor for extractor in plugin.websearch_extractors(ctx) if isinstance(extractor, kind))


class TestHtml(ExtractorContract):
    component = HtmlExtractor
    plugin = "web"
    media_type = "text/html"
    good = f"<html><head><title>T</title></head><body><main><h1>Rivers</h1><p>{TEXT}</p></main></body></html>".encode()
    expected = ("# Rivers", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = {
        b"<body><p>Seen.</p><p style='display:none'>UNSEEN</p><!-- UNSEEN --></body>": "UNSEEN"
    }

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, HtmlExtractor)


class TestSecondReader(ExtractorContract):
    component = SecondReader
    plugin = "web"
    media_type = "text/html"
    good = TestHtml.good
    expected = ("Rivers", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = TestHtml.hidden

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, SecondReader)


class TestMarkdown(ExtractorContract):
    component = MarkdownExtractor
    plugin = "web"
    media_type = "text/markdown"
    good = f"# Rivers\n\n{TEXT}\n".encode()
    expected = ("# Rivers", "carry what the mountains gave")
    hidden: ClassVar[Mapping[bytes, str]] = {b"Seen.\n\n<!-- UNSEEN -->\n": "UNSEEN"}

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, MarkdownExtractor)


class TestJson(ExtractorContract):
    component = JsonExtractor
    plugin = "web"
    media_type = "application/json"
    good = b'{"name": "Rivers", "length": [1, 2, 3]}'
    expected = ('"name": "Rivers"',)

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, JsonExtractor)


class TestText(ExtractorContract):
    component = PlainText
    plugin = "web"
    media_type = "text/plain"
    good = f"Rivers\n\n{TEXT}\n".encode()
    expected = ("Rivers", "carry what the mountains gave")

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, PlainText)


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
