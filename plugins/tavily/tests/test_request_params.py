"""What a search becomes in Tavily's words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import SearchRequest
from websearch_core.kit import DomainRules
from websearch_tavily.regions import COUNTRIES, tavilys_language
from websearch_tavily.request_params import NEWS_OF_ALL_COUNTRIES, NO_COUNTRY, NO_LANGUAGE, NO_PATTERNS, search_body

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC).timestamp()
DAY = datetime(2026, 1, 2, tzinfo=UTC)


def asked(depth="basic", **fields):
    return search_body(SearchRequest(**{"query": "solar power", **fields}), depth=depth, now=NOW)


def test_a_plain_search_sends_no_more_than_it_must():
    assert asked().body == {
        "query": "solar power",
        "topic": "general",
        "search_depth": "basic",
        "max_results": 8,
        "include_answer": False,
        "auto_parameters": False,
        "include_published_date": True,
        "include_favicon": True,
        "include_usage": True,
    }
    assert asked().notes == ()


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"depth": "advanced"}, {"search_depth": "advanced"}),
        ({"vertical": "news"}, {"topic": "news"}),
        ({"max_results": 20}, {"max_results": 20}),
        ({"max_results": 50}, {"max_results": 20}),
        ({"content_mode": "text"}, {"include_raw_content": "markdown"}),
        ({"user_location_country": "AT"}, {"country": "austria"}),
        ({"user_location_country": "GB"}, {"country": "united kingdom"}),
        ({"language": "de-AT"}, {"language": "de", "country": "austria"}),
        ({"language": "de-AT", "user_location_country": "CH"}, {"language": "de", "country": "switzerland"}),
        ({"vertical": "news", "language": "zh-CN"}, {"language": "zh-cn", "country": None}),
        ({"vertical": "news", "language": "fr"}, {"topic": "news", "language": "fr"}),
        ({"safesearch": "moderate"}, {"safe_search": True}),
        ({"safesearch": "strict", "depth": "advanced"}, {"safe_search": True}),
        ({"time_range": "month"}, {"time_range": "month"}),
        ({"allowed_domains": ("arxiv.org", "mit.edu")}, {"include_domains": ["arxiv.org", "mit.edu"]}),
        ({"allowed_domains": ("ArXiv.org", "arxiv.org")}, {"include_domains": ["arxiv.org"]}),
        ({"allowed_domains": ("=arxiv.org", "*.mit.edu")}, {"include_domains": ["arxiv.org", "mit.edu"]}),
        ({"allowed_domains": ("gov", "*.edu")}, {"include_domains": ["*.gov", "*.edu"]}),
        ({"excluded_domains": ("arxiv.org", "*.edu")}, {"exclude_domains": ["arxiv.org", "*.edu"]}),
        ({"excluded_domains": ("=arxiv.org", "*.mit.edu", "docs.*", "x.org")}, {"exclude_domains": ["x.org"]}),
    ],
)
def test_each_argument_has_its_place(fields, sent):
    body, notes = asked(**fields)
    assert {key: body.get(key) for key in sent} == sent
    assert notes == ()


@pytest.mark.parametrize(
    ("fields", "absent"),
    [
        ({"safesearch": "off"}, "safe_search"),
        ({"safesearch": "strict", "depth": "fast"}, "safe_search"),
        ({"safesearch": "strict", "depth": "ultra-fast"}, "safe_search"),
        ({"vertical": "news", "user_location_country": "DE"}, "country"),
        ({"excluded_domains": ("=arxiv.org",)}, "exclude_domains"),
        ({"allowed_domains": ("arxiv.org",)}, "include_domains_mode"),
        ({"max_age_hours": 0}, "max_age_hours"),
        ({"category": "news"}, "category"),
    ],
)
def test_what_tavily_would_take_otherwise_is_not_sent(fields, absent):
    assert absent not in asked(**fields).body


@pytest.mark.parametrize(
    ("fields", "absent", "note"),
    [
        ({"allowed_domains": ("arxiv.org", "docs.*")}, "include_domains", NO_PATTERNS),
        ({"allowed_domains": ("bücher.example",)}, "include_domains", NO_PATTERNS),
        ({"allowed_domains": tuple(f"host{n}.org" for n in range(301))}, "include_domains", NO_PATTERNS),
        ({"user_location_country": "GL"}, "country", NO_COUNTRY),
        ({"language": "gsw-CH"}, "language", NO_LANGUAGE),
        ({"language": "da-GL"}, "country", NO_COUNTRY),
        ({"language": "es-419"}, "country", NO_COUNTRY),
        ({"language": "de-AT", "vertical": "news"}, "country", NEWS_OF_ALL_COUNTRIES),
    ],
)
def test_what_tavily_has_no_word_for_is_left_out_and_mentioned(fields, absent, note):
    body, notes = asked(**fields)
    assert absent not in body
    assert notes == (note,)


def test_a_country_that_news_does_not_push_down_is_the_cores_to_mention():
    assert asked(vertical="news", user_location_country="GL").notes == ()


def test_no_more_domains_are_sent_than_tavily_takes():
    many = tuple(f"host{n}.org" for n in range(400))
    assert len(asked(allowed_domains=many[:300]).body["include_domains"]) == 300
    assert asked(excluded_domains=many).body["exclude_domains"] == list(many[:150])


@pytest.mark.parametrize(
    ("fields", "start", "end"),
    [
        ({"start_published_date": DAY}, "2026-01-01", None),
        ({"end_published_date": datetime(2026, 1, 2, 23, 59, 59, tzinfo=UTC)}, None, "2026-01-03"),
        (
            {"start_published_date": DAY, "end_published_date": datetime(2026, 1, 2, 23, 59, 59, tzinfo=UTC)},
            "2026-01-01",
            "2026-01-03",
        ),
        ({"end_published_date": datetime(2026, 1, 2, 23, tzinfo=timezone(timedelta(hours=-2)))}, None, "2026-01-04"),
        ({"time_range": "week", "start_published_date": DAY}, "2026-03-02", None),
        ({"time_range": "year", "start_published_date": DAY}, "2026-01-01", None),
        ({"time_range": "day", "end_published_date": datetime(2026, 3, 9, 23, tzinfo=UTC)}, "2026-03-08", "2026-03-10"),
        ({"start_published_date": datetime(1, 1, 1, tzinfo=UTC)}, None, None),
        ({"end_published_date": datetime(9999, 12, 31, tzinfo=UTC)}, None, None),
    ],
)
def test_dates_name_the_days_around_because_tavily_says_after_and_before(fields, start, end):
    body = asked(**fields).body
    assert (body.get("start_date"), body.get("end_date"), body.get("time_range")) == (start, end, None)


MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2050, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))  # noqa: DTZ001


@given(st.none() | MOMENTS, st.none() | MOMENTS, st.sampled_from([None, "day", "week", "month", "year"]))
def test_the_days_that_are_sent_leave_out_no_moment_that_is_allowed(start, end, time_range):
    request = SearchRequest(query="x", start_published_date=start, end_published_date=end, time_range=time_range)
    body = search_body(request, depth="basic", now=NOW).body
    since = request.since(NOW)
    if body.get("time_range"):
        assert (start, end) == (None, None)
        return
    assert (since is None) == ("start_date" not in body)
    assert (end is None) == ("end_date" not in body)
    assert since is None or body["start_date"] < since.date().isoformat()
    assert end is None or body["end_date"] > end.date().isoformat()


LABELS = st.sampled_from(["a", "b", "docs", "x-1", "org", "edu"])
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
RULES = st.tuples(st.sampled_from(["", "=", "*."]), HOSTS).map("".join) | st.just("docs.*") | st.just("*-1.org")


def means(words, host):
    """How Tavily reads its domain lists: a host with its subdomains, `*.tld` for all of a top-level domain."""
    return any(host == word or host.endswith(f".{word.removeprefix('*.')}") for word in words)


@given(st.lists(RULES, min_size=1, max_size=4), HOSTS)
def test_no_page_that_the_rules_allow_is_left_out_by_what_is_sent(rules, host):
    sent = asked(allowed_domains=tuple(rules)).body.get("include_domains")
    if "." in host and DomainRules(rules).matches(host):
        assert sent is None or means(sent, host)


@given(st.lists(RULES, min_size=1, max_size=4), HOSTS)
def test_no_page_that_the_rules_do_not_exclude_is_excluded_by_what_is_sent(rules, host):
    if means(asked(excluded_domains=tuple(rules)).body.get("exclude_domains", []), host):
        assert DomainRules(rules).matches(host)


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("", ""),
        ("de", "de"),
        ("pt-BR", "pt"),
        ("zh", "zh"),
        ("zh-CN", "zh-cn"),
        ("zh-Hans", "zh-cn"),
        ("zh-Hans-SG", "zh-cn"),
        ("zh-TW", "zh"),
        ("zh-Hant-HK", "zh"),
        ("sr-Latn-RS", "sr"),
        ("gsw", ""),
        ("yue-HK", ""),
    ],
)
def test_languages_are_codes_of_two_letters(tag, code):
    assert tavilys_language(tag) == code


def test_countries_have_one_name_each_in_small_letters():
    assert len(COUNTRIES) == len(set(COUNTRIES.values())) == 166
    for code, name in COUNTRIES.items():
        assert len(code) == 2
        assert code.isupper()
        assert name == name.lower().strip()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("US", "united states"),
        ("KR", "south korea"),
        ("CZ", "czech republic"),
        ("MK", "north macedonia"),
        ("TR", "turkey"),
    ],
)
def test_countries_have_the_names_of_tavilys_documentation(code, name):
    assert COUNTRIES[code] == name
