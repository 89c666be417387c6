"""What other servers say about when to come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.contract.errors import LONGEST_WAIT_S, Code, RateLimited, of_code
from websearch_core.net.http_errors import of_engine, of_site, retry_after

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


@pytest.mark.parametrize("said", ["999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
@pytest.mark.parametrize("error_of", [of_engine, of_site])
def test_no_wait_that_is_told_on_is_longer_than_a_month(said: str, error_of: object) -> None:
    assert error_of(429, {"retry-after": said}, NOW).retry_after == LONGEST_WAIT_S


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (0.0, 0.0),
        (30.0, 30.0),
        (LONGEST_WAIT_S, LONGEST_WAIT_S),
        (1e300, LONGEST_WAIT_S),
        pytest.param(10**400, LONGEST_WAIT_S, id="no float is so large"),
        (float("inf"), None),
        (-1.0, None),
        (float("nan"), None),
        (None, None),
    ],
)
def test_a_wait_is_kept_within_reason_however_the_error_comes_about(said: float | None, kept: float | None) -> None:
    error = RateLimited(retry_after=said)
    assert error.retry_after == kept
    assert of_code(error.code, "x", said).retry_after == kept
    error.retry_after = said
    assert error.retry_after == kept


@pytest.mark.parametrize(
    ("status", "code", "step", "retry"),
    [
        (204, Code.NOT_FOUND, "check the address", False),
        (205, Code.NOT_FOUND, "check the address", False),
        (405, Code.INVALID_REQUEST, "check the address", False),
        (407, Code.BLOCKED_BY_SITE, "use another source", False),
        (409, Code.INVALID_REQUEST, "check the address", False),
        (425, Code.SERVER, "try again", True),
    ],
)
def test_what_a_site_says_no_to_is_told_to_who_reads_pages(status: int, code: Code, step: str, retry: bool) -> None:
    error = of_site(status, {}, NOW)
    assert error is not None
    assert (error.code, error.retry_helps) == (code, retry)
    assert step in error.advice.next_step
