import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websearch_core.testing.cpu_time import within_cpu
from websearch_guard.pii.find import TooMuchError, find
from websearch_guard.pii.masking import masked
from websearch_guard.pii.text.prepared_text import table

VALUES = (
    "219-44-7710", "4532 0151 1283 0366", "617-682-5990", "jade.miller42@yahoo.com", "DE44500105175407324931",
    "ghp_Ae2LDmJqYq9XVNOGfi8f2oadRVJGiPWmH2tQ", "390.533.447-05", "VSCLPD92T51L816I",
)  # fmt: skip
PIECES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        (*VALUES, "ssn", "my", "card", "phone", "at", "dot", "%41", "=", "://", "5 Main Street", "born", "password is")
    ),
    st.from_regex(r"[0-9 .\-()+]{1,30}", fullmatch=True),
)
TEXTS = st.lists(PIECES, max_size=8).map(" ".join)


@settings(max_examples=300)
@given(TEXTS, st.booleans())
def test_spans_are_in_order_apart_and_within_the_text(text: str, url: bool) -> None:
    spans = find(text, url=url)
    places = [place for span in spans for place in (span.start, span.end)]
    assert places == sorted(places)
    assert all(0 <= span.start < span.end <= len(text) and 0 < span.score <= 1 for span in spans)


@settings(max_examples=200)
@given(TEXTS)
def test_finding_is_a_function_of_the_text(text: str) -> None:
    assert find(text) == find(text)


@settings(max_examples=200)
@given(TEXTS)
def test_of_a_masked_text_nothing_is_left_to_mask(text: str) -> None:
    result = masked(text, find)
    if result is not None:
        left, spans = result
        assert find(left) == ()
        assert masked(left, find) in ((left, ()), None)
        assert all(0 <= span.start < span.end <= len(text) for span in spans)


# no letter alone: it may belong to a number, as the check letters of some countries do; no vowels: "aba" says of a
# number what it is
WORDS = st.lists(st.text(alphabet="bcxz", min_size=3, max_size=8), max_size=4).map(" ".join)


@settings(max_examples=60)
@given(st.sampled_from(VALUES), WORDS, WORDS)
def test_masking_takes_the_value_and_leaves_the_words(value: str, before: str, after: str) -> None:
    result = masked(f"question {before} {value} {after}", find)
    assert result is not None
    assert value not in result[0]
    assert re.findall(r"\w+", f"question {before} {after}") == re.findall(r"\w+", result[0])


LONG = {
    "digits": "1" * 2000,
    "spaced digits": "1 " * 1000,
    "grouped digits": "123 " * 500,
    "numbers": "4155550132 " * 180,
    "at signs": "a@" * 1000,
    "dots": "a." * 1000,
    "letters": "a" * 2000,
    "words": "word " * 400,
    "capitals": "Aa" * 1000,
    "brackets": "((" * 1000,
    "street": "5 Main Street " * 140,
    "names": "Anna Smith " * 180,
    "labels": "ssn phone card " * 130,
    "born": "born 1/2/1990 " * 140,
    "escapes": "%41" * 660,
    "base64": "QUJD" * 500,
    "passwords": "password " * 220,
    "colons": "a:b@" * 500,
    "slashes": "/a" * 1000,
    "addresses": "https://a.b/?c=1 " * 115,
    "eyj": "eyJ" * 660,
    "begin": "-----BEGIN PRIVATE KEY" * 90,
    "iban": "DE89 " * 400,
    "dashes": "a-" * 1000,
}


@pytest.mark.parametrize("url", [False, True])
@pytest.mark.parametrize("name", LONG)
def test_no_text_takes_long(name: str, url: bool) -> None:
    find("warm up 1", url=url)

    def found() -> None:
        with suppress(TooMuchError):
            find(LONG[name], url=url)

    within_cpu(0.1, found)


@settings(max_examples=10)
@given(st.data())
@pytest.mark.parametrize("row", table("government")["number"], ids=lambda row: row["id"])
def test_a_number_of_a_state_has_the_digits_that_its_table_says(row: Mapping[str, Any], data: st.DataObject) -> None:
    pattern = re.compile(row["pattern"], re.IGNORECASE | re.VERBOSE)
    number = data.draw(st.from_regex(pattern, fullmatch=True))
    assert sum(map(str.isdigit, number)) >= row.get("digits", 6)
