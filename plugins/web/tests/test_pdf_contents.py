"""Tables of contents lose their dots and numbers of pages; sentences that a line or page cuts are whole."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from websearch_core.testing.fakes import InProcessWorkers, download
from websearch_core.testing.samples.pdf import pages_of, pdf_of
from websearch_web.pdf.extractor import PdfExtractor
from websearch_web.pdf.layout.line_joins import continued, joined_words
from websearch_web.pdf.layout.monospace import Line
from websearch_web.pdf.layout.table_of_contents import TableOfContents, without_leaders

LEADERS = " . " * 20


def block(text: str, kind: str = "paragraph") -> SimpleNamespace:
    """A block of a page, as the layout reader hands it over."""
    return SimpleNamespace(text=text, kind=kind)


def test_entries_stand_one_by_one_without_dots_and_numbers_of_pages() -> None:
    first = block(f"1.1 Of rivers{LEADERS}1.2 Of 3 lakes{LEADERS}12 1.3 Of seas .......... xii Index{LEADERS}")
    numbers = block("1 3 xiv 12")
    contents = TableOfContents([first, numbers])
    assert contents.entries(first) == ["1.1 Of rivers", "1.2 Of 3 lakes", "1.3 Of seas", "Index"]
    assert contents.are_numbers(numbers)
    assert not contents.are_numbers(block("1 river"))


def test_numbers_and_dots_stay_where_they_are_no_contents() -> None:
    row, code = block("1 2 3"), block("a . . . b and x = [1, ..., 9]")
    contents = TableOfContents([row, code])
    assert not contents.are_numbers(row)
    assert contents.entries(code) == []


@pytest.mark.parametrize(
    ("cell", "read"), [(f"Of rivers{LEADERS}", "Of rivers"), ("e.g. a.b.c.d", "e.g. a.b.c.d"), ("....", "....")]
)
def test_cells_lose_dots_that_lead_to_the_next_one(cell: str, read: str) -> None:
    assert without_leaders(cell) == read


LONG = "A line that is as long as its column is wide and that its margin has ended"


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("what the moun-", "tains gave", "what the mountains gave"),
        (LONG, "before its time.", f"{LONG} before its time."),
        (f"{LONG}.", "before", ""),
        (LONG, "Before", ""),
        ("a term", "of few words", ""),
        ("pages 3-", "of them", ""),
    ],
)
def test_a_sentence_that_a_line_cuts_goes_on(before: str, after: str, whole: str) -> None:
    assert continued(before, after) == whole


def test_a_word_that_a_page_cuts_stands_on_the_page_where_it_begins() -> None:
    assert joined_words(["what the moun-", "tains, they gave", "Next"]) == ["what the mountains,", "they gave", "Next"]
    assert joined_words(["- a", "- b-", "Big"]) == ["- a", "- b-", "Big"]


def test_pieces_of_code_that_touch_have_no_blank_between_them() -> None:
    def piece(text: str, column: int) -> SimpleNamespace:
        return SimpleNamespace(text=text, x=60 + 6.0 * column, width=6.0 * len(text))

    line = Line(0, 10, 72, (piece("def", 2), piece("flow", 6), piece("(river):", 10)))
    assert line.text(60, 6.0) == "  def flow(river):"


async def test_what_runs_on_with_the_number_of_its_page_and_of_all_pages_is_said_once() -> None:
    def page(number: int) -> bytes:
        head = b"BT /R 9 Tf 60 800 Td (Of Rivers, 3rd edition %d / 4) Tj ET " % number
        text = b"BT /R 11 Tf 60 %d Td (Rivers find their way to the sea, part %d of them.) Tj ET "
        return head + b"".join(text % (700 - 16 * n, 10 * number + n) for n in range(6))

    body = pdf_of(pages_of([page(number) for number in (1, 2, 3, 4)]))
    given = download("https://site.example/a.pdf", body, media_type="application/pdf")
    assert (await PdfExtractor(InProcessWorkers()).extract(given)).body.count("3rd edition") == 1
