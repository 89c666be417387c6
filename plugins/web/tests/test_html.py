"""The `html` extractor: main content, metadata, links, shells, workers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websearch_core import Download
from websearch_core.kit import NeedsRendering
from websearch_core.testing.fakes import InProcessWorkers
from websearch_web.html.extractor import HtmlExtractor
from websearch_web.html.page_reader import read_html
from websearch_web.kit.dates import parse_date
from websearch_web.kit.extraction import INLINE_BYTES

PARAGRAPH = (
    "<p>The main text of this page tells at some length how rivers find their way to the sea and what they carry. </p>"
)
AROUND = """<!doctype html><html lang="en-GB"><head><title>Rivers | The Atlas</title>{head}</head><body>
<header><nav><ul><li><a href="/">HOME</a></li><li><a href="/about">ABOUT</a></li></ul></nav></header>
<div class="cookie-banner">We use COOKIES to improve your experience of this site.</div>
{content}
<div class="newsletter-signup"><p>Join our NEWSLETTER and never miss another story of ours.</p></div>
<aside class="related-posts"><h3>RELATED</h3><ul><li><a href="/1">Lakes</a></li></ul></aside>
<footer>COPYRIGHT 2026 by everybody involved</footer></body></html>"""
BOILERPLATE = ("HOME", "ABOUT", "COOKIES", "NEWSLETTER", "RELATED", "COPYRIGHT")


def page(content: str, head: str = "") -> bytes:
    """A page with everything around it that pages have."""
    return AROUND.replace("{head}", head).replace("{content}", content).encode()


def download(body: bytes, **fields: Any) -> Download:
    """These bytes as HTML."""
    known: dict[str, Any] = {"url": "https://site.example/a", "final_url": "https://site.example/a"}
    return Download(
        **(known | {"media_type": "text/html", "body": body, "fetched_at": datetime(2026, 1, 1, tzinfo=UTC)} | fields)
    )


CONTENT = {
    "article": f"<article><h1>Rivers</h1>{PARAGRAPH * 4}</article>",
    "main": f"<main><h1>Rivers</h1>{PARAGRAPH * 4}</main>",
    "nothing but divisions": f"<div class='c1'><div><h1>Rivers</h1>{PARAGRAPH * 4}</div></div>",
    "a class that says sidebar": f"<div class='has-sidebar layout'><h1>Rivers</h1>{PARAGRAPH * 4}</div>",
    "widgets all over": f"<h1>Rivers</h1>{''.join(f'<div class=widget>{PARAGRAPH}</div>' for _ in range(4))}",
    "a form around everything": f"<form id='aspnet'><h1>Rivers</h1>{PARAGRAPH * 4}</form>",
    "table of old": f"<table><tr><td><h1>Rivers</h1>{PARAGRAPH * 4}</td></tr></table>",
}


@pytest.mark.parametrize("kind", CONTENT)
def test_main_content_is_found(kind: str) -> None:
    body = read_html(page(CONTENT[kind]), "https://site.example/", "utf-8").body
    assert body.count("rivers find their way") == 4
    assert "# Rivers" in body
    assert not [word for word in BOILERPLATE if word in body]


def test_comments_below_an_article_are_left_out_but_a_forum_is_its_posts() -> None:
    posts = "".join(f"<div class='comment'><p>Post {n}: {PARAGRAPH}</p></div>" for n in range(3))
    content = f"<article>{PARAGRAPH * 14}</article><section id='comments' class='comments'>{posts}</section>"
    assert "Post 1" not in read_html(page(content), "https://site.example/news/rivers", "utf-8").body
    forum = f"<main><section id='comments' class='comments'>{posts}</section></main>"
    assert "Post 1" in read_html(page(forum), "https://site.example/forum/thread/7", "utf-8").body


def test_a_short_page_is_read_whole() -> None:
    assert read_html(b"<p>Hello.</p>", "https://site.example/").body == "Hello."


def test_a_page_without_any_text_has_an_empty_body() -> None:
    assert read_html(b"<html><body><div></div></body></html>", "https://site.example/").body == ""


LD = (
    '<script type="application/ld+json">{"@type":"NewsArticle","headline":"Rivers","datePublished":'
    '"2025-03-04T05:06:07+02:00","author":[{"@type":"Person","name":"Ann Lee"},{"name":"Bo Ek"}],'
    '"publisher":{"name":"The Atlas"}}</script>'
)
METADATA = {
    "JSON-LD": (LD, "", ("Rivers", "Ann Lee, Bo Ek", "The Atlas", "2025-03-04T03:06:07+00:00")),
    "OpenGraph": (
        (
            '<meta property="og:title" content="Rivers"><meta property="og:site_name" content="The Atlas">'
            '<meta name="author" content="By Ann Lee"><meta property="article:published_time" content="2025-03-04">'
        ),
        "",
        ("Rivers", "Ann Lee", "The Atlas", "2025-03-04T00:00:00+00:00"),
    ),
    "what the page shows": (
        "",
        '<h1>Rivers</h1><p class="byline">By <a rel=author>Ann Lee</a></p><time datetime=2025-03-04T10:00Z>4.3.</time>',
        ("Rivers", "Ann Lee", "", "2025-03-04T10:00:00+00:00"),
    ),
    "broken JSON-LD": (
        '<script type="application/ld+json">{"a": [</script>',
        "<h1>Rivers</h1>",
        ("Rivers", "", "", None),
    ),
}


@pytest.mark.parametrize("source", METADATA)
def test_metadata_is_read_from(source: str) -> None:
    head, content, (title, author, site, published) = METADATA[source]
    reading = read_html(page(f"<article>{content}{PARAGRAPH * 3}</article>", head), "https://site.example/", "utf-8")
    assert (reading.title, reading.author, reading.site, reading.language) == (title, author, site, "en-GB")
    moment = reading.when.published.astimezone(UTC).isoformat() if reading.when.published else None
    assert moment == published


DATES = {
    "2025-03-04": "2025-03-04T00:00:00+00:00",
    "2025-03-04T05:06:07Z": "2025-03-04T05:06:07+00:00",
    "2025-03-04 05:06": "2025-03-04T05:06:00+00:00",
    "2025-03-04T05:06:07.123456789+0200": "2025-03-04T05:06:07.123456+02:00",
    "Tue, 04 Mar 2025 05:06:07 GMT": "2025-03-04T05:06:07+00:00",
    "Posted on March 4th, 2025 by Ann": "2025-03-04T00:00:00+00:00",
    "4 Mar. 2025": "2025-03-04T00:00:00+00:00",
    "20250304": "2025-03-04T00:00:00+00:00",
    "2025-13-45": None,
    "1066-10-14": None,
    "soon": None,
    "": None,
}


@pytest.mark.parametrize("text", DATES)
def test_date_is_understood(text: str) -> None:
    moment = parse_date(text)
    assert (moment.isoformat() if moment else None) == DATES[text]


def test_links_are_absolute_unique_and_in_order() -> None:
    anchors = (
        '<a href="b">1</a><a href="/a#x">2</a><a href="b">3</a><a href="mailto:a@b.example">4</a><a href="#top">5</a>'
    )
    reading = read_html(page(f"<main>{PARAGRAPH * 3}{anchors}</main>"), "https://site.example/d/", "utf-8")
    wanted = ("https://site.example/d/b", "https://site.example/a")
    assert tuple(link for link in reading.links if link in wanted) == wanted
    assert all(link.startswith("https://") for link in reading.links)
    assert len(set(reading.links)) == len(reading.links)


SHELLS = {
    "mount point": '<div id="root"></div><script src="/app.js"></script>',
    "asks for JavaScript": '<noscript>Please enable JavaScript.</noscript><script src="/a.js"></script>',
    "loading": '<div id="app">Loading…</div><script>start()</script>',
}


@pytest.mark.parametrize("shell", SHELLS)
async def test_an_empty_shell_needs_rendering(shell: str) -> None:
    with pytest.raises(NeedsRendering):
        await HtmlExtractor(InProcessWorkers()).extract(download(f"<html><body>{SHELLS[shell]}</body></html>".encode()))


async def test_a_shell_with_a_readable_copy_for_browsers_without_scripts_is_read() -> None:
    body = f'<html><body><div id="root"></div><script>x</script><noscript>{PARAGRAPH * 5}</noscript></body></html>'
    assert "rivers" in (await HtmlExtractor(InProcessWorkers()).extract(download(body.encode()))).body


async def test_small_pages_are_read_here_and_large_ones_in_a_worker() -> None:
    workers = InProcessWorkers()
    small = page(f"<main>{PARAGRAPH * 5}</main>")
    large = page(f"<main>{PARAGRAPH * (INLINE_BYTES // len(PARAGRAPH) + 1)}</main>")
    await HtmlExtractor(workers).extract(download(small))
    assert not workers.calls
    result = await HtmlExtractor(workers).extract(download(large))
    assert len(workers.calls) == 1
    assert "rivers" in result.body


async def test_a_cut_page_says_so_at_its_end_and_once() -> None:
    body = page(f"<main>{PARAGRAPH * 5}</main>")[:900] + b"\n\n[truncated at 900 bytes]"
    result = await HtmlExtractor(InProcessWorkers()).extract(download(body, truncated=True, bytes_read=900))
    assert result.body.endswith("\n\n[truncated at 900 bytes]")
    assert result.body.count("truncated at") == 1
    assert result.truncated


DEEP = [
    "<div>",
    "<ul><li>",
    "<blockquote>",
    "<table><tr><td>",
    "<b>",
    "<pre>",
    "<dl><dd>",
    "<p hidden>a",
    "<a href=x>y",
    "<math>",
]


@pytest.mark.parametrize("tag", DEEP)
def test_deep_nesting_is_survived(tag: str) -> None:
    read_html((tag * 3000 + "x").encode(), "https://site.example/")


PIECES = st.sampled_from(
    (
        *(*DEEP, "</div>", "</td>", "</math>", "</script>", "<script>SCRIPTED", "<strong>", "<em>", "<br>", "text "),
        *("<!-- SECRET -->", "<p hidden>SECRET</p>", "<template>SECRET</template>", "<li id=a>", "<img alt=x>"),
        *('<sup><a href="#a">1</a></sup>', "<th rowspan=3 colspan=2>", "<pre class=lang-x>", "<input type=checkbox>"),
        *('<annotation encoding="application/x-tex">x</annotation>', "&#xd800;", "<p style='opacity:0'>SECRET</p>"),
    )
)


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=40))
def test_any_markup_is_read_without_scripts_or_hidden_text(pieces: list[str]) -> None:
    html = "".join(pieces)
    reading = read_html(html.encode(), "https://site.example/", "utf-8")
    reading.body.encode("utf-8")
    assert "SECRET" not in reading.body
    assert "SCRIPTED" not in reading.body
    assert "<script" not in reading.body


@settings(max_examples=60)
@given(st.binary(max_size=400), st.sampled_from(["", "utf-8", "utf-16", "latin-1", "shift_jis", "nonsense"]))
def test_any_bytes_are_read(body: bytes, charset: str) -> None:
    reading = read_html(body, "https://site.example/", charset)
    (reading.body + reading.title + reading.hidden).encode("utf-8")
