"""Office documents to Markdown: what is complete, what is left out, what is refused."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import pytest

from websearch_core import Page
from websearch_core.kit import TooLarge, UnexpectedResponse, Unsupported
from websearch_core.startup.worker_processes import ProcessWorkers
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import docx_parts, word_paragraph, zipped
from websearch_documents.kit.long_tables import HEAD_ROWS, WHOLE_ROWS
from websearch_documents.kit.zip_archive import MAX_PART_BYTES, ZipArchive
from websearch_documents.office.extractor import OfficeExtractor

TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


async def page_of(body: bytes, **fields: Any) -> Page:
    """The page of this file."""
    given = download("https://site.example/a", body, media_type=TYPE, **fields)
    return await OfficeExtractor(InProcessWorkers()).extract(given)


async def test_a_text_document_keeps_its_headings_and_tables() -> None:
    page = await page_of(
        archives.docx("# Rivers", "Text with <b> & *stars*.", "## Lengths", [["a|b", "c"], ["1", "2"]])
    )
    assert page.body == (
        "# Rivers\n\nText with \\<b> & \\*stars\\*.\n\n## Lengths\n\n| a\\|b | c |\n| --- | --- |\n| 1 | 2 |"
    )
    assert [heading.level for heading in page.outline] == [1, 2]


async def test_the_main_part_may_have_another_name() -> None:
    parts = {
        name.replace("document.xml", "document2.xml"): str(content).replace("/document.xml", "/document2.xml")
        for name, content in docx_parts(word_paragraph("Rivers", "Heading1") + word_paragraph("Text.")).items()
    }
    assert (await page_of(zipped(parts))).body == "# Rivers\n\nText."


async def test_the_file_says_who_wrote_it_and_when() -> None:
    page = await page_of(archives.docx("# Rivers"))
    assert (page.title, page.author, page.page_count) == ("Of Rivers", "Ann Lee", None)
    assert (page.published, page.published_from) == (datetime(2025, 3, 4, 10, 11, 12, tzinfo=UTC), "file")


async def test_without_a_title_the_first_heading_is_it() -> None:
    parts = docx_parts(word_paragraph("Rivers", "Heading1"))
    del parts["docProps/core.xml"]
    assert (await page_of(zipped(parts))).title == "Rivers"


async def test_slides_are_marked_and_counted() -> None:
    page = await page_of(archives.pptx([("Rivers", ["one", "two"]), ("Seas", ["three"])]))
    assert page.body == "[slide 1]\n\n## Rivers\n\none\n\ntwo\n\n[slide 2]\n\n## Seas\n\nthree"
    assert page.page_count == 2


async def test_sheets_are_tables() -> None:
    page = await page_of(archives.xlsx({"Rivers": [["River", "km"], ["Rhine", 1233]], "Seas": [["x"], [1.5]]}))
    assert (
        page.body
        == "## Rivers\n\n| River | km |\n| --- | --- |\n| Rhine | 1233 |\n\n## Seas\n\n| x |\n| --- |\n| 1.5 |"
    )
    assert page.page_count == 2


async def test_a_long_sheet_is_cut_and_counted() -> None:
    page = await page_of(archives.xlsx({"A": [["n"], *[[n] for n in range(WHOLE_ROWS + 1)]]}))
    assert page.body.endswith(f"| {HEAD_ROWS - 1} |\n\n… {WHOLE_ROWS + 1 - HEAD_ROWS} more rows")
    assert page.notes


async def test_a_hidden_sheet_and_a_hidden_slide_are_not_shown() -> None:
    body = archives.xlsx({"Seen": [["a"]], "Unseen": [["SECRET"]]})
    page = await page_of(changed(body, "xl/workbook.xml", 'name="Unseen"', 'name="Unseen" state="hidden"'))
    assert "SECRET" not in page.text_read
    page = await page_of(
        changed(
            archives.pptx([("Seen", ["a"]), ("B", ["SECRET"])]), "ppt/slides/slide2.xml", "<p:sld ", '<p:sld show="0" '
        )
    )
    assert "SECRET" not in page.text_read
    assert "SECRET" in page.hidden


async def test_hidden_runs_are_kept_apart_and_white_on_colour_is_seen() -> None:
    hidden = word_paragraph("SECRET", "", "<w:vanish/>") + word_paragraph("SECRET", "", '<w:color w:val="FEFEFE"/>')
    seen = word_paragraph("White.", "", '<w:color w:val="FFFFFF"/><w:shd w:fill="000080"/>')
    page = await page_of(zipped(docx_parts(word_paragraph("Seen.") + hidden + seen)))
    assert page.body == "Seen.\n\nWhite."
    assert page.hidden == "SECRET SECRET"


async def test_macros_are_told_of_and_not_read() -> None:
    parts = {**docx_parts(word_paragraph("Text.")), "word/vbaProject.bin": b"SECRET"}
    page = await page_of(zipped(parts))
    assert page.body == "Text."
    assert page.notes == ("the document holds macros: they are neither read nor run",)


async def test_every_failure_says_what_is_wrong() -> None:
    good = archives.docx("Text.")
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    with pytest.raises(Unsupported, match="old binary"):
        await page_of(ole)
    with pytest.raises(Unsupported, match="password"):
        await page_of(ole + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(Unsupported, match="entities"):
        await page_of(changed(good, "word/document.xml", "<w:document", "<!DOCTYPE x [<!ENTITY a 'b'>]><w:document"))
    with pytest.raises(UnexpectedResponse, match="damaged"):
        await page_of(good[:-30])
    with pytest.raises(TooLarge, match="limit on downloads"):
        await page_of(good[:-30], truncated=True)


def test_an_archive_gives_no_more_than_is_allowed_whatever_it_claims() -> None:
    body = zipped({"a": bytes(MAX_PART_BYTES + 1), "b": b"b"})
    archive = ZipArchive(body)
    with pytest.raises(TooLarge):
        archive.read("a")
    assert archive.read("b") == b"b"
    assert archive.read("c") == b""
    raw = bytearray(body)
    place = raw.find(b"PK\x01\x02") + 24
    raw[place : place + 4] = (5).to_bytes(4, "little")
    with pytest.raises((UnexpectedResponse, TooLarge)):
        ZipArchive(bytes(raw)).read("a")


def test_all_parts_together_count() -> None:
    archive = ZipArchive(zipped({name: bytes(MAX_PART_BYTES - 1) for name in "abc"}))
    with pytest.raises(TooLarge):
        for name in archive.names:
            archive.read(name)


async def test_documents_are_read_in_another_process() -> None:
    body = archives.docx("# Rivers", "Text.")
    given = download("https://site.example/a", body, media_type=TYPE)
    assert await OfficeExtractor(ProcessWorkers()).extract(given) == await page_of(body)


def changed(body: bytes, name: str, old: str, new: str) -> bytes:
    """The archive with other words in one of its files."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        parts: dict[str, bytes | str] = {one: archive.read(one) for one in archive.namelist()}
        before = archive.read(name).decode()
    assert old in before
    return zipped({**parts, name: before.replace(old, new, 1)})
