"""What stands around a text without being named: teasers after an article, lines of navigation, lists of headings."""

from __future__ import annotations

import pytest

from websearch_core.testing.cpu_time import within_cpu
from websearch_web.html.page_reader import read_html

SENTENCE = "Rivers find their way to the sea, and on that way they carry what the mountains gave them. "
PROSE = "".join(f"<p>Part {n}. {SENTENCE * 3}</p>" for n in range(6))
PLACES = "".join(f"<p id=s{n}>{SENTENCE}</p>" for n in range(4))
ARTICLE = "<meta property=og:type content=article>"
TEASERS = "".join(f"<div><a href=/{n}>Elsewhere {n}</a><p>{SENTENCE}</p></div>" for n in range(3))


def read(body: str, head: str = "") -> str:
    """The main content of a page."""
    return read_html(
        f"<html><head>{head}</head><body>{body}</body></html>".encode(), "https://s.example/", "utf-8"
    ).body


def test_of_an_article_the_part_with_its_prose_is_read_and_not_what_stands_beside() -> None:
    page = (
        "<div class=page><div class=strip>Live now: the ticker</div><h1>Rivers</h1><p>In short, water.</p>"
        f"<figure><img src=/i.png alt='A delta'><figcaption>Seen from above</figcaption></figure>"
        f"<div class=text>{PROSE}</div>"
        f"<div class=more><h3>Offers</h3>{TEASERS}</div></div>"
    )
    body = read(page, ARTICLE)
    assert body.startswith("# Rivers\n\nIn short, water.")
    assert "A delta" in body
    assert "Seen from above" in body
    assert body.count("find their way") == 18
    assert "Elsewhere" not in body
    assert "ticker" not in body


def test_the_halves_of_an_article_and_its_footnotes_stay() -> None:
    half = f"<div class=part>{PROSE}</div>"
    second = "<div class=part>" + "".join(f"<p>More {n}. {SENTENCE}</p>" for n in range(3)) + "</div>"
    notes = "<section class=footnotes><ol><li>Ibid.</li></ol></section>"
    body = read(f"<h1>Rivers</h1>{half}<div>Advertisement</div>{second}{notes}", ARTICLE)
    assert body.count("find their way") == 21
    assert "Ibid." in body


def test_a_page_that_is_no_article_keeps_its_parts_whichever_is_the_longest() -> None:
    body = read(f"<h1>Rivers</h1><article>{PROSE}</article><section><h2>Examples</h2><p>{SENTENCE}</p></section>")
    assert "## Examples" in body
    assert body.count("find their way") == 19


LINES = {
    "DocBook": (
        "<div class=x><table><tr><th colspan=3>Rivers of a plain</th></tr><tr><td><a accesskey=p href=/1>Prev</a></td>"
        "<th>Part II</th><td><a accesskey=n href=/3>Next</a></td></tr></table></div>"
    ),
    "Texinfo": (
        "<div><p>Next: <a href=/a accesskey=n rel=next>Lakes</a>, Previous: <a href=/b accesskey=p rel=prev>Seas</a>"
        "</p></div>"
    ),
    "labels": "<div><a href=/1>← prev</a> <a href=/u>up</a> <a href=/3>next →</a></div>",
    "German": "<p><a href=/1>Zurück</a> | <a href=/3>Weiter</a></p>",
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_leads_to_the_neighbours_of_a_page_goes(line: str) -> None:
    body = read(f"{LINES[line]}<h1>Rivers</h1>{PROSE}{LINES[line]}")
    assert body.startswith("# Rivers")
    assert body.rstrip().endswith("gave them.")
    assert "http" not in body


def test_a_sentence_about_an_index_stays() -> None:
    sentence = (
        "An <a href=/i>index</a> holds what the <a href=/c>contents</a> of a book name, page by page and word by word."
    )
    assert "holds what the" in read(f"<h1>Books</h1>{PROSE}<p>{sentence}</p>")


KEYS = {
    "a sentence": "<p>Press <a href=/kbd/home>Home</a> or <a href=/kbd/up>Up</a> to KEPT.</p>",
    "a short sentence": "<p>KEPT <a href=/kbd/home>Home</a> or <a href=/kbd/up>Up</a>.</p>",
    "keys": (
        "<table><tr><th>KEPT</th><th>Key</th></tr><tr><td><a href=/home>Home</a></td><td>Pos1</td></tr>"
        "<tr><td><a href=/up>Up</a></td><td>Arrow</td></tr><tr><td><a href=/n>Next</a></td><td>PgDn</td></tr></table>"
    ),
    "releases": (
        "<table><tr><td>KEPT 3.1 (2020)</td><td><a href=/n>Next</a></td></tr>"
        "<tr><td>old 2.1</td><td><a href=/p>Previous</a></td></tr></table>"
    ),
}


@pytest.mark.parametrize("keys", KEYS)
def test_sentences_and_tables_whose_links_are_called_like_steps_stay(keys: str) -> None:
    assert "KEPT" in read(f"<h1>Keys</h1>{PROSE}{KEYS[keys]}{PROSE}")


def test_a_list_of_the_headings_of_the_page_goes_and_lists_of_other_pages_stay() -> None:
    contents = "<ul>" + "".join(f"<li><a href='#s{n}'>Chapter {n}</a></li>" for n in range(4)) + "</ul>"
    others = "<ul>" + "".join(f"<li><a href='/h{n}'>Volume {n}</a></li>" for n in range(4)) + "</ul>"
    explained = "<ul>" + "".join(f"<li><a href='#x{n}'>Word</a> means this and that</li>" for n in range(4)) + "</ul>"
    body = read(f"<h1>Rivers</h1>{contents}{others}{explained}{PROSE}{PLACES}")
    assert "Chapter" not in body
    assert body.count("Volume") == 4
    assert body.count("means this and that") == 4


@pytest.mark.parametrize("address", ["#f{0}", "#/docs/{0}", "#!x{0}"])
def test_a_list_of_links_to_places_that_the_page_does_not_have_stays(address: str) -> None:
    index = "".join(f"<li><a href='{address.format(n)}'>func{n}</a></li>" for n in range(10))
    assert "func9" in read(f"<h1>Functions</h1>{PROSE}<ul>{index}</ul>{PROSE}")


def test_links_to_translations_that_are_all_of_their_section_stay() -> None:
    links = "".join(f"<li><a href=/b/{tag} hreflang={tag}>Edition {tag}</a></li>" for tag in ("de", "fr", "it"))
    body = read(f"<h1>Rivers</h1>{PROSE}<h2>Editions of the book</h2><ul>{links}</ul><h2>Lakes</h2>{PROSE}")
    assert body.count("Edition ") == 3


def test_words_of_code_are_no_names_of_furniture() -> None:
    body = read(
        f"<h1>Code</h1>{PROSE}<pre><code><span class=comment>// why</span>\n<span class=nav>go</span></code></pre>"
    )
    assert "// why\ngo" in body


def test_the_tags_of_a_documented_method_stay_and_tags_of_a_post_go() -> None:
    method = "<div class=tags><p class=tag_title>Returns:</p><ul><li>the length of the river in metres</li></ul></div>"
    post = "<div class=tags><a href=/t/1>water</a> <a href=/t/2>nature</a></div>"
    body = read(f"<h1>Rivers</h1>{PROSE}{method}{post}")
    assert "the length of the river in metres" in body
    assert "nature" not in body


def test_links_without_a_target_and_code_within_code_are_read() -> None:
    spans = "<code><a href=''>one</a> <a href=/b>two</a></code> and <code><code><a href=/c>three</a></code></code>"
    assert "`one` [`two`](https://s.example/b) and [`three`](https://s.example/c)." in read(f"<p>See {spans}.</p>")


STEPS = {
    "Publican": (
        "<ul class=docnav><li><a accesskey=p href=/1><strong>戻る</strong>時刻同期</a></li><li>ハンドブック</li>"
        "<li><a accesskey=n href=/3><strong>次へ</strong>インストール</a></li></ul>"
    ),
    "the first page": "<ul><li>Le cahier</li><li><a accesskey=n href=/2><strong>Suivant</strong>Préface</a></li></ul>",
    "pictures": (
        "<table><tr><td><a href=/1><img alt='&lt;&lt; previous' src=/p.png></a></td>"
        "<td><a href=/toc><img alt=toc src=/u.png></a></td></tr></table>"
    ),
    "the top of the page": "<div class=x><a href='#header'><img alt=top src=/up.gif></a></div>",
    "an arrow": "<p><a href='#'>↑</a></p>",
    "words for the top": "<p><a href='#top'>ページの先頭へ</a></p>",
}


@pytest.mark.parametrize("line", STEPS)
def test_a_list_or_picture_that_leads_elsewhere_in_a_work_goes(line: str) -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}{STEPS[line]}<h2>Lakes</h2><p>{SENTENCE}</p>")
    assert "http" not in body
    assert body.count("gave them.\n\n## Lakes") == 1


def test_a_list_that_only_begins_with_a_step_stays() -> None:
    words = "<ul><li><a href=/home>Home</a></li><li><a href=/owls>Owls of the plain</a></li></ul>"
    assert "Owls of the plain" in read(f"<h1>Rivers</h1>{PROSE}{words}")


LANGUAGES = {
    "markup": (
        "<div><p>Diller: <a href=/o>en</a> | <a href=/x hreflang=fr rel=alternate>fr</a> | "
        "<a href=/y hreflang=tr>tr</a></p></div>"
    ),
    "addresses": (
        "<p>Autres langues : <a href=text.html>English</a>, <a href=text.ca.html>Català</a>, "
        "<a href=text.ja.html>日本語</a>, <a href=/about>…</a></p>"
    ),
    "folders": "<ul><li><a href=../de/text.html>Deutsch</a><li><a href=../ja/text.html>日本語</a><li>"
    "<a href=../pt-br/text.html>Português</a></ul>",
}


@pytest.mark.parametrize("languages", LANGUAGES)
def test_a_list_of_translations_goes(languages: str) -> None:
    address = "https://s.example/fr/text.html" if languages == "folders" else "https://s.example/fr/text.fr.html"
    html = f"{LANGUAGES[languages]}<h1>Rivers</h1>{PROSE}{LANGUAGES[languages]}"
    body = read_html(html.encode(), address, "utf-8").body
    assert "http" not in body
    assert body.endswith("gave them.")


def test_links_to_pages_that_are_named_like_languages_are_no_translations() -> None:
    links = "<ul><li><a href=/docs/go>Go</a><li><a href=/docs/cs>C#</a><li><a href=/docs/pl>Perl</a></ul>"
    body = read_html(f"<h1>Docs</h1>{PROSE}{links}".encode(), "https://s.example/docs/all", "utf-8").body
    assert "Perl" in body


def test_a_tree_of_all_pages_that_names_this_one_goes_and_an_index_stays() -> None:
    tree = "".join(f"<li><a href=/p{n}.html>Chapter {n}</a></li>" for n in range(12))
    index = "".join(f"<li><a href=/q{n}.html>Word {n}</a></li>" for n in range(12))
    html = f"<h1>Rivers</h1>{PROSE}<ul>{index}</ul><div><h4><a href=/>Book</a></h4><ul>{tree}</ul></div>"
    body = read_html(html.encode(), "https://s.example/p3.html", "utf-8").body
    assert "Chapter" not in body
    assert "Book" not in body
    assert body.count("Word") == 12


def test_contents_that_spell_the_address_of_their_page_go_with_their_label() -> None:
    links = "".join(f"<dt><a href='/p.html#s{n}'>Section {n}</a></dt>" for n in range(4))
    html = f"<h1>Rivers</h1><div class=x><p><b>目次</b></p><dl>{links}</dl></div>{PROSE}{PLACES}"
    body = read_html(html.encode(), "https://s.example/p.html", "utf-8").body
    assert "目次" not in body
    assert "Section" not in body


def test_a_table_of_links_within_a_page_is_its_index_unless_it_names_its_headings() -> None:
    row = "<tr><td><a href='#{0}'>{1} {0}</a></td><td><a href='#s'>{2}</a></td></tr>"
    index = "<table><tr><th>Name</th><th>Where</th></tr>" + "".join(row.format(n, "call", "Calls") for n in range(4))
    menu = "<table>" + "".join(f"<tr><td>•</td><td><a href='#h{n}'>Part {n}</a></td></tr>" for n in range(3))
    parts = "".join(f"<h2 id=h{n}>Part {n}</h2><p>{SENTENCE}</p>" for n in range(3))
    body = read(f"<h1>Rivers</h1>{menu}</table>{parts}{index}</table>")
    assert body.count("Part") == 3
    assert body.count("call ") == 4


def test_logos_before_the_title_go_and_pictures_that_show_something_stay() -> None:
    logo = "<div><a href=/><img alt='The site' src=/l.png></a><img alt='' src=/f.png> Version 2.4</div>"
    body = read(f"{logo}<div><img alt='A delta from above' src=/d.png></div><h1>Rivers</h1>{PROSE}")
    assert body.startswith("![A delta from above]")
    assert "Version" not in body


def test_what_stands_before_the_heading_that_gives_the_page_its_name_goes() -> None:
    body = read(
        f"<p><a href=/><img alt=Home src=/l.png></a></p><h2>2.1. Rivers</h2>{PROSE}", "<title>2.1. Rivers</title>"
    )
    assert body.startswith("## 2.1. Rivers")


def test_lines_that_parted_the_text_from_its_surroundings_go_with_them() -> None:
    body = read(f"<hr><h1>Rivers</h1><hr>{PROSE}<hr><h2>Lakes</h2><p>{SENTENCE}</p><hr>")
    assert body.count("---") == 1
    assert "gave them.\n\n---\n\n## Lakes" in body


def test_a_remark_in_a_frame_is_text_with_its_label() -> None:
    frame = (
        "<table><tr><td rowspan=2 width=25><img src=/note.png></td><th>Nota</th></tr>"
        "<tr><td colspan=2><p>Water is wet.</p></td></tr></table>"
    )
    assert "**Nota**\n\nWater is wet." in read(f"<h1>Rivers</h1>{PROSE}{frame}")


def test_the_heading_that_gives_the_page_its_name_is_its_own_and_not_the_banner_of_the_site() -> None:
    banner = (
        "<div><h1><a href=/>The Gazette</a></h1><ul><li><a href=/w>World</a></li></ul><div>Edition: Plain</div></div>"
    )
    body = read(f"{banner}<h1>Rivers of the plain</h1>{PROSE}", "<title>Rivers of the plain | The Gazette</title>")
    assert body.startswith("# Rivers of the plain")


ASIAN = "川は海へと流れていき、その途中で山からもらったものを運んでいく。人々は昔からその岸辺に暮らしてきた。"
MENU = "".join(f"<div><a href=/{n}>話題{n}</a></div>" for n in range(30))


def test_prose_in_a_script_that_says_more_with_fewer_signs_is_found_as_well() -> None:
    text = "".join(f"<p>{n}、{ASIAN}</p>" for n in range(6))
    body = read(f"<div>{MENU}</div><div class=a><h1>川</h1>{text}</div><div>{MENU}</div>", ARTICLE)
    assert "話題" not in body
    assert body.count("山から") == 6


@pytest.mark.parametrize("name", ["publishdate", "OriginalPublicationDate", "news_keywords"])
def test_a_declared_publication_makes_a_text_an_article_and_the_date_of_a_build_does_not(name: str) -> None:
    page = f"<div><h1>Rivers</h1>{PROSE}<pre>flow()</pre></div><div>{MENU}</div>"
    assert "話題" not in read(page, f"<meta name={name} content=2024-03-01>")
    assert "話題" in read(page, "<meta name=date content=2024-03-01><meta name=dc.publisher content=x>")


TOOLS = [
    "Edit this page",
    "Edit on GitHub",
    "View page source",
    "Print",
    "Seite bearbeiten",
    "打印文稿",
    "Modifier cette page",
]


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_site_lets_readers_do_goes_where_it_stands_alone_and_is_a_word_elsewhere(tool: str) -> None:
    body = read(f"<h1>Rivers</h1><ul><li><a href=/tool>{tool}</a></li></ul>{PROSE}")
    assert "tool" not in body
    kept = read(f"<h1>Rivers</h1>{PROSE}<p>The link <span><a href=/tool>{tool}</a></span>ed results.</p>")
    assert tool in kept


STAMPS = [
    "<p>This document was generated on <em>May 5, 2023</em> using <a href=/t>texi2any</a>.</p>",
    "<div>Last updated 2023-05-05 10:00 UTC</div>",
    "<div><div>© 2004-2023 The authors. All rights reserved.</div></div>",
    "<p>Dernière mise à jour : 5 mai 2023</p>",
    "<p>Generated by <a href=/d>Doxygen</a> 1.9</p><p>最終更新: 2023-05-05</p>",
]


@pytest.mark.parametrize("stamp", STAMPS)
def test_last_lines_that_say_who_made_a_page_go(stamp: str) -> None:
    assert read(f"<h1>Rivers</h1>{PROSE}<hr>{stamp}").endswith("gave them.")


def test_a_last_line_about_making_something_stays() -> None:
    last = "The report can be generated on demand."
    assert read(f"<h1>Reports</h1>{PROSE}<p>{last}</p>").endswith(last)
    assert "Generated by hand" in read(f"<h1>Reports</h1><p>Generated by hand, then checked.</p>{PROSE}")


@pytest.mark.parametrize(
    "last",
    [
        "Copyright protects works for seventy years after death of the author.",
        "Powered by two turbines, she made 20 knots.",
        "Последнее изменение закона вступило в силу в 2020 году и действует.",
        "(c) The third point of the list is proven.",
        "Built in 1904, the bridge still carries trains.",
    ],
)
def test_a_last_sentence_that_begins_like_a_stamp_stays(last: str) -> None:
    assert read(f"<h1>Ships</h1>{PROSE}<p>{last}</p>").endswith(last)


def test_contents_under_a_heading_that_says_so_go_with_it() -> None:
    links = "".join(f"<li><a href='#s{n}'>Part {n}</a></li>" for n in range(4))
    body = read(f"<h1>Rivers</h1><div class=x><h3>Table of Contents</h3><ul>{links}</ul></div>{PROSE}{PLACES}")
    assert "Contents" not in body


def test_a_picture_in_a_heading_that_has_no_name_is_no_part_of_it() -> None:
    assert read(f"<h1><img src=/l.png>Rivers</h1>{PROSE}").startswith("# Rivers")


BROKEN = {
    "in one span": "<div class=example><p><code>\nif (dry)<br>\n  stop;<br>\n</code></p></div>",
    "a span a line": "<p><code>if (dry)</code><br><code>&nbsp;&nbsp;stop;</code></p>",
    "in an item": "<ul><li><tt>if (dry)<br/>&#160;&#160;stop;</tt></li></ul>",
}


@pytest.mark.parametrize("code", BROKEN)
def test_code_whose_lines_are_broken_by_hand_keeps_them(code: str) -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}{BROKEN[code]}")
    assert [line.removeprefix("- ").removeprefix("  ").rstrip() for line in body.split("\n")[-4:]] in (
        ["```", "if (dry)", "  stop;", "```"],
        ["```", "if (dry)", "stop;", "```"],
    )


def test_words_of_code_in_lines_of_prose_are_no_block() -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}<p>Say <code>stop</code><br>or <code>go</code>.</p>")
    assert "```" not in body
    assert "`stop`" in body


def test_a_line_that_is_called_the_title_and_names_the_page_is_its_heading() -> None:
    logo = "<div><a href=/><img alt=Logo src=/l.png></a></div>"
    page = f"{logo}<div class=head><div class=title>Of Rivers </div></div>{PROSE}<h1>Lakes</h1><p>{SENTENCE}</p>"
    assert read(page, "<title>The Book: Of Rivers</title>").startswith("# Of Rivers")


def test_code_that_is_all_of_a_paragraph_has_no_blanks_at_its_edges() -> None:
    assert "\n\n`flow now`" in read(f"<h1>Rivers</h1>{PROSE}<p><code>\n    flow now\n  </code></p>")


ICON = "<a href=/{0}><img src=/{0}.gif alt={0} width=24 height=24></a>"
FAR = "<table><tr><td colspan=3><a href=/bug>Report an issue</a></td></tr>{}</table>"


@pytest.mark.parametrize(
    "line",
    [
        "<div><a href=/d>&lt;&lt; Deltas</a> <a href=/w>Water</a> <a href=/s>Streams &gt;&gt;</a></div>",
        "<p><a href=/d>← Deltas</a> | <a href=/s>Streams →</a></p>",
        FAR.format("<tr><td><a href=/d>« Deltas</a></td><td></td><td><a href=/s>Streams »</a></td></tr>"),
        "<hr>" + "\n".join(map(ICON.format, ["Home", "Deltas", "Streams"])),
        f"<div><p>{ICON.format('Deltas')}{ICON.format('Streams')}</p></div>",
    ],
)
def test_arrows_and_icons_that_lead_to_neighbours_by_their_names_go(line: str) -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}{line}")
    assert "Deltas" not in body
    assert "Streams" not in body
    assert body.endswith(SENTENCE.strip())


@pytest.mark.parametrize(
    "line",
    [
        "<ul><li><a href=/d>Deltas »</a></li><li><a href=/s>Streams »</a></li><li><a href=/l>Lakes »</a></li></ul>",
        "<table><tr><td>Syntax:<td><code><a href=/d>&lt;Deltas&gt;</a> <a href=/s>&lt;Streams&gt;</a></code></table>",
        "<p>See <a href=/d>« Deltas »</a>, <a href=/s>« Streams »</a> and what is said there about them.</p>",
        "<p><a href=/d><img src=/d.jpg alt=Deltas width=640></a> <a href=/s><img src=/s.jpg alt=Streams></a></p>",
    ],
)
def test_links_with_arrows_that_all_lead_on_and_large_pictures_stay(line: str) -> None:
    body = read(f"<h1>Rivers</h1>{PROSE}{line}")
    assert "Deltas" in body
    assert "Streams" in body


def test_more_teasers_than_text_go_where_their_part_says_what_it_is() -> None:
    teasers = "".join(f"<h3><a href=/{n}>Elsewhere {n}</a></h3><a href=/{n}>{SENTENCE * 2}</a>" for n in range(30))
    body = read(f"<h1>Rivers</h1>{PROSE}<div class=page-section id=relatedTab>{teasers}</div>")
    assert "Elsewhere" not in body


def test_a_menu_as_large_as_a_site_goes_although_some_of_its_entries_are_no_links() -> None:
    entries = "".join(f"<li><a href=/{n}>A long name of part {n}</a><div>+</div></li>" for n in range(60))
    menu = f"<div class=m><ul>{entries}<li>A part that has no page of its own, and another one, and a third</ul></div>"
    assert read(f"{menu}<h1>Rivers</h1>{PROSE}", "<title>Rivers | Park</title>").startswith("# Rivers")


def test_a_name_that_ends_in_footer_is_one() -> None:
    links = "".join(f"<div><a href=/{n}>Part {n}</a></div>" for n in range(20))
    assert "Part 19" not in read(f"<h1>Rivers</h1>{PROSE}<div id=openmenufooter>{links}</div>")


@pytest.mark.parametrize(
    "part",
    [
        "<a hreflang=de href=/x>de</a> and words ",
        "<a hreflang=de href=/x>de</a> ",
        "<a href=/e>Edit</a> ",
        "<p><a href='#'>top</a></p>",
        "<div>© x</div>",
        "<p><code>a<br>b</code></p>",
        "<a rel=next></a>",
        "<a href=/b>« Back</a> ",
        "<p><a href=/b>« Back</a> <a href=/n>On »</a></p>",
        "<a href=/b><img width=9></a>",
        "<table><tr><td><a href=/n>Next</a></td><td><a href=/u>Up</a></td></tr></table>",
        "<tr><td><a href=/n>Next</a></td><td><a href=/u>Up</a></td></tr>",
    ],
)
def test_no_number_of_links_and_lines_takes_time_beyond_their_length(part: str) -> None:
    page = (
        f"<body><h1>Rivers</h1>{PROSE}<div>{'a ' * 140}{'<table>' * part.startswith('<tr>')}{part * 8000}</div>{PROSE}"
    )
    assert within_cpu(2.0, read_html, page.encode(), "https://s.example/", "utf-8").body


def test_no_number_of_empty_links_to_translations_takes_time_beyond_their_length() -> None:
    links = "".join(f"<a hreflang={language} href=/{language}></a>" for language in ("de", "fr", "es"))
    page = f"<body><h1>Rivers</h1>{PROSE}<h2>Elsewhere</h2>{f'<p>{links}</p>' * 8000}"
    assert within_cpu(2.0, read_html, page.encode(), "https://s.example/", "utf-8").body


def test_blank_lines_in_a_menu_are_no_prose() -> None:
    gap = "\n" * 200
    news = "".join(f"<li><i>12:0{n}</i>{gap}<a href=/{n}>Elsewhere {n}</a></li>" for n in range(9))
    text = f"<h1>Rivers</h1><p>{SENTENCE * 2}</p><p>{SENTENCE * 2}</p>"
    body = read(f"<div><div class=left><ul>{news}</ul></div><div class=right>{text}</div></div>", ARTICLE)
    assert body.startswith("# Rivers")
    assert "Elsewhere" not in body


def test_the_picture_above_an_article_stays_and_so_do_its_words() -> None:
    picture = "<div class=top><img src=/i.png alt='A delta from above'></div>"
    body = read(f"<title>Rivers</title><div><h1>Rivers</h1>{picture}<div class=text>{PROSE}</div></div>", ARTICLE)
    assert "![A delta from above](https://s.example/i.png)" in body


def test_a_logo_above_the_title_is_no_picture_of_an_article() -> None:
    logo = "<div class=top><img src=/i.png alt='Water Weekly'></div>"
    body = read(f"<title>Rivers</title><div>{logo}<h1>Rivers</h1><div class=text>{PROSE}</div></div>", ARTICLE)
    assert body.startswith("# Rivers")


def test_an_icon_that_a_font_draws_from_its_name_is_no_word() -> None:
    body = read(f"<h1>Rivers <i class='material-icons md-18'>chevron_right</i></h1>{PROSE}")
    assert body.startswith("# Rivers\n")
    text = f"{PROSE}<p class='with material-icons-on'>They run north.</p>{PROSE}"
    assert "run north" in read(f"<h1>Rivers</h1>{text}")


def test_a_heading_that_is_never_closed_holds_the_page() -> None:
    assert "run north" in read(f"<title>Rivers</title><h1>Rivers<main><p>They run north.</p>{PROSE}</main>")


def test_a_recipe_keeps_its_lists_beside_its_prose() -> None:
    steps = "".join(f"<li><h4>Step {n}</h4>Stir it well.</li>" for n in range(9))
    head = '<script type=application/ld+json>{"@type": "Recipe", "datePublished": "2024-05-13"}</script>'
    page = f"<div><h1>Cake</h1><div class=note><p>{SENTENCE * 4}</p></div><div><ol>{steps}</ol></div></div>"
    assert read(page, head).count("Stir it well.") == 9


def test_a_table_of_data_is_not_all_of_an_article() -> None:
    rows = "".join(f"<tr><th>{n}</th><td>{SENTENCE * 2}</td></tr>" for n in range(9))
    more = "<h2>See also</h2><ul><li><a href=/lakes>Lakes</a></ul>"
    body = read(f"<main><h1>Rivers</h1><p>In short, water.</p><table>{rows}</table>{more}</main>", ARTICLE)
    assert "## See also" in body
    assert "/lakes" in body


def test_titles_of_any_rank_below_a_label_are_teasers() -> None:
    teasers = "".join(f"<h2><a href=/{n}>Elsewhere {n}</a></h2>" for n in range(3))
    body = read(
        f"<main><h1>Rivers</h1>{PROSE}<h3>Read also</h3>{teasers}<h2>The delta</h2><p>{SENTENCE}</p></main>", ARTICLE
    )
    assert "Elsewhere" not in body
    assert "## The delta" in body


def test_a_sites_name_and_motto_before_the_title_go_without_being_a_heading() -> None:
    banner = "<div><a href='https://s.example/'>Water Weekly</a> "
    banner += "All that you never knew about the waters of your valley and its hills</div>"
    html = f"<html><body>{banner}<h1>Rivers</h1>{PROSE}</body></html>"
    assert read_html(html.encode(), "https://s.example/rivers", "utf-8").body.startswith("# Rivers")


def test_what_teasers_say_below_their_headlines_is_not_the_prose_of_a_page() -> None:
    teasers = "".join(f"<div><h3><a href=/{n}>Elsewhere {n}</a></h3><p>{SENTENCE}</p></div>" for n in range(9))
    text = f"<h1>Rivers</h1><div class=text><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p></div>"
    body = read(f"<main><article>{text}</article><div class=foot>{teasers}</div></main>", ARTICLE)
    assert body.startswith("# Rivers")
    assert "Elsewhere" not in body
