"""A name is a hint: sections of the text stay whatever they are called, and what goes is named in a note."""

from __future__ import annotations

import pytest

from websearch_web.html.content.omitted_sections import MAX_CHARS, MAX_NAMES
from websearch_web.html.page_reader import HtmlContent, read_html

SENTENCE = "Rivers find their way to the sea, and on that way they carry what the mountains gave them. "
PROSE = "".join(f"<p>Part {n}. {SENTENCE * 3}</p>" for n in range(6))
NAMES = (
    *(
        "select-related",
        "sql-for-update-share",
        "filter",
        "comments",
        "login",
        "pagination",
        "cookie-objects",
        "banner",
    ),
    *("sharing-memory", "modal-dialogs", "related-objects", "menu", "tags", "sort", "sidebar", "newsletter", "ads"),
    *(
        "navigation",
        "breadcrumbs",
        "social",
        "toolbar",
        "footer",
        "rating",
        "reviews",
        "widgets",
        "categories",
        "copyright",
    ),
)
CALLED = ("Comments", "Filter", "Share", "Subscribe", "Tags", "Sorting", "Labels", "Print", "Contents")
CODE = "<pre>SELECT 1;</pre>"


def read(body: str) -> HtmlContent:
    """A page of this body."""
    return read_html(f"<html><body>{body}</body></html>".encode(), "https://site.example/rivers", "utf-8")


@pytest.mark.parametrize("attribute", ["id", "class"])
@pytest.mark.parametrize("name", NAMES)
def test_a_section_with_heading_and_prose_stays_whatever_it_is_called(name: str, attribute: str) -> None:
    section = f"<section {attribute}='{name}'><h2>How it works</h2><p>Unmistakable. {SENTENCE}</p></section>"
    reading = read(f"<main><h1>Rivers</h1>{PROSE}{section}</main>")
    assert "## How it works\n\nUnmistakable." in reading.body
    assert not reading.notes


@pytest.mark.parametrize("attribute", ["id", "class"])
@pytest.mark.parametrize("name", NAMES)
def test_code_stays_whatever_its_block_is_called(name: str, attribute: str) -> None:
    reading = read(f"<main><h1>Rivers</h1>{PROSE}<div {attribute}='{name}'>{CODE}</div></main>")
    assert "SELECT 1;" in reading.body


@pytest.mark.parametrize("name", NAMES)
def test_a_heading_or_a_definition_with_such_an_id_stays(name: str) -> None:
    text = (
        f"<h2 id='{name}'>How it works</h2><p>{SENTENCE}</p><dl><dt id='{name}-2'>Term<dd class='{name}'>Meaning.</dl>"
    )
    body = read(f"<main><h1>Rivers</h1>{PROSE}{text}</main>").body
    assert "## How it works" in body
    assert "Term" in body
    assert "Meaning." in body


@pytest.mark.parametrize("label", CALLED)
@pytest.mark.parametrize("end", [f"<p>{SENTENCE * 2}</p>", f"<p>Run:</p>{CODE}"])
def test_a_chapter_about_such_a_thing_stays(label: str, end: str) -> None:
    section = f"<section id='{label.lower()}'><h2>{label}</h2>{end}</section>"
    for chapter in (section, f"<h2>{label}</h2>{end}"):
        body = read(f"<main><h1>Rivers</h1>{PROSE}{chapter}<h2>Other</h2><p>{SENTENCE}</p></main>").body
        assert f"## {label}\n\n" in body
        assert body.count("find their way") == 19 + end.count("find their way")


@pytest.mark.parametrize(
    "aside",
    [
        "<div class=sidebar><p class=title><b>Beside</b></p>{}</div>",
        "<aside class=sidebar><p class='sidebar-title'>Beside</p>{}</aside>",
        "<aside><h3>Beside</h3>{}</aside>",
        "<aside class='footnote-list brackets'><aside role='doc-footnote' class=footnote>{}</aside></aside>",
    ],
)
def test_sidebars_and_footnotes_of_the_text_stay(aside: str) -> None:
    beside = aside.format(f"<p>{SENTENCE}</p>")
    body = read(f"<main><h1>Rivers</h1>{PROSE}{beside}<p>After.</p></main>").body
    assert body.count("find their way") == 19


def test_what_is_left_out_is_named() -> None:
    cards = "".join(f"<div class=card><h3><a href=/{n}>Elsewhere {n}</a></h3></div>" for n in range(3))
    comments = "<section id=comments><h2>Comments (2)</h2><ol><li class=comment>First!</li></ol></section>"
    reading = read(f"<main><h1>Rivers</h1>{PROSE}<div><h2>Related articles</h2>{cards}</div>{comments}</main>")
    assert reading.notes == ("Left out: “Related articles”, “Comments (2)”.",)
    assert "Elsewhere" not in reading.body
    assert "First!" not in reading.body


def test_the_names_of_what_is_left_out_are_few_and_short() -> None:
    navs = "".join(f"<nav><h2>Menu {n} {'x' * 500}</h2></nav>" for n in range(40))
    note = read(f"{navs}<main><h1>Rivers</h1>{PROSE}</main>").notes[0]
    assert note.count("“") == MAX_NAMES
    assert "and 32 more" in note
    assert len(note) < MAX_NAMES * (MAX_CHARS + 4) + 40


def test_a_title_that_stands_beside_the_content_is_not_called_left_out() -> None:
    reading = read(f"<header><h2>Rivers</h2></header><main><h1>Rivers</h1>{PROSE}</main>")
    assert not reading.notes


@pytest.mark.parametrize(
    "part",
    [
        "<div class='modal-logic'><p>Unmistakable: it is possible that p.</p></div>",
        "<div class='copyright-law'><p>Unmistakable, a work is protected.</p></div>",
        "<div class='sidebar'><p>Unmistakable, the text of a box.</p></div>",
        "<aside><p>Unmistakable: the minister left in 2019.</p></aside>",
        "<header><p>Unmistakable, what is to be said first.</p></header>",
    ],
)
def test_a_sentence_between_the_paragraphs_of_a_text_stays_whatever_it_is_called(part: str) -> None:
    body = read(f"<main><h1>Rivers</h1>{PROSE}{part}{PROSE}</main>").body
    assert "Unmistakable" in body


@pytest.mark.parametrize(
    "part",
    [
        "<div class='sidebar'><p>Unmistakable. Read <a href=/1>this</a>.</p></div>",
        "<div class='modal'><p>Unmistakable. Tell us who you are.</p><form><input></form></div>",
        "<div class='fade modal'><p>Unmistakable. Please choose before you go on.</p></div>",
        "<div class='cookie-notice'><p>Unmistakable. We use cookies.</p></div>",
        "<aside><time>2019</time><p>Unmistakable. A teaser.</p></aside>",
    ],
)
def test_what_is_called_furniture_and_is_there_to_be_followed_or_filled_in_goes(part: str) -> None:
    assert "Unmistakable" not in read(f"<main><h1>Rivers</h1>{PROSE}{part}{PROSE}</main>").body


def test_each_section_of_a_part_that_goes_in_one_piece_is_named() -> None:
    teaser = "<h3><a href=/1>Elsewhere</a></h3><h4>Small print</h4>"
    part = f"<footer><h2>Offices</h2><p>Here.</p><h3>Opening hours</h3><p>Never.</p>{teaser}</footer>"
    assert read(f"<main><h1>Rivers</h1>{PROSE}{part}</main>").notes == ("Left out: “Offices”, “Opening hours”.",)
