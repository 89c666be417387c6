"""What a search becomes in Exa's words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from websearch_core import SearchRequest
from websearch_core.kit import InvalidRequest
from websearch_exa.request_params import search_body

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC).timestamp()
DAY = datetime(2026, 1, 2, tzinfo=UTC)


def body(search_type="fast", setting=None, **fields):
    request = SearchRequest(**{"query": "language models", **fields})
    return search_body(request, search_type=search_type, now=NOW, max_age_hours=setting)


def test_a_plain_search_sends_no_more_than_it_must():
    assert body() == {
        "query": "language models",
        "type": "fast",
        "numResults": 8,
        "contents": {"highlights": {"query": "language models", "maxCharacters": 700}},
    }


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"search_type": "deep"}, {"type": "deep"}),
        ({"max_results": 50}, {"numResults": 50}),
        ({"user_location_country": "DE"}, {"userLocation": "DE"}),
        ({"category": "research paper"}, {"category": "publication"}),
        ({"category": "company"}, {"category": "company"}),
        ({"category": "people"}, {"category": "people"}),
        ({"category": "news"}, {"category": "news"}),
        ({"category": "personal site"}, {"category": "personal site"}),
        ({"category": "financial report"}, {"category": "financial report"}),
        ({"vertical": "news"}, {"category": "news"}),
        ({"vertical": "news", "category": "company"}, {"category": "news"}),
        ({"start_published_date": DAY}, {"startPublishedDate": "2026-01-02T00:00:00.000Z"}),
        (
            {"end_published_date": datetime(2026, 1, 2, 23, 59, 59, tzinfo=timezone(timedelta(hours=1)))},
            {"endPublishedDate": "2026-01-02T22:59:59.000Z"},
        ),
        ({"time_range": "day"}, {"startPublishedDate": "2026-03-09T00:00:00.000Z"}),
        ({"time_range": "week"}, {"startPublishedDate": "2026-03-03T00:00:00.000Z"}),
        ({"time_range": "week", "start_published_date": DAY}, {"startPublishedDate": "2026-03-03T00:00:00.000Z"}),
        ({"time_range": "year", "start_published_date": DAY}, {"startPublishedDate": "2026-01-02T00:00:00.000Z"}),
        ({"safesearch": "strict"}, {"moderation": True}),
        ({"safesearch": "moderate"}, {"moderation": True}),
        ({"allowed_domains": ("arxiv.org", "*.edu.au")}, {"includeDomains": ["arxiv.org", "*.edu.au"]}),
        ({"allowed_domains": ("=arxiv.org",)}, {"includeDomains": ["arxiv.org"]}),
        ({"excluded_domains": ("arxiv.org", "*.edu.au")}, {"excludeDomains": ["arxiv.org", "*.edu.au"]}),
        ({"excluded_domains": ("arxiv.org", "=x.org", "docs.*")}, {"excludeDomains": ["arxiv.org"]}),
        (
            {"category": "people", "allowed_domains": ("linkedin.com", "de.linkedin.com")},
            {"includeDomains": ["linkedin.com", "de.linkedin.com"]},
        ),
        ({"category": "company", "allowed_domains": ("arxiv.org",)}, {"includeDomains": ["arxiv.org"]}),
    ],
)
def test_each_argument_has_its_place(fields, sent):
    found = body(**fields)
    assert {key: found.get(key) for key in sent} == sent


@pytest.mark.parametrize(
    ("fields", "contents"),
    [
        ({"content_mode": "text", "max_content_chars": 99}, {"text": {"maxCharacters": 99}}),
        ({"max_content_chars": 99}, {"highlights": {"query": "language models", "maxCharacters": 99}}),
    ],
)
def test_contents_are_highlights_or_text_never_both(fields, contents):
    assert body(**fields)["contents"] == contents


@pytest.mark.parametrize(
    ("asked", "setting", "sent"),
    [(None, None, None), (None, 24, 24), (0, 24, 0), (-1, None, -1), (5, None, 5)],
)
def test_the_age_of_contents_is_the_callers_or_the_operators(asked, setting, sent):
    contents = body(setting=setting, max_age_hours=asked)["contents"]
    assert contents.get("maxAgeHours") == sent


@pytest.mark.parametrize(
    ("fields", "absent"),
    [
        ({"allowed_domains": ("arxiv.org", "docs.*")}, "includeDomains"),
        ({"excluded_domains": ("=arxiv.org",)}, "excludeDomains"),
        ({"safesearch": "off"}, "moderation"),
        ({"max_age_hours": 0}, "livecrawl"),
        ({"language": "de"}, "language"),
    ],
)
def test_what_exa_would_take_otherwise_is_not_sent(fields, absent):
    assert absent not in body(**fields)
    assert absent not in body(**fields)["contents"]


@pytest.mark.parametrize("category", ["company", "people"])
@pytest.mark.parametrize(
    "fields",
    [
        {"start_published_date": DAY},
        {"end_published_date": DAY},
        {"time_range": "week"},
        {"excluded_domains": ("arxiv.org",)},
    ],
)
def test_company_and_people_take_no_dates_and_no_excluded_domains(category, fields):
    with pytest.raises(InvalidRequest):
        body(category=category, **fields)


@pytest.mark.parametrize("rule", ["arxiv.org", "notlinkedin.com", "linkedin.*"])
def test_people_are_only_looked_for_at_linkedin(rule):
    with pytest.raises(InvalidRequest):
        body(category="people", allowed_domains=("linkedin.com", rule))
