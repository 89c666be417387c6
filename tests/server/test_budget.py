"""Token estimates, even shares, and cuts that lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.server.budget import fitting_end, longest, shares
from websearch_core.tokens import estimate_tokens


def test_a_text_longer_than_the_longest_costs_too_much() -> None:
    for tokens in (0, 1, 99.9, 20_000):
        assert estimate_tokens("x" * longest(tokens)) > tokens


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


@given(st.lists(st.sampled_from(["word ", "\n\n", "語", "x" * 40])).map("".join), st.integers(0, 60))
def test_a_fitting_end_fits_or_is_one_character(text: str, tokens: int) -> None:
    end = fitting_end(text, 0, len(text), tokens)
    assert estimate_tokens(text[:end]) <= tokens or end <= 1
    assert end == len(text) or estimate_tokens(text[: end + 1]) > tokens


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
    assert estimate_tokens(text) == pytest.approx(counted, rel=within)


def test_text_in_other_scripts_costs_more_a_character() -> None:
    assert estimate_tokens("これは日本語の文章です。" * 20) > 100


def test_the_estimate_is_near_a_real_tokenizers_count() -> None:
    splintr = pytest.importorskip("splintr", reason="the tokenizer splintr-rs is not installed")
    tokenizer = splintr.Tokenizer.from_pretrained("o200k_base")
    text = "Owls hunt by ear. The fringe on their wings makes their flight silent.\n\n" * 30
    assert estimate_tokens(text) == pytest.approx(len(tokenizer.encode(text)), rel=0.25)
