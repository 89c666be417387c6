"""Token estimates, even shares, and cuts that lose nothing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.server.budget import cut, estimate, fitting_end, longest, shares

markdown = st.lists(
    st.sampled_from(
        ["word ", "A sentence. ", "\n\n", "\n", "# Head\n\n", "| a | b |\n", "```py\nx = 1\n```\n", "語", "x" * 40]
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
    begin = time.process_time()
    cut(text, 9_000_000, 9_080_000)
    assert time.process_time() - begin < 0.5


def test_a_text_longer_than_the_longest_costs_too_much() -> None:
    for tokens in (0, 1, 99.9, 20_000):
        assert estimate("x" * longest(tokens)) > tokens


def test_a_cut_does_not_go_through_a_tables_row() -> None:
    text = "| a | b |\n| - | - |\n" + "| some | cells |\n" * 10
    assert text[: cut(text, 0, 90)].endswith("|\n")


def test_a_long_line_is_cut_after_a_sentence_then_a_word() -> None:
    assert cut("One is here. Two is here. Three", 0, 28) == len("One is here. Two is here. ")
    assert cut("many words without any end", 0, 20) == len("many words without ")
    assert cut("x" * 50, 0, 20) == 20


@pytest.mark.parametrize(
    ("costs", "total", "given_out"),
    [
        ([10, 10], 30, [10, 10]),
        ([10, 100], 60, [10, 50]),
        ([100, 100, 100], 30, [10, 10, 10]),
        ([5, 100, 100], 25, [5, 10, 10]),
        ([], 30, []),
    ],
)
def test_shares_are_even_and_nothing_is_wasted(costs: list[float], total: float, given_out: list[float]) -> None:
    assert shares(costs, total) == pytest.approx(given_out)


@given(markdown, st.integers(0, 60))
def test_a_fitting_end_fits_or_is_one_character(text: str, tokens: int) -> None:
    end = fitting_end(text, 0, len(text), tokens)
    assert estimate(text[:end]) <= tokens or end <= 1
    assert end == len(text) or estimate(text[: end + 1]) > tokens


@pytest.mark.parametrize(
    ("text", "counted", "within"),
    [
        ("The quick brown fox jumps over the lazy dog. " * 20, 201, 0.1),
        ("Owls hunt by ear. The fringe on their wings makes their flight silent.\n\n" * 30, 480, 0.1),
        ("https://example.com/a-long-path/with-many-parts?query=value&another=1 " * 10, 191, 0.3),
    ],
    ids=["a sentence", "paragraphs", "addresses"],
)
def test_the_estimate_is_near_what_o200k_counted(text: str, counted: int, within: float) -> None:
    assert estimate(text) == pytest.approx(counted, rel=within)


def test_text_in_other_scripts_costs_more_a_character() -> None:
    assert estimate("これは日本語の文章です。" * 20) > 100


def test_the_estimate_is_near_a_real_tokenizers_count() -> None:
    splintr = pytest.importorskip("splintr", reason="the tokenizer splintr-rs is not installed")
    tokenizer = splintr.Tokenizer.from_pretrained("o200k_base")
    text = "Owls hunt by ear. The fringe on their wings makes their flight silent.\n\n" * 30
    assert estimate(text) == pytest.approx(len(tokenizer.encode(text)), rel=0.25)
