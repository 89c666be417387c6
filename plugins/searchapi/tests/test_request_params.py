"""What SearchApi is sent for a request, and what is said about it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import SearchRequest
from websearch_searchapi.request_params import parameters

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC).timestamp()


def asked(**fields):
    return parameters(SearchRequest(**{"query": "q", **fields}), now=NOW)


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({}, {}),
        ({"time_range": "day"}, {"time_period": "last_day"}),
        ({"time_range": "week"}, {"time_period": "last_week"}),
        ({"time_range": "month"}, {"time_period": "last_month"}),
        ({"time_range": "year"}, {"time_period": "last_year"}),
        ({"start_published_date": "2026-01-02T00:00:00Z"}, {"time_period_min": "01/02/2026"}),
        ({"end_published_date": "2026-03-04T23:59:59+09:00"}, {"time_period_max": "03/04/2026"}),
        (
            {"start_published_date": "2026-01-02T00:00:00Z", "end_published_date": "2026-11-14T23:59:59Z"},
            {"time_period_min": "01/02/2026", "time_period_max": "11/14/2026"},
        ),
        ({"start_published_date": "2026-01-02T00:00:00Z", "time_range": "week"}, {"time_period_min": "03/03/2026"}),
        (
            {"end_published_date": "2026-03-08T23:59:59Z", "time_range": "week"},
            {"time_period_min": "03/03/2026", "time_period_max": "03/08/2026"},
        ),
        ({"end_published_date": "9999-12-31T23:59:59-05:00"}, {"time_period_max": "12/31/9999"}),
        ({"end_published_date": "0999-03-04T00:00:00Z"}, {"time_period_max": "03/04/0999"}),
        ({"safesearch": "off"}, {"safe": "off"}),
        ({"safesearch": "moderate"}, {"safe": "blur"}),
        ({"safesearch": "strict"}, {"safe": "active"}),
        ({"language": "de", "user_location_country": "AT"}, {"lr": "lang_de", "hl": "de", "gl": "at"}),
        ({"max_results": 50}, {}),
    ],
)
def test_each_field_has_its_parameter(fields, sent):
    assert asked(**fields) == ({"engine": "google", "q": "q", "nfpr": "1", **sent}, [])


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"vertical": "news", "safesearch": "strict"}, {"engine": "google_news"}),
        (
            {"vertical": "news", "start_published_date": "2026-01-02T00:00:00Z"},
            {"engine": "google_news", "time_period_min": "01/02/2026"},
        ),
        ({"vertical": "images", "safesearch": "strict"}, {"engine": "google_images", "safe": "active"}),
        ({"vertical": "images", "start_published_date": "2026-01-02T00:00:00Z"}, {"engine": "google_images"}),
        (
            {"vertical": "images", "start_published_date": "2026-01-02T00:00:00Z", "time_range": "day"},
            {"engine": "google_images", "time_period": "last_day"},
        ),
    ],
)
def test_news_and_pictures_take_less(fields, sent):
    assert asked(**fields)[0] == {"q": "q", "nfpr": "1", **sent}


@given(st.text(alphabet="aC:cache -+\"'é", min_size=1, max_size=40).filter(str.strip))
def test_no_query_reaches_googles_copies_and_no_note_holds_the_query(query):
    sent, notes = asked(query=query)
    assert not any(word.lstrip('-+"').lower().startswith("cache:") for word in sent["q"].split())
    changed = sent["q"] != " ".join(query.split())
    assert notes == (["SearchApi: cache: in the query was taken as a plain word"] if changed else [])
