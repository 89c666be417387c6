"""Cells that span rows and columns are repeated, but a small table does not become a large text."""

from __future__ import annotations

import pytest

from websearch_web.html.page_reader import read_html

SPANNED = {
    "columns, then many rows": "<tr>" + "<td colspan=100>x" * 60 + "<tr><td>a" * 500,
    "rows": "<tr>" + "<td rowspan=99>x" * 300 + "<tr>" * 100,
    "rows of words": "<tr>" + f"<td rowspan=99>{'word ' * 40}" * 28 + "<tr>" * 98,
    "both": f"<tr>{'<td rowspan=100 colspan=100>xyz abc' * 8}" * 20,
    "a wide row, then short ones": "<tr>" + "<td>a" * 700 + "<tr><td>a" * 300,
    "many tables": ("<tr>" + "<td rowspan=99>x" * 3 + "<tr>" * 10 + "</table><table>") * 60,
}


def read(rows: str) -> str:
    return read_html(f"<main><p>Seen.</p><table>{rows}</table></main>".encode(), "https://site.example/").body


@pytest.mark.parametrize("way", SPANNED)
def test_spans_make_a_text_at_most_ten_times_as_long(way: str) -> None:
    assert len(read(SPANNED[way])) < 10 * len(SPANNED[way])


def test_spans_are_filled() -> None:
    text = read(
        "<tr><th rowspan=2>Year<th colspan=2>Owls<tr><th>barn<th>tawny<tr><td rowspan=0>2024<td>7<td>9"
        "<tr><td rowspan=2>2025<td>8<td>4<tr><td colspan=9>none"
    )
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n")[2:]] == [
        ["Year", "Owls", "Owls"],
        ["---", "---", "---"],
        ["Year", "barn", "tawny"],
        ["2024", "7", "9"],
        ["2025", "8", "4"],
        ["2025", "none", "none"],
    ]
