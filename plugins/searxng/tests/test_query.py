"""A query leaves as plain words, whatever SearXNG would read into it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_searxng.query import plain

CASES = {
    "python asyncio": "python asyncio",
    "!!w python": "w python",
    "python !!g": "python g",
    "!g secret plans": "g secret plans",
    "!images cats": "images cats",
    "?images cats": "images cats",
    "!open_street_map berlin": "open_street_map berlin",
    ":de berlin": "de berlin",
    ":pt_BR praia": "pt_BR praia",
    "<3 python": "3 python",
    "<850 python": "850 python",
    "!! python": '"!!" python',
    "?? python": '"??" python',
    "!!? python": '"!!?" python',
    "a != b": 'a "!=" b',
    '!" x': '"!" x',
    "!!!!w python": "w python",
    "!:de x": "de x",
    "!<5 x": "5 x",
    "!-word x": "word x",
    "\\python": "python",
    "!!w\u00a0python\u2003!g": "w python g",
    "css :hover": "css hover",
    "is it 5 < 6? Yes!": "is it 5 < 6? Yes!",
    "<div> tag": "<div> tag",
    'say "hello !g world"': 'say "hello g world"',
    "c++ a-b yahoo! what? 12:30": "c++ a-b yahoo! what? 12:30",
}


@pytest.mark.parametrize(("query", "expected"), CASES.items())
def test_commands_become_words_and_words_stay(query, expected):
    assert plain(query) == (expected, query != expected)


@given(st.text(alphabet=st.sampled_from("!?:<\\+-\"' \t\u00a0\u3000ab1"), min_size=1))
def test_no_word_of_any_query_begins_like_a_command(query):
    text, _ = plain(query)
    for word in re.split(r"\s+", text):  # as SearXNG splits it
        assert not word.startswith(("!", "?", ":", "\\"))
        assert not re.fullmatch(r"<\d+", word)


@given(st.text(min_size=1))
def test_no_letter_or_digit_is_lost(query):
    text, _ = plain(query)
    assert [c for c in text if c.isalnum()] == [c for c in query if c.isalnum()]
    assert bool(text) == bool(query.strip())


@given(st.text())
def test_a_plain_query_stays_plain(query):
    once, _ = plain(query)
    assert plain(once) == (once, False)
