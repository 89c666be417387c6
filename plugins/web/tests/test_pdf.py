"""PDF to Markdown: what is complete, what is marked, what is said where nothing can be read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from websearch_core import Page
from websearch_core.kit import TooLarge, UnexpectedResponse, Unsupported
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_core.testing.samples.pdf import PdfWriter, pages_of, pdf_of, stream
from websearch_web.pdf import engines
from websearch_web.pdf.document_reader import MAX_PAGES
from websearch_web.pdf.extractor import PdfExtractor

TEXT = "Rivers find their way to the sea, and carry what the mountains gave them."
LINE = b"BT /R 11 Tf 60 %d Td (%b) Tj ET "


async def page_of(body: bytes, **fields: Any) -> Page:
    """The page of this file."""
    given = download("https://site.example/a/b.pdf", body, media_type="application/pdf", **fields)
    return await PdfExtractor(InProcessWorkers()).extract(given)


def one_page(content: bytes, **objects: bytes) -> bytes:
    """A document of one page."""
    return pdf_of({**pages_of([content]), **{int(name[1:]): value for name, value in objects.items()}})


async def test_headings_lists_tables_and_code_are_what_they_look_like() -> None:
    writer = PdfWriter()
    writer.heading("Of Rivers")
    writer.paragraph(TEXT * 3)
    writer.heading("Lengths", 2)
    writer.bullets(["the Rhine", "the Loire"])
    writer.table([["River", "Length"], ["Rhine", "1233"], ["a|b", "<i>"]])
    writer.heading("Code", 2)
    writer.code(["def flow(river):", "    if river.dry:", "        return None", "    return `river`"])
    body = (await page_of(bytes(writer))).body
    assert body.startswith("# Of Rivers\n\n" + TEXT)
    assert "# Lengths\n\n- the Rhine\n- the Loire\n" in body
    assert "| River | Length |\n| --- | --- |\n| Rhine | 1233 |\n| a\\|b | \\<i> |" in body
    assert "```python\ndef flow(river):\n    if river.dry:\n        return None\n    return `river`\n```" in body


async def test_the_title_of_a_manual_page_is_what_it_names() -> None:
    writer = PdfWriter()
    writer.heading("NAME")
    writer.paragraph("flow - show where rivers go")
    writer.heading("SYNOPSIS")
    writer.paragraph(TEXT)
    assert (await page_of(bytes(writer))).title == "flow - show where rivers go"


async def test_the_file_says_who_wrote_it_and_when() -> None:
    writer = PdfWriter("Of Rivers", "Ann Lee", "D:20250304101112+01'00'")
    writer.paragraph(TEXT)
    page = await page_of(bytes(writer))
    assert (page.title, page.author, page.page_count) == ("Of Rivers", "Ann Lee", 1)
    assert (page.published, page.published_from) == (datetime(2025, 3, 4, tzinfo=UTC), "file")


async def test_each_page_has_its_mark_and_pages_without_text_are_named() -> None:
    page = await page_of(pdf_of(pages_of([LINE % (700, b"first"), b"", LINE % (700, b"third")])))
    assert page.body == "[page 1]\n\nfirst\n\n[page 3]\n\nthird"
    assert page.page_count == 3
    assert page.notes == ("1 of 3 pages hold no text (pictures or scans): 2",)


async def test_what_stands_at_the_edge_of_every_page_is_said_once_and_numbers_never() -> None:
    writer = PdfWriter()
    edges = LINE % (805, b"Journal of Rivers, vol. %d") + LINE % (30, b"%s %d") + LINE % (45, b"Note on page %d only")
    for number in range(1, 5):
        if number > 1:
            writer.page()
        writer.raw(edges % (7, b"" if number % 2 else b"Page", number, number))
        writer.heading("Journal of Rivers", 2)
        writer.paragraph(f"Text {'abcd'[number - 1]}. {TEXT}")
    body = (await page_of(bytes(writer))).body
    assert body.count("Journal of Rivers, vol. 7") == 1
    assert body.count("# Journal of Rivers\n") == 4
    assert body.count("Note on page") == 4
    marks = [line for line in body.split("\n") if line.strip(" 1234[]page") == "" and line]
    assert marks == [f"[page {number}]" for number in range(1, 5)]


@pytest.mark.parametrize("text", ["CV", "Civic", "$500", "95 %", "-40 C", "+12", "Page", "Mix"])
async def test_what_only_looks_like_a_number_stays(text: str) -> None:
    writer = PdfWriter()
    writer.raw(LINE % (805, text.encode()))
    writer.paragraph(TEXT)
    assert text in (await page_of(bytes(writer))).body


async def test_the_titles_of_slides_stay_where_they_differ_or_come_again() -> None:
    titles = ["Step 1", "Step 2", "Results", "Step 3", "Other", "Results"]
    writer = PdfWriter()
    for number, title in enumerate(titles):
        if number:
            writer.page()
        writer.raw(b"BT /B 24 Tf 60 800 Td (%b) Tj ET" % title.encode())
        writer.paragraph(f"Text {'abcdef'[number]}. {TEXT}")
    body = (await page_of(bytes(writer))).body
    assert [line.strip("# ") for line in body.split("\n") if line.startswith("#")] == titles


async def test_what_is_left_out_of_a_long_document_is_said() -> None:
    made = pages_of([LINE % (700, b"text")])
    made[2] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (MAX_PAGES + 5, b"10 0 R " * (MAX_PAGES + 5))
    page = await page_of(pdf_of(made))
    assert page.notes == (f"only the first {MAX_PAGES} of {MAX_PAGES + 5} pages were read",)
    assert page.page_count == MAX_PAGES + 5


async def test_text_that_looks_like_markup_stays_text() -> None:
    page = await page_of(one_page(LINE % (700, b"# no heading <script>x</script> [a]\\(javascript:x\\) [b]\\(/c\\)")))
    assert page.body == "\\# no heading \\<script>x\\</script> [a] [b](https://site.example/c)"
    assert page.links == ("https://site.example/c",)


UNSEEN = {
    "tiny": b"BT /R 1 Tf 60 600 Td (SECRET) Tj ET",
    "white": b"1 1 1 rg BT /R 11 Tf 60 600 Td (SECRET) Tj ET",
    "without ink": b"3 Tr BT /R 11 Tf 60 600 Td (SECRET) Tj ET",
}


@pytest.mark.parametrize("way", UNSEEN)
async def test_what_nobody_sees_is_kept_apart(way: str) -> None:
    page = await page_of(one_page(LINE % (700, b"Seen.") + UNSEEN[way]))
    assert page.body == "Seen."
    assert page.hidden == "SECRET"


async def test_white_on_a_dark_ground_is_seen() -> None:
    page = await page_of(one_page(b"0 0 0.5 rg 50 590 300 40 re f 1 1 1 rg " + LINE % (600, b"Seen.")))
    assert page.body == "Seen."


async def test_white_on_a_gradient_is_seen() -> None:
    gradient = (
        b"<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0] /Extend [true true] "
        b"/Function << /FunctionType 2 /Domain [0 1] /C0 [%b] /C1 [%b] /N 1 >> >> >>"
    )
    drawn = LINE % (700, b"Seen.") + b"/Pattern cs /G scn 40 580 300 50 re f " + UNSEEN["white"]
    for ends, seen in (((b"0 0 .3", b".3 0 0"), True), ((b"1 1 1", b".97 .97 .97"), False)):
        made = pages_of([drawn])
        made[10] = made[10].replace(b"/Font <<", b"/Pattern << /G 50 0 R >> /Font <<")
        page = await page_of(pdf_of(made | {50: gradient % ends}))
        assert ("SECRET" in page.body, page.hidden == "SECRET") == (seen, not seen)


async def test_lines_in_typewriter_letters_are_code_and_terms_are_not() -> None:
    def lines(y: int, *said: tuple[str, int, bytes]) -> bytes:
        rows = enumerate(said)
        return b"".join(b"BT /%b 11 Tf %d %d Td (%b) Tj ET " % (f.encode(), x, y - 14 * n, t) for n, (f, x, t) in rows)

    prose = b"A paragraph that goes on for some words, so that it is read as one, and then it ends:"
    content = (
        lines(780, *(("R", 60, prose) for _ in range(6)))
        + lines(690, ("M", 75, b"> flow <- function\\(x\\)"), ("M", 88, b"plot\\(x\\)"), ("M", 75, b"> done"))
        + lines(640, ("R", 60, prose), ("R", 60, b"It was run by"), ("M", 60, b"make all."), ("R", 60, prose))
        + lines(570, ("M", 60, b"--verbose"), ("R", 100, prose[:60]), ("R", 100, prose[:60]))
    )
    body = (await page_of(one_page(content))).body
    assert "\n```\n> flow <- function(x)\n  plot(x)\n> done\n```\n" in body
    assert body.count("```") == 2
    assert "make all." in body
    assert "--verbose" in body


async def test_recognised_text_under_a_scan_is_read() -> None:
    made = pages_of([b"q 595 0 0 842 0 0 cm /I Do Q 3 Tr " + LINE % (600, b"Recognised.")])
    made[10] = made[10].replace(b"/Resources <<", b"/Resources << /XObject << /I 20 0 R >>")
    made[20] = stream(
        b"\x00" * 100,
        b"/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width 10 /Height 10",
    )
    assert (await page_of(pdf_of(made))).body == "Recognised."


async def test_where_the_layout_fails_the_text_is_read_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("websearch_web.pdf.document_reader.by_layout", lambda _: iter(()))
    writer = PdfWriter()
    writer.heading("Of Rivers")
    writer.paragraph(TEXT)
    assert (await page_of(bytes(writer))).body == f"Of Rivers\n{TEXT}"


async def test_without_the_library_of_layouts_there_is_no_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ImportError

    monkeypatch.setattr(engines, "import_module", missing)
    assert list(engines.by_layout(b"%PDF-")) == []


async def test_every_failure_says_what_is_wrong() -> None:
    good = one_page(LINE % (700, b"text"))
    with pytest.raises(Unsupported, match="is none"):
        await page_of(b"<html>")
    with pytest.raises(Unsupported, match="holds no text that can be read"):
        await page_of(one_page(b""))
    with pytest.raises(UnexpectedResponse, match="damaged"):
        await page_of(good[:300])
    with pytest.raises(TooLarge, match="limit on downloads"):
        await page_of(good[:300], truncated=True)
    assert (await page_of(b"junk\n" + good)).body == "text"
