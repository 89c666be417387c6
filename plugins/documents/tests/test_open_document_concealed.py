"""Text that an OpenDocument does not show, and text that begins like markup."""

from __future__ import annotations

import pytest

from websearch_core import Page
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import zipped
from websearch_documents.open_document.extractor import OpenDocumentExtractor

from .test_concealed import archives_of


async def odt(text: str, styles: str = "") -> str:
    """The body of a document with this text and these styles of its own."""
    return (await odt_page(text, styles)).body


async def odt_page(text: str, styles: str = "") -> Page:
    """Its page."""
    body = archives.odt(text)
    if styles:
        parts = archives_of(body)
        names = (("style", "style"), ("s", "style"), ("draw", "draw"), ("fo", "xsl-fo-compatible"))
        spaces = " ".join(f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for p, name in names)
        named = f"<office:automatic-styles {spaces}>{styles}</office:automatic-styles><office:body {spaces}>"
        content = parts["content.xml"].decode().replace("<office:body>", named, 1)
        body = zipped({**parts, "content.xml": content})
    given = download("https://site.example/a", body, media_type="application/vnd.oasis.opendocument.text")
    return await OpenDocumentExtractor(InProcessWorkers()).extract(given)


async def test_a_hidden_style_of_an_open_document_hides() -> None:
    hides = '<style:text-properties text:display="none"/></style:style>'
    styles = (
        f'<style:style style:name="T1" style:family="text">{hides}'
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="P0"/>'
        f'<style:style style:name="P0" style:family="paragraph">{hides}'
    )
    text = (
        '<text:p text:style-name="T1">Seen<text:span text:style-name="T1">SECRET</text:span>.</text:p>'
        '<text:p text:style-name="P1">SECRET</text:p><text:section text:display="none"><text:p>SECRET</text:p>'
        "</text:section>"
    )
    assert await odt(text, styles) == "Seen."


def open_style(name: str, family: str, properties: str, kind: str = "text") -> str:
    """A style of its own."""
    said = f"<style:{kind}-properties {properties}/>"
    return f'<style:style style:name="{name}" style:family="{family}">{said}</style:style>'


INKS = (
    open_style("White", "text", 'fo:color="#ffffff"')
    + open_style("Tiny", "text", 'fo:font-size="1pt"')
    + open_style("Blue", "text", 'fo:color="#000080" fo:background-color="#000080"')
    + open_style("Pale", "paragraph", 'fo:color="#fefefe"')
    + open_style("Night", "paragraph", 'fo:background-color="#000000"', "paragraph")
    + open_style("Dark", "table-cell", 'fo:background-color="#000000"', "table-cell")
    + open_style("Plain", "text", 'fo:font-weight="bold"')
    + open_style("Black", "text", 'fo:color="#000000"')
)
SPAN = '<text:p{}><text:span text:style-name="{}">{}</text:span></text:p>'
CELL = "<table:table><table:table-row><table:table-cell{}>{}</table:table-cell></table:table-row></table:table>"


@pytest.mark.parametrize(
    "text",
    [
        SPAN.format("", "White", "SECRET"),
        SPAN.format("", "Tiny", "SECRET"),
        SPAN.format("", "Blue", "SECRET"),
        SPAN.format(' text:style-name="Pale"', "Plain", "SECRET"),
        SPAN.format(' text:style-name="Night"', "Black", "SECRET"),
        CELL.format("", SPAN.format("", "White", "SECRET")),
    ],
)
async def test_text_that_nobody_sees_in_an_open_document_is_apart(text: str) -> None:
    page = await odt_page(f"<text:p>Seen.</text:p>{text}", INKS)
    assert page.body.removesuffix("\n\n|  |\n| --- |") == "Seen."
    assert page.hidden == "SECRET"


@pytest.mark.parametrize("size", ["0.02cm", "0.01in", ".5mm", "1px", "1%", ".5pt", "0pt", "2.5pt", "0.1pc"])
async def test_a_size_may_have_any_unit(size: str) -> None:
    style = open_style("A", "text", f'fo:font-size="{size}"')
    assert await odt(SPAN.format("", "A", "SECRET"), style) == ""


@pytest.mark.parametrize("size", ["0.4cm", "1in", "80%", "12px", "3pt", "large"])
async def test_a_size_that_is_read_stays(size: str) -> None:
    style = open_style("A", "text", f'fo:font-size="{size}"')
    assert await odt(SPAN.format("", "A", "Also"), style) == "Also"


@pytest.mark.parametrize("prefix", ["s", "style"])
async def test_the_prefixes_of_names_are_the_files_own(prefix: str) -> None:
    style = open_style("A", "text", 'x:display="none"').replace("style:", f"{prefix}:")
    spaced = style.replace("-properties ", '-properties xmlns:x="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ')
    assert await odt(SPAN.format("", "A", "SECRET"), spaced) == ""


@pytest.mark.parametrize(
    ("family", "kind", "said"),
    [
        ("paragraph", "text", 'fo:color="#ffffff"'),
        ("paragraph", "text", 'fo:font-size="1px"'),
        ("text", "text", 'fo:color="#ffffff"'),
    ],
)
async def test_what_has_no_style_looks_as_the_default_style_says(family: str, kind: str, said: str) -> None:
    usual = f'<style:default-style style:family="{family}"><style:{kind}-properties {said}/></style:default-style>'
    seen = open_style("A", "text", 'fo:color="#000000" fo:font-size="12pt"')
    page = await odt_page(f"<text:p>SECRET</text:p>{SPAN.format('', 'A', 'Also')}", seen + usual)
    assert (page.body, page.hidden) == ("Also", "SECRET")


@pytest.mark.parametrize(
    "text",
    [
        SPAN.format("", "Plain", "Also"),
        SPAN.format(' text:style-name="Night"', "White", "Also"),
        SPAN.format(' text:style-name="Pale"', "Black", "Also"),
        CELL.format(' table:style-name="Dark"', SPAN.format("", "White", "Also")),
        f"<text:p><draw:frame><draw:text-box>{SPAN.format('', 'White', 'Also')}</draw:text-box></draw:frame></text:p>",
    ],
)
async def test_text_that_is_seen_in_an_open_document_stays(text: str) -> None:
    page = await odt_page(f"<text:p>Seen.</text:p>{text}", INKS)
    assert "Also" in page.body
    assert page.hidden == ""


async def test_white_text_on_a_dark_page_is_seen() -> None:
    page = '<style:page-layout><style:page-layout-properties fo:background-color="#101010"/></style:page-layout>'
    assert await odt(SPAN.format("", "White", "Also"), INKS + page) == "Also"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("1. a", "1\\. a"),
        ("&gt; a", "\\> a"),
        ("---", "\\---"),
        ("1.5 #a", "1.5 #a"),
    ],
)
async def test_what_begins_like_markup_is_text(said: str, written: str) -> None:
    assert await odt(f"<text:p>{said}</text:p>") == written


async def test_text_around_a_note_stays() -> None:
    note = "<text:note><text:note-body><text:p>Note.</text:p></text:note-body></text:note>"
    assert await odt(f"<text:p>Before{note} after.</text:p><text:p>Next.</text:p>") == "Before after.\n\nNote.\n\nNext."
