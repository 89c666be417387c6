"""Word: what an item is called stands before it, and a link leads to its place in a page."""

from __future__ import annotations

import pytest

from websearch_core.testing.fakes import download
from websearch_core.testing.samples.archives import docx_parts, zipped
from websearch_documents.epub.chapter import chapter
from websearch_documents.office.extractor import read_office

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_LINKED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"


def item(text: str, level: int = 0) -> str:
    """A paragraph in the list."""
    about = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="7"/></w:numPr>'
    return f"<w:p><w:pPr>{about}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def listed(items: str, *levels: tuple[str, str], look: str = "") -> str:
    """The Markdown of these items, whose levels have these formats and texts, and a look."""
    parts = docx_parts(items)
    told = "".join(
        f'<w:lvl w:ilvl="{deep}"><w:start w:val="1"/><w:numFmt w:val="{written}"/><w:lvlText w:val="{text}"/>'
        f"{look}</w:lvl>"
        for deep, (written, text) in enumerate(levels)
    )
    parts["word/numbering.xml"] = (
        f'<w:numbering {_W}><w:abstractNum w:abstractNumId="3">{told}</w:abstractNum>'
        '<w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>'
    )
    return read_office(download("https://site.example/a", zipped(parts))).body


@pytest.mark.parametrize(
    ("level", "body"),
    [
        (("decimal", "%1."), "1. the Rhine\n2. the Loire"),
        (("bullet", "o"), "- the Rhine\n- the Loire"),
        (("lowerLetter", "(%1)"), "- (a) the Rhine\n- (b) the Loire"),
        (("upperRoman", "%1."), "- I. the Rhine\n- II. the Loire"),
        (("decimal", "Article %1 &amp;"), "- Article 1 & the Rhine\n- Article 2 & the Loire"),
        (("decimalZero", "%1"), "- 01 the Rhine\n- 02 the Loire"),
        (("hebrew1", "(%1)"), "- the Rhine\n- the Loire"),
    ],
)
def test_marks_that_no_markdown_list_has_are_text(level: tuple[str, str], body: str) -> None:
    assert listed(item("the Rhine") + item("the Loire"), level) == body


def test_marks_of_several_levels_count_on_and_begin_again() -> None:
    items = item("A") + item("B", 1) + item("C", 1) + item("D") + item("E", 1)
    body = listed(items, ("decimal", "%1."), ("decimal", "%1.%2"))
    assert body == "1. A\n   - 1.1 B\n   - 1.2 C\n2. D\n   - 2.1 E"


@pytest.mark.parametrize("look", ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>'])
def test_marks_that_may_not_be_seen_are_no_text(look: str) -> None:
    hidden = f"<w:rPr>{look}</w:rPr>"
    assert "SECRET" not in listed(item("the Rhine"), ("decimal", "SECRET %1"), look=hidden)
    unseen = item("the Rhine").replace("</w:pPr>", f"{hidden}</w:pPr>")
    assert "SECRET" not in listed(unseen, ("decimal", "SECRET %1"))


def test_a_link_leads_to_the_place_that_stands_beside_its_address() -> None:
    links = "".join(
        f'<w:p><w:hyperlink r:id="rId9"{anchor}><w:r><w:t>{text}</w:t></w:r></w:hyperlink></w:p>'
        for text, anchor in (("whole", ""), ("place", ' w:anchor="part two"'))
    )
    parts = docx_parts(links)
    relation = f'<Relationship Id="rId9" Type="{_LINKED}" Target="https://a.example/x" TargetMode="External"/>'
    relations = str(parts["word/_rels/document.xml.rels"])
    parts["word/_rels/document.xml.rels"] = relations.replace("</Relationships>", f"{relation}</Relationships>")
    body = read_office(download("https://site.example/a", zipped(parts))).body
    assert "[whole](https://a.example/x)" in body
    assert "[place](https://a.example/x#part%20two)" in body


def field(code: str, text: str = "here") -> str:
    """The runs of a field, as Word writes them; its code is in two pieces."""
    half = len(code) // 2
    codes = "".join(f"<w:r><w:instrText>{piece}</w:instrText></w:r>" for piece in (code[:half], code[half:]))
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return f"{begin}{codes}{separate}<w:r><w:t>{text}</w:t></w:r>{end}"


def fields(*runs: str) -> str:
    """The Markdown of a paragraph of them."""
    return read_office(download("https://site.example/a", zipped(docx_parts(f"<w:p>{''.join(runs)}</w:p>")))).body


@pytest.mark.parametrize(
    ("code", "target"),
    [
        (' HYPERLINK "https://a.example/x?y=1&amp;z=2" ', "https://a.example/x?y=1&z=2"),
        ('HYPERLINK "https://a.example/" \\l "part two" \\o "a hint"', "https://a.example/#part%20two"),
    ],
)
def test_a_link_that_is_written_as_a_field_keeps_its_address(code: str, target: str) -> None:
    plain = "<w:r><w:t xml:space='preserve'> or </w:t></w:r>"
    assert fields(field(code), plain, field(code, "there")) == f"[here]({target}) or [there]({target})"
    inline = code.replace('"', "&quot;")
    assert fields(f'<w:fldSimple w:instr="{inline}"><w:r><w:t>here</w:t></w:r></w:fldSimple>') == f"[here]({target})"


@pytest.mark.parametrize(
    "runs",
    [
        field(' HYPERLINK \\l "place" '),
        field(" PAGEREF here "),
    ],
)
def test_other_fields_keep_their_text(runs: str) -> None:
    assert fields(runs, "<w:r><w:t> and on</w:t></w:r>") == "here and on"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("snake_case_name", "snake_case_name"),
        ("+3 dB and 2 * 3, ~5", "+3 dB and 2 * 3, ~5"),
        ("- no item", "\\- no item"),
        ("*no emphasis*", "\\*no emphasis\\*"),
        ("<code>a\\_b</code>", "`a\\_b`"),
        ("<pre>a\\_b\n+ c</pre>", "```\na\\_b\n+ c\n```"),
    ],
)
def test_a_book_has_only_the_escapes_that_keep_its_meaning(said: str, written: str) -> None:
    assert chapter(f"<html><body><div>{said}</div></body></html>".encode(), []) == written
