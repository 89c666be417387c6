"""Papers of arXiv: the contract, HTML with metadata, PDF where there is no HTML, and the ordinary way."""

from __future__ import annotations

import pytest

from websearch_arxiv.fetcher import Arxiv
from websearch_arxiv.plugin import websearch_fetchers
from websearch_core import FetchRequest, NotFound
from websearch_core.ask.reading import Reading
from websearch_core.settings import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, FetcherContract, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeExtractor, FakeFetcher

# Written by hand after pages of arXiv: the elements of an abstract's head, the frame of a paper that LaTeXML made.
PAPER = (
    '<!DOCTYPE html><html lang="en"><head>\n<meta charset="utf-8"><title>Rivers &amp; Maps</title></head>'
    '<body><article class="ltx_document"><h1 class="ltx_title">Rivers &amp; Maps</h1><p>Text.</p></article></body>'
    "</html>"
)
ABSTRACT = (
    "<html><head><title>[2401.01234] Rivers</title>"
    '<meta name="citation_title" content="Rivers &amp; Maps" />'
    '<meta name="citation_author" content="Doe, Jane" /><meta name="citation_author" content="Roe, Richard" />'
    '<meta name="citation_date" content="2024/01/02" /><meta name="citation_online_date" content="2024/01/03" />'
    "</head><body>…</body></html>"
)
URL = "https://arxiv.org/abs/2401.01234"


def html(body):
    return answer(body=body, content_type="text/html; charset=utf-8")


class TestArxiv(FetcherContract):
    component = Arxiv
    plugin = "arxiv"
    raw = True

    def settings(self):
        return {"base_url": self.site.url}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"{URL}?from={word}"

    def good_answer(self, request):
        return html(ABSTRACT if request.path.startswith("/abs/") else PAPER)


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started


@pytest.fixture
async def reader(site):
    ctx = context("arxiv", {"base_url": site.url})
    yield next(iter(websearch_fetchers(ctx)))
    await ctx.web.aclose()


async def test_a_paper_comes_as_html_with_what_the_abstract_says_of_it(site, reader):
    site.route("/html/2401.01234v2", html(PAPER)).route("/abs/2401.01234v2", html(ABSTRACT))
    download = await reader.fetch(FetchRequest(url=f"{URL}v2"))
    assert download.url == f"{URL}v2"
    assert download.final_url == f"{site.url}/html/2401.01234v2"
    assert download.body.decode() == PAPER.replace(
        "<head>",
        '<head><meta property="author" content="Jane Doe, Richard Roe">'
        '<meta property="og:site_name" content="arXiv"><meta property="og:type" content="article">'
        '<meta property="og:title" content="Rivers &amp; Maps">'
        '<meta property="article:published_time" content="2024-01-02">',
    )


@pytest.mark.parametrize("abstract", [answer(500), answer(404), html("<html></html>")])
async def test_a_paper_is_read_without_its_metadata_where_there_is_none(site, reader, abstract):
    site.route("/html/2401.01234", html(PAPER)).route("/abs/*", abstract)
    download = await reader.fetch(FetchRequest(url=URL))
    assert b"Text." in download.body
    assert b"citation" not in download.body


@pytest.mark.parametrize("paper", ["2401.01234v1", "math.GT/0309136", "hep-th/9901001v3"])
async def test_a_paper_without_html_comes_as_pdf(site, reader, paper):
    site.route(f"/pdf/{paper}", answer(body=b"%PDF-1.7", content_type="application/pdf"))
    download = await reader.fetch(FetchRequest(url=f"https://arxiv.org/abs/{paper}"))
    assert (download.media_type, download.body) == ("application/pdf", b"%PDF-1.7")
    assert download.final_url == f"{site.url}/pdf/{paper}"
    assert [request.path.split("/")[1] for request in site.requests] == ["html", "pdf"]


async def test_an_unchanged_paper_is_a_304(site, reader):
    site.route("/*", answer(304, headers={"etag": '"1"'}))
    download = await reader.fetch(FetchRequest(url=URL, etag='"1"'))
    assert download.status == 304
    assert len(site.requests) == 1


async def test_a_withdrawn_number_is_not_found(site, reader):
    with pytest.raises(NotFound):
        await reader.fetch(FetchRequest(url=URL))


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (URL, True),
        ("http://www.arxiv.org/pdf/2401.01234v2.pdf#page=3", True),
        ("https://export.arxiv.org/abs/hep-th/9901001", True),
        ("https://arxiv.org/list/cs.CL/recent", False),
        ("https://arxiv.org/html/2401.01234", False),
        ("https://arxiv.org/abs/2401.0123456", False),
        ("https://arxiv.org.example/abs/2401.01234", False),
        ("https://arxiv.org/abs/../2401.01234", False),
    ],
)
async def test_papers_are_wanted(reader, url, wanted):
    assert reader.can_fetch(FetchRequest(url=url)) is wanted
    assert reader.can_fetch(FetchRequest(url=url, raw=True)) is False


@pytest.mark.parametrize(("rule", "wanted"), [("127.0.0.1", True), ("=127.0.0.1", True), ("arxiv.org", False)])
async def test_a_host_that_the_caller_does_not_allow_is_not_asked(site, reader, rule, wanted):
    request = FetchRequest(url=URL, allowed_domains=(rule,))
    assert reader.can_fetch(request) is wanted


async def test_where_only_the_address_is_allowed_it_is_read_in_the_ordinary_way(site, reader):
    page, asked = await read(site, reader, allowed_domains=("=arxiv.org",))
    assert (page.body, asked, site.requests) == ("Some text.", 1, [])


async def test_what_validates_the_html_is_not_said_of_the_pdf(site, reader):
    site.route("/pdf/*", answer(body=b"%PDF-1.7", content_type="application/pdf"))
    await reader.fetch(FetchRequest(url=URL, etag='"1"'))
    assert ["if-none-match" in request.headers for request in site.requests] == [True, False]


async def read(site, reader, **fields):
    http, clock = FakeFetcher("http"), FakeClock()
    reading = Reading(
        [reader, http], [FakeExtractor()], ChainSettings(), clock, MemoryStore(clock, 10**6), lambda _: None
    )
    return (await reading.fetch(FetchRequest(url=URL, **fields))).page, len(http.requests)


@pytest.mark.parametrize("failure", [answer(404), answer(429), answer(500)])
async def test_what_cannot_be_had_is_read_in_the_ordinary_way(site, reader, failure):
    site.route("/*", failure)
    page, asked = await read(site, reader)
    assert (page.body, asked) == ("Some text.", 1)


async def test_a_pdf_that_nobody_here_reads_leaves_the_abstract(site, reader):
    site.route("/pdf/*", answer(body=b"%PDF-1.7", content_type="application/pdf"))
    page, asked = await read(site, reader)
    assert (page.body, asked) == ("Some text.", 1)
