"""Books and OpenDocument texts to Markdown."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from websearch_core import Page
from websearch_core.kit import UnexpectedResponse, Unsupported
from websearch_core.testing.cpu_time import within_cpu
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import epub_parts, zipped
from websearch_documents.epub.extractor import EpubExtractor
from websearch_documents.open_document.extractor import OpenDocumentExtractor


async def book(body: bytes) -> Page:
    """The page of this book."""
    given = download("https://site.example/a", body, media_type="application/epub+zip")
    return await EpubExtractor(InProcessWorkers()).extract(given)


async def odt(text: str) -> Page:
    """The page of a document with this text."""
    given = download("https://site.example/a", archives.odt(text), media_type="application/vnd.oasis.opendocument.text")
    return await OpenDocumentExtractor(InProcessWorkers()).extract(given)


async def test_chapters_come_in_the_order_of_the_spine() -> None:
    page = await book(archives.epub({"z.xhtml": "<h1>One</h1><p>First.</p>", "a.xhtml": "<h1>Two</h1><p>Second.</p>"}))
    assert page.body == "# One\n\nFirst.\n\n# Two\n\nSecond."


async def test_the_package_says_what_book_it_is() -> None:
    page = await book(archives.epub({"a.xhtml": "<p>Text.</p>"}, title="Of Rivers", author="Ann Lee"))
    assert (page.title, page.author, page.language) == ("Of Rivers", "Ann Lee", "en")
    assert (page.published, page.published_from) == (datetime(2025, 3, 4, tzinfo=UTC), "file")


async def test_links_within_the_book_become_text_and_pictures_their_description() -> None:
    page = await book(
        archives.epub(
            {
                "a.xhtml": '<p><a href="b.xhtml#x">Next</a>, <a href="https://b.example/">away</a>, '
                '<a href="javascript:x">x</a></p>'
                '<p><img src="i.png" alt="A river"/><img src="j.png"/></p><script>SECRET</script>'
            }
        )
    )
    assert page.body == "Next, [away](https://b.example/), x\n\n\\[picture: A river\\]"
    assert page.links == ("https://b.example/",)


async def test_text_beyond_the_main_order_is_left_out() -> None:
    parts = epub_parts({"a.xhtml": "<p>Seen.</p>", "b.xhtml": "<p>Aside.</p>"})
    package = str(parts["OEBPS/book.opf"]).replace('<itemref idref="c1"/>', '<itemref idref="c1" linear="no"/>')
    assert (await book(zipped({**parts, "OEBPS/book.opf": package}))).body == "Seen."


async def test_a_locked_book_and_a_broken_one_say_so() -> None:
    parts = epub_parts({"a.xhtml": "<p>x</p>"})
    lock = "<encryption xmlns:e='http://e'><e:CipherReference URI='OEBPS/text/a.xhtml'/></encryption>"
    with pytest.raises(Unsupported, match="DRM"):
        await book(zipped({**parts, "META-INF/encryption.xml": lock}))
    with pytest.raises(UnexpectedResponse, match="package document"):
        await book(zipped({"mimetype": "application/epub+zip"}))


async def test_a_font_that_is_locked_does_not_lock_the_book() -> None:
    parts = epub_parts({"a.xhtml": "<p>Text.</p>"})
    lock = "<encryption xmlns:e='http://e'><e:CipherReference URI='OEBPS/font.otf'/></encryption>"
    assert (await book(zipped({**parts, "META-INF/encryption.xml": lock}))).body == "Text."


async def test_an_open_document_keeps_its_structure() -> None:
    page = await odt(
        '<text:h text:outline-level="1">Rivers</text:h><text:p>Two<text:s text:c="3"/>words, '
        "<text:span>*one*</text:span><text:line-break/>line.</text:p><text:list><text:list-item><text:p>one</text:p><text:list><text:list-item>"
        "<text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list><table:table><table:table-row>"
        "<table:table-cell><text:p>a</text:p><text:p>|</text:p></table:table-cell></table:table-row></table:table>"
    )
    assert page.body == "# Rivers\n\nTwo words, \\*one\\* line.\n\n- one\n  - deep\n\n| a \\| |\n| --- |"
    assert (page.title, page.author) == ("Of Rivers", "Ann Lee")


async def test_deleted_text_and_comments_are_kept_apart() -> None:
    page = await odt(
        "<text:tracked-changes><text:p>SECRET</text:p></text:tracked-changes>"
        "<text:p>Seen<office:annotation><text:p>SECRET</text:p></office:annotation>.</text:p>"
    )
    assert page.body == "Seen."
    assert page.hidden == "SECRET SECRET"


def styled(body: str, sheet: str = "", head: str = "") -> bytes:
    """A book of one chapter with a style sheet beside it."""
    parts = epub_parts({"a.xhtml": body})
    link = f'<link rel="stylesheet" href="../look.css"/>{head}</head>'
    chapter = str(parts["OEBPS/text/a.xhtml"]).replace("</head>", link)
    return zipped({**parts, "OEBPS/text/a.xhtml": chapter, "OEBPS/look.css": sheet})


UNSEEN = '<p>Seen.</p><div class="box"><p class="x" id="y">SECRET</p></div>'


@pytest.mark.parametrize(
    "sheet",
    [
        ".x { display: none }",
        "h1, p.x{visibility:hidden}",
        "/* a */ .box   >  #y { position: absolute; left: -9999px }",
        "@media screen { .x { color: #FFF } }",
        "a{color:red} .x{color:white;background:#fff} @font-face{src:url(x)}",
    ],
)
async def test_text_that_a_books_style_sheet_hides_is_apart(sheet: str) -> None:
    for given in (styled(UNSEEN, sheet), styled(UNSEEN, "", f"<style>{sheet}</style>")):
        page = await book(given)
        assert (page.body, page.hidden) == ("Seen.", "SECRET")


@pytest.mark.parametrize(
    ("link", "seen"),
    [
        ('rel="stylesheet"', True),
        ('rel="stylesheet" media="Screen"', True),
        ('rel="alternate stylesheet"', False),
        ('rel="stylesheet" media="print"', False),
    ],
)
async def test_only_a_sheet_that_every_reader_applies_counts(link: str, seen: bool) -> None:
    head = '<style>.x{color:#fff}</style><link href="../look.css"'
    page = await book(styled(UNSEEN, ".x{color:#000}", f"{head} {link}/>"))
    assert ("SECRET" in page.body) == seen


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print { .x { display: none } }",
        "@media amzn-mobi { .x { display: none } }",
        ".box { background: #000 } .x { color: #fff }",
        "body { background-color: navy } .x { color: #fff }",
        ".x { color: #fff } .x { color: #333 }",
        ".x:hover { display: none }",
        ".y { display: none }",
        ".x { border-color: #fff }",
    ],
)
async def test_text_that_a_books_style_sheet_shows_stays(sheet: str) -> None:
    page = await book(styled(UNSEEN.replace("SECRET", "Also."), sheet))
    assert (page.body, page.hidden) == ("Seen.\n\nAlso.", "")


@pytest.mark.parametrize(
    "style",
    [
        "/*" * 100_000,
        "clip:rect(0" + " " * 100_000 + "x",
        "a" + " " * 100_000 + "!{display:none}",
        "}" * 200_000,
        "transform:" + "a(" * 100_000,
        "background:" + "a" * 200_000,
        "color:rgb(" + "1 " * 100_000,
        "font-size:" + "1" * 200_000 + "px",
        "font:" + "1px/" * 50_000,
        "p{content:" + "'\\'" * 60_000,
        "p{background:" + "url(" * 60_000,
        ".a" * 100_000 + "{color:red}",
        "p>" * 100_000 + "{color:red}",
        "color:red;" * 20_000,
    ],
)
def test_no_style_takes_long(style: str) -> None:
    made = styled(f'<p>Seen.</p><p style="{style}">x</p>', style)
    within_cpu(5, lambda: asyncio.run(book(made)))


@pytest.mark.parametrize(
    ("sheet", "body"),
    [
        ("".join(f".a{n}{{background:red}}" for n in range(310)) + ".x{display:none}", UNSEEN),
        ("".join(f"p{{background:#{n:06x}}}" for n in range(280)), "<p>Seen.</p>" + "<p></p>" * 800 + "{}"),
        ("> p, p >, .{color:red} .x{display:none}", UNSEEN),
        ("\ufeff.x{display:none}", UNSEEN),
        (".x{color:#fff} .x{color:#333} .x{color:#fff}", UNSEEN),
        (".x{display:none}", UNSEEN.replace('"x"', '"&#120;"')),
    ],
)
async def test_no_number_of_other_rules_brings_hidden_text_into_the_body(sheet: str, body: str) -> None:
    page = await book(styled(body.format('<p style="display:none">SECRET</p>'), sheet))
    assert (page.body, page.hidden) == ("Seen.", "SECRET")
    assert page.notes == ()


@pytest.mark.parametrize(
    ("sheet", "head", "classes", "paragraphs"),
    [
        ("p{color:#333}" + " " * 300_000 + "}.x{display:none}", "", 1, 1),
        ("".join(f".a{n}{{color:#333}}" for n in range(20)), "", 20, 25_001),
        ("".join(f".a{n} p{{color:#333}}" for n in range(5000)), "", 5000, 100),
        ("", '<link rel="stylesheet" href="../look.css"/>' * 20, 1, 1),
    ],
)
def test_a_chapter_whose_styles_cannot_be_followed_is_left_out_and_a_note_says_so(
    sheet: str, head: str, classes: int, paragraphs: int
) -> None:
    named = " ".join(f"a{n}" for n in range(classes))
    made = styled(f'<p class="{named}">Text.</p>' * paragraphs, sheet, head)
    page = within_cpu(5, lambda: asyncio.run(book(made)))
    assert page.body == ""
    assert page.hidden.startswith("Text.")
    assert page.notes == ("1 chapters are left out: their style sheets are too long to tell what they show",)


def _row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def _odt_cell(text: str, about: str = "") -> str:
    return f"<table:table-cell {about}><text:p>{text}</text:p></table:table-cell>"


async def test_cells_of_an_odt_stay_in_their_columns() -> None:
    covered = "<table:covered-table-cell><text:p>SECRET</text:p></table:covered-table-cell>"
    page = await odt(
        "<table:table>"
        + _row(_odt_cell("a|b", 'table:number-columns-spanned="2"'), covered, _odt_cell("C"))
        + _row(_odt_cell("x", 'table:number-columns-repeated="2"'), _odt_cell("z"))
        + _row(_odt_cell("1"), _odt_cell("", 'table:number-columns-repeated="1024"'))
        + "</table:table><text:p>End.</text:p>"
    )
    assert page.body == "| a\\|b |  | C |\n| --- | --- | --- |\n| x | x | z |\n| 1 |  |  |\n\nEnd."
    assert page.hidden == "SECRET"


async def test_repeated_cells_of_an_odt_are_no_bomb() -> None:
    row = _row(_odt_cell("x" * 1000, 'table:number-columns-repeated="999999"'))
    page = await odt(f"<table:table>{row * 500}</table:table>")
    assert len(page.body) < 3_000_000


async def test_links_of_an_odt_lead_where_they_lead() -> None:
    link = '<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{0}">a [b]</text:a>'
    page = await odt(
        f"<text:p>See {link.format('https://a.example/?b=1&amp;c=(d e)')}, {link.format('#toc')} and "
        f"{link.format('javascript:x')} &lt;<text:span>b></text:span></text:p>"
    )
    here = "[a \\[b\\]](https://a.example/?b=1&c=%28d%20e%29)"
    assert page.body == f"See {here}, a \\[b\\] and a \\[b\\] \\<b>"
    assert page.links == ("https://a.example/?b=1&c=%28d%20e%29",)


async def test_exponents_indices_and_marks_of_notes_in_a_book_stand_apart() -> None:
    text = (
        '<p>E = mc<sup>2</sup>, H<sub>2</sub>O, x<sup>n-1</sup>, 1<sup>st</sup>, so<sup><a href="#n3">3</a></sup>.</p>'
    )
    page = await book(archives.epub({"a.xhtml": text}))
    assert page.body == "E = mc\u00b2, H\u2082O, x\u207f\u207b\u00b9, 1st, so\u00b3."
