"""What Google is sent for a request, and what is said about it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import SearchRequest
from websearch_google.request_params import parameters

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC).timestamp()


def asked(**fields):
    return parameters(SearchRequest(**{"query": "q", **fields}), cx="x", now=NOW)


def test_a_bare_request_says_nothing_more():
    assert asked() == ({"cx": "x", "q": "q"}, [])


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"time_range": "day"}, {"dateRestrict": "d1"}),
        ({"time_range": "week"}, {"dateRestrict": "w1"}),
        ({"time_range": "month"}, {"dateRestrict": "m1"}),
        ({"time_range": "year"}, {"dateRestrict": "y1"}),
        ({"start_published_date": "2026-01-02T00:00:00Z"}, {"sort": "date:r:20260102:"}),
        ({"end_published_date": "2026-03-04T23:59:59+09:00"}, {"sort": "date:r::20260304"}),
        (
            {"start_published_date": "2026-01-02T00:00:00Z", "end_published_date": "2026-03-04T23:59:59Z"},
            {"sort": "date:r:20260102:20260304"},
        ),
        ({"start_published_date": "2026-01-02T00:00:00Z", "time_range": "week"}, {"sort": "date:r:20260303:"}),
        ({"start_published_date": "2026-03-09T00:00:00Z", "time_range": "week"}, {"sort": "date:r:20260309:"}),
        ({"end_published_date": "0999-03-04T00:00:00Z"}, {"sort": "date:r::09990304"}),
        ({"end_published_date": "9999-12-31T23:59:59-05:00"}, {"sort": "date:r::99991231"}),
        (
            {"vertical": "news", "start_published_date": "2026-01-02T00:00:00Z"},
            {"sort": "date:d:s,date:r:20260102:"},
        ),
        ({"vertical": "news", "time_range": "day"}, {"sort": "date:d:s", "dateRestrict": "d1"}),
        ({"vertical": "images", "start_published_date": "2026-01-02T00:00:00Z"}, {"searchType": "image"}),
        (
            {"vertical": "images", "start_published_date": "2026-01-02T00:00:00Z", "time_range": "week"},
            {"searchType": "image", "dateRestrict": "w1"},
        ),
        ({"safesearch": "off"}, {"safe": "off"}),
        ({"safesearch": "moderate"}, {"safe": "active"}),
        ({"safesearch": "strict"}, {"safe": "active"}),
    ],
)
def test_each_field_has_its_parameter(fields, sent):
    assert asked(**fields)[0] == {"cx": "x", "q": "q", **sent}


def test_a_level_of_safe_search_that_google_has_not_is_mentioned():
    assert asked(safesearch="moderate")[1] == ["Google: safe search is either on or off; moderate became on"]
    assert asked(safesearch="strict")[1] == asked(safesearch="off")[1] == []


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("cache:example.com", "example.com"),
        ("see CACHE:cache:example.com now", "see example.com now"),
        ('"cache:a', '"a'),
        ("-cache:a", "-a"),
    ],
)
def test_a_command_that_leaves_the_search_loses_its_force_and_is_mentioned(query, sent):
    parameters_, notes = asked(query=query)
    assert parameters_["q"] == sent
    assert notes == ["Google: cache: in the query was taken as a plain word"]


@pytest.mark.parametrize("query", ["site:example.com cache", '"to be" OR -not', "intitle:a !g b"])
def test_the_operators_of_searching_are_left_alone(query):
    assert asked(query=query)[0]["q"] == query


@given(
    st.text(alphabet="aC:cache -+\"'é", min_size=1, max_size=40).filter(str.strip),
    st.sampled_from(["web", "news", "images"]),
)
def test_no_query_reaches_googles_copies_and_no_note_holds_the_query(query, vertical):
    sent, notes = asked(query=query, vertical=vertical)
    assert not any(word.lstrip('-+"').lower().startswith("cache:") for word in sent["q"].split())
    assert set(notes) <= {
        "Google: cache: in the query was taken as a plain word",
        "Google: Programmable Search has no news search; these are web pages, recent ones preferred",
    }
