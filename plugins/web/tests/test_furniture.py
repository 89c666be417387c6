"""What stands around a text without being named: teasers after an article, lines of navigation, lists of headings."""

from __future__ import annotations

import pytest

from websearch_web.html.read import read_html

SENTENCE = "Rivers find their way to the sea, and on that way they carry what the mountains gave them. "
PROSE = "".join(f"<p>Part {n}. {SENTENCE * 3}</p>" for n in range(6))
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


def test_a_list_of_the_headings_of_the_page_goes_and_lists_of_other_pages_stay() -> None:
    contents = "<ul>" + "".join(f"<li><a href='#h{n}'>Chapter {n}</a></li>" for n in range(4)) + "</ul>"
    others = "<ul>" + "".join(f"<li><a href='/h{n}'>Volume {n}</a></li>" for n in range(4)) + "</ul>"
    explained = "<ul>" + "".join(f"<li><a href='#x{n}'>Word</a> means this and that</li>" for n in range(4)) + "</ul>"
    body = read(f"<h1>Rivers</h1>{contents}{others}{explained}{PROSE}")
    assert "Chapter" not in body
    assert body.count("Volume") == 4
    assert body.count("means this and that") == 4


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
