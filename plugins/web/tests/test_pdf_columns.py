"""Cards and columns that were taken for a table are read one after the other."""

from __future__ import annotations

from types import SimpleNamespace

from websearch_web.pdf.layout.columns import cut, is_misread


def item(text: str, x: float, y: float, width: float = 100) -> SimpleNamespace:
    """A piece of text on a page."""
    return SimpleNamespace(text=text, x=x, y=y, width=width, height=10)


def row(*texts: str) -> list[SimpleNamespace]:
    """A row of a table."""
    return [SimpleNamespace(text=text) for text in texts]


def test_cards_are_read_one_by_one_below_what_spans_them() -> None:
    items = [item("Wide", 50, 50, 330)]
    for number, x in enumerate((50, 170, 290)):
        items += [item(f"head {number}", x, 80), item(f"one {number}", x, 100), item(f"two {number}", x, 111)]
    read = [[one.text for one in block] for block in cut(items)]
    assert read[0] == ["Wide"]
    assert [text for block in read[1:] for text in block] == [
        f"{word} {number}" for number in range(3) for word in ("head", "one", "two")
    ]


def test_a_line_across_its_columns_is_no_row_of_a_table() -> None:
    line = "A line that stands above all of the cards"
    assert is_misread(SimpleNamespace(header=None, rows=[row(f"{line} one", f"{line} two")]))
    assert not is_misread(SimpleNamespace(header=row("River", "Length"), rows=[row("yes", "yes"), row("a", line)]))
