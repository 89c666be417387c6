"""Exa's results, in all the shapes that were seen, become hits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websearch_core.kit import Row
from websearch_exa.results import dollars, highlights, hit


def one(**row):
    return hit(Row({"url": "https://example.com/", "title": "T", **row}), whole_text=False)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (["a", "b"], "a\n\nb"),
        ([" a ", "", "  "], "a"),
        ([{"text": "a"}, "b", {"text": None}, {"other": "c"}, 5], "a\n\nb"),
        ("a", "a"),
        ({"text": "a"}, "a"),
        ([], ""),
        (None, ""),
        (5, ""),
    ],
)
def test_highlights_come_in_many_shapes(value, text):
    assert highlights(Row({"highlights": value})) == text


def test_a_hit_without_highlights_shows_its_text_or_summary():
    assert one(text="Text.", summary="Summary.").snippet == "Text."
    assert one(summary="Summary.").snippet == "Summary."
    assert one(highlights=["Best."], text="Text.").snippet == "Best."


def test_a_hit_whose_text_was_asked_for_has_it_as_body():
    found = hit(Row({"url": "https://example.com/", "text": "Text.", "highlights": ["Best."]}), whole_text=True)
    assert (found.body, found.snippet) == ("Text.", "")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2023-11-16T01:36:32.547Z", datetime(2023, 11, 16, 1, 36, 32, 547000, tzinfo=UTC)),
        ("2024-09-15", datetime(2024, 9, 15, tzinfo=UTC)),
        ("", None),
        (None, None),
        ("soon", None),
        (5, None),
    ],
)
def test_dates_are_days_or_moments(value, expected):
    assert one(publishedDate=value).published == expected


@pytest.mark.parametrize(
    "url", [None, "", 5, "javascript:alert(1)", "http://", "ftp://x/", "https://[::1", "https://a b/"]
)
def test_a_result_without_a_web_address_is_no_hit(url):
    assert one(url=url) is None


def test_a_favicon_that_is_no_address_is_left_out():
    assert one(favicon="data:image/png;base64,AAAA").favicon == ""
    assert one(favicon="https://example.com/favicon.ico").favicon == "https://example.com/favicon.ico"


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        ({"total": 0.005}, 0.005),
        ({"total": "0.005"}, 0.005),
        ({"total": 0}, 0.0),
        ({"total": None}, None),
        ({"total": {"search": 1}}, None),
        ({"total": -1}, None),
        ({"total": "nan"}, None),
        ({"search": {"neural": 0.005}}, None),
        (0.005, 0.005),
        ([], None),
        (None, None),
    ],
)
def test_the_cost_is_read_where_it_is_one_number(cost, expected):
    assert dollars(Row({"costDollars": cost})) == expected


def test_a_result_without_any_text_is_called_by_its_address():
    assert one(title=None).title == "https://example.com/"
    assert one(title=None, text="Text.").title == ""
