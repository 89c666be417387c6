"""What each kind of text is estimated to cost: the rates as they were fitted (`evals/tokens.md`)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit import estimate_tokens
from websearch_core.kit.tokens import costs_more

ESTIMATES = {
    "": 0.0,
    " ": 0.1,
    "a": 0.72,
    "word": 0.78,
    "two words": 1.593,
    "extraordinarily": 2.035,
    "WORDS": 1.104,
    "in 2024 or 17": 7.339,
    "12345678": 3.463,
    "a\nb\n\nc": 4.282,
    "{}[]()": 3.36,
    "jkuvxz": 5.552,
    "x" * 40: 19.835,
    "naïve été": 4.771,
    "šđžčć": 5.624,
    "αβγδ": 2.135,
    "привет": 1.833,
    "ініціатива": 5.298,
    "њих ъ": 5.804,
    "שלום": 2.427,
    "سلام": 1.903,
    "नमस्ते": 2.618,
    "—…": 1.468,
    "かな": 1.522,
    "漢字": 1.976,
    "한글": 1.444,
    "😀🎉": 4.789,
}


@pytest.mark.parametrize("text", ESTIMATES)
def test_an_estimate_adds_up_from_the_fitted_rates(text: str) -> None:
    assert estimate_tokens(text) == pytest.approx(ESTIMATES[text], abs=0.001)


# what costs most for its length: rare letters, numbers after blanks, signs, lines, other scripts
DEAR = st.text(st.sampled_from([*"0 9z.Zqj\n", "ј", "ъ", "і", "é", "€", "汉", "가", "🦊", "a"]), max_size=60)  # noqa: RUF001 - Cyrillic


@given(st.one_of(DEAR, st.text()), st.floats(0, 40))
def test_what_is_told_without_an_estimate_agrees_with_it(text: str, tokens: float) -> None:
    assert costs_more(text, tokens) == (estimate_tokens(text) > tokens)
