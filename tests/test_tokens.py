"""What a text costs is known to be little without an estimate only where the estimate says so, too."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit.tokens import costs_more, estimate_tokens

# what costs most for its length: rare letters, numbers after blanks, signs, lines, other scripts
DEAR = st.text(st.sampled_from([*"0 9z.Zqj\n", "ј", "ъ", "і", "é", "€", "汉", "가", "🦊", "a"]), max_size=60)  # noqa: RUF001 - Cyrillic


@given(st.one_of(DEAR, st.text()), st.floats(0, 40))
def test_a_text_costs_more_where_its_estimate_does(text: str, tokens: float) -> None:
    assert costs_more(text, tokens) == (estimate_tokens(text) > tokens)
