"""Other servers' names for our arguments: they are understood, and not published."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, ValidationInfo

from .argument_reader import RuleError
from .argument_types import noted
from .countries import ASSIGNED, USUAL_MISTAKES

SEARCH_NAMES: Mapping[str, str] = {
    "num_results": "max_results",
    "count": "max_results",
    "country": "user_location_country",
}
"""Their name → ours, for `search`. Given both, they must say the same."""

_REGION = re.compile(r"([a-z]{2})[-_]([a-z]{2,3})", re.IGNORECASE)
_LANGUAGES = {"jp": "ja", "kr": "ko", "tzh": "zh-Hant"}
"""What regions call a language otherwise than BCP 47."""
_COUNTRIES = {**USUAL_MISTAKES, "UE": "US", "XL": "", "XA": "", "CT": "", "WT": ""}
"""What regions call a country otherwise than ISO 3166-1. Empty: Latin America, Arabia, Catalonia, the world."""


def _region(given: object, info: ValidationInfo) -> dict[str, str]:
    """What of our arguments a region means: a country and a language, as in `de-de`, `us-en`; `wt-wt` is no region."""
    found = _REGION.fullmatch(given.strip()) if isinstance(given, str) else None
    country, language = (found[1].upper(), found[2].lower()) if found else ("?", "")
    if country == "WT":
        noted(info, "wt-wt is no region")
        return {}
    country = _COUNTRIES.get(country, country)
    if country not in {*ASSIGNED, ""}:
        raise RuleError("must be a country and a language")
    means = {"user_location_country": country, "language": _LANGUAGES.get(language, language)}
    return {name: value for name, value in means.items() if value}


Region = Annotated[dict[str, str], BeforeValidator(_region)]
