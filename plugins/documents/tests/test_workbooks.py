"""Workbooks as people have them: what their cells mean, in tables that lose nothing."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

import pytest

from websearch_core import Page
from websearch_core.testing.fakes import download
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import zipped
from websearch_documents.kit.long_tables import HEAD_ROWS, WHOLE_ROWS
from websearch_documents.office.extractor import read_office

from .test_concealed import archives_of

_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(sheet: str, *, styles: str = "", more: Mapping[str, str] | None = None, **in_workbook: str) -> Page:
    """The page of a workbook whose one sheet is this XML; `in_workbook`: elements before its sheets, by name."""
    parts: dict[str, bytes | str] = {**archives_of(archives.xlsx({"A": [["x"]]}))}
    before = "".join(f"<{name} {said}/>" for name, said in in_workbook.items())
    main = bytes(parts["xl/workbook.xml"]).decode()  # type: ignore[arg-type]
    parts["xl/workbook.xml"] = main.replace("<sheets>", f"{before}<sheets>")
    parts["xl/worksheets/sheet1.xml"] = f'<worksheet xmlns:r="{_RELATIONS}">{sheet}</worksheet>'
    parts["xl/styles.xml"] = f"<styleSheet>{styles}</styleSheet>"
    return read_office(download("https://site.example/a", zipped({**parts, **(more or {})})))


def cell(content: str, about: str = "", *, styles: str = "", **in_workbook: str) -> str:
    """What the only cell shows."""
    sheet = f'<sheetData><row r="1"><c r="A1" {about}>{content}</c></row></sheetData>'
    return workbook(sheet, styles=styles, **in_workbook).body.split("\n")[2].strip("| ")


def format_of(code: str | int) -> str:
    """Styles in which the second one has this format, a code or a number of the built-in ones."""
    number = code if isinstance(code, int) else 164
    codes = (
        "" if isinstance(code, int) else f'<numFmt numFmtId="164" formatCode={quoteattr(code, {chr(34): "&quot;"})}/>'
    )
    return f'<numFmts>{codes}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="{number}"/></cellXfs>'


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        (14, "45000", "2023-03-15"),
        (22, "45000.5", "2023-03-15T12:00:00"),
        ("yyyy\\-mm\\-dd hh:mm", "45000.5", "2023-03-15T12:00:00"),
        ("[$-409]d\\-mmm\\-yy;@", "45000", "2023-03-15"),
        ("mmmm", "45000", "2023-03-15"),
        (14, "1", "1900-01-01"),
        (14, "61", "1900-03-01"),
        (21, "0.25", "06:00:00"),
        ("h:mm AM/PM", "0.75", "18:00:00"),
        ("[h]:mm", "1.5", "36:00:00"),
        (46, "2.5", "60:00:00"),
        ('0.0" days"', "3", "3"),
        ("[Red]0.00;[Blue]-0.00", "3.5", "3.5"),
        ('#,##0.00\\ "USD"', "1234.5", "1234.5"),
        ("0.00E+00", "1E-3", "1E-3"),
        (10, "0.1234", "0.1234"),
        (0, "0.30000000000000004", "0.3"),
        (0, "12345678901234567", "12345678901234567"),
        (14, "-1", "-1"),
        (14, "1e300", "1e300"),
        (14, "nan", "nan"),
    ],
)
def test_a_number_is_what_its_format_means(code: str | int, number: str, shown: str) -> None:
    assert cell(f"<v>{number}</v>", 's="1"', styles=format_of(code)) == shown


def test_a_workbook_of_a_mac_counts_days_from_1904() -> None:
    assert cell("<v>0</v>", 's="1"', styles=format_of(14), workbookPr='date1904="1"') == "1904-01-01"


@pytest.mark.parametrize(
    ("about", "content", "shown"),
    [
        ('t="b"', "<v>1</v>", "TRUE"),
        ('t="e"', "<f>1/0</f><v>#DIV/0!</v>", "#DIV/0!"),
        ('t="str"', '<f>"a"&amp;"b"</f><v>ab</v>', "ab"),
        ("", "<f>SUM(B1:B9)</f><v>45</v>", "45"),
        ("", "<f>SUM(B1:B9)</f>", "=SUM(B1:B9)"),
        ('t="d"', "<v>2024-05-06</v>", "2024-05-06"),
        ('t="inlineStr"', "<is><r><t>a </t></r><r><t>b</t></r></is>", "a b"),
        ('t="inlineStr"', "<is><t>漢字</t><rPh><t>カンジ</t></rPh></is>", "漢字"),
        (
            't="inlineStr"',
            "<is><t>one\n\ntwo | *x* &lt;b> user_id C:\\x</t></is>",
            "one two \\| \\*x\\* \\<b> user_id C:\\x",
        ),
    ],
)
def test_a_cell_shows_its_value(about: str, content: str, shown: str) -> None:
    assert cell(content, about) == shown


def test_shared_texts_come_without_how_they_are_pronounced() -> None:
    sheet = '<sheetData><row r="1"><c r="A1" t="s"><v>1</v></c></row></sheetData>'
    texts = "<sst><si><t>no</t></si><si><r><t>東</t></r><rPh><t>ヒガシ</t></rPh><r><t>京</t></r></si></sst>"
    assert "| 東京 |" in workbook(sheet, more={"xl/sharedStrings.xml": texts}).body


def test_prefixes_make_no_difference() -> None:
    sheet = '<x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData>'
    assert "| 7 |" in workbook(sheet).body


def test_columns_without_a_word_and_empty_rows_are_left_out() -> None:
    rows = '<row r="3"><c r="B3"><v>1</v></c><c r="D3"/></row><row r="9"><c r="XFD9"><v>2</v></c></row>'
    assert workbook(f"<sheetData>{rows}</sheetData>").body == "## A\n\n| 1 |  |\n| --- | --- |\n|  | 2 |"


def test_cells_and_rows_without_a_reference_follow_one_another() -> None:
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c/><c><v>3</v></c></row>"
    assert workbook(f"<sheetData>{rows}</sheetData>").body == "## A\n\n| 1 | 2 |\n| --- | --- |\n|  | 3 |"


def test_links_and_comments_stand_at_their_cells() -> None:
    sheet = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row></sheetData>'
    relations = (
        f'<Relationships><Relationship Id="r1" Type="{_RELATIONS}/hyperlink" TargetMode="External" '
        f'Target="https://a.example/?b=1&amp;c=(2)"/><Relationship Id="r2" Type="{_RELATIONS}/comments" '
        'Target="../comments1.xml"/></Relationships>'
    )
    comments = (
        '<comments><commentList><comment ref="A1"><text><r><t>Sure?</t></r></text></comment></commentList></comments>'
    )
    page = workbook(
        f'{sheet}<hyperlinks><hyperlink ref="B1" r:id="r1"/></hyperlinks>',
        more={"xl/worksheets/_rels/sheet1.xml.rels": relations, "xl/comments1.xml": comments},
    )
    assert "| 1 \\[comment: Sure?\\] | [2](https://a.example/?b=1&c=%282%29) |" in page.body
    assert page.links == ("https://a.example/?b=1&c=%282%29",)


def test_what_lies_under_a_merged_cell_is_not_seen() -> None:
    first = '<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="str"><v>SECRET</v></c></row>'
    rows = f'{first}<row r="2"><c r="B2"><v>2</v></c></row>'
    page = workbook(f'<sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells>')
    assert page.body == "## A\n\n| 1 |  |\n| --- | --- |\n|  | 2 |"
    assert page.hidden == "SECRET"
    assert page.notes == ("hidden sheets, rows, columns or cells are left out",)


@pytest.mark.parametrize("rows", [WHOLE_ROWS, WHOLE_ROWS + 1, WHOLE_ROWS + 2, 3 * WHOLE_ROWS])
def test_long_sheets_show_their_head_and_count_the_rest(rows: int) -> None:
    written = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row><row/>' for n in range(1, rows + 1))
    page = workbook(f"<sheetData>{written}</sheetData>")
    shown = page.body.count("\n| ") - 1
    if rows <= WHOLE_ROWS + 1:
        assert (shown, page.notes) == (rows, ())
    else:
        assert shown == HEAD_ROWS + 1
        assert page.body.endswith(f"\n\n… {rows - shown:,} more rows")
        assert page.notes


def test_wide_sheets_say_how_many_columns_are_shown() -> None:
    cells = "".join(f"<c><v>{n}</v></c>" for n in range(300))
    page = workbook(f"<sheetData><row>{cells}</row></sheetData>")
    assert page.body.endswith(f"| 255 |\n|{' --- |' * 256}")
    assert page.notes == ("of tables with more than 256 columns, the first 256 are shown",)


def test_a_sheet_is_called_as_it_is() -> None:
    parts = archives_of(archives.xlsx({"Profit & <loss>": [[1]]}))
    page = read_office(download("https://site.example/a", zipped({**parts})))
    assert page.outline[0].text == "Profit & \\<loss>"
