"""Languages and countries become DuckDuckGo's regions, and what it does not know is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_duckduckgo.regions import BOTH_LEFT_OUT, COUNTRY_LEFT_OUT, LANGUAGE_LEFT_OUT, WORLD, region_of

HTML = (Path(__file__).with_name("samples") / "html.html").read_text(encoding="utf-8")
OFFERED = set(re.findall(r'<option value="([a-z]{2}-[a-z]{2,3})"', HTML))
"""What the recorded page lets its reader choose from."""
DOCUMENTED = set(
    re.findall(
        r"\S+",
        """xa-ar xa-en ar-es au-en at-de be-fr be-nl br-pt bg-bg ca-en ca-fr ct-ca cl-es cn-zh co-es hr-hr cz-cs dk-da
        ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu in-en id-id id-en ie-en il-he it-it jp-jp kr-kr lv-lv lt-lt xl-es
        my-ms my-en mx-es nl-nl nz-en no-no pe-es ph-en ph-tl pl-pl pt-pt ro-ro ru-ru sg-en sk-sk sl-sl za-en es-es
        se-sv ch-de ch-fr ch-it tw-tzh th-th tr-tr ua-uk uk-en us-en ve-es vn-vi wt-wt""",
    )
)
"""DuckDuckGo's help page on URL parameters, less ue-es, which the page calls us-es."""
TAGS = """
    ar bg ca cs da de el en es et fi fil fr he hr hu id is it ja ko lt lv ms nb nl no pl pt ro ru sk sl sv th tl tr uk
    vi zh
"""


@pytest.mark.parametrize(
    ("language", "country", "region"),
    [
        ("", "", "wt-wt"),
        ("", "DE", "de-de"),
        ("", "CH", "ch-de"),
        ("", "BE", "be-nl"),
        ("", "CA", "ca-en"),
        ("", "GB", "uk-en"),
        ("", "US", "us-en"),
        ("", "SI", "sl-sl"),
        ("", "JP", "jp-jp"),
        ("", "EG", "xa-ar"),
        ("", "AD", "ct-ca"),
        ("de", "", "de-de"),
        ("en", "", "us-en"),
        ("pt", "", "br-pt"),
        ("nb", "", "no-no"),
        ("fil", "", "ph-tl"),
        ("ja", "", "jp-jp"),
        ("zh", "", "cn-zh"),
        ("zh-Hant", "", "tw-tzh"),
        ("zh-Hans", "", "cn-zh"),
        ("zh-Hant-HK", "", "hk-tzh"),
        ("de", "AT", "at-de"),
        ("de-AT", "", "at-de"),
        ("de-at", "", "at-de"),
        ("de-AT", "CH", "ch-de"),
        ("fr", "CH", "ch-fr"),
        ("it", "CH", "ch-it"),
        ("es", "US", "us-es"),
        ("ca", "ES", "es-ca"),
        ("en", "IL", "il-en"),
        ("he", "IL", "il-he"),
        ("th", "TH", "th-th"),
        ("en", "TH", "th-en"),
        ("zh", "TW", "tw-tzh"),
        ("en", "AE", "xa-en"),
        ("es-419", "", "xl-es"),
        ("es", "EC", "xl-es"),
        ("en-US-u-co-phonebk", "", "us-en"),
    ],
)
def test_what_duckduckgo_knows_is_used(language, country, region):
    assert region_of(language, country) == (region, "")


@pytest.mark.parametrize(
    ("language", "country", "region", "note"),
    [
        ("en", "DE", "us-en", COUNTRY_LEFT_OUT),
        ("de", "KE", "de-de", COUNTRY_LEFT_OUT),
        ("de-LI", "", "de-de", COUNTRY_LEFT_OUT),
        ("en-150", "", "us-en", COUNTRY_LEFT_OUT),
        ("zh-Hant", "US", "tw-tzh", COUNTRY_LEFT_OUT),
        ("", "KE", WORLD, COUNTRY_LEFT_OUT),
        ("hi", "IN", "in-en", LANGUAGE_LEFT_OUT),
        ("sw", "", WORLD, LANGUAGE_LEFT_OUT),
        ("sw", "KE", WORLD, BOTH_LEFT_OUT),
    ],
)
def test_what_it_does_not_know_falls_back_and_is_said(language, country, region, note):
    assert region_of(language, country) == (region, note)


def test_every_region_can_be_reached_and_no_other_is_ever_sent():
    countries = [first + second for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for second in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    languages = ["", *TAGS.split()]
    reached = {region_of(language, country)[0] for language in languages for country in ("", *countries)}
    assert reached == OFFERED | DOCUMENTED
    assert len(OFFERED) == 63


@given(
    language=st.from_regex(r"([a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})?", fullmatch=True),
    country=st.from_regex(r"([A-Z]{2})?", fullmatch=True),
)
def test_no_language_and_country_is_without_an_answer(language, country):
    region, note = region_of(language, country)
    assert region in OFFERED | DOCUMENTED
    assert region != WORLD or note or not (language or country)
