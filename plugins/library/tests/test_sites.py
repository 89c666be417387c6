"""robots.txt and sitemaps of a site on loopback, through the guarded door."""

from __future__ import annotations

import gzip

import pytest

from websearch_core import BlockedByFilter, FetchRequest, PluginContext, ServerFailed
from websearch_core.testing.site import LoopbackSite, answer
from websearch_library import seeds, sitemap
from websearch_library.library import Library
from websearch_library.robots import MAX_BYTES, MAX_DELAY_S, Robots


@pytest.mark.parametrize(
    ("status", "text", "allowed"),
    [
        (200, "User-agent: *\nDisallow: /private", True),
        (200, "User-agent: *\nDisallow: /docs", False),
        (200, "User-agent: other\nDisallow: /", True),
        (200, "User-agent: websearch\nDisallow: /\n", False),
        (200, "<html>no robots here</html>", True),
        (200, "#" * (MAX_BYTES + 10) + "\nUser-agent: *\nDisallow: /", True),
        (404, "", True),
        (403, "", True),
        (401, "", True),
        (410, "", True),
        (500, "", False),
        (503, "", False),
        (429, "", False),
    ],
)
async def test_robots_txt_decides(ctx: PluginContext, status: int, text: str, allowed: bool) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(status, text, content_type="text/plain"))
        robots = Robots(ctx.web, "websearch/0.1 (words)")
        for _ in range(2):
            assert (await robots.objection(f"{site.url}/docs/a") is None) is allowed
        assert len(site.requests) <= 4
        await ctx.web.aclose()


async def test_an_unreachable_robots_txt_forbids_and_says_what_failed(ctx: PluginContext) -> None:
    async with LoopbackSite() as site:
        url = site.url
    assert await Robots(ctx.web, "websearch").objection(f"{url}/a") == (
        "network",
        "robots.txt could not be read, so nothing is taken from there",
    )


@pytest.mark.parametrize("blocked", ["page", "robots.txt", "sitemap.xml"])
async def test_the_filters_see_every_address_before_its_site_does(
    ctx: PluginContext, library: Library, blocked: str
) -> None:
    async def screen(request: FetchRequest) -> FetchRequest:
        if request.url.endswith(blocked):
            raise BlockedByFilter("not this one", by="guard")
        return request

    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, "", content_type="text/plain"))
        ctx.web.screen = screen
        if blocked == "robots.txt":
            objection = await Robots(ctx.web, "websearch").objection(f"{site.url}/page")
            assert objection is not None
            assert objection[0] == "blocked_by_filter"
        else:
            with pytest.raises(BlockedByFilter):
                await Robots(ctx.web, "websearch").objection(f"{site.url}/{blocked}")
            with pytest.raises(BlockedByFilter):
                await seeds.of_sitemap(f"{site.url}/{blocked}", ctx.web, library)
        assert site.requests == []


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-agent: *\nCrawl-delay: 3", 3.0),
        ("User-agent: *\nCrawl-delay: 9999", MAX_DELAY_S),
        ("User-agent: *\nRequest-rate: 1/4s", 4.0),
        ("User-agent: *\nCrawl-delay: -5", 0.0),
        ("", 0.0),
    ],
)
async def test_the_delay_that_a_site_asks_for_is_kept_up_to_a_cap(
    ctx: PluginContext, text: str, seconds: float
) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, text, content_type="text/plain"))
        assert await Robots(ctx.web, "websearch").delay(f"{site.url}/") == seconds
        await ctx.web.aclose()


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
        gzip.compress(b"x" * 100)[:-9],
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
        found = await seeds.of_sitemap(f"{site.url}/sitemap.xml", ctx.web, library)
        assert found == seeds.Seeds((), 0, 0)
        assert len(site.requests) == 1
        await ctx.web.aclose()


async def test_a_feed_is_no_sitemap_and_a_failing_one_raises(ctx: PluginContext, library: Library) -> None:
    async with LoopbackSite() as site:
        site.route("/feed.xml", answer(200, "<rss/>", content_type="application/xml"))
        site.route("/broken.xml", answer(500, ""))
        assert await seeds.of_sitemap(f"{site.url}/feed.xml", ctx.web, library) is None
        with pytest.raises(ServerFailed):
            await seeds.of_sitemap(f"{site.url}/broken.xml", ctx.web, library)
        await ctx.web.aclose()
