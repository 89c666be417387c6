"""What a search becomes in SearXNG's words."""

from __future__ import annotations

import pytest

from websearch_core import SearchRequest
from websearch_searxng.regions import COUNTRY_ALONE, COUNTRY_UNKNOWN, locale
from websearch_searxng.request_params import parameters


def asked(query="asyncio", **fields):
    return parameters(SearchRequest(query=query, **fields))


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"vertical": "news"}, {"categories": "news"}),
        ({"vertical": "images"}, {"categories": "images"}),
        ({"time_range": "week"}, {"time_range": "week"}),
        ({"safesearch": "off"}, {"safesearch": "0"}),
        ({"safesearch": "moderate"}, {"safesearch": "1"}),
        ({"safesearch": "strict"}, {"safesearch": "2"}),
        ({"language": "pt", "user_location_country": "BR"}, {"language": "pt-BR"}),
        ({"language": "de", "user_location_country": ""}, {"language": "de"}),
    ],
)
def test_each_argument_has_its_place(fields, sent):
    plain = {"q": "asyncio", "format": "json", "categories": "general"}
    assert asked(**fields) == (plain | sent, [])


QUERIES = {
    "python asyncio": "python asyncio",
    "!!w python": "w python",
    "python !!g": "python g",
    "!images cats": "images cats",
    "?images cats": "images cats",
    ":de berlin": "de berlin",
    ":pt_BR praia": "pt_BR praia",
    "<3 python": "3 python",
    "<850 python": "850 python",
    "!! python": '"!!" python',
    "!!? python": '"!!?" python',
    "!:de x": "de x",
    "!<5 x": "5 x",
    "\\python": "python",
    "css :hover": "css hover",
    "<div> tag": "<div> tag",
    "is it 5 < 6? Yes!": "is it 5 < 6? Yes!",
    "c++ a-b yahoo! what? 12:30": "c++ a-b yahoo! what? 12:30",
}


@pytest.mark.parametrize(("query", "expected"), QUERIES.items())
def test_commands_become_words_and_that_is_said(query, expected):
    sent, notes = asked(query)
    assert sent["q"] == expected
    assert bool(notes) == (query != expected)


@pytest.mark.parametrize(
    ("language", "country", "sent"),
    [
        ("", "", ""),
        ("de", "", "de"),
        ("de", "AT", "de-AT"),
        ("en", "AT", "en-AT"),
        ("de-CH", "", "de-CH"),
        ("de-CH", "AT", "de-AT"),
        ("pt-br", "", "pt-BR"),
        ("zh-Hant", "", "zh-TW"),
        ("zh-Hant", "HK", "zh-HK"),
        ("zh-Hans-CN", "", "zh-CN"),
        ("sr-Latn", "", "sr"),
        ("sr-Latn", "RS", "sr-RS"),
        ("es-419", "", "es"),
        ("haw", "US", "haw-US"),
    ],
)
def test_a_language_goes_with_any_country(language, country, sent):
    assert locale(language, country) == (sent, "")


@pytest.mark.parametrize(
    ("country", "sent", "note"),
    [
        ("AT", "de-AT", COUNTRY_ALONE),
        ("US", "en-US", COUNTRY_ALONE),
        ("TW", "zh-TW", COUNTRY_ALONE),
        ("BE", "nl-BE", COUNTRY_ALONE),
        ("AQ", "", COUNTRY_UNKNOWN),
        ("ZZ", "", COUNTRY_UNKNOWN),
    ],
)
def test_a_country_alone_takes_its_language_along_and_says_so(country, sent, note):
    assert locale("", country) == (sent, note)


def test_no_country_has_two_languages():
    from websearch_searxng.regions import _COUNTRIES, _MOST_USED

    assert len(_MOST_USED) == sum(len(countries.split()) for countries in _COUNTRIES.values())
