"""Brave's codes for languages and countries, which are not all ISO's (its reference, "Codes", 2026)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_COUNTRIES = (
    "AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US"
)
_LANGUAGES = (
    "ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb"
    " pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi"
)
COUNTRIES = frozenset(_COUNTRIES.split())
"""What `country` may be."""
EVERYWHERE = "ALL"
"""`country` for no country. Without one, Brave searches from the USA."""
LANGUAGES = frozenset(_LANGUAGES.split())
"""What `search_lang` may be. Without one, Brave prefers English."""

_OTHERWISE: Mapping[str, str] = {"iw": "he", "ja": "jp", "nn": "nb", "no": "nb", "pt": "pt-br", "zh": "zh-hans"}
"""Languages that Brave calls something else."""
_VARIETIES: Mapping[str, Mapping[str, str]] = {
    "en": {"GB": "en-gb"},
    "pt": dict.fromkeys(("PT", "AO", "CV", "GW", "MO", "MZ", "ST", "TL"), "pt-pt"),
    "zh": {"HANS": "zh-hans", **dict.fromkeys(("HANT", "TW", "HK", "MO"), "zh-hant")},
}
"""Where a script or a country makes another code of a language."""

NO_COUNTRY = "Brave: knows no region for this country; all countries were searched"
NO_LANGUAGE = "Brave: knows no such language; the language was left out"


class Region(NamedTuple):
    """Brave's words for where and in which language; empty: nothing is said."""

    country: str
    language: str
    notes: tuple[str, ...] = ()


def region_of(language: str, country: str) -> Region:
    """A BCP 47 language and an ISO 3166-1 country, either perhaps empty, as Brave knows them.

    A language alone is searched in all countries: one that names a country (`de-AT`) is searched from there, unless
    `country` says otherwise. What Brave does not know is left out, and a note says so.
    """
    primary, *subtags = language.split("-")
    tags = [tag.upper() for tag in subtags]
    named = next((tag for tag in tags if len(tag) == 2 and tag.isalpha()), "")
    code = _code(primary, tags if named or not country else [*tags, country])
    number = next((tag for tag in tags if len(tag) == 3 and tag.isdigit()), "")  # es-419: several countries
    where = country or named or number
    known = where in COUNTRIES
    notes = (*((NO_COUNTRY,) if where and not known else ()), *((NO_LANGUAGE,) if language and not code else ()))
    return Region(where if known else EVERYWHERE if where or code else "", code, notes)


def _code(primary: str, tags: list[str]) -> str:
    varieties = _VARIETIES.get(primary, {})
    code = next((varieties[tag] for tag in tags if tag in varieties), _OTHERWISE.get(primary, primary))
    return code if code in LANGUAGES else ""
