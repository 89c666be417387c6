"""Languages and countries in an engine's codes."""

from __future__ import annotations

import pytest

from websearch_core.kit import RegionCodes, language_region

CODES = RegionCodes("Acme", gl="at br de uk", hl="de en es-419 iw pt-BR", lr="de iw", countries={"gb": "uk"})
LANGUAGE = "Acme: does not know this language; it was left out"
PREFERRED = "Acme: cannot restrict results to this language; it was only preferred"
COUNTRY = "Acme: does not know this country; it was left out"


@pytest.mark.parametrize(
    ("tag", "region"),
    [("", ""), ("de", ""), ("de-AT", "AT"), ("de-at", "AT"), ("es-419", "419"), ("zh-Hant-TW", "TW"), ("zh-Hant", "")],
)
def test_the_region_in_a_language_tag(tag: str, region: str) -> None:
    assert language_region(tag) == region


@pytest.mark.parametrize(
    ("language", "country", "said", "notes"),
    [
        ("", "", {}, []),
        ("de-AT", "", {"lr": "lang_de", "hl": "de", "gl": "at"}, []),
        ("de-AT", "DE", {"lr": "lang_de", "hl": "de", "gl": "de"}, []),
        ("he", "", {"lr": "lang_iw", "hl": "iw"}, []),
        ("", "GB", {"gl": "uk"}, []),
        ("en", "", {"hl": "en"}, [PREFERRED]),
        ("pt", "BR", {"hl": "pt-BR", "gl": "br"}, [PREFERRED]),
        ("es-419", "", {"hl": "es-419"}, [PREFERRED]),
        ("tlh", "XX", {}, [LANGUAGE, COUNTRY]),
    ],
)
def test_what_an_engine_knows_is_said_and_the_rest_is_noted(
    language: str, country: str, said: dict[str, str], notes: list[str]
) -> None:
    found = CODES.parameters(language, country)
    assert found == (said, notes)


def test_an_engine_that_restricts_to_no_language_need_not_say_so() -> None:
    assert RegionCodes("Acme", gl="", hl="de").parameters("de", "") == ({"hl": "de"}, [])
