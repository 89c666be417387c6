"""DuckDuckGo's regions (`kl`): which one fits a language and a country."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORLD = "wt-wt"
"""No region."""

COUNTRY_LEFT_OUT = "DuckDuckGo: knows no region for this language and country; the country was left out"
LANGUAGE_LEFT_OUT = "DuckDuckGo: knows no region for this language; the language was left out"
BOTH_LEFT_OUT = "DuckDuckGo: knows no region for this language and country; both were left out"

# What the page itself offers (April 2026), and what only the help page on URL parameters lists: ch-it, id-id, il-he,
# my-ms, ph-tl, th-th, ve-es, vn-vi. Of a country's regions the first is taken where no language is said. The help
# page's ue-es is what the page calls us-es.
_OF_ONE_COUNTRY = """
    ar-es at-de au-en be-nl be-fr bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es cn-zh co-es cz-cs de-de dk-da ee-et
    es-es es-ca fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-id id-en ie-en il-he il-en in-en is-is it-it jp-jp kr-kr lt-lt
    lv-lv mx-es my-ms my-en nl-nl no-no nz-en pe-es ph-en ph-tl pk-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk sl-sl
    th-th th-en tr-tr tw-tzh ua-uk uk-en us-en us-es ve-es vn-vi vn-en za-en
"""
_OF_SEVERAL = {
    "xa-ar": "AE BH DJ DZ EG IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SY TN YE",
    "xa-en": "AE BH DJ DZ EG IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SY TN YE",
    "xl-es": "419 BO CR CU DO EC GT HN NI PA PR PY SV UY",
    "ct-ca": "AD",
}
"""The Arab countries, Latin America (419 in language tags), Catalan's lands."""

_HOMES = """
    xa-ar bg-bg ct-ca cz-cs dk-da de-de gr-el us-en es-es ee-et fi-fi fr-fr il-he hr-hr hu-hu id-id is-is it-it jp-jp
    kr-kr lt-lt lv-lv my-ms nl-nl no-no pl-pl br-pt ro-ro ru-ru sk-sk sl-sl se-sv th-th ph-tl tr-tr ua-uk vn-vi cn-zh
"""
"""Where a language that is said without a country is at home, as Unicode's likely subtags have it."""

_COUNTRY_WORDS = {"uk": "GB", "sl": "SI"}
"""Where DuckDuckGo's word for a country is not ISO 3166's."""
_LANGUAGE_WORDS = {"tzh": "zh", "jp": "ja", "kr": "ko"}
"""Where its word for a language is not ISO 639's."""
_REGION = re.compile(r"[A-Za-z]{2}|[0-9]{3}")
"""A country in a language tag, or a number for several (`419`)."""
_OTHER_TAGS = {"fil": "tl", "in": "id", "iw": "he", "nb": "no", "nn": "no"}


def region_of(language: str, country: str) -> tuple[str, str]:
    """DuckDuckGo's region for a BCP 47 language and an ISO 3166-1 country, both optional; and a note, or nothing.

    DuckDuckGo takes no language by itself: a language alone stands for where it is at home. A combination that it does
    not know loses its country; a language that it does not know is left out.
    """
    primary, _, tags = language.partition("-")
    primary = _OTHER_TAGS.get(primary, primary)
    country = country or next((tag.upper() for tag in tags.split("-") if _REGION.fullmatch(tag)), "")
    regions = _BY_COUNTRY.get(country, {})
    if regions and (not primary or primary in regions):
        return regions.get(primary) or next(iter(regions.values())), ""
    if home := "tw-tzh" if (primary, tags[:4].lower()) == ("zh", "hant") else _BY_LANGUAGE.get(primary):
        return home, COUNTRY_LEFT_OUT if country else ""
    if regions:
        return next(iter(regions.values())), LANGUAGE_LEFT_OUT
    if primary:
        return WORLD, BOTH_LEFT_OUT if country else LANGUAGE_LEFT_OUT
    return WORLD, COUNTRY_LEFT_OUT if country else ""


def _language_of(region: str) -> str:
    word = region.partition("-")[2]
    return _LANGUAGE_WORDS.get(word, word)


def _by_country() -> Mapping[str, Mapping[str, str]]:
    """Country → language → region."""
    found: dict[str, dict[str, str]] = {}
    for region in _OF_ONE_COUNTRY.split():
        word = region.partition("-")[0]
        found.setdefault(_COUNTRY_WORDS.get(word, word.upper()), {})[_language_of(region)] = region
    for region, countries in _OF_SEVERAL.items():
        for country in countries.split():
            found.setdefault(country, {})[_language_of(region)] = region
    return found


_BY_COUNTRY = _by_country()
_BY_LANGUAGE = {_language_of(region): region for region in _HOMES.split()}
