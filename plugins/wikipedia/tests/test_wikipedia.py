"""Articles of Wikipedia: the contract, titles, redirects, and what the API says of titles that it has not."""

from __future__ import annotations

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import NotFound
from websearch_core.testing import SiteReaderContract, answer, context
from websearch_core.testing.fakes import FakeRobots
from websearch_core.testing.misbehaviour import redirect
from websearch_wikipedia.fetcher import Wikipedia
from websearch_wikipedia.plugin import websearch_fetchers

# In the form of Parsoid's HTML (mediawiki.org/wiki/Specs/HTML) as page/{title}/html gives it, in words of our own.
ARTICLE = (
    '<!DOCTYPE html>\n<html prefix="dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/" '
    'about="https://en.wikipedia.org/wiki/Special:Redirect/revision/7"><head prefix="mwr: '
    'https://en.wikipedia.org/wiki/Special:Redirect/"><meta charset="utf-8"/><meta property="mw:pageId" content="5"/>'
    '<meta property="mw:pageNamespace" content="0"/><meta property="dc:modified" content="2026-03-04T09:00:00.000Z"/>'
    '<meta property="mw:htmlVersion" content="2.8.0"/><link rel="dc:isVersionOf" href="//en.wikipedia.org/wiki/River"/>'
    '<base href="//en.wikipedia.org/wiki/"/><title>River</title>'
    '<link rel="stylesheet" href="/w/load.php?lang=en&amp;only=styles"/>'
    '<meta http-equiv="content-language" content="en"/></head><body id="mwAA" lang="en" class="mw-content-ltr sitedir'
    '-ltr ltr mw-body-content parsoid-body mediawiki mw-parser-output" dir="ltr">'
    '<section data-mw-section-id="0" id="mwAQ">'
    '<div class="shortdescription nomobile noexcerpt noprint" style="display:none" about="#mwt1" '
    'typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"Short description"}}}]}\'>Water</div>'
    '<p id="mwAg">A <b>river</b> is a <a rel="mw:WikiLink" href="./Stream" title="Stream">stream</a> of water.'
    '<sup about="#mwt2" class="mw-ref reference" rel="dc:references" typeof="mw:Extension/ref"><a href="./River#cite_'
    'note-1"><span class="mw-reflink-text">[1]</span></a></sup></p></section></body></html>'
)
TYPE = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.8.0"'
HTML = answer(body=ARTICLE, content_type=TYPE, headers={"etag": '"1/x"'})
URL = "https://en.wikipedia.org/wiki/River"


class TestWikipedia(SiteReaderContract):
    component = Wikipedia
    plugin = "wikipedia"
    raw = True
    takes = (
        URL,
        "http://zh-min-nan.wikipedia.org/wiki/X",
        "https://simple.m.wikipedia.org/wiki/River",
        "https://en.wiktionary.org/wiki/river",
        "https://en.wikipedia.org/wiki/Star_Trek:_Picard",
        "https://en.wikipedia.org/wiki/Mercury_(disambiguation)",
    )
    leaves = (
        "https://en.wikipedia.org/wiki/Special:Search?search=x",
        "https://de.wikipedia.org/wiki/Kategorie:Fluss",
        "https://en.wikipedia.org/w/index.php?title=River&oldid=1",
        "https://en.wikipedia.org/wiki/River?action=history",
        "https://en.wikipedia.org/wiki/..",
        "https://en.wikipedia.org/wiki/%2E%2e#x",
        "https://zh.wikipedia.org/zh-cn/River",
        "https://www.wikipedia.org/wiki/River",
        "https://enwikipedia.org/wiki/River",
    )

    def settings(self):
        return {"base_url": f"{self.site.url}/{{host}}/v1"}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"https://en.wikipedia.org/wiki/{word}"

    def good_answer(self, request):
        return HTML

    async def test_an_article_comes_without_the_site_around_it(self, made):
        download = await made.fetch(FetchRequest(url=f"{URL}#Course"))
        assert self.site.requests[0].path == "/en.wikipedia.org/v1/page/River/html"
        assert (download.media_type, download.charset, download.body) == ("text/html", "utf-8", ARTICLE.encode())
        assert (download.url, download.final_url) == (f"{URL}#Course", URL)

    @pytest.mark.parametrize(
        ("url", "target", "final"),
        [
            ("https://de.m.wikipedia.org/wiki/Stra%C3%9Fe", "Stra%C3%9Fe", "Stra%C3%9Fe"),
            ("https://de.wikipedia.org/wiki/Straße", "Stra%C3%9Fe", "Stra%C3%9Fe"),
            ("https://de.wikipedia.org/wiki/AC/DC?wprov=sfla1", "AC%2FDC", "AC/DC"),
            ("https://de.wikipedia.org/wiki/Q:_A_(B)", "Q%3A_A_%28B%29", "Q:_A_(B)"),
            ("https://de.wikipedia.org/wiki/C%2B%2B", "C%2B%2B", "C%2B%2B"),
            ("https://de.wikipedia.org/wiki/Wer_ist_da%3F", "Wer_ist_da%3F", "Wer_ist_da%3F"),
        ],
    )
    async def test_titles_are_said_as_the_api_wants_them(self, made, url, target, final):
        download = await made.fetch(FetchRequest(url=url))
        assert self.site.requests[0].target == f"/de.wikipedia.org/v1/page/{target}/html"
        assert download.final_url == f"https://de.wikipedia.org/wiki/{final}"

    @pytest.mark.parametrize(("code", "query"), [(307, ""), (301, "?redirect=no")])
    async def test_a_redirect_between_titles_is_followed_and_told(self, made, code, query):
        there = f"/en.wikipedia.org/v1/page/River_%28water%29/html{query}"
        self.site.route("/en.wikipedia.org/v1/page/Rivers/html", redirect(there, code))
        download = await made.fetch(FetchRequest(url=f"{URL}s"))
        assert download.final_url == "https://en.wikipedia.org/wiki/River_(water)"

    async def test_an_unchanged_article_is_a_304(self, made):
        self.site.route("/*", answer(304, headers={"etag": '"1/x"'}))
        download = await made.fetch(FetchRequest(url=URL, etag='"1/x"'))
        assert download.status == 304
        assert self.site.requests[0].headers["if-none-match"] == '"1/x"'

    async def test_an_article_that_is_not_there_is_not_found(self, made):
        self.site.route("/*", answer(404, json={"errorKey": "rest-nonexistent-title", "httpCode": 404}))
        with pytest.raises(NotFound):
            await made.fetch(FetchRequest(url=URL))

    async def test_where_robots_txt_forbids_the_api_the_page_is_read_in_the_ordinary_way(self, reader):
        robots = FakeRobots(lambda url: url.startswith(self.site.url))
        read, asked = await self.in_order(reader(robots), obey_robots=True)
        assert (read.page.body, asked, self.site.requests) == ("Some text.", 1, [])

    @pytest.mark.parametrize(
        ("url", "rule", "wanted"),
        [
            (URL, "wikipedia.org", True),
            (URL, "=en.wikipedia.org", True),
            ("https://en.m.wikipedia.org/wiki/River", "=en.m.wikipedia.org", False),
        ],
    )
    async def test_a_host_that_the_caller_does_not_allow_is_not_asked(self, url, rule, wanted):
        [reader] = websearch_fetchers(context("wikipedia"))
        assert reader.can_fetch(FetchRequest(url=url, allowed_domains=(rule,))) is wanted

    async def test_where_the_api_is_elsewhere_the_address_is_read_in_the_ordinary_way(self, made):
        read, asked = await self.in_order(made, allowed_domains=("wikipedia.org",))
        assert (read.page.body, asked, self.site.requests) == ("Some text.", 1, [])
