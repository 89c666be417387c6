"""Languages and countries in Google's codes."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_google.regions import place

PREFERRED = "Google: cannot restrict results to this language; it was only preferred"
LANGUAGE = "Google: does not know this language; it was left out"
COUNTRY = "Google: does not know this country; it was left out"


@pytest.mark.parametrize(
    ("language", "country", "sent"),
    [
        ("", "", {}),
        ("de", "", {"lr": "lang_de", "hl": "de"}),
        ("de", "DE", {"lr": "lang_de", "hl": "de", "gl": "de"}),
        ("de-AT", "AT", {"lr": "lang_de", "hl": "de", "gl": "at"}),
        ("en", "GB", {"lr": "lang_en", "hl": "en", "gl": "uk"}),
        ("en-US", "", {"lr": "lang_en", "hl": "en", "gl": "us"}),
        ("en-GB", "", {"lr": "lang_en", "hl": "en", "gl": "uk"}),
        ("de-AT", "", {"lr": "lang_de", "hl": "de", "gl": "at"}),
        ("de-at", "CH", {"lr": "lang_de", "hl": "de", "gl": "ch"}),
        ("he", "IL", {"lr": "lang_iw", "hl": "iw", "gl": "il"}),
        ("nb", "NO", {"lr": "lang_no", "hl": "no", "gl": "no"}),
        ("nn", "NO", {"lr": "lang_no", "hl": "nn", "gl": "no"}),
        ("pt", "", {"lr": "lang_pt", "hl": "pt-PT"}),
        ("pt", "BR", {"lr": "lang_pt", "hl": "pt-BR", "gl": "br"}),
        ("pt-BR", "PT", {"lr": "lang_pt", "hl": "pt-BR", "gl": "pt"}),
        ("zh", "", {"lr": "lang_zh-CN", "hl": "zh-CN"}),
        ("zh", "TW", {"lr": "lang_zh-TW", "hl": "zh-TW", "gl": "tw"}),
        ("zh", "HK", {"lr": "lang_zh-TW", "hl": "zh-TW", "gl": "hk"}),
        ("zh-Hans-HK", "HK", {"lr": "lang_zh-CN", "hl": "zh-CN", "gl": "hk"}),
        ("zh-Hant", "", {"lr": "lang_zh-TW", "hl": "zh-TW"}),
        ("zh-TW", "", {"lr": "lang_zh-TW", "hl": "zh-TW", "gl": "tw"}),
        ("sr-Latn-RS", "RS", {"lr": "lang_sr", "hl": "sr", "gl": "rs"}),
        ("", "US", {"gl": "us"}),
    ],
)
def test_a_place_that_google_knows(language, country, sent):
    assert place(language, country) == (sent, [])


@pytest.mark.parametrize(
    ("language", "country", "sent", "notes"),
    [
        ("hi", "IN", {"hl": "hi", "gl": "in"}, [PREFERRED]),
        ("fil", "PH", {"hl": "tl", "gl": "ph"}, [PREFERRED]),
        ("jv", "", {"hl": "jw"}, [PREFERRED]),
        ("tlh", "", {}, [LANGUAGE]),
        ("en", "XX", {"lr": "lang_en", "hl": "en"}, [COUNTRY]),
        ("en-XX", "", {"lr": "lang_en", "hl": "en"}, [COUNTRY]),
        ("es-419", "", {"lr": "lang_es", "hl": "es"}, [COUNTRY]),
        ("en-150", "", {"lr": "lang_en", "hl": "en"}, [COUNTRY]),
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
    assert ("lr" in sent) != bool({PREFERRED, LANGUAGE} & set(notes))
    assert "hl" in sent or LANGUAGE in notes
    assert not country or ("gl" in sent) == (COUNTRY not in notes)
    assert "gl" in sent or COUNTRY in notes or not re.search(r"-[A-Za-z]{2}(-|$)", f"-{rest}")
    assert set(notes) <= {PREFERRED, LANGUAGE, COUNTRY}
