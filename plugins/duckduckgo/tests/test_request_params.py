"""A request becomes the form that DuckDuckGo's own page would send."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import SearchRequest
from websearch_core.kit import InvalidRequest
from websearch_duckduckgo.request_params import MAX_QUERY_CHARS, asking, plain_words, standing_headers

BANGS = "DuckDuckGo: bangs (! and \\) in the query were taken as plain words"


@pytest.mark.parametrize(
    ("fields", "form"),
    [
        ({}, {"q": "asyncio", "kl": "wt-wt"}),
        ({"time_range": "day"}, {"q": "asyncio", "kl": "wt-wt", "df": "d"}),
        ({"time_range": "week"}, {"q": "asyncio", "kl": "wt-wt", "df": "w"}),
        ({"time_range": "month"}, {"q": "asyncio", "kl": "wt-wt", "df": "m"}),
        ({"time_range": "year"}, {"q": "asyncio", "kl": "wt-wt", "df": "y"}),
        ({"safesearch": "strict"}, {"q": "asyncio", "kl": "wt-wt", "kp": "1"}),
        ({"safesearch": "moderate"}, {"q": "asyncio", "kl": "wt-wt", "kp": "-1"}),
        ({"safesearch": "off"}, {"q": "asyncio", "kl": "wt-wt", "kp": "-2"}),
        ({"language": "de", "user_location_country": "AT"}, {"q": "asyncio", "kl": "at-de"}),
        ({"query": "a  +b -c site:example.com"}, {"q": "a +b -c site:example.com", "kl": "wt-wt"}),
    ],
)
def test_the_request_is_put_in_duckduckgos_words(fields, form):
    asked = asking(SearchRequest(**{"query": "asyncio", **fields}))
    assert (asked.form, asked.notes) == (form, ())


@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("!w python", "w python"),
        ("python !w", "python w"),
        ("python w!", "python w"),
        ("w! python", "w python"),
        ("!!w python", "w python"),
        ("!safeoff cats", "safeoff cats"),
        ("\\python docs", "python docs"),
        ("docs \\\\python", "docs python"),
        ("!-word", "word"),
        ("-!word", "-word"),
        ('"!w cats"', '"w cats"'),
        ("(!w cats)", "(w cats)"),
        ("\uff01w cats", "w cats"),
        ("\u200b!w", "w"),
        ("! cats", '"!" cats'),
        ("cats !", 'cats "!"'),
        ("\\", '"\\"'),
        ("a != b", 'a "!=" b'),
        ("Yahoo! answers", "Yahoo answers"),
        ("one\t!w\ntwo", "one w two"),
    ],
)
def test_bangs_become_plain_words(query, plain):
    assert plain_words(query) == (plain, True)
    assert asking(SearchRequest(query=query)).notes == (BANGS,)


@pytest.mark.parametrize(
    "query", ["python", "C++ vector", "a!b", "C:\\temp", '"exact words"', "-not +this", "site:a.example"]
)
def test_a_query_without_bangs_is_sent_as_it_is(query):
    assert plain_words(query) == (query, False)


WORDS = st.lists(st.text(alphabet="ab1!\\\uff01\"'(-+<.:é€\u200b", min_size=1, max_size=6), min_size=1, max_size=6)


@given(WORDS)
def test_no_bang_is_left_no_word_is_lost_and_twice_is_once(words):
    query = " ".join(words)
    shown = query.replace("\u200b", "")
    plain, changed = plain_words(query)
    for word in plain.split():
        letters = [at for at, character in enumerate(word) if character.isalnum()]
        if letters:
            assert not set("!\\\uff01") & set(word[: letters[0]])
            assert not word.endswith(("!", "\uff01", "\\"))
        else:
            assert word[0] not in "!\\\uff01"
    assert [c for c in plain if c.isalnum()] == [c for c in query if c.isalnum()]
    left = plain.replace("\u200b", "")
    assert len(left.split()) == len(shown.split())
    assert changed == (left.split() != shown.split())
    assert plain_words(plain) == (plain, False)


def test_a_query_that_duckduckgo_would_refuse_is_refused_here():
    assert asking(SearchRequest(query="a" * MAX_QUERY_CHARS)).form["q"]
    with pytest.raises(InvalidRequest) as caught:
        asking(SearchRequest(query="a" * (MAX_QUERY_CHARS + 1)))
    assert "aaa" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({}, {"Accept-Language": "en-US,en;q=0.5"}),
        ({"language": "de-CH"}, {"Accept-Language": "de-CH,de;q=0.8,en;q=0.5", "Cookie": "kl=ch-de"}),
        ({"time_range": "week"}, {"Accept-Language": "en-US,en;q=0.5", "Cookie": "df=w"}),
        (
            {"user_location_country": "FR", "time_range": "day"},
            {"Accept-Language": "en-US,en;q=0.5", "Cookie": "kl=fr-fr; df=d"},
        ),
    ],
)
def test_headers_say_what_the_form_says(fields, headers):
    assert asking(SearchRequest(query="x", **fields)).headers == headers


def test_the_page_that_a_form_would_come_from_is_named():
    headers = standing_headers("https://html.duckduckgo.com", "Agent")
    assert headers["Referer"] == "https://html.duckduckgo.com/"
    assert headers["Origin"] == "https://html.duckduckgo.com"
    assert headers["User-Agent"] == "Agent"
    assert standing_headers("http://127.0.0.1:8000/under/a/path/", "Agent")["Referer"] == "http://127.0.0.1:8000/"
