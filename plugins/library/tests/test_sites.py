"""Sitemaps of a site on loopback, through the guarded client."""

from __future__ import annotations

import gzip

import pytest

from websearch_core import FetchRequest, PluginContext
from websearch_core.kit import BlockedByFilter, ServerFailed
from websearch_core.testing.site import LoopbackSite, answer
from websearch_library.adding import sitemap, sitemap_seeds
from websearch_library.index.library import Library


async def test_the_filters_see_a_sitemaps_address_before_its_site_does(ctx: PluginContext, library: Library) -> None:
    async def screen(request: FetchRequest) -> FetchRequest:
        raise BlockedByFilter("not this one", by="guard")

    async with LoopbackSite() as site:
        ctx.web.screen = screen
        with pytest.raises(BlockedByFilter):
            await sitemap_seeds.of_sitemap(f"{site.url}/sitemap.xml", ctx.web, library)
        assert site.requests == []


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"plain",
        b"<html><body/></html>",
        b"<urlset><url><loc>https://a.example/</loc></url>",
        b'<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
        b'<!DOCTYPE urlset SYSTEM "file:///etc/passwd"><urlset/>',
        b"\x1f\x8bbroken",
        gzip.compress(b"x" * 100, mtime=0)[:-9],
        b'<?xml version="1.0" encoding="no-such"?><urlset/>',
    ],
)
def test_what_is_no_sound_sitemap_is_refused(document: bytes) -> None:
    with pytest.raises(sitemap.SitemapError):
        sitemap.parse(document)


def test_prefixed_compressed_and_extended_sitemaps_are_read() -> None:
    document = b"""<s:urlset xmlns:s="x" xmlns:image="y"><s:url><s:loc>https://a.example/?a=1&amp;b=2</s:loc>
    <image:image><image:loc>https://a.example/i.png</image:loc></image:image><s:lastmod>2026-01-02T03:04:05Z</s:lastmod>
    </s:url><s:url><s:lastmod>nonsense</s:lastmod><s:loc>https://a.example/two</s:loc></s:url></s:urlset>"""
    for data in (document, gzip.compress(document)):
        read = sitemap.parse(data)
        assert [entry.url for entry in read.pages] == ["https://a.example/?a=1&b=2", "https://a.example/two"]
        assert read.pages[0].modified == 1767323045.0
        assert read.pages[1].modified is None


async def test_a_sitemap_that_names_itself_is_read_once(ctx: PluginContext, library: Library) -> None:
    async with LoopbackSite() as site:
        index = f"<sitemapindex><sitemap><loc>{site.url}/sitemap.xml</loc></sitemap></sitemapindex>"
        site.route("/sitemap.xml", answer(200, index, content_type="application/xml"))
        found = await sitemap_seeds.of_sitemap(f"{site.url}/sitemap.xml", ctx.web, library)
        assert found == sitemap_seeds.SitemapSeeds((), 0, 0)
        assert len(site.requests) == 1
        await ctx.web.aclose()


async def test_a_feed_is_no_sitemap_and_a_failing_one_raises(ctx: PluginContext, library: Library) -> None:
    async with LoopbackSite() as site:
        site.route("/feed.xml", answer(200, "<rss/>", content_type="application/xml"))
        site.route("/broken.xml", answer(500, ""))
        assert await sitemap_seeds.of_sitemap(f"{site.url}/feed.xml", ctx.web, library) is None
        with pytest.raises(ServerFailed):
            await sitemap_seeds.of_sitemap(f"{site.url}/broken.xml", ctx.web, library)
        await ctx.web.aclose()
