"""Pieces of a page: nothing is lost, and code and tables stay what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit.markdown_blocks import blocks_of
from websearch_core.marks import unmarked
from websearch_core.marks.writing import with_warnings
from websearch_core.server.markdown_cuts import cut, cut_dressed, cut_plainly, dressed
from websearch_core.testing.cpu_time import within_cpu

markdown = st.lists(
    st.sampled_from(
        [
            "word ",
            "A sentence. ",
            "\n\n",
            "\n",
            "# Head\n\n",
            "| a | b |\n",
            "```py\nx = 1\n```\n",
            "- a\n  ```\n  y\n  ```\n",
            "語",
        ]
    )
).map("".join)


def pieces(text: str, size: int) -> list[str]:
    """The text as a reader would page through it."""
    found: list[str] = []
    start = 0
    while start < len(text):
        end = cut(text, start, min(start + size, len(text)))
        assert start < end <= min(start + size, len(text))
        found.append(text[start:end])
        start = end
    return found


@given(markdown, st.integers(1, 200))
def test_paging_gives_back_exactly_the_text(text: str, size: int) -> None:
    assert "".join(pieces(text, size)) == text


def test_a_cut_prefers_a_paragraphs_end() -> None:
    text = "First paragraph here.\n\nSecond one.\n\nThird paragraph that is long."
    assert text[: cut(text, 0, 50)] == "First paragraph here.\n\nSecond one.\n\n"


def test_a_cut_does_not_go_through_fenced_code() -> None:
    text = "Some words before it all.\n\n```py\na = 1\n\nb = 2\n```\n\nAfter."
    assert text[: cut(text, 0, 44)] == "Some words before it all.\n\n"


def test_fenced_code_that_is_too_long_is_cut_at_a_line() -> None:
    text = "```\n" + "line of code\n" * 40 + "```\n"
    assert text[: cut(text, 0, 100)].endswith("line of code\n")


def test_fenced_code_that_began_in_an_earlier_piece_is_known() -> None:
    text = "```\n" + "line of code\n" * 10 + "```\n\nAfter it. More.\n\n```\nx\n```\n"
    begin = text.index("line", 60)
    assert text[: cut(text, begin, text.index("More"))].endswith("```\n\n")


def test_what_lies_far_before_a_piece_costs_nothing() -> None:
    text = "```\n" * 2_500_000
    within_cpu(1, cut, text, 9_000_000, 9_080_000)


def test_a_cut_does_not_go_through_a_tables_row() -> None:
    text = "| a | b |\n| - | - |\n" + "| some | cells |\n" * 10
    assert text[: cut(text, 0, 90)].endswith("|\n")


def test_a_long_line_is_cut_after_a_sentence_then_a_word() -> None:
    assert cut("One is here. Two is here. Three", 0, 28) == len("One is here. Two is here. ")
    assert cut("many words without any end", 0, 20) == len("many words without ")
    assert cut("x" * 50, 0, 20) == 20


LINK = "[some words of it](https://a.example/a_(b)/c)"


@pytest.mark.parametrize(
    "link", [LINK, f"[![a picture of it](https://a.example/p.png)]({LINK[19:-1]})", LINK.replace("of", r"\] [of]")]
)
@pytest.mark.parametrize("span", [None, (0, 1), (12, 30), (0, 1000)], ids=["plain", "before", "link", "all"])
def test_no_piece_ends_within_a_link(link: str, span: tuple[int, int] | None) -> None:
    text = f"Before that {link} come words. " * 6
    text = with_warnings(text, [span]).text if span else text
    for size in range(130, 400, 7):
        end, found = 0, list[str]()
        while end < len(text):
            start, end = end, cut_dressed(text, end, min(end + size, len(text)), size)
            found.append(dressed(text, start, end))
        assert sum(unmarked(piece).count(link) for piece in found) == 6


def test_a_link_that_is_larger_than_a_piece_is_cut_and_nothing_else_is() -> None:
    assert pieces(f"Words {LINK} words.", 20) == ["Words ", "[some words of ", LINK[15:35], LINK[35:] + " words."]


@pytest.mark.parametrize("text", ["[" * 40_000, "[a](" * 10_000, "[a " * 20_000, "[[a](b) " * 5_000, "[a](b(" * 7_000])
def test_what_only_begins_like_a_link_costs_linear_time(text: str) -> None:
    within_cpu(5, pieces, text, 2_000)


def test_a_heading_goes_with_what_it_heads() -> None:
    text = "A first paragraph of some length.\n\n## Head\n\nA second paragraph."
    assert text[: cut(text, 0, 48)] == "A first paragraph of some length.\n\n"


def test_code_or_a_table_that_fits_a_piece_is_never_cut() -> None:
    table = "| a | b |\n|---|---|\n" + "| some | cells |\n" * 5
    text = f"Words.\n\n{table}\nAfter it."
    assert cut(text, 0, len(table) + 5) == text.index("|")
    assert text[8 : cut(text, 8, 8 + len(table) + 5)].rstrip() == table.rstrip()


@pytest.mark.parametrize(
    ("head", "line", "end"), [("| a | b |\n|---|---|\n", "| some | cells |\n", ""), ("```py\n", "line = 1\n", "```\n")]
)
def test_a_first_piece_holds_more_than_the_heading_of_what_is_too_long(head: str, line: str, end: str) -> None:
    text = f"# T\n\n{head}{line * 200}{end}"
    first = text[: cut(text, 0, 200)]
    assert len(first) > 150
    assert first.endswith(line)
    assert cut(text, 0, 5 + len(head) + 3) == 5  # not a line of it fits


@given(markdown, st.integers(20, 200), st.integers(0, 100))
def test_a_dressed_piece_is_as_long_as_was_asked_or_half_of_it_is_text(text: str, size: int, start: int) -> None:
    start = min(start, len(text))
    end = cut_dressed(text, start, min(start + size, len(text)), size)
    assert end > start or start == len(text)
    assert len(dressed(text, start, end)) <= size or end - start <= size // 2


def test_pieces_of_code_and_tables_stay_within_what_was_asked() -> None:
    for head, line in (("| a | b |\n|---|---|\n", "| some | cells |\n"), ("```py\n", "line = 1\n")):
        text = head + line * 100
        start = cut_dressed(text, 0, 100, 100)
        while start < len(text):
            end = cut_dressed(text, start, min(start + 100, len(text)), 100)
            assert len(dressed(text, start, end)) <= 100
            start = end


def test_each_piece_of_long_code_has_its_fence() -> None:
    text = "```py\n" + "line = 1\n" * 30 + "```\n\nAfter."
    assert all(kind == "code" for piece in dressed_pieces(text, 100)[:-1] for kind in piece)
    first = cut(text, 0, 100)
    assert dressed(text, 0, first).endswith("line = 1\n```")
    assert dressed(text, first, cut(text, first, first + 100)).startswith("```py\nline = 1\n")


def test_each_piece_of_a_long_table_has_its_head() -> None:
    text = "| a | b |\n|---|---|\n" + "| some | cells |\n" * 30
    assert dressed_pieces(text, 100) == [["table"]] * len(dressed_pieces(text, 100))


@pytest.mark.parametrize("lead", ["", "Words.\n\n", "# Head\n\n"])
def test_a_table_that_began_far_back_keeps_its_head(lead: str) -> None:
    head = "| a | b |\n|---|---|\n"
    text = f"{lead}{head}" + "| some | cells |\n" * 6000 + "\n" + "a | b\n" * 6000
    after = text.index("\n\na | b") + 2
    start = cut(text, len(lead), 10_000)
    while start < after:
        end = cut(text, start, start + 10_000)
        assert dressed(text, start, end) == head + text[start:end]
        start = end
    while start < len(text):  # rows of nothing
        end = cut(text, start, start + 10_000)
        assert dressed(text, start, end) == text[start:end]
        start = end


@pytest.mark.parametrize("between", ["# Head\n", "```\ncode\n```\n", "\n", " \n"])
def test_what_comes_long_after_a_table_has_no_head_of_it(between: str) -> None:
    text = "| a | b |\n|---|---|\n| c | d |\n" + between + "| some | cells |\n" * 6000
    start = text.index("\n", 60_000) + 1
    assert dressed(text, start, start + 160) == text[start : start + 160]


@pytest.mark.parametrize("lead", ["\n \n", "a\n\n \n \n", " \n"])
def test_long_lines_after_blank_ones_are_no_table(lead: str) -> None:
    text = lead + "word\n" * 8000
    assert dressed(text, 30_000, 30_100) == text[30_000:30_100]


@pytest.mark.parametrize("row", ["wide cell " * 2500, "wide" * 6000])
@pytest.mark.parametrize("size", [3000, 8000, 30_000])
def test_nothing_of_a_table_with_a_long_first_row_is_lost(row: str, size: int) -> None:
    text = f"Words.\n\n| {row} | b |\n|---|---|\n" + "| some | cells |\n" * 3000 + "\nAfter."
    assert "".join(pieces(text, size)) == text


def dressed_pieces(text: str, size: int) -> list[list[str]]:
    found: list[list[str]] = []
    start = 0
    while start < len(text):
        end = cut(text, start, min(start + size, len(text)))
        found.append([block.kind for block in blocks_of(dressed(text, start, end))])
        start = end
    return found


@given(markdown, st.integers(1, 200))
def test_a_dressed_piece_holds_the_piece(text: str, size: int) -> None:
    start = 0
    while start < len(text):
        end = cut(text, start, min(start + size, len(text)))
        assert text[start:end] in dressed(text, start, end)
        start = end


@pytest.mark.parametrize("lead", ["", "Words.\n\n", "- item\n  ```\n  never closed\n\nWords.\n\n"])
def test_code_that_began_far_back_keeps_its_fence(lead: str) -> None:
    text = f"{lead}```py\n" + "line = 1\n" * 6000 + "```\n\n" + "After it.\n\n" * 3000 + "```\nx\n```\n"
    start = cut(text, 0, 10_000)
    while start < text.index("```\n\nAfter"):
        end = cut(text, start, start + 10_000)
        assert dressed(text, start, end).startswith("```py\nline = 1\n")
        assert blocks_of(dressed(text, start, end))[0].kind == "code"
        start = end
    end = cut(text, start, start + 4_000)
    assert {block.kind for block in blocks_of(dressed(text, start, end))} == {"paragraph"}


@pytest.mark.parametrize("indent", ["  ", "   ", "        "])
@pytest.mark.parametrize("lines", [12, 4_000])
def test_code_in_a_list_item_has_its_fence_in_every_piece(indent: str, lines: int) -> None:
    code = "".join(f"{indent}line = {n}\n" if n % 5 else f"{indent}# head\n" for n in range(1, lines))
    text = f"Words.\n\n- One item.\n\n{indent}```py\n{code}{indent}```\n\n- Another item.\n\nWords after it.\n"
    first, last = text.index("line = 1"), text.index(f"{indent}```\n")
    start, seen = 0, 0
    while start < min(len(text), 15_000):
        end = cut(text, start, min(start + 60, len(text)))
        piece = dressed(text, start, end)
        if first < end and start < last:
            assert piece.count("```") == 2, piece
            assert f"{indent}```py\n" in piece
            assert piece.rstrip("\n").endswith(f"\n{indent}```") or end > last
            seen += 1
        else:
            assert "```" not in piece
        assert text[start:end] in piece
        start = end
    assert seen > 1


def test_a_list_whose_code_is_never_closed_stays_a_list() -> None:
    text = "- item\n  ```\n  never closed\n" + "- more items of it\n" * 30
    assert dressed(text, 0, cut(text, 0, 100)).count("```") == 1


@pytest.mark.parametrize("row", ["| a | b |\n", "| a | b |", "\n # a\n", "\n  a"])
def test_a_tables_head_far_back_is_found_in_linear_time(row: str) -> None:
    text = "| a | b |\n|---|---|\n" + row * (5_000_000 // len(row))
    for start in (1_900_000, len(text) - 90_000):
        within_cpu(1, cut, text, start, start + 10_000)


@pytest.mark.parametrize("text", ["\n" * 5_000_000 + "```", "~" * 5_000_000, "   ```\n" * 700_000, "``` `\n" * 800_000])
def test_fences_far_back_are_found_in_linear_time(text: str) -> None:
    within_cpu(1, cut, text, len(text) - 90_000, len(text) - 80_000)


@given(markdown, st.integers(1, 200))
def test_plain_pieces_give_back_the_text(text: str, size: int) -> None:
    start, found = 0, ""
    while start < len(text):
        end = cut_plainly(text, start, min(start + size, len(text)))
        assert start < end <= start + size
        found, start = found + text[start:end], end
    assert found == text


def test_a_plain_piece_ends_after_a_line_or_a_word_whatever_it_looks_like() -> None:
    assert cut_plainly("| a |\n|---|\n| b |\n| c |\n", 0, 20) == 18
    assert cut_plainly("```\nmany words of code\n```", 0, 19) == len("```\nmany words of ")


@pytest.mark.parametrize("code", ["  ```\n  ```\n", "  ~~~a\n  x\n  ~~~\n", "  ```\n  x\n  ````\n"])
def test_much_code_in_one_item_costs_linear_time(code: str) -> None:
    text = "- a\n" + code * 3000 + "  x\n" * 60_000
    assert within_cpu(1, cut, text, 0, 60_000)
