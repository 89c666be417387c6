"""Arguments in the words of other servers, read as ours: they are understood, but not published."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .countries import ASSIGNED, USUAL_MISTAKES

_RENAMED = {"num_results": "max_results", "count": "max_results", "country": "user_location_country"}
_REGION = re.compile(r"([a-z]{2})[-_]([a-z]{2,3})", re.IGNORECASE)
_LANGUAGES = {"jp": "ja", "kr": "ko", "tzh": "zh-Hant"}
"""What regions call a language otherwise than BCP 47."""
_COUNTRIES = {**USUAL_MISTAKES, "UE": "US", "XL": "", "XA": "", "CT": ""}
"""What regions call a country otherwise than ISO 3166-1; Latin America, Arabia and Catalonia are none."""


def translated(raw: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str], list[str]]:
    """The arguments in our words, what was translated, and what is wrong: a line each. Ours win over others' words.

    `region` is a country and a language, as in `de-de`, `us-en`; `wt-wt` is no region.
    """
    given = dict(raw)
    notes: list[str] = []
    wrong: list[str] = []
    for other, ours in _RENAMED.items():
        if other in given and ours not in given:
            given[ours] = given.pop(other)
            notes.append(f"{other}: read as {ours}")
    if "region" in given and not _is_wrong(region := given.pop("region")):
        country, _, language = region.strip().lower().replace("_", "-").partition("-")
        country = _COUNTRIES.get(country.upper(), country.upper())
        means = {"user_location_country": country, "language": _LANGUAGES.get(language, language)}
        read = {ours: value for ours, value in means.items() if value and not given.get(ours)}
        if country == "WT":
            notes.append("region: wt-wt is no region")
        elif read:
            given |= read
            notes.append(f"region: read as {' and '.join(read)}")
    elif "region" in raw:
        wrong.append('region: must be a country and a language; for example "de-de"')
    return given, notes, wrong


def _is_wrong(region: object) -> bool:
    """Whether it is no region: neither a country and a language, nor `wt-wt`, nor empty."""
    if not isinstance(region, str):
        return True
    found = _REGION.fullmatch(region.strip())
    if found is None:
        return bool(region.strip())
    country = _COUNTRIES.get(found[1].upper(), found[1].upper())
    return country not in {*ASSIGNED, "", "WT"}
