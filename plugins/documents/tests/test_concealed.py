"""Text that a reader would not see, however it is written, is not in the body: Word, workbooks, chapters."""

from __future__ import annotations

import io
import zipfile

import pytest

from websearch_core import Page
from websearch_core.testing.cpu_time import within_cpu
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_core.testing.samples.archives import docx_parts, word_paragraph, zipped
from websearch_documents.epub.chapter import chapter
from websearch_documents.office.extractor import OfficeExtractor
from websearch_documents.office.hidden_text import without_concealed

SEEN = word_paragraph("Seen.")


async def office(body: bytes) -> Page:
    """The page of this file."""
    given = download("https://site.example/a", body, media_type="application/x-ooxml")
    return await OfficeExtractor(InProcessWorkers()).extract(given)


STYLES = (
    '<w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Heir"><w:basedOn w:val="Gone"/></w:style>'
    '<w:style w:type="character" w:styleId="Pale"><w:rPr><w:color w:val="FEFEFE"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Night"><w:pPr><w:shd w:fill="000000"/></w:pPr>'
    '<w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>'
    '<w:style w:type="table" w:styleId="Dark"><w:tblStylePr><w:tcPr><w:shd w:fill="000000"/></w:tcPr></w:tblStylePr>'
    "</w:style>"
)


def word(body: str) -> bytes:
    """A document that begins with a text that is seen, and has styles of its own."""
    parts = docx_parts(SEEN + body)
    styles = str_of(parts["word/styles.xml"]).replace("</w:styles>", f"{STYLES}</w:styles>")
    return zipped({**parts, "word/styles.xml": styles})


PALE = word_paragraph("Also.", "", '<w:color w:val="FFFFFF"/>')
FILL = '<wps:spPr><a:solidFill><a:srgbClr val="{}"/></a:solidFill></wps:spPr>'
BOX = '<w:p><w:r><wps:wsp xmlns:wps="s" xmlns:a="a">{}<w:txbxContent>{}</w:txbxContent></wps:wsp></w:r></w:p>'


@pytest.mark.parametrize(
    ("around", "seen"),
    [
        (
            f'<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="1F4E79"/></w:tcPr>{PALE}</w:tc></w:tr></w:tbl>',
            True,
        ),
        (f'<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr><w:tc>{PALE}</w:tc></w:tr></w:tbl>', True),
        (f"<w:tbl><w:tr><w:tc>{PALE}</w:tc></w:tr></w:tbl>", False),
        (PALE.replace("<w:p>", '<w:p><w:pPr><w:shd w:val="clear" w:fill="000000"/></w:pPr>'), True),
        (PALE.replace("<w:p>", '<w:p><w:pPr><w:rPr><w:shd w:fill="000000"/></w:rPr></w:pPr>'), False),
        (word_paragraph("Also.", "Night"), True),
        (word_paragraph("Also.", "Night", '<w:shd w:fill="FFFFFF"/>'), False),
        (BOX.format(FILL.format("203040"), PALE), True),
        (BOX.format(FILL.format("FFFFFF"), PALE), False),
        (BOX.format("", PALE), True),
    ],
)
def test_white_text_is_seen_on_the_ground_of_what_it_stands_in(around: str, seen: bool) -> None:
    parts = archives_of(word(around))
    assert without_concealed(parts) == ("" if seen else "Also.")
    assert (b"Also." in parts["word/document.xml"]) == seen


def archives_of(body: bytes) -> dict[str, bytes]:
    """The archive's files."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    "properties",
    [
        "<w:vanish></w:vanish>",
        "<w:vanish w:val='1'/>",
        '<w:vanish w:val="&#49;" />',
        "<w:vanish><!-- a --></w:vanish>",
        "<w:specVanish/>",
        "<w:sz w:val='2'/>",
        "<w:sz\nw:val = '02'/>",
        "<w:color w:themeShade='FF' w:val='ffffff'></w:color>",
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="auto"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="FFFFFF"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="none"/>',
        '<w:color w:val="000080"/><w:shd w:val="clear" w:fill="000080"/>',
        '<w:vanish/><w:shd w:val="clear" w:fill="000080"/>',
        '<w:color w:val="000000" w:themeColor="background1"/>',
        '<w:color w:val="000000" w:themeColor="background1" w:themeShade="F2"/>',
        '<w:color w:val="000000" w:themeColor="text1" w:themeTint="01"/>',
        '<w:rStyle w:val="Gone"/>',
        '<w:rStyle w:val="Heir"/>',
        '<w:rStyle w:val="Pale"/>',
        '<w14:textFill xmlns:w14="w"><w14:noFill/></w14:textFill>',
    ],
)
async def test_a_hidden_run_is_apart_however_it_is_written(properties: str) -> None:
    page = await office(word(word_paragraph("SECRET", "", properties)))
    assert page.body == "Seen."
    assert page.hidden == "SECRET"


@pytest.mark.parametrize(
    "properties",
    [
        "<w:vanish w:val='0'/>",
        "<w:sz w:val='20'/>",
        '<w:rPrChange w:id="1" w:author="a"><w:rPr><w:vanish/></w:rPr></w:rPrChange>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000080"/>',
        '<w:color w:val="FFFFFF" w:themeColor="text1"/>',
        '<w:color w:val="FFFFFF" w:themeColor="background1" w:themeShade="80"/>',
        '<w:color w:val="auto"/><w:shd w:val="clear" w:fill="000000"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="pct50" w:color="auto" w:fill="auto"/>',
        '<w:rStyle w:val="Heir"/><w:vanish w:val="0"/>',
        '<w:rStyle w:val="Nobody"/>',
        '<w14:textOutline xmlns:w14="w"><w14:noFill/></w14:textOutline>',
    ],
)
async def test_a_run_that_is_seen_stays(properties: str) -> None:
    page = await office(word(word_paragraph("Also.", "", properties)))
    assert page.body == "Seen.\n\nAlso."
    assert page.hidden == ""


@pytest.mark.parametrize("tag", ["<w:r\n>", "<w:r w:rsidR='>'>", "<w:r\t>"])
async def test_the_tag_of_a_run_may_hold_blanks(tag: str) -> None:
    parts = docx_parts(SEEN + word_paragraph("SECRET", "", "<w:vanish/>"))
    document = str_of(parts["word/document.xml"])
    first, last = document.rsplit("<w:r>", 1)
    page = await office(zipped({**parts, "word/document.xml": first + tag + last}))
    assert (page.body, page.hidden) == ("Seen.", "SECRET")


def test_another_encoding_and_another_prefix_hide_nothing() -> None:
    xml = '<d xmlns:x="m"><x:r><x:t>Sëen</x:t></x:r><x:r><x:rPr><x:vanish/></x:rPr><x:t>SECRET</x:t></x:r>.</d>'
    parts = {"word/document.xml": f'<?xml version="1.0" encoding="UTF-16"?>{xml}'.encode("utf-16")}
    assert without_concealed(parts) == "SECRET"
    assert parts["word/document.xml"].decode("utf-16").endswith("<x:r><x:t>Sëen</x:t></x:r>.</d>")


def test_a_white_run_that_holds_a_drawing_loses_only_its_own_text() -> None:
    mark = "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>Seen</w:t></w:r></w:p>"
    run = f'<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>SECRET</w:t>{mark}</w:r>'
    parts = {"word/document.xml": f'<d xmlns:w="m">{run}</d>'.encode()}
    assert without_concealed(parts) == "SECRET"
    assert b"Seen" in parts["word/document.xml"]
    assert b"SECRET" not in parts["word/document.xml"]


@pytest.mark.parametrize(
    "sheet",
    [
        '<sheet name="B" sheetId="2" r:id="rId2" state="hidden"></sheet>',
        "<sheet name='a>b' state='veryHidden' sheetId='2' r:id='rId2'/>",
        '<x:sheet xmlns:x="m" state="hidden" name="B"/>',
    ],
)
def test_a_hidden_sheet_is_cut_however_it_is_written(sheet: str) -> None:
    seen = '<sheet name="A" state="visible" r:id="rId1"/>'
    parts = {"xl/workbook.xml": f'<sheets xmlns:r="o">{seen}{sheet}</sheets>'.encode()}
    without_concealed(parts)
    assert parts["xl/workbook.xml"] == f'<sheets xmlns:r="o">{seen}</sheets>'.encode()


def test_what_looks_like_many_sheets_takes_linear_time() -> None:
    parts = {"xl/workbook.xml": b"<sheets><!--" + b'<sheet state="hidden" ' * 30_000 + b"--></sheets>"}
    within_cpu(5, lambda: without_concealed(dict(parts)))


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;left:-9999px",
        "text-indent: -9999px",
        "position:absolute; clip: rect(0, 0, 0, 0)",
        "clip-path:inset(50%)",
        "height:0;overflow:hidden",
        "display:none;background:red",
        "display:/**/none",
        "color:#fff;background:none",
        "opacity:0!important",
    ],
)
def test_text_that_a_book_puts_out_of_sight_is_hidden(style: str) -> None:
    hidden: list[str] = []
    page = f'<html><body><p>Seen.</p><p style="{style}">SECRET</p></body></html>'
    assert chapter(page.encode(), hidden) == "Seen."
    assert hidden == ["SECRET"]


@pytest.mark.parametrize(
    "style", ["text-indent:-2em", "height:1em;overflow:hidden", "color:#fff;background: #000", "line-height:0;left:0"]
)
def test_text_that_a_book_shows_stays(style: str) -> None:
    assert chapter(f'<html><body><p style="{style}">Seen.</p></body></html>'.encode(), []) == "Seen."


def str_of(content: bytes | str) -> str:
    """The text of a part."""
    return content if isinstance(content, str) else content.decode()


async def test_hidden_rows_of_a_table_are_left_out() -> None:
    row = "<w:tr>{}<w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    hidden = row.format("<w:trPr><w:hidden/></w:trPr>", word_paragraph("Secret"), word_paragraph("words"))
    shown = row.format('<w:trPr><w:hidden w:val="0"/></w:trPr>', word_paragraph("Seen"), word_paragraph("too"))
    page = await office(word(f"<w:tbl>{shown}{hidden}{shown}</w:tbl>"))
    assert "Secret" not in page.body
    assert page.body.count("| Seen | too |") == 2
    assert page.hidden == "Secret words"
