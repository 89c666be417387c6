"""What a workbook does not show is not in the body, and a note says so."""

from __future__ import annotations

import pytest

from websearch_core import Page
from websearch_core.testing.cpu_time import within_cpu
from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import zipped
from websearch_documents.kit.colours import Theme
from websearch_documents.office.sheets.cell_styles import CellStyles
from websearch_documents.office.sheets.hidden_cells import VisibleSheet

from .test_concealed import archives_of, office

SHEET = "xl/worksheets/sheet1.xml"
SEEN = "## A\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"


async def workbook(old: str, new: str, *, styles: str = "", part: str = SHEET) -> Page:
    """A sheet of three rows and three columns, with other words in one of its parts."""
    parts = archives_of(archives.xlsx({"A": [["a", "b", ""], [1, 2, ""], ["SECRET", "", "SECRET"]]}))
    assert old in parts[part].decode()
    changed = parts[part].decode().replace('<c r="C1" t="inlineStr"><is><t></t></is></c>', "").replace(old, new)
    more = {"xl/styles.xml": f"<styleSheet>{styles}</styleSheet>"} if styles else {}
    return await office(zipped({**parts, part: changed, **more}))


@pytest.mark.parametrize("how", ['hidden="1"', "hidden = 'true'", 'ht="0" customHeight="1"'])
async def test_a_hidden_row_is_left_out_and_a_note_says_so(how: str) -> None:
    page = await workbook('<row r="3"', f'<row {how} r="3"')
    assert page.body.replace(" |  |", " |").replace("| --- | --- | --- |", "| --- | --- |") == SEEN
    assert page.hidden == "SECRET SECRET"
    assert page.notes == ("hidden sheets, rows, columns or cells are left out",)


async def test_a_hidden_column_is_left_out() -> None:
    columns = '<cols><col min="1" max="1" width="0"/><col min="3" max="16384" hidden="1"/></cols>'
    page = await workbook("<sheetData>", f"{columns}<sheetData>")
    assert "SECRET" not in page.body
    assert page.hidden == "a 1 SECRET SECRET"


async def test_the_cells_of_a_hidden_sheet_are_kept_for_filters() -> None:
    parts = archives_of(archives.xlsx({"A": [["a"]], "B": [["SECRET"]]}))
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b'name="B"', b'name="B" state="veryHidden"')
    page = await office(zipped(parts))
    assert (page.body, page.hidden) == ("## A\n\n| a |\n| --- |", "SECRET")


FONTS = (
    '<fonts><font><sz val="11"/></font><font><color {}/></font></fonts><fills><fill><patternFill patternType="none"/>'
    '</fill><fill><patternFill patternType="solid"><fgColor rgb="FF000080"/></patternFill></fill></fills>'
)


@pytest.mark.parametrize(
    ("styles", "xf"),
    [
        (FONTS.format('rgb="FFFFFFFF"'), 'fontId="1"'),
        (FONTS.format('theme="0"'), 'fontId="1"'),
        (FONTS.format('indexed="9"'), 'fontId="1" fillId="0"'),
        (FONTS.format('rgb="FF000080"'), 'fontId="1" fillId="1"'),
        (FONTS.format('theme="1" tint="0.99"'), 'fontId="1" fillId="0"'),
        ('<fonts><font><sz val="1"/></font></fonts>', 'fontId="0"'),
        ('<numFmts><numFmt numFmtId="170" formatCode=";;;"/></numFmts>', 'numFmtId="170"'),
    ],
)
async def test_a_cell_whose_style_shows_nothing_is_left_out(styles: str, xf: str) -> None:
    page = await workbook('<c r="C3"', '<c s="1" r="C3"', styles=f"{styles}<cellXfs><xf/><xf {xf}/></cellXfs>")
    assert page.body.count("SECRET") == 1
    assert page.hidden == "SECRET"


@pytest.mark.parametrize(
    ("styles", "xf"),
    [
        (FONTS.format('rgb="FFFFFFFF"'), 'fontId="1" fillId="1"'),
        (FONTS.format('theme="0" tint="-0.5"'), 'fontId="1"'),
        (FONTS.format('indexed="64"'), 'fontId="1"'),
        (FONTS.format('auto="1"'), 'fontId="99999999999"'),
        ('<numFmts><numFmt numFmtId="170" formatCode="0;0;;@"/></numFmts>', 'numFmtId="170"'),
    ],
)
async def test_a_cell_that_is_seen_stays(styles: str, xf: str) -> None:
    page = await workbook('<c r="C3"', '<c s="1" r="C3"', styles=f"{styles}<cellXfs><xf/><xf {xf}/></cellXfs>")
    assert page.body.count("SECRET") == 2
    assert (page.hidden, page.notes) == ("", ())


INKLESS = FONTS.format('rgb="FFFFFFFF"') + '<cellXfs><xf/><xf fontId="1"/></cellXfs>'
PART = '<tableParts><tablePart xmlns:o="o" o:id="r1"/></tableParts>'
STYLED = '<tableStyleInfo name="TableStyleMedium2"/>'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.mark.parametrize(
    ("after", "area", "style", "seen"),
    [
        (PART, "B2:C3", STYLED, 2),
        (PART, "$C$3", STYLED, 2),
        (PART, "A1:C2", STYLED, 1),
        (PART, "B2:C3", "", 1),
        ("<!-- tableParts -->", "B2:C3", STYLED, 1),
        ("<tableParts/>", "B2:C3", STYLED, 1),
    ],
)
async def test_only_a_table_that_the_sheet_shows_gives_its_own_cells_a_ground(
    after: str, area: str, style: str, seen: int
) -> None:
    parts = archives_of(archives.xlsx({"A": [["a", "tableParts", ""], [1, 2, ""], ["SECRET", "", "SECRET"]]}))
    sheet = (
        parts[SHEET].decode().replace('<c r="C3"', '<c s="1" r="C3"').replace("</sheetData>", f"</sheetData>{after}")
    )
    line = f'<Relationship Id="r1" Type="{OFFICE}/table" Target="../tables/table1.xml"/>'
    more = {
        SHEET: sheet,
        "xl/styles.xml": f"<styleSheet>{INKLESS}</styleSheet>",
        "xl/worksheets/_rels/sheet1.xml.rels": f"<Relationships>{line}</Relationships>",
        "xl/tables/table1.xml": f'<table ref="{area}">{style}</table>',
    }
    page = await office(zipped({**parts, **more}))
    assert page.body.count("SECRET") == seen


@pytest.mark.parametrize(
    ("usual", "own", "hidden"),
    [
        ('defaultRowHeight="0" zeroHeight="1"', 'ht="15"', "a b 1 2"),
        ('defaultRowHeight="&#48;.1"', 'ht="15"', "a b 1 2"),
        ('defaultRowHeight="1e-3"', 'ht="15"', "a b 1 2"),
        ('defaultRowHeight="15" zeroHeight="1"', "", ""),
    ],
)
async def test_a_row_without_a_height_has_that_of_the_sheet(usual: str, own: str, hidden: str) -> None:
    """A row that is written is seen even where rows are hidden by default: ECMA-376, part 1, 18.3.1.81."""
    parts = archives_of(archives.xlsx({"A": [["a", "b"], [1, 2], ["Seen", ""]]}))
    sheet = parts[SHEET].decode().replace('<row r="3"', f'<row r="3" {own}')
    sheet = sheet.replace("<sheetData>", f"<sheetFormatPr {usual}/><sheetData>")
    page = await office(zipped({**parts, SHEET: sheet}))
    assert "Seen" in page.body
    assert page.hidden.strip() == hidden


async def test_a_column_without_a_width_has_that_of_the_sheet() -> None:
    columns = '<cols><col min="2" max="2" width="9"/><col min="3" max="3"/></cols>'
    page = await workbook("<sheetData>", f'<sheetFormatPr defaultColWidth="0"/>{columns}<sheetData>')
    assert page.hidden == "a 1 SECRET SECRET"


def test_columns_that_overlap_without_end_cost_no_more() -> None:
    columns = b'<col min="1" max="16384" hidden="1"/>' * 50_000
    written = b"<s><cols>" + columns + b'</cols><c r="A1"><v>1</v></c></s>'
    sheet = within_cpu(5, VisibleSheet, written, CellStyles(b"", Theme()), [])
    assert sheet.said == ["1 "]
