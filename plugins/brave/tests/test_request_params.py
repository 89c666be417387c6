"""What each of Brave's endpoints is sent."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_brave import goggles, request_params
from websearch_brave.request_params import Habits
from websearch_core import SearchRequest
from websearch_core.kit import InvalidRequest

NOW = 1_750_000_000.0  # 2025-06-15 15:06:40 UTC
GOGGLES = tuple(f"https://example.com/{name}.goggle" for name in "abc")


def request(query="asyncio", **fields):
    return SearchRequest(query=query, **fields)


def sent(build, *, habits=Habits(), **fields):  # noqa: B008 - a value
    """What leaves: parameters that are None do not."""
    params, notes = (
        build(request(**fields), habits, NOW) if build is not request_params.images else build(request(**fields))
    )
    return {name: value for name, value in params.items() if value is not None}, notes


def test_a_bare_search_says_only_what_it_must():
    assert sent(request_params.web)[0] == {
        "q": "asyncio",
        "count": 8,
        "goggles": [],
        "spellcheck": False,
        "text_decorations": False,
        "result_filter": "web,query",
    }
    assert sent(request_params.news)[0] == {"q": "asyncio", "count": 8, "goggles": [], "spellcheck": False}
    assert sent(request_params.images)[0] == {"q": "asyncio", "count": 8, "spellcheck": False}


@pytest.mark.parametrize("build", [request_params.web, request_params.news, request_params.images, request_params.text])
def test_bangs_become_words_in_every_vertical(build):
    params, notes = sent(build, query="python !g secret !wikipedia")
    assert params["q"] == "python g secret wikipedia"
    assert request_params.BANGS in notes


def test_what_is_no_bang_stays():
    params, notes = sent(request_params.web, query='yahoo! c++ site:example.com -site:example.org "a b" intitle:x')
    assert params["q"] == 'yahoo! c++ site:example.com -site:example.org "a b" intitle:x'
    assert notes == []


@pytest.mark.parametrize(("wanted", "count"), [(1, 1), (20, 20), (21, 20), (50, 20)])
def test_a_page_of_web_results_has_at_most_twenty(wanted, count):
    assert sent(request_params.web, max_results=wanted)[0]["count"] == count
    assert sent(request_params.news, max_results=wanted)[0]["count"] == wanted
    assert sent(request_params.images, max_results=wanted)[0]["count"] == wanted


@pytest.mark.parametrize("build", [request_params.web, request_params.news, request_params.images, request_params.text])
def test_regions_go_to_every_endpoint(build):
    params, notes = sent(build, language="pt", user_location_country="PT")
    assert (params["search_lang"], params["country"], notes) == ("pt-pt", "PT", [])


PERIODS = {
    "nothing": ({}, None),
    "day": ({"time_range": "day"}, "pd"),
    "week": ({"time_range": "week"}, "pw"),
    "month": ({"time_range": "month"}, "pm"),
    "year": ({"time_range": "year"}, "py"),
    "a start runs to today": ({"start_published_date": datetime(2025, 1, 2, tzinfo=UTC)}, "2025-01-02to2025-06-15"),
    "an end begins early": ({"end_published_date": datetime(2025, 1, 2, 23, tzinfo=UTC)}, "1990-01-01to2025-01-02"),
    "both": (
        {
            "start_published_date": datetime(2024, 1, 2, tzinfo=UTC),
            "end_published_date": datetime(2024, 2, 3, tzinfo=UTC),
        },
        "2024-01-02to2024-02-03",
    ),
    "one day": (
        {
            "start_published_date": datetime(2024, 1, 2, tzinfo=UTC),
            "end_published_date": datetime(2024, 1, 2, 23, 59, tzinfo=UTC),
        },
        "2024-01-02to2024-01-02",
    ),
    "days are UTC's": (
        {
            "start_published_date": datetime(2024, 1, 2, 1, tzinfo=timezone(timedelta(hours=2))),
            "end_published_date": datetime(2024, 1, 2, 23, tzinfo=timezone(timedelta(hours=-2))),
        },
        "2024-01-01to2024-01-03",
    ),
    "the later start counts": (
        {"start_published_date": datetime(2020, 1, 2, tzinfo=UTC), "time_range": "month"},
        "2025-05-15to2025-06-15",
    ),
    "a range and an end": (
        {"time_range": "year", "end_published_date": datetime(2025, 1, 2, tzinfo=UTC)},
        "2024-06-14to2025-01-02",
    ),
    "tomorrow": ({"start_published_date": datetime(2025, 6, 20, tzinfo=UTC)}, "2025-06-20to2025-06-20"),
}


@pytest.mark.parametrize("build", [request_params.web, request_params.news, request_params.text])
@pytest.mark.parametrize("name", PERIODS)
def test_a_period_becomes_braves_freshness(build, name):
    fields, freshness = PERIODS[name]
    assert sent(build, **fields)[0].get("freshness") == freshness


def test_a_period_without_a_day_is_refused_before_it_costs_anything():
    with pytest.raises(InvalidRequest):
        sent(request_params.web, time_range="week", end_published_date=datetime(2020, 1, 1, tzinfo=UTC))


@given(st.none() | st.dates(), st.none() | st.dates(), st.none() | st.sampled_from(["day", "week", "month", "year"]))
def test_every_period_is_one_of_braves_words_or_two_days_in_order(start, end, time_range):
    fields = {
        "start_published_date": datetime(start.year, start.month, start.day, tzinfo=UTC) if start else None,
        "end_published_date": datetime(end.year, end.month, end.day, tzinfo=UTC) if end else None,
        "time_range": time_range,
    }
    try:
        freshness = sent(request_params.web, **fields)[0].get("freshness")
    except InvalidRequest:
        assert end is not None
        return
    if start is None and end is None:
        assert freshness in (None, "pd", "pw", "pm", "py")
        return
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)", freshness)
    first, last = map(date.fromisoformat, found.groups())
    assert first <= last
    assert start is None or first >= start
    assert end is None or last == end


@pytest.mark.parametrize("said", ["off", "moderate", "strict"])
def test_safe_search_is_passed_on_where_brave_has_it(said):
    assert sent(request_params.web, safesearch=said)[0]["safesearch"] == said
    assert sent(request_params.news, safesearch=said)[0]["safesearch"] == said
    params, notes = sent(request_params.text, safesearch=said)
    assert "safesearch" not in params
    assert notes == [request_params.NO_SAFESEARCH]


@pytest.mark.parametrize(
    ("said", "expected", "notes"),
    [("off", "off", []), ("moderate", "strict", [request_params.STRICT]), ("strict", "strict", [])],
)
def test_pictures_know_no_moderate_safe_search(said, expected, notes):
    params, told = sent(request_params.images, safesearch=said)
    assert (params["safesearch"], told) == (expected, notes)


@pytest.mark.parametrize("build", [request_params.web, request_params.news, request_params.text])
def test_goggles_go_along_the_requests_own_first(build):
    assert sent(build, habits=Habits(GOGGLES[:2]))[0]["goggles"] == list(GOGGLES[:2])
    params, notes = sent(build, habits=Habits(GOGGLES[:2]), goggle="https://example.com/lens.goggle")
    assert params["goggles"] == ["https://example.com/lens.goggle", *GOGGLES[:2]]
    assert notes == []


@pytest.mark.parametrize("build", [request_params.web, request_params.news, request_params.text])
def test_a_fourth_goggle_stays_behind_and_the_answer_says_so(build):
    params, notes = sent(build, habits=Habits(GOGGLES), goggle="https://example.com/lens.goggle")
    assert params["goggles"] == ["https://example.com/lens.goggle", *GOGGLES[:2]]
    assert notes == [goggles.FEWER_GOGGLES]


def test_a_goggle_named_twice_goes_once():
    params, notes = sent(request_params.web, habits=Habits(GOGGLES), goggle=GOGGLES[1])
    assert params["goggles"] == [GOGGLES[1], GOGGLES[0], GOGGLES[2]]
    assert notes == []


def test_pictures_take_no_goggle():
    assert "goggles" not in sent(request_params.images, goggle=GOGGLES[0], allowed_domains=("a.example",))[0]


@pytest.mark.parametrize("said", [None, True, False])
def test_extra_snippets_are_left_to_the_plan_unless_the_operator_says(said):
    for build in (request_params.web, request_params.news):
        assert sent(build, habits=Habits(extra_snippets=said))[0].get("extra_snippets") is said
    assert "extra_snippets" not in sent(request_params.text, habits=Habits(extra_snippets=said))[0]


@pytest.mark.parametrize(
    ("results", "chars", "per_url", "total", "short"),
    [
        (1, 1, 512, 1024, False),
        (1, 700, 512, 1024, False),
        (8, 700, 512, 4096, False),
        (8, 2600, 1000, 8000, False),
        (1, 21_299, 8192, 8192, False),
        (1, 21_300, 8192, 8192, True),
        (5, 20_000, 7693, 32_768, True),
        (50, 1300, 512, 25_600, False),
        (50, 2000, 770, 32_768, True),
        (50, 50_000, 8192, 32_768, True),
    ],
)
def test_text_is_asked_for_in_tokens_within_braves_ranges(results, chars, per_url, total, short):
    params, notes = sent(request_params.text, max_results=results, max_content_chars=chars)
    assert params["maximum_number_of_urls"] == results
    assert params["maximum_number_of_tokens_per_url"] == per_url
    assert params["maximum_number_of_tokens"] == total
    assert params["count"] == max(20, results)
    assert notes == ([request_params.LESS_TEXT] if short else [])


@given(st.integers(1, 50), st.integers(1, 50_000))
def test_no_number_for_text_is_outside_braves_ranges(results, chars):
    params, notes = sent(request_params.text, max_results=results, max_content_chars=chars)
    assert 1 <= params["maximum_number_of_urls"] <= params["count"] <= 50
    assert 512 <= params["maximum_number_of_tokens_per_url"] <= 8192
    assert 1024 <= params["maximum_number_of_tokens"] <= 32_768
    enough = params["maximum_number_of_tokens_per_url"] * 2.6 >= chars
    assert notes == [] or params["maximum_number_of_tokens"] == 32_768 or not enough
    assert enough or notes == [request_params.LESS_TEXT]


def test_a_later_page_differs_in_its_offset_alone():
    first = request_params.web(request(), Habits(), NOW)
    assert first.page(0) == first
    assert first.page(3).params == {**first.params, "offset": 3}
