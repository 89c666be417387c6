"""Tables, pictures and code."""

from __future__ import annotations

import gzip
import struct
from typing import Any

import pytest

from websearch_core import Page
from websearch_core.kit import TooLarge, UnexpectedResponse, Unsupported
from websearch_core.testing.cpu_time import within_cpu
from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_web.data import xml_extractor
from websearch_web.data.csv_extractor import HEAD_ROWS, WHOLE_ROWS, CsvExtractor
from websearch_web.data.gunzip import MAX_BYTES, gunzipped
from websearch_web.data.xml_extractor import XmlExtractor
from websearch_web.html.extractor import HtmlExtractor
from websearch_web.html.fallback_reader import FallbackHtmlExtractor, between_tags
from websearch_web.images.extractor import ImageExtractor
from websearch_web.images.header import ImageHeader, header_of
from websearch_web.kit.extraction import MEMORY_BYTES
from websearch_web.text.text_extractor import TextExtractor


async def csv(text: str, media_type: str = "text/csv") -> Page:
    """The page of this table."""
    return await CsvExtractor(InProcessWorkers()).extract(
        download("https://site.example/a.csv", text.encode(), media_type=media_type)
    )


@pytest.mark.parametrize(
    ("text", "media_type"),
    [
        ('River,Length\n"Rhine, the",1233\n', "text/csv"),
        ('River;Length\r\n"Rhine, the";1233\r\n', "text/csv"),
        ("River\tLength\nRhine, the\t1233\n", "text/csv"),
        ("River\tLength\nRhine, the\t1233\n", "text/tab-separated-values"),
        ("\n\nRiver|Length\n\nRhine, the|1233", "text/csv"),
    ],
)
async def test_separated_values_are_a_table(text: str, media_type: str) -> None:
    assert (await csv(text, media_type)).body == "| River | Length |\n| --- | --- |\n| Rhine, the | 1233 |"


async def test_cells_cannot_leave_the_table() -> None:
    page = await csv('a,b\n"x\ny","|<b>"\nlong,1,2\n')
    assert page.body == "| a | b |  |\n| --- | --- | --- |\n| x y | \\|\\<b> |  |\n| long | 1 | 2 |"


async def test_of_a_long_table_the_head_and_the_counts_are_shown() -> None:
    page = await csv("n,m\n" + "".join(f"{n},x\n" for n in range(WHOLE_ROWS + 1)))
    assert f"| {HEAD_ROWS - 1} | x |\n\n" in page.body
    assert page.body.endswith(f"… {WHOLE_ROWS + 1 - HEAD_ROWS} more rows. The table has 1,001 rows and 2 columns.")
    whole = await csv("n,m\n" + "1,x\n" * WHOLE_ROWS)
    assert whole.body.count("| 1 | x |") == WHOLE_ROWS


@pytest.mark.parametrize("rest", ["2,b\n3,c\n", "2,b\n3,c"])
async def test_a_quotation_mark_that_is_never_closed_swallows_no_row(rest: str) -> None:
    page = await csv(f'id,v\n1,"unclosed\n{rest}')
    assert page.body.startswith("| id | v |\n| --- | --- |\n| 1 | unclosed |\n| 2 | b")
    assert page.body.endswith("| 3 | c |")
    assert page.notes == ("a quotation mark in line 2 is never closed: from there on every line is taken for a row",)


async def test_nor_one_before_a_field_without_end() -> None:
    page = await csv('id,v\n1,"unclosed\n' + "2,b\n" * 50_000)
    assert "50,001 rows" in page.body


async def test_a_quoted_field_may_end_the_table_after_many_lines() -> None:
    page = await csv('id,v\n1,"a\nb\nc"\n')
    assert page.body == "| id | v |\n| --- | --- |\n| 1 | a b c |"
    assert not page.notes


async def zipped(content: bytes, ending: str = "gz") -> Page:
    """The page of this in a gzip file."""
    return await XmlExtractor(InProcessWorkers()).extract(
        download(f"https://site.example/a.{ending}", gzip.compress(content), media_type="application/gzip")
    )


async def test_gzip_is_what_it_holds() -> None:
    page = await zipped(b"<!doctype html><title>Rivers</title><p>One<p hidden>SECRET")
    assert (page.title, page.body) == ("Rivers", "One")
    assert "SECRET" in page.hidden
    assert (await zipped("Grüße".encode())).body == "Grüße"
    assert "Rhine" in (await zipped(b"<rivers><river>Rhine</river></rivers>")).body
    with pytest.raises(Unsupported, match="no text"):
        await zipped(b"MZ\0\1")


async def test_gzip_is_unpacked_in_a_worker_for_it_may_grow() -> None:
    class Counting(InProcessWorkers):
        asked = 0

        async def run(self, *args: Any, **options: Any) -> Any:
            self.asked += 1
            return await super().run(*args, **options)

    workers = Counting()
    given = download("https://site.example/a.gz", gzip.compress(b"x"), media_type="application/gzip")
    await XmlExtractor(workers).extract(given)
    assert workers.asked == 1


async def test_gzip_is_read_by_who_reads_what_it_holds() -> None:
    assert (await zipped(b"<div><p>One<br>two <b>three</b></p><p hidden>SECRET")).body == "One\ntwo **three**"
    feed = b"<rss version='2.0'><channel><title>T</title><item><title>I</title></item></channel></rss>"
    assert (await zipped(b'<?xml version="1.0"?>' + feed)).body == "# T\n\nItems: 1\n\n- I"
    assert (await zipped(b'{"a":1}')).body == '```json\n{"a": 1}\n```'
    assert (await zipped(b"[1] A note")).body == "[1] A note"
    assert (await zipped(b"a,b\n1,2\n", "csv.gz")).body == "| a | b |\n| --- | --- |\n| 1 | 2 |"


@pytest.mark.parametrize("text", ["<!doctype html><p>One<p hidden>SECRET", "<p>One</p><div hidden>SECRET</div>"])
async def test_html_that_calls_itself_xml_is_html(text: str) -> None:
    given = download("https://site.example/a", text.encode(), media_type="text/xml")
    page = await XmlExtractor(InProcessWorkers()).extract(given)
    assert (page.body, page.hidden) == ("One", "SECRET")


@pytest.mark.parametrize(
    "text", ['<?xml version="1.0"?><table><p>1</p></table>', '<p xmlns="urn:x">1</p>', "<p:a>1</p:a>"]
)
async def test_xml_with_names_of_html_is_xml(text: str) -> None:
    given = download("https://site.example/a", text.encode(), media_type="text/xml")
    assert (await XmlExtractor(InProcessWorkers()).extract(given)).body.startswith("- **")


async def test_the_first_line_may_name_the_separator() -> None:
    assert (await csv("\ufeffsep=;\r\na,b;c\r\n1;2\r\n")).body == "| a,b | c |\n| --- | --- |\n| 1 | 2 |"


@pytest.mark.parametrize(
    "before", [b"<!--x-->", b"\n<!-- a -->\n<!-- <b> -->\n", b"<!-->", b"<!-- x --!>", b"<!--" + b"x" * 9000 + b"-->"]
)
@pytest.mark.parametrize("prolog", [b"", b'<?xml version="1.0"?>\n'])
async def test_html_in_gzip_may_begin_with_a_comment(prolog: bytes, before: bytes) -> None:
    page = await zipped(prolog + before + b"<html><body><p>One</p><p style='display:none'>SECRET</p></body></html>")
    assert page.body == "One"
    assert "SECRET" in page.hidden


@pytest.mark.parametrize("before", [b"<!--" * 100_000, b"<!-- -->" * 100_000, b"<?x" * 100_000, b" " * 400_000])
def test_what_gzip_holds_is_told_in_linear_time(before: bytes) -> None:
    assert not within_cpu(1, xml_extractor._is_html, before + b"<a>")


HEADERS = {
    "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 800, 600),
    "GIF": b"GIF89a" + struct.pack("<HH", 800, 600),
    "BMP": b"BM" + bytes(16) + struct.pack("<ii", 800, -600),
    "JPEG": b"\xff\xd8\xff\xe1\x00\x08SECRET\xff\xc2\x00\x11\x08" + struct.pack(">HH", 600, 800),
    "WebP": b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + (799).to_bytes(3, "little") + (599).to_bytes(3, "little"),
    "TIFF": b"II*\0\x08\0\0\0\x02\0" + struct.pack("<HHIHxxHHIHxx", 256, 3, 1, 800, 257, 3, 1, 600),
    "AVIF": b"\0\0\0\x20ftypavif" + bytes(8) + b"ispe\0\0\0\0" + struct.pack(">II", 800, 600),
    "SVG": b"<?xml version='1.0'?><!-- x --><svg class='a' width='800px' height=\"600\" viewBox='0 0 1 1'>",
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_pictures_header_says_how_large_it_is(name: str) -> None:
    media_type = "image/svg+xml" if name == "SVG" else ""
    assert header_of(HEADERS[name], media_type) == ImageHeader(name, 800, 600)
    for length in range(len(HEADERS[name])):
        header_of(HEADERS[name][:length], media_type)


async def test_a_picture_is_one_line_and_a_note() -> None:
    page = await ImageExtractor().extract(download("https://site.example/a", HEADERS["JPEG"], media_type="image/jpeg"))
    assert page.body == "JPEG image, 800 \u00d7 600 pixels"
    assert page.notes
    with pytest.raises(UnexpectedResponse, match="header is damaged"):
        await ImageExtractor().extract(download("https://site.example/a", b"words", media_type="image/jpeg"))


@pytest.mark.parametrize(
    ("address", "media_type", "language"),
    [
        ("https://site.example/flow.py", "text/plain", "python"),
        ("https://site.example/x?flow.py", "text/plain", ""),
        ("https://site.example/x", "text/x-python", "python"),
        ("https://site.example/a/Dockerfile", "text/plain", "dockerfile"),
        ("https://site.example/notes.txt", "text/plain", ""),
        ("https://site.example/LICENSE", "text/plain", ""),
        ("https://site.example/a.js", "application/javascript", "javascript"),
    ],
)
async def test_code_is_fenced_with_its_language(address: str, media_type: str, language: str) -> None:
    text = "x = '```'\n\ty"
    page = await TextExtractor(InProcessWorkers()).extract(download(address, text.encode(), media_type=media_type))
    assert page.body == (f"````{language}\n{text}\n````" if language else text)


async def test_links_in_cells_stay_text() -> None:
    page = await csv("a,b\n[x](https://evil.example/),![y](https://evil.example/p.png)\n<https://evil.example/>,1|2\n")
    assert r"\[x\](https" in page.body
    assert r"!\[y\](https" in page.body
    assert r"| \<https://evil.example/> | 1\|2 |" in page.body


def test_all_members_of_a_gzip_archive_are_read_under_one_limit() -> None:
    first, second = gzip.compress(b"<a>" + b"x" * 100_000), gzip.compress(b"</a>")
    assert gunzipped(first + second + b"\0" * 20) == b"<a>" + b"x" * 100_000 + b"</a>"
    with pytest.raises(UnexpectedResponse):
        gunzipped(first + second[:-3])
    with pytest.raises(TooLarge):
        gunzipped(gzip.compress(b"<" + b"x" * (MAX_BYTES // 2)) * 2 + b"damaged")


async def test_both_readers_of_html_have_one_limit_on_memory_and_together_less_time_than_an_answer() -> None:
    class Recording(InProcessWorkers):
        async def run(self, function: Any, *args: Any, **limits: Any) -> Any:
            given.append(limits)
            return await super().run(function, *args, **limits)

    given: list[dict[str, float]] = []
    body = b"<p>words and words</p>" * 1000
    for reader in (HtmlExtractor, FallbackHtmlExtractor):
        await reader(Recording()).extract(download("https://a.example/", body, media_type="text/html"))
    assert [limits["memory_bytes"] for limits in given] == [MEMORY_BYTES] * 2
    assert sum(limits["seconds"] for limits in given) <= 15
    assert sum(limits["cpu_seconds"] for limits in given) <= 5


def test_text_between_tags_is_found_in_linear_time() -> None:
    assert within_cpu(2, between_tags, f"<p>a{' ' * 50_000}b</p>\n \n<p>c</p>") == "a b\nc"
