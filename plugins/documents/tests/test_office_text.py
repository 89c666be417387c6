"""What an Office document says is shown whole: lines, links, slides without what stands on all of them."""

from __future__ import annotations

import io
import zipfile

import pytest

from websearch_core.testing.fakes import download
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import docx_parts, word_paragraph, zipped
from websearch_documents.office.extractor import read_office

_HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"


def word(body: str, target: str = "https://a.example/") -> str:
    """The Markdown of this WordprocessingML; `target`, as XML writes it, is where `r:id="rId9"` leads."""
    parts = docx_parts(body)
    relations = str(parts["word/_rels/document.xml.rels"])
    link = f'<Relationship Id="rId9" Type="{_HYPERLINK}" Target="{target}" TargetMode="External"/></Relationships>'
    parts["word/_rels/document.xml.rels"] = relations.replace("</Relationships>", link)
    return read_office(download("https://site.example/a", zipped(parts))).body


def run(text: str) -> str:
    """A run of WordprocessingML."""
    return f"<w:r>{text}</w:r>"


def test_a_line_break_parts_words() -> None:
    lines = run("<w:t>one</w:t><w:br/><w:t>two</w:t><w:cr/><w:t>three</w:t>")
    assert word(f"<w:p>{lines}</w:p>") == "one  \ntwo  \nthree"
    heading = f'<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr>{lines}</w:p>'
    assert word(heading + word_paragraph("Text.")) == "## one two three\n\nText."


def test_headings_keep_their_level() -> None:
    parts = docx_parts("".join(word_paragraph(f"H{n}", f"Heading{n}") for n in range(1, 7)))
    names = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/>'
        f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr></w:style>'
        for n in (4, 5, 6)
    )
    parts["word/styles.xml"] = str(parts["word/styles.xml"]).replace("</w:styles>", f"{names}</w:styles>")
    page = read_office(download("https://site.example/a", zipped(parts)))
    assert [heading.level for heading in page.outline] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("https://a.example/?b=1&amp;c=2", "https://a.example/?b=1&c=2"),
        ("https://a.example/?b=1&#38;c=(2)&amp;d=a_b*c", "https://a.example/?b=1&c=(2)&d=a_b*c"),
        ("https://a.example/?b=&lt;1&gt;&amp;amp;", "https://a.example/?b=%3C1%3E&amp;"),
        ("https://a.example/it&apos;s", "https://a.example/it's"),
    ],
)
def test_a_link_leads_where_the_document_says(written: str, address: str) -> None:
    link = f'<w:p><w:hyperlink r:id="rId9">{run("<w:t>here</w:t>")}</w:hyperlink></w:p>'
    assert word(link, written) == f"[here]({address})"


def test_what_follows_a_bracket_is_text() -> None:
    said = r"Of a\[i\](x) and \[1\](see below)."
    assert word(word_paragraph("Of a[i](x) and [1](see below).")) == said


LISTS = """<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum>
<w:num w:numId="4"><w:abstractNumId w:val="1"/></w:num></w:numbering>"""


def test_a_list_may_come_from_a_style() -> None:
    parts = docx_parts(
        word_paragraph("Rivers", "Heading1")
        + word_paragraph("the Rhine", "Listed")
        + word_paragraph("its falls", "Deeper")
        + word_paragraph("the Loire", "Listed")
    )
    styles = (
        '<w:style w:type="paragraph" w:styleId="Listed"><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr>'
        "</w:style>"
        '<w:style w:type="paragraph" w:styleId="Deeper"><w:basedOn w:val="Listed"/>'
        '<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
    )
    parts["word/styles.xml"] = str(parts["word/styles.xml"]).replace("</w:styles>", styles)
    parts["word/numbering.xml"] = LISTS
    body = read_office(download("https://site.example/a", zipped(parts))).body
    assert body == "# Rivers\n\n1. the Rhine\n   - its falls\n2. the Loire"


def test_a_line_break_in_a_cell_is_a_blank() -> None:
    cell = f"<w:tc><w:p>{run('<w:t>a</w:t><w:br/><w:t>b</w:t>')}</w:p></w:tc>"
    assert word(f"<w:tbl><w:tr>{cell}{cell}</w:tr></w:tbl>").startswith("| a b | a b |")


def test_equations_that_are_left_out_are_told() -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    body = f"<w:p><m:oMath {math}><m:r><m:t>x</m:t></m:r></m:oMath>{run('<w:t>Text.</w:t>')}</w:p>"
    page = read_office(download("https://site.example/a", zipped(docx_parts(body))))
    assert (page.body, page.notes) == ("Text.", ("equations are left out",))


def test_moved_text_stands_where_it_was_moved_to() -> None:
    body = (
        f'<w:p><w:moveFrom w:id="1">{run("<w:t>sentence</w:t>")}</w:moveFrom>{run("<w:t>Before.</w:t>")}</w:p>'
        f'<w:p>{run("<w:t>After: </w:t>")}<w:moveTo w:id="2">{run("<w:t>sentence</w:t>")}</w:moveTo></w:p>'
    )
    assert word(body) == "Before.\n\nAfter: sentence"


def test_the_number_and_the_foot_of_each_slide_are_left_out() -> None:
    body = archives.pptx([("Rivers", ["one"])])
    extra = "".join(
        f'<p:sp><p:nvSpPr><p:cNvPr id="9" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}" idx="9"/></p:nvPr>'
        f"</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        for kind, text in (("sldNum", "7"), ("ftr", "Confidential"), ("dt", "5 May"))
    )
    page = read_office(download("https://site.example/a", changed(body, "ppt/slides/slide1.xml", extra)))
    assert page.body == "[slide 1]\n\n## Rivers\n\none"
    assert not page.notes


@pytest.mark.parametrize(
    "target", ["javascript:a(1)", "javascript:a(1)(2)", "data:x,a(b(c))", "javascript:" + "a" * 3000]
)
def test_a_script_is_no_link_however_it_is_written(target: str) -> None:
    link = f'<w:p><w:hyperlink r:id="rId9">{run("<w:t>here</w:t>")}</w:hyperlink></w:p>'
    assert "](" not in word(link, target)


@pytest.mark.parametrize("title", ["R &amp; S &#228;", "<![CDATA[R & S ä]]>"])
def test_a_title_is_read_however_xml_writes_it(title: str) -> None:
    parts = docx_parts(word_paragraph("Text."))
    core = str(parts["docProps/core.xml"]).replace("Of Rivers", title).replace("dc:", "d:")
    page = read_office(download("https://site.example/a", zipped({**parts, "docProps/core.xml": core})))
    assert (page.title, page.author) == ("R & S ä", "Ann Lee")


def changed(body: bytes, part: str, shapes: str) -> bytes:
    """The same slides with more shapes on one of them."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        parts: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = bytes(parts[part]).decode().replace("</p:spTree>", f"{shapes}</p:spTree>")  # type: ignore[arg-type]
    return zipped(parts)
