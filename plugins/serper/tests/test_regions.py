"""Languages and countries in the codes that Serper takes."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_serper.regions import place

LANGUAGE = "Serper: does not know this language; it was left out"
COUNTRY = "Serper: does not know this country; it was left out"


@pytest.mark.parametrize(
    ("language", "country", "sent"),
    [
        ("", "", {}),
        ("de", "", {"hl": "de"}),
        ("de-AT", "AT", {"hl": "de", "gl": "at"}),
        ("en", "GB", {"hl": "en", "gl": "gb"}),
        ("he", "IL", {"hl": "iw", "gl": "il"}),
        ("nb", "NO", {"hl": "no", "gl": "no"}),
        ("nn", "", {"hl": "nn"}),
        ("fil", "PH", {"hl": "tl", "gl": "ph"}),
        ("jv", "", {"hl": "jw"}),
        ("pt", "", {"hl": "pt"}),
        ("pt", "BR", {"hl": "pt-br", "gl": "br"}),
        ("pt-PT", "BR", {"hl": "pt-pt", "gl": "br"}),
        ("es-419", "", {"hl": "es-419"}),
        ("es", "MX", {"hl": "es", "gl": "mx"}),
        ("zh", "", {"hl": "zh-cn"}),
        ("zh", "TW", {"hl": "zh-tw", "gl": "tw"}),
        ("zh-Hant", "", {"hl": "zh-tw"}),
        ("zh-Hans-HK", "", {"hl": "zh-cn", "gl": "hk"}),
        ("de-AT", "", {"hl": "de", "gl": "at"}),
        ("de-at", "CH", {"hl": "de", "gl": "ch"}),
        ("", "US", {"gl": "us"}),
    ],
)
def test_a_place_that_google_knows(language, country, sent):
    assert place(language, country) == (sent, [])


@pytest.mark.parametrize(
    ("language", "country", "sent", "notes"),
    [
        ("tlh", "", {}, [LANGUAGE]),
        ("en", "XX", {"hl": "en"}, [COUNTRY]),
        ("en-XX", "", {"hl": "en"}, [COUNTRY]),
        ("en-150", "", {"hl": "en"}, [COUNTRY]),
        ("en-150", "IE", {"hl": "en", "gl": "ie"}, []),
        ("tlh", "QQ", {}, [LANGUAGE, COUNTRY]),
    ],
)
def test_what_google_does_not_know_is_left_out_and_mentioned(language, country, sent, notes):
    assert place(language, country) == (sent, notes)


LETTERS = st.text(alphabet=string.ascii_lowercase, min_size=2, max_size=3)
TAGS = st.builds("-".join, st.lists(st.text(string.ascii_letters + string.digits, min_size=2, max_size=8), max_size=3))
CODES = st.text(alphabet=string.ascii_uppercase, min_size=2, max_size=2)


@given(LETTERS, TAGS, st.one_of(st.just(""), CODES))
def test_whatever_is_asked_for_is_sent_or_mentioned(first, rest, country):
    sent, notes = place(f"{first}-{rest}" if rest else first, country)
    assert ("hl" in sent) != (LANGUAGE in notes)
    assert not country or ("gl" in sent) == (COUNTRY not in notes)
    assert "gl" in sent or COUNTRY in notes or not re.search(r"-[A-Za-z]{2}(-|$)", f"-{rest}")
    assert set(notes) <= {LANGUAGE, COUNTRY}
