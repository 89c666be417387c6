"""Languages and countries become Brave's codes, or are left out with a word."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_brave.regions import COUNTRIES, EVERYWHERE, LANGUAGES, NO_COUNTRY, NO_LANGUAGE, region_of

CASES = {
    ("", ""): ("", "", ()),
    ("", "DE"): ("DE", "", ()),
    ("de", ""): ("ALL", "de", ()),
    ("de", "DE"): ("DE", "de", ()),
    ("de", "AT"): ("AT", "de", ()),
    ("de-AT", ""): ("AT", "de", ()),
    ("de-AT", "CH"): ("CH", "de", ()),
    ("en", "US"): ("US", "en", ()),
    ("en", "GB"): ("GB", "en-gb", ()),
    ("en-GB", ""): ("GB", "en-gb", ()),
    ("en-GB", "DE"): ("DE", "en-gb", ()),
    ("en-US", "GB"): ("GB", "en", ()),
    ("ja", "JP"): ("JP", "jp", ()),
    ("ko", "KR"): ("KR", "ko", ()),
    ("no", "NO"): ("NO", "nb", ()),
    ("nn-NO", ""): ("NO", "nb", ()),
    ("iw", ""): ("ALL", "he", ()),
    ("el", "GR"): ("GR", "el", ()),
    ("pt", ""): ("ALL", "pt-br", ()),
    ("pt", "BR"): ("BR", "pt-br", ()),
    ("pt", "PT"): ("PT", "pt-pt", ()),
    ("pt-PT", ""): ("PT", "pt-pt", ()),
    ("pt-BR", "PT"): ("PT", "pt-br", ()),
    ("pt-AO", ""): ("ALL", "pt-pt", (NO_COUNTRY,)),
    ("zh", ""): ("ALL", "zh-hans", ()),
    ("zh", "TW"): ("TW", "zh-hant", ()),
    ("zh-HK", ""): ("HK", "zh-hant", ()),
    ("zh-CN", "TW"): ("TW", "zh-hans", ()),
    ("zh-Hant", "CN"): ("CN", "zh-hant", ()),
    ("zh-Hans-HK", ""): ("HK", "zh-hans", ()),
    ("es-419", ""): ("ALL", "es", (NO_COUNTRY,)),
    ("es-419", "MX"): ("MX", "es", ()),
    ("en-001", "GB"): ("GB", "en-gb", ()),
    ("sr-Latn-RS", ""): ("ALL", "sr", (NO_COUNTRY,)),
    ("", "UA"): ("ALL", "", (NO_COUNTRY,)),
    ("uk", "UA"): ("ALL", "uk", (NO_COUNTRY,)),
    ("haw", ""): ("", "", (NO_LANGUAGE,)),
    ("haw", "US"): ("US", "", (NO_LANGUAGE,)),
    ("sw-KE", ""): ("ALL", "", (NO_COUNTRY, NO_LANGUAGE)),
}


@pytest.mark.parametrize(("asked", "expected"), CASES.items(), ids=lambda value: "/".join(map(str, value)))
def test_a_language_and_a_country_become_braves_codes(asked, expected):
    assert tuple(region_of(*asked)) == expected


def test_the_tables_are_braves():
    assert len(COUNTRIES) == 37
    assert all(re.fullmatch(r"[A-Z]{2}", country) for country in COUNTRIES)
    assert {"jp", "nb", "zh-hans", "zh-hant", "pt-br", "pt-pt", "en-gb"} <= LANGUAGES
    assert not {"ja", "no", "zh", "pt", "en-us"} & LANGUAGES


@given(
    st.from_regex(r"([a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})?", fullmatch=True),
    st.from_regex(r"([A-Z]{2})?", fullmatch=True),
)
def test_brave_gets_only_codes_that_it_knows(language, country):
    region = region_of(language, country)
    assert region.country in COUNTRIES | {EVERYWHERE, ""}
    assert region.language in LANGUAGES | {""}
    assert bool(language and not region.language) == (NO_LANGUAGE in region.notes)
    if country:
        assert (region.country == country) == (NO_COUNTRY not in region.notes)
