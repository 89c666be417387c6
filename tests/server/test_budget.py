"""Token estimates, even shares, and cuts that lose nothing."""

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit.tokens import estimate_tokens
from websearch_core.server.budget import fitting_end, longest, shares


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


@given(st.text(), st.text())
def test_the_estimate_never_falls_as_a_text_grows(text: str, more: str) -> None:
    assert 0 <= estimate_tokens(text) <= estimate_tokens(text + more)


@given(st.lists(st.sampled_from(["word ", "\n\n", "語", "x" * 40])).map("".join), st.integers(0, 60))
def test_a_fitting_end_fits_or_is_one_character(text: str, tokens: int) -> None:
    end = fitting_end(text, 0, len(text), tokens)
    assert estimate_tokens(text[:end]) <= tokens or end <= 1
    assert end == len(text) or estimate_tokens(text[: end + 1]) > tokens or estimate_tokens(text[:end]) > tokens - 2


@pytest.mark.parametrize(
    ("text", "times", "counted"),
    [
        ("Owls hunt by ear. The fringe on their wings makes their flight silent.\n\n", 30, 480),  # prose
        ("https://example.com/a-long-path/with-many-parts?query=value&another=1 ", 10, 191),  # addresses
        ("| 2026-01-31 | 1,204.50 | 1,310.25 | 1,198.00 | 48,201,933 |\n", 20, 740),  # a table of prices
        ("2026-11-23 10:47:20,381 WARN [worker-7] request 3f9a2c71-77ab took 1204 ms\n", 20, 760),  # a log
        (
            '{"id": 48201, "name": "Owl", "price": 12.5, "tags": ["a", "b"], "at": "2026-11-23T10:47:20Z"}\n',
            20,
            980,
        ),  # JSON
        ('    for name, value in sorted(settings.items()):\n        print(f"{name} = {value!r}")\n', 20, 440),  # code
        ("同样，施力的大小不同，引起的加速度不同，最终的结果也不一样。", 20, 421),  # noqa: RUF001 - Chinese
        ("يصطاد البوم فرائسه ليلا معتمدا على سمعه الحاد وطيرانه الصامت. ", 20, 501),  # Arabic
        ("tcpmux\t\t1/tcp\t\t# multiplexer\necho\t\t7/tcp\nsystat\t\t11/tcp\t\tusers\n", 20, 640),  # tabs
        ("Совы охотятся ночью и находят добычу по слуху. ", 20, 301),  # Russian
        ("Eulen jagen nachts und finden ihre Beute mit dem Gehör. ", 20, 301),  # German
    ],
)
def test_the_estimate_is_near_what_o200k_counted(text: str, times: int, counted: int) -> None:
    assert estimate_tokens(text * times) == pytest.approx(counted, rel=0.2)


def test_random_letters_cost_what_o200k_counted() -> None:
    text = "".join(base64.b64encode(hashlib.sha512(bytes([number])).digest()).decode() for number in range(10))
    assert estimate_tokens(text) == pytest.approx(597, rel=0.1)


def test_text_in_other_scripts_costs_more_a_character() -> None:
    assert estimate_tokens("これは日本語の文章です。" * 20) > 100
