"""What stands around the content of each kind of page, and what is said about the page."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websearch_core import Download
from websearch_core.asking.read.extraction import ExtractorChain
from websearch_core.contract.verdicts import Decision
from websearch_core.kit import NotFound
from websearch_core.testing.fakes import InProcessWorkers
from websearch_web.html import extractor
from websearch_web.html.content.repeated_passages import without_repeats
from websearch_web.html.extractor import HtmlExtractor
from websearch_web.html.fallback_reader import FallbackHtmlExtractor
from websearch_web.html.page_reader import HtmlContent, read_html

SENTENCE = "Rivers find their way to the sea, and on that way they carry what the mountains gave them. "
PROSE = "".join(f"<p>Part {n}. {SENTENCE * 3}</p>" for n in range(6))
CARDS = "".join(f"<div class=card><h3><a href=/{n}>Elsewhere {n}</a></h3><p>A teaser.</p></div>" for n in range(3))


def read(body: str, url: str = "https://site.example/rivers", head: str = "") -> HtmlContent:
    """A page of this body."""
    return read_html(f"<html><head>{head}</head><body>{body}</body></html>".encode(), url, "utf-8")


LABELS = (
    *("Related Articles", "You may also like", "More from The Atlas", "Share this", "Popular posts", "Leave a comment"),
    *("Das könnte Sie auch interessieren", "Articles similaires", "Artículos relacionados", "Artigos relacionados"),
    *("Leggi anche", "Lees ook", "Читайте также", "関連記事", "相关文章", "관련 기사", "Powiązane artykuły"),
    *("مقالات ذات صلة", "כתבות נוספות", "Artikel Terkait", "Bài viết liên quan", "บทความที่เกี่ยวข้อง", "यह भी पढ़ें"),
)


@pytest.mark.parametrize("label", LABELS)
def test_a_section_about_other_pages_is_left_out_by_its_heading(label: str) -> None:
    body = read(f"<main><h1>Rivers</h1>{PROSE}<div><h2>{label}</h2>{CARDS}</div></main>").body
    assert "Elsewhere" not in body
    assert body.count("find their way") == 18


@pytest.mark.parametrize(
    "label", ["Related work", "Reading list", "Comments on the method", "Weitere Informationen", "What we love"]
)
def test_a_heading_that_only_resembles_such_a_label_keeps_its_section(label: str) -> None:
    body = read(f"<main><h1>Rivers</h1>{PROSE}<section><h2>{label}</h2><p>{SENTENCE}</p></section></main>").body
    assert body.count("find their way") == 19


def test_prose_below_such_a_label_stays_where_no_block_ends_the_section() -> None:
    body = read(f"<main><h1>Rivers</h1><h2>Related posts</h2>{PROSE}</main>").body
    assert body.count("find their way") == 18


def test_a_stream_of_entries_stays_whole_though_one_is_much_the_longest() -> None:
    stream = f"<article class=entry>{PROSE}</article><article class=entry><p>Earlier: {SENTENCE}</p></article>"
    body = read(f"<main><h1>Live</h1><p>In short: {SENTENCE}</p><section>{stream}</section></main>").body
    assert "In short" in body
    assert "Earlier" in body


def test_items_to_tick_off_stay_and_the_labels_of_filters_go() -> None:
    items = "<ul><li><label><input type=checkbox> 200 g flour</label><li><label for=x>Two eggs</label></ul>"
    facets = "<aside><ul><li><label><input type=checkbox> Vegan only</label></ul></aside>"
    body = read(f"<main><h1>Cake</h1>{PROSE}<h2>Ingredients</h2>{items}{facets}</main>").body
    assert "200 g flour" in body
    assert "Two eggs" in body
    assert "Vegan" not in body


def test_a_question_that_opens_its_answer_stays_and_a_menu_button_goes() -> None:
    faq = (
        "<div class=faq><button aria-expanded=false>May I cancel?</button><div style='display:none'>Always.</div></div>"
    )
    plain = "<div class=faq><label for=c>And a pause?</label><div style='display:none'>Never.</div></div>"
    menu = "<button aria-expanded=false>Products</button><p><button>Forgot it?</button></p>"
    body = read(f"<main><h1>Prices</h1>{PROSE}{menu}{faq}{plain}</main>").body
    assert body.index("May I cancel?") < body.index("Always.")
    assert body.index("And a pause?") < body.index("Never.")
    assert "Forgot" not in body
    assert "Products" not in body


@pytest.mark.parametrize("mark", ["class=callout", "class='starlight-aside starlight-aside--tip'", "role=note"])
def test_a_remark_beside_the_text_stays_and_other_asides_go(mark: str) -> None:
    asides = f"<aside {mark}><p>Mind the gap.</p></aside><aside><p>Popular now.</p></aside>"
    body = read(
        f"<main><h1>Rivers</h1>{PROSE}{asides}<div class='notice notice--info'>Closed in May.</div></main>"
    ).body
    assert "Mind the gap." in body
    assert "Closed in May." in body
    assert "Popular" not in body


def test_pictures_of_amp_pages_are_pictures() -> None:
    body = read(f"<main><h1>Rivers</h1>{PROSE}<amp-img src=/i.png alt='A delta'></amp-img></main>").body
    assert "![A delta](https://site.example/i.png)" in body


def test_names_of_posters_without_details_stay() -> None:
    post = (
        f"<div class=post><dl class=postprofile><dt><a>Ann</a></dt></dl><div class=content>{SENTENCE * 2}</div></div>"
    )
    assert "Ann" in read(f"<h2>Rivers</h2>{post * 2}", "https://board.example/viewtopic.php?t=1").body


def test_of_a_thread_posts_names_and_times_stay_and_details_of_posters_go() -> None:
    post = (
        "<article><div class=message-user><h4><a href=/u/ann>Ann</a></h4><h5 class=userTitle>Titan</h5>"
        "<dl><dt>Joined</dt><dd>May 3, 2011</dd></dl></div><time datetime=2026-01-02>2 Jan</time>"
        f"<div><p>{SENTENCE}</p><aside class=quote><blockquote><p>Quoted words.</p></blockquote></aside></div>"
        "<div class=reactionsBar>Bo and 3 others</div><a href=/r>Reply</a></article>"
    )
    body = read(f"<main><h1>Rivers?</h1>{post * 3}</main>", "https://forum.example/threads/rivers.7/").body
    assert body.count("find their way") == 3
    assert "Ann" in body
    assert "2 Jan" in body
    assert "Quoted words" in body
    assert not [word for word in ("Titan", "2011", "others", "Reply") if word in body]


@pytest.mark.parametrize("prose", [PROSE, f"<p>{SENTENCE * 4}</p>"])
def test_a_list_of_pages_under_the_name_of_a_site_goes_and_the_title_is_the_pages_own(prose: str) -> None:
    pages = "".join(f"<li><a href=/{n}>Module number {n}</a></li>" for n in range(12))
    menu = f"<div id=navigation><h1>Waterways</h1><h2>Modules</h2><ul><li><strong>Weirs</strong></li>{pages}</ul></div>"
    reading = read(f"{menu}<div id=content><h1>Weirs</h1>{prose}</div>", head="<title>Waterways documentation</title>")
    assert reading.title == "Weirs"
    assert "find their way" in reading.body
    assert "Module" not in reading.body
    assert reading.notes == ("Left out: “Waterways”, “Modules”.",)
    alone = read(f"<div id=navigation><h1>Waterways</h1><ul>{pages}</ul></div>{prose}")
    assert "# Waterways" in alone.body


def test_of_a_product_reviews_and_offers_go() -> None:
    head = '<script type="application/ld+json">{"@type": "Product", "name": "Canoe"}</script>'
    page = (
        f"<main><h1>Canoe</h1><p>{SENTENCE * 4}</p><div class=accordion><button>Materials</button><div role=dialog>"
        "<aside><p>Cedar and canvas, oiled by hand in three layers.</p></aside></div></div>"
        "<div class='product-reviews'><p>I like it very much, five stars from me and mine.</p></div>"
        f"<section><h2>Frequently bought together</h2>{CARDS}</section></main>"
    )
    reading = read(page, head=head)
    assert reading.kind == "product"
    assert "find their way" in reading.body
    assert "Cedar and canvas" in reading.body
    assert "five stars" not in reading.body
    assert "Elsewhere" not in reading.body


def test_filters_of_a_listing_go_and_its_items_stay() -> None:
    page = (
        "<main><h1>Canoes</h1><div class=facets><h3>Colour</h3><ul><li>Teal</li><li>Umber</li></ul></div>"
        + "".join(f"<div class=item><h3><a href=/c/{n}>Canoe {n}</a></h3><p>{n}99 €</p></div>" for n in range(1, 9))
        + "</main>"
    )
    body = read(page).body
    assert "Teal" not in body
    assert [n for n in range(1, 9) if f"Canoe {n}" in body] == list(range(1, 9))


def test_a_passage_that_a_page_writes_twice_is_read_once() -> None:
    passage = f"## Carousel\n\n{SENTENCE * 3}\n\nAnother paragraph."
    assert without_repeats(f"{passage}\n\nBetween.\n\n{passage}") == f"{passage}\n\nBetween."


@pytest.mark.parametrize(
    "text",
    [
        "Verse one.\n\nThe refrain that returns.\n\nVerse two.\n\nThe refrain that returns.",
        "```\nx = 1\n\ny = 2\n```\n\n```\nx = 1\n\ny = 2\n```",
        "| a |\n\n| a |",
        "",
    ],
)
def test_refrains_code_and_tables_may_repeat(text: str) -> None:
    assert without_repeats(text) == text


def test_a_page_of_scripts_is_read_from_its_own_data() -> None:
    data = f'{{"props": {{"body": "<p>{SENTENCE * 4}</p>", "id": "a1", "code": "function (a) {{ return a }}"}}}}'
    reading = read(f'<div id="__next"></div><script type="application/json">{data}</script>')
    assert reading.body.count("find their way") == 4
    assert "return a" not in reading.body
    assert not reading.wall


def test_what_a_page_says_of_itself_is_read() -> None:
    head = (
        '<link rel="canonical" href="/rivers?id=1"><link rel="icon" href="/i.svg">'
        '<meta name="description" content="On rivers.">'
        '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2025-03-04", '
        '"dateModified": "2025-04-05T10:00:00Z"}</script>'
    )
    reading = read(f"<main><h1>Rivers</h1>{PROSE}</main>", head=head)
    assert reading.canonical == "https://site.example/rivers?id=1"
    assert reading.favicon == "https://site.example/i.svg"
    assert reading.description == "On rivers."
    assert reading.kind == "newsarticle"
    assert reading.when.source == "json-ld"
    assert reading.when.modified == datetime(2025, 4, 5, 10, tzinfo=UTC)


SOURCES = {
    "meta": '<meta property="article:published_time" content="2025-03-04"><h1>x</h1>',
    "time": "<time datetime=2025-03-04>today</time>",
    "text": "<p class=post-date>4. März 2025</p>",
    "url": "",
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_date_says_where_it_was_read(source: str) -> None:
    when = read(f"<main>{SOURCES[source]}{PROSE}</main>", "https://site.example/2025/03/04/rivers").when
    assert when.source == source
    assert when.published == datetime(2025, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//[", ""])
def test_no_address_of_a_page_itself_is_a_script(address: str) -> None:
    reading = read(PROSE, head=f'<link rel="canonical" href="{address}"><link rel="icon" href="{address}">')
    assert reading.canonical == reading.favicon == ""


def page(body: str) -> Download:
    """This body as it comes from a site."""
    return Download(
        url="https://site.example/a",
        final_url="https://site.example/a",
        media_type="text/html",
        body=body.encode(),
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


async def test_where_the_first_reader_fails_the_second_gives_something_and_the_trail_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: Download) -> None:
        raise RecursionError

    monkeypatch.setattr(extractor, "read_page", fail)
    workers, trail = InProcessWorkers(), list[Decision]()
    html = f"<title>Rivers</title><body><p>{SENTENCE}</p><p style='display:none'>SECRET</p></body>"
    found = await ExtractorChain([HtmlExtractor(workers), FallbackHtmlExtractor(workers)]).page(page(html), trail)
    assert "find their way" in found.body
    assert "SECRET" not in found.body
    assert "SECRET" in found.hidden
    assert found.title == "Rivers"
    assert found.notes
    assert [(step.by, step.outcome) for step in trail] == [("html", "fail")]


async def test_the_second_reader_does_not_read_what_the_first_knows_for_a_wall() -> None:
    workers, trail = InProcessWorkers(), list[Decision]()
    with pytest.raises(NotFound):
        await ExtractorChain([HtmlExtractor(workers), FallbackHtmlExtractor(workers)]).page(
            page("<title>Page not found</title><body><h1>404</h1><p>Go home.</p></body>"), trail
        )
    assert [(step.by, step.outcome) for step in trail] == [("html", "fail")]


OF_A_TEXT = (
    "<pre>make unmistakable</pre>",
    "<table><tr><th>River</th><th>km</th></tr><tr><td>Unmistakable</td><td>12</td></tr></table>",
    "<dl><dt>Delta</dt><dd>Unmistakable</dd></dl>",
    "<blockquote>Unmistakable</blockquote>",
    "<div class=correction>Korrektur: unmistakable, not as we wrote.</div>",
    "<div class=more><p>Nachtrag, unmistakable.</p></div>",
    "<div class=lede>Unmistakable, and in short.</div>",
)
AROUND_A_TEXT = (
    "<div class=c-list><form><p>Unmistakable. Write to us about it.</p><input></form></div>",
    "<div class=thread><div class=comment-item><p>Unmistakable! I was there.</p></div></div>",
    "<div class=cards><article><p>Unmistakable. A teaser of something else.</p></article></div>",
    "<div class=list><a href=/1>Unmistakable, and elsewhere</a> <a href=/2>Another one.</a></div>",
)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("part", OF_A_TEXT)
def test_what_has_words_code_or_data_of_its_own_stays_beside_the_text_of_an_article(part: str, before: bool) -> None:
    text = f"<div class=body>{PROSE}</div>"
    both = part + text if before else text + part
    body = read(f"<article><h1>Rivers</h1>{both}</article>", head="<meta property=og:type content=article>").body
    assert "unmistakable" in body.lower()
    assert body.count("find their way") == 18


@pytest.mark.parametrize("part", AROUND_A_TEXT)
def test_comments_teasers_and_forms_beside_the_text_of_an_article_go(part: str) -> None:
    page = f"<article><h1>Rivers</h1><div class=body>{PROSE}</div>{part}</article>"
    body = read(page, head="<meta property=og:type content=article>").body
    assert "Unmistakable" not in body
    assert body.count("find their way") == 18


@pytest.mark.parametrize("part", OF_A_TEXT)
def test_where_only_a_date_makes_an_article_nothing_has_to_say_where_its_text_is(part: str) -> None:
    page = f"<div><h1>Rivers</h1><time datetime=2024-05-01>1 May 2024</time><div class=body>{PROSE}</div>{part}</div>"
    body = read(page).body
    assert "unmistakable" in body.lower()
    assert body.count("find their way") == 18
