"""What an empty answer says: who was asked, what to loosen, and that it proves nothing."""

from __future__ import annotations

import pytest

from websearch_core.chain.empty_result_hints import NO_PROOF, of_empty
from websearch_core.contract.errors import Unjudged
from websearch_core.contract.models import SearchRequest
from websearch_core.contract.verdicts import ADDRESS_RULES, Dropped


def hints(*asked: str, dropped: tuple[Unjudged | None, ...] = (), by: str = "f", **fields: object) -> tuple[str, ...]:
    receipts = [Dropped(host="a.example", by=by, reason="no", unjudged=unjudged) for unjudged in dropped]
    return of_empty(SearchRequest(**{"query": "green tea", **fields}), asked, receipts)


def test_who_was_asked_and_that_it_proves_nothing() -> None:
    assert hints("brave", "exa") == ("Asked: brave, exa.", "Use other words.", NO_PROOF)


def test_what_to_loosen_is_named_as_the_caller_said_it() -> None:
    loosen = "Loosen what limits the search: allowed_domains, time_range."
    assert loosen in hints("exa", allowed_domains=("a.com",), time_range="day")
    assert "Loosen what limits the search: lens, language." in hints(
        "exa", lens="docs", allowed_domains=("a.com",), goggle="https://a.com/x", language="de"
    )


@pytest.mark.parametrize(("safesearch", "named"), [("strict", True), ("off", False), (None, False)])
def test_only_what_limits_is_to_be_loosened(safesearch: str | None, named: bool) -> None:
    assert any("safesearch" in hint for hint in hints("exa", safesearch=safesearch)) is named


def test_long_queries_should_be_shorter() -> None:
    assert "Use fewer words." in hints("exa", query="what is the best green tea in the whole world")


def test_what_filters_took_out_is_not_told_as_nothing() -> None:
    [only] = hints("exa", dropped=(Unjudged(), None))
    assert "safety filters left all of it out: ask in other words" in only
    assert NO_PROOF not in only


def test_what_cannot_be_read_here_is_not_told_as_nothing_nor_as_blocked_by_filters() -> None:
    [only] = hints("exa", dropped=(None, None), by=ADDRESS_RULES)
    assert "only at addresses that may not be read here" in only
    assert "filters" not in only


@pytest.mark.parametrize(("retry_helps", "step"), [(True, "try again, or ask for fewer"), (False, "the operator must")])
def test_what_nobody_could_judge_is_no_reason_for_other_words(retry_helps: bool, step: str) -> None:
    [only] = hints("exa", dropped=(Unjudged(retry_helps),))
    assert f"could not judge it: {step}" in only
    assert "words" not in only
