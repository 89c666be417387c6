"""What is slow for a source, which small words go, and which spellings are one page, at the limits of each."""

from __future__ import annotations

import pytest

from websearch_core.asking.search.canonical_url import canonical
from websearch_core.asking.search.stopword_retry import thinned
from websearch_core.asking.source.latency import Latencies


def after(*seconds: float) -> Latencies:
    latencies = Latencies()
    for each in seconds:
        latencies.add(each)
    return latencies


def test_twenty_answers_tell_what_is_slow() -> None:
    assert after(*range(1, 20)).p95() is None
    assert after(*range(1, 21)).p95() == 19
    assert after(*range(1, 22)).p95() == 20
    assert after(*range(1, 101)).p95() == 95


def test_the_last_hundred_answers_count() -> None:
    assert after(999, *[1] * 95, *[2] * 5).p95() == 1
    assert after(999, *[1] * 94, *[2] * 6).p95() == 2
    assert after(*[999] * 100, *[1] * 95).p95() == 1


def test_a_call_that_was_given_up_counts_only_where_it_was_slow() -> None:
    latencies = after(*[1] * 20)
    for _ in range(9):
        latencies.at_least(1)
    assert latencies.p95() == 1
    latencies.at_least(5)
    assert latencies.p95() == 1
    latencies.at_least(5)
    assert latencies.p95() == 5
    few = after(*[1] * 18)
    few.at_least(9)
    few.add(1)
    assert few.p95() is None


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("what is the barn owl", "barn owl"),
        ("what is the owl", ""),
        ("barn owl", ""),
        ("What, IS the barn owl?", "barn owl?"),
        ('what is "the barn" owl', ""),
        ("what is site:a.example owl", "site:a.example owl"),
    ],
)
def test_a_query_without_its_small_words_has_two_at_least(query: str, left: str) -> None:
    assert thinned(query) == left


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://amp.example.com/a", "example.com/a"),
        ("https://amp.com/a", "amp.com/a"),
        ("https://example.com/a.amp.html", "example.com/a.html"),
        ("https://example.com/a.amp.htm", "example.com/a.htm"),
        ("https://example.com/a.amp", "example.com/a"),
        ("https://example.com/a/amp/", "example.com/a"),
        ("https://example.com/a/amp/b", "example.com/a/amp/b"),
        ("https://example.com/a.amp.xml", "example.com/a.amp.xml"),
        ("https://www.google.com/amp/s/example.com/a", "example.com/a"),
        ("https://www.google.com/maps/s/example.com/a", "google.com/maps/s/example.com/a"),
        ("https://x.cdn.ampproject.org/c/s/EXAMPLE.com/a", "example.com/a"),
        ("https://example.com/%7Ea%2fb", "example.com/~a%2Fb"),
        ("https://example.com/?amp=1&amp=2", "example.com?amp=2"),
        ("https://example.com/?utm_x=1&%75tm_y=2&ref=3&&a", "example.com?ref=3&a"),
        ("https://www.example.com:8443/", "example.com:8443"),
    ],
)
def test_the_key_of_a_page(url: str, key: str) -> None:
    assert canonical(url) == key
