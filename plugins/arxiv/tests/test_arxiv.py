"""Papers of arXiv: the contract, HTML with metadata, PDF where there is no HTML, and the ordinary way."""

from __future__ import annotations

import pytest

from websearch_arxiv.fetcher import Arxiv
from websearch_arxiv.plugin import websearch_fetchers
from websearch_core import FetchRequest
from websearch_core.kit import NotFound
from websearch_core.testing import SiteReaderContract, answer
from websearch_core.testing.fakes import FakeRobots

# In the form of arXiv's pages, in words of our own: a paper that LaTeXML made, the head of an abstract's page.
PAPER = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta content="text/html; charset=utf-8" http-equiv="content-type"/>\n'
    "<title>Rivers &amp; Maps</title>\n<!--Generated on Tue Jan  2 10:00:00 2024 by LaTeXML (version 0.8.7) -->\n"
    '<base href="/html/2401.01234v2/"/></head>\n<body>\n<nav class="ltx_page_navbar"></nav>\n'
    '<div class="ltx_page_main"><div class="ltx_page_content"><article class="ltx_document ltx_authors_1line">\n'
    '<h1 class="ltx_title ltx_title_document">Rivers &amp; Maps</h1>\n<div class="ltx_authors">'
    '<span class="ltx_creator ltx_role_author"><span class="ltx_personname">Jane Doe</span></span></div>\n'
    '<section class="ltx_section" id="S1"><div class="ltx_para" id="S1.p1"><p class="ltx_p">Text.</p></div></section>\n'
    "</article></div></div></body>\n</html>"
)
ABSTRACT = (
    '<!DOCTYPE html><html lang="en"><head><title>[2401.01234] Rivers &amp; Maps</title>'
    '<meta property="og:type" content="website" /><meta property="og:site_name" content="arXiv.org" />'
    '<meta name="citation_title" content="Rivers &amp; Maps" />'
    '<meta name="citation_author" content="Doe, Jane" /><meta name="citation_author" content="Roe, Richard" />'
    '<meta name="citation_date" content="2024/01/02" /><meta name="citation_online_date" content="2024/01/03" />'
    '<meta name="citation_pdf_url" content="http://arxiv.org/pdf/2401.01234" />'
    '<meta name="citation_arxiv_id" content="2401.01234" /><meta name="citation_abstract" content="We bend." />'
    "</head><body>…</body></html>"
)
URL = "https://arxiv.org/abs/2401.01234"
PDF = answer(body=b"%PDF-1.7", content_type="application/pdf")


def html(body):
    return answer(body=body, content_type="text/html; charset=utf-8")


class TestArxiv(SiteReaderContract):
    component = Arxiv
    plugin = "arxiv"
    raw = True
    takes = (
        URL,
        "http://www.arxiv.org/pdf/2401.01234v2.pdf#page=3",
        "https://export.arxiv.org/abs/hep-th/9901001",
        "https://arxiv.org/abs/math.GT/0309136v1",
        "https://arxiv.org/pdf/0704.0001",
    )
    leaves = (
        "https://arxiv.org/list/cs.CL/recent",
        "https://arxiv.org/html/2401.01234",
        "https://arxiv.org/abs/2401.0123456",
        "https://arxiv.org/abs/../2401.01234",
        "https://arxiv.org/pdf/2401.01234v2/download",
        "https://info.arxiv.org/abs/2401.01234",
    )

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def good_answer(self, request):
        return html(ABSTRACT if request.path.startswith("/abs/") else PAPER)

    def only(self, **routes):
        """Nothing but these is there."""
        self.site.route("/*", answer(404))
        for path, behaviour in routes.items():
            self.site.route(f"/{path}/*", behaviour)

    async def test_a_paper_comes_as_html_with_what_the_abstract_says_of_it(self, made):
        download = await made.fetch(FetchRequest(url=f"{URL}v2"))
        assert [request.path for request in self.site.requests] == ["/html/2401.01234v2", "/abs/2401.01234v2"]
        assert download.url == f"{URL}v2"
        assert download.final_url == f"{self.site.url}/html/2401.01234v2"
        assert download.body.decode() == PAPER.replace(
            "<head>",
            '<head><meta property="author" content="Jane Doe, Richard Roe">'
            '<meta property="og:site_name" content="arXiv"><meta property="og:type" content="article">'
            '<meta property="og:title" content="Rivers &amp; Maps">'
            '<meta property="article:published_time" content="2024-01-02">',
        )

    @pytest.mark.parametrize("abstract", [answer(500), answer(404), html("<html></html>")])
    async def test_a_paper_is_read_without_its_metadata_where_there_is_none(self, made, abstract):
        self.site.route("/abs/*", abstract)
        download = await made.fetch(FetchRequest(url=URL))
        assert b"Text." in download.body
        assert b"citation" not in download.body

    async def test_a_paper_whose_metadata_comes_too_late_is_read_without(self, made, clock):
        def late(request):
            clock.advance(9)
            return html(PAPER)

        self.site.route("/html/*", late)
        download = await made.fetch(FetchRequest(url=URL))
        assert b"Text." in download.body
        assert len(self.site.requests) == 1

    @pytest.mark.parametrize("paper", ["2401.01234v1", "math.GT/0309136", "hep-th/9901001v3"])
    @pytest.mark.parametrize("code", [404, 200])
    async def test_a_paper_without_html_comes_as_pdf(self, made, paper, code):
        none = (
            f"<!DOCTYPE html><html><head><title>arXiv</title></head><body><h1>No HTML for '{paper}'</h1></body></html>"
        )
        self.only(pdf=PDF, html=answer(code, none, content_type="text/html; charset=utf-8"))
        download = await made.fetch(FetchRequest(url=f"https://arxiv.org/abs/{paper}"))
        assert (download.media_type, download.body) == ("application/pdf", b"%PDF-1.7")
        assert download.final_url == f"{self.site.url}/pdf/{paper}"
        assert [request.path.split("/")[1] for request in self.site.requests] == ["html", "pdf"]

    async def test_an_unchanged_paper_is_a_304(self, made):
        self.site.route("/*", answer(304, headers={"etag": '"1"'}))
        download = await made.fetch(FetchRequest(url=URL, etag='"1"'))
        assert download.status == 304
        assert len(self.site.requests) == 1

    async def test_what_validates_the_html_is_not_said_of_the_pdf(self, made):
        self.only(pdf=PDF)
        await made.fetch(FetchRequest(url=URL, etag='"1"'))
        assert ["if-none-match" in request.headers for request in self.site.requests] == [True, False]

    async def test_a_withdrawn_number_is_not_found(self, made):
        self.only()
        with pytest.raises(NotFound):
            await made.fetch(FetchRequest(url=URL))

    async def test_a_pdf_that_nobody_here_reads_leaves_the_abstract(self, made):
        self.only(pdf=PDF)
        read, asked = await self.in_order(made)
        assert (read.page.body, asked) == ("Some text.", 1)

    @pytest.mark.parametrize("forbidden", ["html", "abs"])
    async def test_robots_txt_is_asked_of_every_address(self, reader, forbidden):
        obeying = reader(FakeRobots(lambda url: url.startswith(f"{self.site.url}/{forbidden}/")))
        read, asked = await self.in_order(obeying, obey_robots=True)
        assert not [request for request in self.site.requests if request.path.startswith(f"/{forbidden}/")]
        assert asked == (1 if forbidden == "html" else 0)
        assert ("Some text." in read.page.body) is (forbidden == "html")

    @pytest.mark.parametrize(("rule", "wanted"), [("127.0.0.1", True), ("=127.0.0.1", True), ("arxiv.org", False)])
    async def test_a_host_that_the_caller_does_not_allow_is_not_asked(self, made, rule, wanted):
        assert made.can_fetch(FetchRequest(url=URL, allowed_domains=(rule,))) is wanted

    async def test_where_only_the_address_is_allowed_it_is_read_in_the_ordinary_way(self, made):
        read, asked = await self.in_order(made, allowed_domains=("=arxiv.org",))
        assert (read.page.body, asked, self.site.requests) == ("Some text.", 1, [])
