"""What other servers say about when to come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.net.failures import retry_after

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        (" 1.5 ", 1.5),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60),
        ("Tue, 14 Nov 2023 22:14:20 -0000", 60),
        ("Tue, 14 Nov 2000 22:14:20 GMT", 0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("9" * 400, None),
        ("Tue, 14 Nov 20231114221420 22:14:20 GMT", None),
        ("Tue, 14 Nov 2023 22:14:20 +99999999999999999999", None),
        ("Tue, 99 Nov 2023 22:14:20 GMT", None),
    ],
)
def test_a_time_to_wait_is_a_number_or_a_date_and_nonsense_says_nothing(said: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": said}, NOW) == seconds


@given(st.text(alphabet="0123456789 ,:+-.TueNovGMTZ", max_size=60))
def test_no_header_is_an_error(said: str) -> None:
    waits = retry_after({"retry-after": said}, NOW)
    assert waits is None or waits >= 0
