"""A page that only sends its reader on is followed like a redirect."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from websearch_core import Fetcher, FetchRequest
from websearch_core.kit import Refused, UnexpectedResponse
from websearch_core.testing import LoopbackSite, Response
from websearch_core.testing.fakes import context
from websearch_web import plugin

MOVED = "<title>Moved</title><p>Redirecting…</p>"
PAGE = "<title>Rivers</title><p>Rivers find their way to the sea.</p>"


def html(text: str, **headers: str) -> Response:
    """A page."""
    return Response(body=text.encode(), headers={"content-type": "text/html; charset=utf-8", **headers})


@pytest.fixture
async def site() -> AsyncIterator[LoopbackSite]:
    """A page that moved twice, and others that send their reader on."""
    async with LoopbackSite() as started:
        started.route("/page", html(PAGE))
        started.route("/meta", html(f"<meta http-equiv=Refresh content='0; url=/header'>{MOVED}"))
        started.route("/header", html(MOVED, refresh="1; url=page"))
        started.route("/circle", html(f"<meta http-equiv=refresh content='0;/back'>{MOVED}"))
        started.route("/back", html(f"<meta http-equiv=refresh content='0;/circle'>{MOVED}"))
        started.route("/inside", html(f"<meta http-equiv=refresh content='0;http://169.254.169.254/'>{MOVED}"))
        started.route("/robots.txt", Response(body=b"User-agent: *\nDisallow: /page\n"))
        yield started


@pytest.fixture
async def fetcher() -> AsyncIterator[Fetcher]:
    """The plugin's own."""
    ctx = context("web")
    yield next(iter(plugin.websearch_fetchers(ctx)))
    await ctx.web.aclose()


@pytest.mark.parametrize("path", ["/meta", "/header"])
async def test_a_page_that_only_sends_on_is_a_redirect(site: LoopbackSite, fetcher: Fetcher, path: str) -> None:
    got = await fetcher.fetch(FetchRequest(url=site.url + path))
    assert (got.url, got.final_url) == (site.url + path, f"{site.url}/page")


@pytest.mark.parametrize("refresh", ["0;url=/it's", '0, url = "/it\'s"', "1 ; /it's"])
async def test_its_address_ends_where_that_of_a_meta_element_would(
    site: LoopbackSite, fetcher: Fetcher, refresh: str
) -> None:
    site.route("/sends", html(MOVED, refresh=refresh))
    site.route("/it's", html(PAGE))
    assert (await fetcher.fetch(FetchRequest(url=f"{site.url}/sends"))).final_url == f"{site.url}/it's"


async def test_a_page_that_renews_itself_is_read_however_it_spells_its_address(
    site: LoopbackSite, fetcher: Fetcher
) -> None:
    url = f"{site.url}/stays?it%27s=here"
    site.route("/stays", html(f'<meta http-equiv=refresh content="3; url=/stays?it\'s=here">{MOVED}'))
    assert (await fetcher.fetch(FetchRequest(url=url))).final_url == url


async def test_its_target_is_relative_to_the_base_that_it_names(site: LoopbackSite, fetcher: Fetcher) -> None:
    site.route("/based", html(f"<base href=/deep/><meta http-equiv=refresh content='0; url=page'>{MOVED}"))
    site.route("/deep/page", html(PAGE))
    assert (await fetcher.fetch(FetchRequest(url=f"{site.url}/based"))).final_url == f"{site.url}/deep/page"


async def test_it_is_judged_as_redirects_are(site: LoopbackSite, fetcher: Fetcher) -> None:
    with pytest.raises(Refused):
        await fetcher.fetch(FetchRequest(url=f"{site.url}/inside"))
    with pytest.raises(UnexpectedResponse, match="circle"):
        await fetcher.fetch(FetchRequest(url=f"{site.url}/circle"))
    with pytest.raises(Refused, match="robots"):
        await fetcher.fetch(FetchRequest(url=f"{site.url}/header", obey_robots=True))
    with pytest.raises(Refused):
        site.route("/away", html(f"<meta http-equiv=refresh content='0;http://localhost:{site.port}/page'>"))
        await fetcher.fetch(FetchRequest(url=f"{site.url}/away", allowed_domains=("127.0.0.1",)))


STAYS = {
    "to itself": f"<meta http-equiv=refresh content='1; url=/stays#top'>{MOVED}",
    "in a template": f"<template><meta http-equiv=refresh content='0; url=/page'></template>{MOVED}",
    "later": f"<meta http-equiv=refresh content='30; url=/page'>{MOVED}",
    "to itself, spelled otherwise": f"<meta http-equiv=refresh content='1; url=/./stays'>{MOVED}",
    "to no address": f"<meta http-equiv=refresh content='0; url=http://[::1'>{MOVED}",
    "from no address": f"<base href='http://[::1'><meta http-equiv=refresh content='0; url=page'>{MOVED}",
    "only itself": f"<meta http-equiv=refresh content='2'>{MOVED}",
    "with content": f"<meta http-equiv=refresh content='0; url=/page'><p>{'Rivers find the sea. ' * 20}</p>",
    "without scripts": f"<noscript><meta http-equiv=refresh content='0; url=/page'></noscript>{MOVED}",
    "to a script": f"<meta http-equiv=refresh content='0; url=javascript:alert(1)'>{MOVED}",
    "in a comment": f"<!-- <meta http-equiv=refresh content='0; url=/page'> -->{MOVED}",
}


@pytest.mark.parametrize("way", STAYS)
async def test_every_other_page_is_itself(site: LoopbackSite, fetcher: Fetcher, way: str) -> None:
    site.route("/stays", html(STAYS[way]))
    got = await fetcher.fetch(FetchRequest(url=f"{site.url}/stays"))
    assert got.final_url == f"{site.url}/stays"


async def test_the_source_that_was_asked_for_is_given(site: LoopbackSite, fetcher: Fetcher) -> None:
    got = await fetcher.fetch(FetchRequest(url=f"{site.url}/meta", raw=True))
    assert got.final_url == f"{site.url}/meta"
