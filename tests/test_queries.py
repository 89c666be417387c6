"""A query leaves as plain words, whatever an engine would read into it."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit import plain_query

BANGS = {
    "python asyncio": "python asyncio",
    "!!w python": "w python",
    "python !!g": "python g",
    "!open_street_map berlin": "open_street_map berlin",
    "!! python": '"!!" python',
    "a != b": 'a "!=" b',
    '!" x': '"!" x',
    "!-word x": "word x",
    "!!w\u00a0python\u2003!g": "w python g",
    "\uff01w x": "w x",
    "\\python": "python",
    "is it 5 < 6? Yes!": "is it 5 < 6? Yes!",
    "c++ a-b yahoo! what? -not +so 12:30": "c++ a-b yahoo! what? -not +so 12:30",
    'say "hello !g world"': 'say "hello g world"',
    "<3 cache:x": "<3 cache:x",
    '"!w python"': '"w python"',
    "(!w python) [!w]": "(w python) [w]",
    "-!w": "-w",
    "-!-w": "-w",
    "a|!w": "a|w",
    "\u200b!w": "w",
    "\u200d!\u200cw": "w",
    "\ufe57w \u203cw": "w w",
    "(!)": '"(!)"',
}
NUMBERED = {"<3 python": "3 python", "<850 x": "850 x", "<5 x": "5 x", "<div> <3a <": "<div> <3a <", "!<5 x": "5 x"}
PREFIXES = {
    "cache:example.com": "example.com",
    "Cache:Example.com x": "Example.com x",
    "-cache:example.com": "-example.com",
    '"cache:example.com page"': '"example.com page"',
    '"cache:example.com"': '"example.com"',
    "(cache:example.com)": "(example.com)",
    "cache\uff1aexample.com": "example.com",
    "\uff43ache:example.com": "example.com",
    "\u24d2a\u200bche\ufe55example.com": "example.com",
    "|cache:x": "|x",
    "a|-Cache:x|b": "a|-x|b",
    "(cache:)": "(cache)",
    "cache:-example.com": "example.com",
    "cache:cache:x": "x",
    "!cache:!w x": "w x",
    "cache:": "cache",
    "cache: x": "cache x",
    "Cache:cache:": "cache",
    "related:a.com my -cache: site:b.org": "a.com my -cache site:b.org",
    "the cache": "the cache",
}


@pytest.mark.parametrize(("query", "expected"), BANGS.items())
def test_bangs_become_words_and_words_stay(query: str, expected: str) -> None:
    assert plain_query(query, sigils="!\\") == (expected, query != expected)


@pytest.mark.parametrize(("query", "expected"), NUMBERED.items())
def test_some_sigils_make_a_command_only_before_digits(query: str, expected: str) -> None:
    assert plain_query(query, sigils="!", numbered="<") == (expected, query != expected)


@pytest.mark.parametrize(("query", "expected"), PREFIXES.items())
def test_prefixes_are_taken_off_in_any_case(query: str, expected: str) -> None:
    assert plain_query(query, sigils="!", prefixes=("cache:", "related:")) == (expected, query != expected)


@pytest.mark.parametrize(
    ("query", "expected"), {"w! x": "w x", '"w!"': '"w"', "w\uff01\\": "w", "Yes!?": "Yes?", "c++": "c++"}.items()
)
def test_some_engines_know_sigils_at_a_words_end(query: str, expected: str) -> None:
    assert plain_query(query, sigils="!", trailing="!\\") == (expected, query != expected)


@pytest.mark.parametrize(
    "query", ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u200b", "\U0001f469\u200d\U0001f4bb"]
)
def test_what_is_invisible_but_part_of_a_word_stays(query: str) -> None:
    assert plain_query(query, sigils="!", prefixes=("cache:",)) == (query, False)


def test_invisible_characters_go_and_are_no_command() -> None:
    assert plain_query("\u200fa\u00adb c", sigils="!") == ("ab c", False)


def test_an_engine_without_sigils_has_only_prefixes() -> None:
    assert plain_query("!w cache:x", sigils="", prefixes=("cache:",)) == ("!w x", True)


SIGILS, NUMBERS, NAMES = "!?:\\", "<", ("cache:", "c:")
QUERIES = st.text(min_size=1) | st.lists(
    st.sampled_from([*"!?:\\<+-|(\"' \tab1\uff01\ufe57\u203c\u200b\u200d\u3000", "cache:", "C:", "\uff43\uff1a"]),
    min_size=1,
).map("".join)


def plain(query: str) -> tuple[str, bool]:
    return plain_query(query, sigils=SIGILS, numbered=NUMBERS, prefixes=NAMES)


@given(QUERIES)
def test_doing_it_twice_changes_nothing(query: str) -> None:
    once, _ = plain(query)
    assert plain(once) == (once, False)


@given(QUERIES)
def test_no_word_is_lost(query: str) -> None:
    text, changed = plain(query)
    assert len(text.split()) == len(query.split())
    invisible = any(unicodedata.category(character) == "Cf" for character in query)
    assert changed or invisible or text.split() == query.split()


@given(QUERIES)
def test_no_letter_or_digit_is_lost_but_a_prefixs(query: str) -> None:
    text, _ = plain_query(query, sigils=SIGILS, numbered=NUMBERS)
    assert [c for c in text if c.isalnum()] == [c for c in query if c.isalnum()]


@given(QUERIES)
def test_no_command_survives(query: str) -> None:
    text, _ = plain(query)
    for word in (unicodedata.normalize("NFKC", word) for word in text.split()):  # as engines read it
        assert not word.startswith(tuple("!?:\\"))
        assert not re.match(r"[\W_]*[!?:\\][\W_]*[^\W_]", word)
        assert not re.fullmatch(r"<\d+", word)
        assert not re.match(r"[\W_]*(cache:|c:)\w", word, re.IGNORECASE)
