"""Feeds and sitemaps as lists, XML as structure."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websearch_core import BackendError, Page
from websearch_core.kit import UnexpectedResponse, Unsupported
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_web.data.xml_extractor import XmlExtractor
from websearch_web.feeds.extractor import FeedExtractor
from websearch_web.feeds.items import MAX_ITEMS

FEED = "https://site.example/blog/feed"
RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>Rivers &amp; Seas</title>
<description>Water.</description><lastBuildDate>Wed, 05 Mar 2025 10:00:00 GMT</lastBuildDate>
<item><title>The *Rhine*</title><link>/rhine</link><pubDate>Tue, 04 Mar 2025 10:00:00 GMT</pubDate>
<author>Ann Lee</author>
<description>&lt;p&gt;Long &lt;b&gt;and&lt;/b&gt;&lt;/p&gt;&lt;p&gt;wide.&lt;/p&gt;</description></item>
<item><description>No title here.</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Rivers &amp; Seas</title><subtitle>Water.</subtitle>
<updated>2025-03-05T10:00:00Z</updated><entry><title>The *Rhine*</title><link href="https://site.example/rhine"/>
<updated>2025-03-04T10:00:00Z</updated><author><name>Ann Lee</name></author><summary>Long and wide.</summary></entry>
<entry><summary>No title here.</summary></entry></feed>"""
JSON = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Rivers & Seas",
        "description": "Water.",
        "items": [
            {
                "title": "The *Rhine*",
                "url": "/rhine",
                "date_published": "2025-03-05T10:00:00Z",
                "authors": [{"name": "Ann Lee"}],
                "content_html": "<p>Long <b>and</b></p><p>wide.</p>",
            },
            {"content_text": "No title here."},
        ],
    }
)


async def feed(text: str) -> Page:
    """The page of this feed."""
    given = download(FEED, text.encode(), media_type="application/rss+xml", charset="utf-8")
    return await FeedExtractor(InProcessWorkers()).extract(given)


async def xml(text: str | bytes, media_type: str = "application/xml") -> Page:
    """The page of this document."""
    body = text.encode() if isinstance(text, str) else text
    return await XmlExtractor(InProcessWorkers()).extract(download(FEED, body, media_type=media_type))


@pytest.mark.parametrize("text", [RSS, ATOM, JSON], ids=["RSS", "Atom", "JSON"])
async def test_a_feed_is_a_list_of_its_items(text: str) -> None:
    page = await feed(text)
    first, _, second = page.body.rpartition("\n- ")
    assert "# Rivers & Seas" in first
    assert "Items: 2\n\n- [The \\*Rhine\\*](https://site.example/rhine) · 2025-03-0" in first
    assert first.endswith("· Ann Lee\n  Long and wide.")
    assert second == "No title here."
    assert page.links == ("https://site.example/rhine",)
    assert (page.title, page.published_from) == ("Rivers & Seas", "feed")
    assert page.published == datetime(2025, 3, 5, 10, tzinfo=UTC)


async def test_a_feed_that_is_not_well_formed_is_read() -> None:
    assert "- Tom & Jerry" in (await feed("<rss version='2.0'><channel><item><title>Tom & Jerry</title></item>")).body


async def test_older_items_of_a_long_feed_are_counted() -> None:
    page = await feed(
        f"<rss version='2.0'><channel>{'<item><title>x</title></item>' * (MAX_ITEMS + 7)}</channel></rss>"
    )
    assert page.notes == ("7 older items are left out",)


async def test_what_is_no_feed_is_told() -> None:
    for text in ("plain words", '{"items": [', "<html/>"):
        with pytest.raises(UnexpectedResponse):
            await feed(text)


async def test_a_sitemap_is_a_list_of_addresses() -> None:
    page = await xml(
        "<urlset xmlns='x'><url><loc> https://site.example/a </loc><lastmod>2025-03-04T00:00</lastmod></url>"
        "<url><loc>/b</loc></url><url><loc>javascript:x</loc></url></urlset>"
    )
    assert page.links == ("https://site.example/a", "https://site.example/b")
    assert "Addresses: 2\n\n- [https://site.example/a](https://site.example/a) · 2025-03-04\n- " in page.body


async def test_an_index_of_sitemaps_may_be_packed() -> None:
    body = gzip.compress(b"<sitemapindex><sitemap><loc>https://site.example/1.xml.gz</loc></sitemap></sitemapindex>")
    assert (await xml(body, "application/gzip")).links == ("https://site.example/1.xml.gz",)


async def test_other_xml_is_a_nested_list() -> None:
    page = await xml(
        "<?xml version='1.0' encoding='latin-1'?><!DOCTYPE a><!-- SECRET --><a xmlns='x' b='1'>"
        "<c>Hello <i>you</i> there</c><d/><e><![CDATA[<p>]]></e></a>"
    )
    assert page.body == ("- **a** (b=1)\n  - **c**: Hello\n    - **i**: you\n    - there\n  - **d**\n  - **e**: \\<p>")
    assert page.hidden == "SECRET"


async def test_what_repeats_in_large_xml_is_counted() -> None:
    page = await xml(f"<a>{'<b>x</b>' * 30_000}<c>last</c></a>")
    assert "… 29,980 more **b**" in page.body
    assert "- **c**: last" in page.body
    assert page.notes


async def test_text_between_what_is_not_shown_is_one_text() -> None:
    page = await xml(f"<a>{'x<b/>' * 30_000}<c>{'<d/>' * 30_000}</c></a>{' ' * 100_000}")
    assert len(page.body.split("\n")) < 100
    assert "x x x" in page.body


async def test_xml_without_end_is_cut_with_a_note() -> None:
    page = await xml(f"<a>{''.join(f'<b{n}/>' for n in range(25_000))}</a>")
    assert len(page.body.split("\n")) <= 20_000
    assert page.notes
    assert page.notes


async def test_entities_are_never_expanded() -> None:
    for declared in ("<!ENTITY a 'b'>", "<!ENTITY a SYSTEM 'file:///etc/passwd'>", "<!ENTITY % a 'b'>"):
        with pytest.raises(Unsupported, match="entities"):
            await xml(f"<!DOCTYPE x [{declared}]><x>&a;</x>")


@settings(max_examples=60)
@given(st.text(alphabet="<>/ab!-[]?&;'\"= \n", max_size=200))
async def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (xml, feed):
        try:
            page = await read(f"<a>{text}</a>")
        except BackendError:
            continue
        page.body.encode()
