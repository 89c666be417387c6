"""Articles of Wikipedia: the contract, titles, redirects, and what happens when the API has none."""

from __future__ import annotations

import pytest

from websearch_core import FetchRequest, NotFound
from websearch_core.ask.reading import Reading
from websearch_core.settings import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, FetcherContract, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeExtractor, FakeFetcher
from websearch_core.testing.misbehaviour import redirect
from websearch_wikipedia.fetcher import Wikipedia
from websearch_wikipedia.plugin import websearch_fetchers

# Written by hand after the specification of Parsoid's HTML (mediawiki.org/wiki/Specs/HTML).
ARTICLE = (
    '<!DOCTYPE html><html prefix="mw: http://mediawiki.org/rdf/"><head><meta charset="utf-8"/>'
    '<meta property="dc:modified" content="2026-03-04T09:00:00.000Z"/><title>River</title>'
    '<base href="//en.wikipedia.org/wiki/"/></head><body lang="en"><section data-mw-section-id="0">'
    '<p>A <b>river</b> is a <a rel="mw:WikiLink" href="./Stream">stream</a> of water.</p></section></body></html>'
)
TYPE = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.8.0"'
HTML = answer(body=ARTICLE, content_type=TYPE, headers={"etag": '"1/x"'})
URL = "https://en.wikipedia.org/wiki/River"


class TestWikipedia(FetcherContract):
    component = Wikipedia
    plugin = "wikipedia"
    raw = True

    def settings(self):
        return {"base_url": self.site.url}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"https://en.wikipedia.org/wiki/{word}"

    def good_answer(self, request):
        return HTML


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started


@pytest.fixture
async def reader(site):
    ctx = context("wikipedia", {"base_url": f"{site.url}/{{host}}/v1"})
    yield next(iter(websearch_fetchers(ctx)))
    await ctx.web.aclose()


async def test_an_article_comes_without_the_site_around_it(site, reader):
    site.route("/*", HTML)
    download = await reader.fetch(FetchRequest(url=f"{URL}#Course"))
    assert site.requests[0].path == "/en.wikipedia.org/v1/page/River/html"
    assert (download.media_type, download.charset, download.body) == ("text/html", "utf-8", ARTICLE.encode())
    assert (download.url, download.final_url) == (f"{URL}#Course", URL)


@pytest.mark.parametrize(
    ("url", "target", "final"),
    [
        ("https://de.m.wikipedia.org/wiki/Stra%C3%9Fe", "/de.wikipedia.org/v1/page/Stra%C3%9Fe/html", "Stra%C3%9Fe"),
        ("https://de.wikipedia.org/wiki/Straße", "/de.wikipedia.org/v1/page/Stra%C3%9Fe/html", "Stra%C3%9Fe"),
        ("https://de.wikipedia.org/wiki/AC/DC?wprov=sfla1", "/de.wikipedia.org/v1/page/AC%2FDC/html", "AC/DC"),
        ("https://de.wikipedia.org/wiki/Q:_A_(B)", "/de.wikipedia.org/v1/page/Q%3A_A_%28B%29/html", "Q:_A_(B)"),
        ("https://de.wikipedia.org/wiki/C%2B%2B", "/de.wikipedia.org/v1/page/C%2B%2B/html", "C%2B%2B"),
    ],
)
async def test_titles_are_said_as_the_api_wants_them(site, reader, url, target, final):
    site.route("/*", HTML)
    download = await reader.fetch(FetchRequest(url=url))
    assert site.requests[0].target == target
    assert download.final_url == f"https://de.wikipedia.org/wiki/{final}"


async def test_a_redirect_between_titles_is_followed_and_told(site, reader):
    site.route("/*", HTML)
    site.route(
        "/en.wikipedia.org/v1/page/Rivers/html", redirect("/en.wikipedia.org/v1/page/River_%28water%29/html", 307)
    )
    download = await reader.fetch(FetchRequest(url=f"{URL}s"))
    assert download.final_url == "https://en.wikipedia.org/wiki/River_(water)"


async def test_an_unchanged_article_is_a_304(site, reader):
    site.route("/*", answer(304, headers={"etag": '"1/x"'}))
    download = await reader.fetch(FetchRequest(url=URL, etag='"1/x"'))
    assert download.status == 304
    assert site.requests[0].headers["if-none-match"] == '"1/x"'


async def test_an_article_that_is_not_there_is_not_found(site, reader):
    site.route("/*", answer(404, json={"errorKey": "rest-nonexistent-title", "httpCode": 404}))
    with pytest.raises(NotFound):
        await reader.fetch(FetchRequest(url=URL))


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (URL, True),
        ("http://zh-min-nan.wikipedia.org/wiki/X", True),
        ("https://simple.m.wikipedia.org/wiki/River", True),
        ("https://en.wiktionary.org/wiki/river", True),
        ("https://en.wikipedia.org/wiki/Star_Trek:_Picard", True),
        ("https://en.wikipedia.org/wiki/Special:Search?search=x", False),
        ("https://de.wikipedia.org/wiki/Kategorie:Fluss", False),
        ("https://en.wikipedia.org/w/index.php?title=River&oldid=1", False),
        ("https://en.wikipedia.org/wiki/River?action=history", False),
        ("https://www.wikipedia.org/wiki/River", False),
        ("https://en.wikipedia.org.example/wiki/River", False),
        ("https://enwikipedia.org/wiki/River", False),
    ],
)
async def test_articles_are_wanted(reader, url, wanted):
    assert reader.can_fetch(FetchRequest(url=url)) is wanted
    assert reader.can_fetch(FetchRequest(url=url, raw=True)) is False


@pytest.mark.parametrize(
    ("url", "rule", "wanted"),
    [
        (URL, "wikipedia.org", True),
        (URL, "=en.wikipedia.org", True),
        ("https://en.m.wikipedia.org/wiki/River", "=en.m.wikipedia.org", False),
    ],
)
async def test_a_host_that_the_caller_does_not_allow_is_not_asked(url, rule, wanted):
    [reader] = websearch_fetchers(context("wikipedia"))
    assert reader.can_fetch(FetchRequest(url=url, allowed_domains=(rule,))) is wanted


async def test_where_the_api_is_elsewhere_the_address_is_read_in_the_ordinary_way(site, reader):
    read, http = await ordinary(reader, FetchRequest(url=URL, allowed_domains=("wikipedia.org",)))
    assert (read.page.body, len(http.requests), site.requests) == ("Some text.", 1, [])


async def ordinary(reader, request):
    http, clock = FakeFetcher("http"), FakeClock()
    reading = Reading(
        [reader, http], [FakeExtractor()], ChainSettings(), clock, MemoryStore(clock, 10**6), lambda _: None
    )
    return await reading.fetch(request), http


@pytest.mark.parametrize("failure", [answer(404), answer(429), answer(500)])
async def test_what_cannot_be_had_is_read_in_the_ordinary_way(site, reader, failure):
    site.route("/*", failure)
    read, http = await ordinary(reader, FetchRequest(url=URL))
    assert read.page.body == "Some text."
    assert len(http.requests) == 1
