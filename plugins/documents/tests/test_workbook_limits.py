"""Workbooks that were made to take long, to grow, or to lie about themselves."""

from __future__ import annotations

import pytest

from websearch_core.kit import Unsupported
from websearch_core.testing.cpu_time import within_cpu
from websearch_core.testing.fakes import download
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import zipped
from websearch_documents.kit.long_tables import WHOLE_ROWS
from websearch_documents.office.extractor import read_office
from websearch_documents.office.sheets.workbook_markdown import MAX_CHARS

from .test_concealed import archives_of
from .test_workbooks import format_of, workbook

_LARGE = "the workbook is larger than what is shown of it"


def rows_of(cells: list[str]) -> str:
    """A sheet of these rows, of one cell each."""
    return f"<sheetData>{''.join(f'<row>{one}</row>' for one in cells)}</sheetData>"


@pytest.mark.parametrize("number", ["1", "-1", "x", "00000000" + "9", "00000000" + "9" * 5000])
def test_a_shared_text_that_is_not_there_is_none(number: str) -> None:
    sheet = rows_of(["<c><v>1</v></c>", f'<c t="s"><v>{number}</v></c>', f'<c t="s" s="1"><v>{number}</v></c>'])
    page = workbook(sheet, styles=format_of(";;;"), more={"xl/sharedStrings.xml": "<sst><si><t>no</t></si></sst>"})
    assert page.body == "## A\n\n| 1 |\n| --- |"


def test_a_row_that_is_written_twice_is_one() -> None:
    first, second = '<row r="1"><c r="A1"><v>1</v></c></row>', '<row r="1"><c r="B1"><v>2</v></c></row>'
    rest = "".join(f'<row r="{n}"><c><v>{n}</v></c></row>' for n in range(2, 200))
    page = workbook(f"<sheetData>{first}{second}{rest}</sheetData>")
    assert "| 1 | 2 |\n" in page.body
    assert page.body.endswith("| 199 |  |")
    assert not page.notes


def test_a_format_of_any_length_costs_little() -> None:
    sheet = rows_of(['<c s="1"><v>1</v></c>'])
    assert "| 1 |" in within_cpu(2, workbook, sheet, styles=format_of("[" * 200_000)).body
    many = format_of("0" * 100_000).replace('<xf numFmtId="164"/>', '<xf numFmtId="164"/>' * 10_000)
    assert "| 1 |" in within_cpu(2, workbook, sheet, styles=many).body


def test_cells_that_are_merged_over_and_over_are_refused() -> None:
    sheet = rows_of([f"<c><v>{n}</v></c>" for n in range(WHOLE_ROWS)])
    one = '<mergeCell ref="B1:B1048576"/>'
    assert "| 999 |" in within_cpu(2, workbook, f"{sheet}<mergeCells>{one * 10_000}</mergeCells>").body
    others = "".join(f'<mergeCell ref="B1:B{1_000_000 + n}"/>' for n in range(10_000))
    with pytest.raises(Unsupported, match="merges more cells"):
        workbook(f"{sheet}<mergeCells>{others}</mergeCells>")


def test_a_sheet_that_is_listed_many_times_does_not_grow_without_end() -> None:
    parts = archives_of(archives.xlsx({"A": [["x"]]}))
    main = bytes(parts["xl/workbook.xml"]).decode()
    begin = main.index("<sheet ")
    listed = main[begin : main.index("/>", begin) + 2]
    parts["xl/workbook.xml"] = main.replace(listed, listed * 100).encode()
    wide = "".join(
        f'<row><c r="{chr(65 + n % 26)}{chr(65 + n // 26 % 9)}1"><v>1</v></c></row>' for n in range(WHOLE_ROWS)
    )
    parts["xl/worksheets/sheet1.xml"] = f"<worksheet><sheetData>{wide}</sheetData></worksheet>".encode()
    page = read_office(download("https://site.example/a", zipped({**parts})))
    assert len(page.body) < 1.5 * MAX_CHARS
    assert page.notes == (_LARGE,)


def test_texts_of_more_than_is_shown_are_told() -> None:
    cell = f'<c t="inlineStr"><is><t>{"x" * 30_000}</t></is></c>'
    assert workbook(rows_of([cell * 150])).notes == (_LARGE,)
    page = workbook(rows_of([cell] * 150))
    assert page.notes == (_LARGE,)
    assert "more rows" in page.body


@pytest.mark.parametrize("target", ["javascript:x", "JavaScript:" + "x" * 3000, "file:///etc/passwd", "../x", ""])
def test_cells_lead_to_the_web_only(target: str) -> None:
    relation = f'<Relationship Id="r1" Type="a/hyperlink" Target="{target}" TargetMode="External"/>'
    page = workbook(
        f'{rows_of(["<c><v>1</v></c>"])}<hyperlinks><hyperlink ref="A1" id="r1"/></hyperlinks>',
        more={"xl/worksheets/_rels/sheet1.xml.rels": f"<Relationships>{relation}</Relationships>"},
    )
    assert page.body == "## A\n\n| 1 |\n| --- |"
