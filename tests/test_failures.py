"""What a failure tells model and operator: what happened, what to do, and when to come back."""

from __future__ import annotations

import pytest

from websearch_core.asking.ledger.budgets import AT_DAY, UNKNOWN_PRICE, CapReached
from websearch_core.asking.source.failure_values import as_failure
from websearch_core.contract.error_texts import explained
from websearch_core.contract.errors import (
    AllSourcesFailed,
    AuthFailed,
    BackendError,
    BlockedBySite,
    Code,
    InvalidRequest,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
)


def no_answer(*errors: BackendError) -> AllSourcesFailed:
    return AllSourcesFailed(tuple(as_failure(f"s{number}", error) for number, error in enumerate(errors, 1)))


WAITS = [
    (RateLimited(retry_after=34), "A retry may help after 34 s."),
    (RateLimited(retry_after=0.2), "A retry may help after 1 s."),
    (RateLimited(), "A retry may help."),
    (QuotaExceeded(retry_after=90), "A retry may help after 90 s."),
    (QuotaExceeded(retry_after=7199.5), "A retry may help after 2 h."),
    (QuotaExceeded(retry_after=5 * 3600), "A retry may help after 5 h."),
    (QuotaExceeded(retry_after=5 * 3600 + 1), "A retry may help after 6 h."),
    (QuotaExceeded(retry_after=float("inf")), "A retry does not help."),
    (QuotaExceeded(), "A retry does not help."),
    (RateLimited(retry_after=31 * 86_400), "A retry may help after 744 h."),
    (RateLimited(retry_after=1e9), "A retry may help after a month or more."),
    (BlockedBySite(retry_after=3600), "A retry may help after 3600 s."),
    (PlanMismatch(retry_after=3600), "A retry may help after 3600 s."),
    (AuthFailed(), "A retry does not help."),
    (ServerFailed(retry_after=float("nan")), "A retry may help."),
]


@pytest.mark.parametrize(("error", "told"), WAITS)
def test_who_knows_when_to_come_back_is_told(error: BackendError, told: str) -> None:
    assert explained(error).text.endswith(f". {told}")
    assert f"{told}\nNext: " in explained(no_answer(error)).text


@pytest.mark.parametrize(
    ("errors", "last"),
    [
        (
            (QuotaExceeded(retry_after=5 * 3600), BlockedBySite(retry_after=3600), PlanMismatch(retry_after=4000)),
            "Asking again may help after 3600 s (s2).",
        ),
        ((QuotaExceeded(retry_after=86400), AuthFailed()), "Asking again may help after 24 h (s1)."),
        ((QuotaExceeded(retry_after=60), RateLimited(retry_after=34)), "Asking again may help after 34 s (s2)."),
        ((QuotaExceeded(retry_after=60), ServerFailed()), "Asking again may help (s2)."),
        ((QuotaExceeded(), AuthFailed()), "Asking again unchanged does not help."),
        ((CapReached(AT_DAY, retry_after=18000), AuthFailed()), "Asking again may help after 5 h (s1)."),
    ],
)
def test_of_several_the_soonest_is_named_last(errors: tuple[BackendError, ...], last: str) -> None:
    assert explained(no_answer(*errors)).text.endswith(f" {last}")


def test_a_cap_of_the_operators_is_not_told_as_an_empty_account() -> None:
    error = CapReached(AT_DAY, retry_after=18000)
    failure = explained(error)
    assert failure.code is Code.QUOTA
    assert failure.text == (
        "quota: the operator's cap for this day is reached: it asks again tomorrow (UTC). "
        "Next: use another backend, or the operator raises the cap. A retry may help after 5 h."
    )
    assert explained(no_answer(error)).text == (
        "No source could answer:\n"
        "- s1: quota: the operator's cap for this day is reached: it asks again tomorrow (UTC). "
        "A retry may help after 5 h.\n"
        "Next: use another backend, or the operator raises the cap."
    )


def test_a_price_that_is_not_known_yet_is_told_as_such() -> None:
    text = explained(no_answer(CapReached(UNKNOWN_PRICE, retry_after=1.0))).text
    assert "another call is finding out what one costs" in text
    assert "A retry may help after 1 s." in text
    assert "quota is used up" not in text
    assert "credit" not in text


def test_other_failures_keep_the_advice_of_their_code() -> None:
    text = explained(no_answer(QuotaExceeded("1,000 a month"), InvalidRequest())).text
    assert "- s1: quota: the account's quota is used up: 1,000 a month. A retry does not help." in text
    assert "Next: use another backend or add credit; or change the arguments." in text


def test_one_step_that_another_names_too_is_said_once() -> None:
    text = explained(no_answer(BlockedBySite(), TimedOut())).text
    assert "Next: try again or use another source. " in text
