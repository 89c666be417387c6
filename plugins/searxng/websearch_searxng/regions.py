"""SearXNG's form of a language and a country: two or three letters, then perhaps a country (`de-AT`)."""

from __future__ import annotations

_COUNTRIES = {
    "ar": "AE BH DJ DZ EG IQ JO KM KW LB LY MA MR OM PS QA SA SD SY TN YE",
    "az": "AZ",
    "be": "BY",
    "bg": "BG",
    "bn": "BD",
    "bs": "BA",
    "ca": "AD",
    "cs": "CZ",
    "da": "DK GL",
    "de": "AT CH DE LI",
    "el": "CY GR",
    "en": "AG AU BB BS BW BZ CA DM FJ GB GD GG GH GI GM GY IE IM IN JE JM KE KN LC LR MT MU MY NA NG NZ PG PH SC SG"
    " SL SS TT UG US VC VG VI ZA ZM ZW",
    "es": "AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE",
    "et": "EE",
    "fa": "AF IR",
    "fi": "FI",
    "fr": "BF BI BJ BL CD CF CG CI CM FR GA GF GN GP HT LU MC MF ML MQ NC NE PF PM RE SN TD TG YT",
    "he": "IL",
    "hr": "HR",
    "hu": "HU",
    "hy": "AM",
    "id": "ID",
    "is": "IS",
    "it": "IT SM VA",
    "ja": "JP",
    "ka": "GE",
    "kk": "KZ",
    "km": "KH",
    "ko": "KP KR",
    "ky": "KG",
    "lo": "LA",
    "lt": "LT",
    "lv": "LV",
    "mk": "MK",
    "mn": "MN",
    "ms": "BN",
    "my": "MM",
    "nb": "NO SJ",
    "ne": "NP",
    "nl": "AW BE BQ CW NL SR SX",
    "pl": "PL",
    "pt": "AO BR CV GW MZ PT ST TL",
    "ro": "MD RO",
    "ru": "RU",
    "rw": "RW",
    "si": "LK",
    "sk": "SK",
    "sl": "SI",
    "so": "SO",
    "sq": "AL XK",
    "sr": "ME RS",
    "sv": "AX SE",
    "sw": "TZ",
    "tg": "TJ",
    "th": "TH",
    "tk": "TM",
    "tr": "TR",
    "uk": "UA",
    "ur": "PK",
    "uz": "UZ",
    "vi": "VN",
    "zh": "CN HK MO TW",
}
_MOST_USED = {country: language for language, countries in _COUNTRIES.items() for country in countries.split()}
"""Per country the language that most of its pages and engines' editions are in."""
_SCRIPTS = {("zh", "hans"): "CN", ("zh", "hant"): "TW"}

COUNTRY_ALONE = "SearXNG: takes a country only with a language; the country's most used one was taken"
COUNTRY_UNKNOWN = "SearXNG: takes a country only with a language; the country was left out"


def locale(language: str, country: str) -> tuple[str, str]:
    """What SearXNG is sent, empty for nothing, and what the model should know about it, mostly nothing.

    Any language goes with any country: SearXNG looks for the nearest that each of its engines has. `country` goes
    before the country of the language (`de-CH`), which rather says how it is written.
    """
    if not language:
        language = _MOST_USED.get(country, "")
        note = COUNTRY_ALONE if language else COUNTRY_UNKNOWN if country else ""
        return (f"{language}-{country}" if language else "", note)
    primary, *subtags = language.split("-")
    regions = [tag.upper() for tag in subtags if len(tag) == 2 and tag.isalpha()]
    scripts = [region for tag in subtags if (region := _SCRIPTS.get((primary, tag.lower())))]
    region = next(iter((*filter(None, [country]), *regions, *scripts)), "")
    return (f"{primary}-{region}" if region else primary, "")
