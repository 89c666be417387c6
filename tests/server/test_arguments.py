"""Lenient in, strict out: what models really send, and what they are told."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.contract.models import Caller, SearchRequest
from websearch_core.contract.results import Lens
from websearch_core.server.argument_reader import ArgumentError, ArgumentReader
from websearch_core.server.arguments import fetch_reader, read_fetch, read_search, search_reader

ME = Caller(tenant="me")
SEARCH, FETCH = search_reader(), fetch_reader()
LENSES = (Lens(name="python", description="Python's docs", domains=("docs.python.org", "peps.python.org")),)


def search(**arguments: Any) -> SearchRequest:
    return read_search({"query": "owls", **arguments}, ME, SEARCH)[0]


def notes_on(**arguments: Any) -> list[str]:
    return read_search({"query": "owls", **arguments}, ME, SEARCH)[1]


@pytest.mark.parametrize(
    ("arguments", "field", "meant"),
    [
        ({"query": "  owls \n"}, "query", "owls"),
        ({"query": 2024}, "query", "2024"),
        ({"max_results": "5"}, "max_results", 5),
        ({"max_results": 5.0}, "max_results", 5),
        ({"max_results": " 5 "}, "max_results", 5),
        ({"max_results": 0}, "max_results", 8),
        ({"max_results": -3}, "max_results", 8),
        ({"max_results": 51}, "max_results", 50),
        ({"max_results": "1000"}, "max_results", 50),
        ({"max_content_chars": 10**30}, "max_content_chars", 50_000),
        ({"allowed_domains": ["", "a.example", " "]}, "allowed_domains", ("a.example",)),
        ({"excluded_domains": [""]}, "excluded_domains", ()),
        ({"content_mode": "TEXT"}, "content_mode", "text"),
        ({"category": "research_paper"}, "category", "research paper"),
        ({"category": " News "}, "category", "news"),
        ({"language": "EN-us"}, "language", "en-US"),
        ({"language": "pt_br"}, "language", "pt-BR"),
        ({"user_location_country": "de"}, "user_location_country", "DE"),
        ({"user_location_country": "uk"}, "user_location_country", "GB"),
        ({"allowed_domains": "example.com"}, "allowed_domains", ("example.com",)),
        ({"allowed_domains": "a.example, b.example"}, "allowed_domains", ("a.example", "b.example")),
        ({"allowed_domains": '["a.example"]'}, "allowed_domains", ("a.example",)),
        ({"allowed_domains": ["A.example", "a.example"]}, "allowed_domains", ("a.example",)),
        ({"allowed_domains": ["https://example.com/a/b"]}, "allowed_domains", ("example.com",)),
        ({"excluded_domains": None}, "excluded_domains", ()),
        ({"max_age_hours": "null"}, "max_age_hours", None),
        ({"max_age_hours": -1}, "max_age_hours", -1),
        ({"time_range": ""}, "time_range", None),
        ({"start_published_date": "2026-01-02"}, "start_published_date", datetime(2026, 1, 2, tzinfo=UTC)),
        (
            {"end_published_date": "2026-01-02"},
            "end_published_date",
            datetime(2026, 1, 2, 23, 59, 59, 999999, tzinfo=UTC),
        ),
        (
            {"end_published_date": "2026-01-02T10:00:00+02:00"},
            "end_published_date",
            datetime(2026, 1, 2, 8, tzinfo=UTC),
        ),
        (
            {"start_published_date": "2026-01-02t10:00:00.5z"},
            "start_published_date",
            datetime(2026, 1, 2, 10, 0, 0, 500000, tzinfo=UTC),
        ),
        (
            {"start_published_date": "2026-01-02T10:00:00"},
            "start_published_date",
            datetime(2026, 1, 2, 10, tzinfo=UTC),
        ),
    ],
)
def test_search_takes_what_was_meant(arguments: dict[str, Any], field: str, meant: object) -> None:
    assert getattr(search(**arguments), field) == meant


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({"max_results": "5"}, "max_results: text was read as a number"),
        ({"max_results": 0}, "max_results: below 1, so 8 was used"),
        ({"max_results": 51}, "max_results: above 50, so 50 was used"),
        ({"allowed_domains": ["a.example", ""]}, "allowed_domains: blank items were left out"),
        ({"allowed_domains": '["a.example"]'}, "allowed_domains: a JSON string was read as a list"),
        ({"allowed_domains": "a.example"}, "allowed_domains: a single text was read as a list"),
        ({"allowed_domains": ["http://a.example/x"]}, "allowed_domains: only the hosts were used"),
        ({"language": "en_GB"}, "language: underscores were read as hyphens"),
        ({"user_location_country": "UK"}, "user_location_country: read as GB"),
        ({"time_range": None, "category": ""}, "empty, so taken as not given: time_range, category"),
        ({"recency_days": 3, "topn": 4}, "unknown arguments were ignored: recency_days, topn"),
        ({"\x1b[31m": 3}, "unknown arguments were ignored: (unprintable)"),
    ],
)
def test_what_was_put_right_is_mentioned(arguments: dict[str, Any], note: str) -> None:
    assert note in notes_on(**arguments)


def test_plain_arguments_need_no_note() -> None:
    given: dict[str, Any] = {"max_results": 3, "allowed_domains": ["a.example"], "max_age_hours": 0}
    assert notes_on(**given) == []
    assert search(**given).caller == ME


@pytest.mark.parametrize(
    ("arguments", "field", "rule"),
    [
        ({"query": ""}, "query", "must be text of 1 to 2,000 characters"),
        ({"query": "  \t"}, "query", "must be text of 1 to 2,000 characters"),
        ({"query": "x" * 2001}, "query", "must be text of 1 to 2,000 characters"),
        ({"query": ["x"]}, "query", "must be text"),
        ({"query": True}, "query", "must be text"),
        ({"query": "\ud800"}, "query", "must be valid Unicode"),
        ({"max_results": "many"}, "max_results", "must be a whole number"),
        ({"max_results": 2.5}, "max_results", "must be a whole number"),
        ({"max_results": float("nan")}, "max_results", "must be a whole number"),
        ({"max_results": True}, "max_results", "must be a whole number"),
        ({"max_results": "9" * 400}, "max_results", "must be a whole number"),
        ({"max_content_chars": 0}, "max_content_chars", "from 1 to 50000"),
        ({"content_mode": "full"}, "content_mode", "must be one of highlights, text"),
        ({"user_location_country": "Germany"}, "user_location_country", "two-letter country code"),
        ({"user_location_country": "XX"}, "user_location_country", "two-letter country code"),
        ({"language": "english please"}, "language", "BCP 47"),
        ({"allowed_domains": {"a": 1}}, "allowed_domains", "must be a list"),
        ({"allowed_domains": [1]}, "allowed_domains", "must be a list"),
        ({"allowed_domains": '["a.example"'}, "allowed_domains", "broken JSON"),
        ({"allowed_domains": ["a.example"] * 101}, "allowed_domains", "must be a list of 0 to 100"),
        ({"max_age_hours": -2}, "max_age_hours", "from -1"),
        ({"start_published_date": "01/02/2026"}, "start_published_date", "ISO 8601"),
        ({"start_published_date": "2026-02-30"}, "start_published_date", "ISO 8601"),
        ({"start_published_date": "0001-01-01T00:00:00+23:00"}, "start_published_date", "ISO 8601"),
        ({"end_published_date": "9999-12-31T23:00:00-05:00"}, "end_published_date", "ISO 8601"),
        ({"time_range": "decade"}, "time_range", "must be one of day, week, month, year"),
        ({"safesearch": 1}, "safesearch", "must be one of"),
        ({"vertical": "videos"}, "vertical", "must be one of web, news, images"),
    ],
)
def test_a_wrong_value_is_an_error_with_field_rule_and_example(
    arguments: dict[str, Any], field: str, rule: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        search(**arguments)
    text = str(caught.value)
    assert text.startswith(f"{field}: ")
    assert rule in text
    assert "for example " in text


def test_a_malformed_domain_rule_is_named_with_a_good_one() -> None:
    with pytest.raises(ArgumentError, match=r'allowed_domains: each must be a host.*for example \["example.com"\]'):
        search(allowed_domains=["exa mple..com"])


def test_domain_rules_of_nothing_but_commas_do_not_mean_any_site() -> None:
    with pytest.raises(ArgumentError, match="allowed_domains: each must be a host"):
        search(allowed_domains=[","])


def test_a_missing_query_is_required() -> None:
    with pytest.raises(ArgumentError, match="query: is required; for example"):
        read_search({}, ME, SEARCH)


def test_every_wrong_argument_is_named_at_once() -> None:
    with pytest.raises(ArgumentError) as caught:
        search(max_results="many", vertical="x")
    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == ["max_results", "vertical"]


def test_no_value_is_echoed() -> None:
    secret = "hunter2-secret"
    for name in SEARCH.names - {"query"}:
        with pytest.raises(ArgumentError) as caught:
            read_search({"query": "q", name: f"{secret} {secret}..x"}, ME, SEARCH)
        assert secret not in str(caught.value)


def test_start_after_end_is_refused() -> None:
    with pytest.raises(ArgumentError, match="start_published_date: must not be after end_published_date"):
        search(start_published_date="2026-01-03", end_published_date="2026-01-02")


def test_one_day_may_start_and_end_a_range() -> None:
    request = search(start_published_date="2026-01-02", end_published_date="2026-01-02")
    assert request.start_published_date
    assert request.end_published_date
    assert request.start_published_date < request.end_published_date


@pytest.mark.parametrize("category", ["company", "people"])
@pytest.mark.parametrize(
    "barred",
    [
        {"start_published_date": "2026-01-01"},
        {"end_published_date": "2026-01-01"},
        {"time_range": "week"},
        {"excluded_domains": ["a.example"]},
    ],
)
def test_company_and_people_refuse_dates_and_excluded_domains(category: str, barred: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=f"cannot be combined with category {category}"):
        search(category=category, **barred)
    assert search(category="news", **barred)
    assert search(category=category, allowed_domains=["a.example"])


def test_a_lens_narrows_to_its_sites() -> None:
    request, _ = read_search({"query": "q", "lens": "Python"}, ME, search_reader(LENSES), LENSES)
    assert request.allowed_domains == ("docs.python.org", "peps.python.org")


def test_a_lens_and_allowed_domains_exclude_each_other() -> None:
    raw = {"query": "q", "lens": "python", "allowed_domains": ["a.example"]}
    with pytest.raises(ArgumentError, match="lens: cannot be combined with allowed_domains"):
        read_search(raw, ME, search_reader(LENSES), LENSES)


def test_without_lenses_there_is_no_such_argument() -> None:
    assert "lens" not in SEARCH.schema["properties"]
    assert "unknown arguments were ignored: lens" in notes_on(lens="python")


@pytest.mark.parametrize(("backends", "published"), [((), False), (("exa",), False), (("exa", "brave"), True)])
def test_a_backend_can_be_named_always_and_is_published_where_there_is_a_choice(
    backends: tuple[str, ...], published: bool
) -> None:
    reader = search_reader((), backends)
    assert ("backend" in reader.schema["properties"]) is published
    assert read_search({"query": "q", "backend": "Exa"}, ME, reader)[0].backend == "exa"


def test_where_no_backend_is_configured_none_can_be_named() -> None:
    with pytest.raises(ArgumentError, match=r"^backend: there is nothing to choose from here: leave it out$"):
        read_search({"query": "q", "backend": "a name?"}, ME, search_reader())


def test_fetch_keeps_order_and_duplicates() -> None:
    urls = ["https://b.example/", "https://a.example/", "https://b.example/"]
    call = read_fetch({"urls": urls, "max_age_hours": "0"}, ME, FETCH)
    assert [request.url for request in call.requests] == urls
    assert call.requests[0] is call.requests[2]
    assert call.requests[1].max_age_hours == 0
    assert (call.max_chars, call.offset) == (20_000, 0)


@pytest.mark.parametrize(
    ("urls", "meant"),
    [
        ("https://a.example/x,y", ["https://a.example/x,y"]),
        ("https://a.example/\nhttps://b.example/", ["https://a.example/", "https://b.example/"]),
        ("https://a.example/x, https://b.example/y", ["https://a.example/x", "https://b.example/y"]),
        ("https://a.example/x,\nhttps://b.example/y,", ["https://a.example/x", "https://b.example/y"]),
        ("https://a.example/x,https://b.example/y", ["https://a.example/x,https://b.example/y"]),
        ("https://a.example/x,", ["https://a.example/x,"]),
        (["https://a.example/", "", " "], ["https://a.example/"]),
        ('["https://a.example/"]', ["https://a.example/"]),
        (["  https://a.example/ "], ["https://a.example/"]),
        (["not an address"], ["not an address"]),
    ],
)
def test_fetch_takes_addresses_as_models_send_them(urls: object, meant: list[str]) -> None:
    assert [request.url for request in read_fetch({"urls": urls}, ME, FETCH).requests] == meant


@pytest.mark.parametrize("urls", [[], None, "", ["x"] * 21, [""], [7], 7, {"a": 1}, ["x" * 8193]])
def test_fetch_refuses_what_is_no_list_of_1_to_20(urls: object) -> None:
    with pytest.raises(ArgumentError, match="urls: must be a list of 1 to 20"):
        read_fetch({"urls": urls}, ME, FETCH)


@pytest.mark.parametrize(
    ("reader", "name"), [(SEARCH, "allowed_domains"), (SEARCH, "excluded_domains"), (FETCH, "urls")]
)
def test_a_list_that_is_too_long_is_refused_before_its_items_are_looked_at(
    reader: ArgumentReader[Any], name: str
) -> None:
    wrong = [1] * 50_000
    tracemalloc.start()
    try:
        with pytest.raises(ArgumentError, match=f"{name}: must be a list of"):
            reader.read({"query": "q", name: wrong})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000  # a complaint about each would take 30 times that


@pytest.mark.parametrize("reader", [SEARCH, FETCH], ids=["search", "fetch"])
def test_every_default_is_accepted_as_it_is(reader: ArgumentReader[Any]) -> None:
    needed = {"query": "q", "urls": ["https://a.example/"]}
    given = {name: needed[name] for name in reader.schema["required"]}
    given |= {name: one["default"] for name, one in reader.schema["properties"].items() if "default" in one}
    assert reader.read(given)[1] == []


@pytest.mark.parametrize("reader", [SEARCH, FETCH], ids=["search", "fetch"])
def test_the_published_schema_is_small_and_plain(reader: ArgumentReader[Any]) -> None:
    text = json.dumps(reader.schema)
    for keyword in ("title", "$defs", "anyOf", "examples", "format", "maxLength"):
        assert f'"{keyword}"' not in text


def test_published_defaults_are_those_of_the_request() -> None:
    request = search()
    for name, schema in SEARCH.schema["properties"].items():
        assert schema.get("default", getattr(request, name)) == getattr(request, name)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def raw_calls(reader: ArgumentReader[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from([*sorted(reader.names), "x"]), json_values)


def understood(read: Any, raw: dict[str, Any], reader: ArgumentReader[Any]) -> Any:
    """The call, or None when it was refused; anything else fails the test."""
    try:
        return read(raw, ME, reader)
    except ArgumentError:
        return None


@given(raw_calls(SEARCH))
def test_whatever_is_sent_is_understood_or_refused(raw: dict[str, Any]) -> None:
    call = understood(read_search, raw, SEARCH)
    assert call is None or call[0].query


@given(raw_calls(FETCH))
def test_whatever_is_sent_to_fetch_is_understood_or_refused(raw: dict[str, Any]) -> None:
    call = understood(read_fetch, raw, FETCH)
    assert call is None or 1 <= len(call.requests) <= 20


@pytest.mark.parametrize(
    "given",
    [
        "<https://a.example/x>",
        ["<https://a.example/x>"],
        "[A page](https://a.example/x)",
        ["[A page](<https://a.example/x>)", "https://a.example/x"],
        '["[A page](https://a.example/x)"]',
        ["[https://a.example/x](https://a.example/x)"],
    ],
)
def test_an_address_is_taken_out_of_its_markdown_and_said_so(given: object) -> None:
    call = read_fetch({"urls": given}, ME, FETCH)
    assert {request.url for request in call.requests} == {"https://a.example/x"}
    assert "urls: an address was taken out of its Markdown" in call.notes


@pytest.mark.parametrize("given", ["https://a.example/[x](y)", "https://a.example/(x)", "<ftp://a.example>", "[a](b)x"])
def test_what_is_no_markdown_round_an_address_stays_as_it_is(given: str) -> None:
    assert [request.url for request in read_fetch({"urls": [given]}, ME, FETCH).requests] == [given]
