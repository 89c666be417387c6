"""Languages and countries in an engine's codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

_REGION = re.compile(r"[A-Z]{2}|[0-9]{3}")
_GOOGLE_NAMES: Mapping[str, str] = {
    "fil": "tl",
    "he": "iw",
    "jv": "jw",
    "nb": "no",
    "nn": "no",
    "pt": "pt-pt",
    "zh": "zh-cn",
    "zh-hant": "zh-tw",
    "zh-hk": "zh-tw",
    "zh-mo": "zh-tw",
}
"""BCP 47 to Google's codes, where they differ."""


def language_region(language: str) -> str:
    """The region in a language tag: a country (`AT` of `de-AT`) or a number (`419` of `es-419`); empty without one."""
    return next((tag for tag in language.upper().split("-")[1:] if _REGION.fullmatch(tag)), "")


class RegionCodes:
    """The codes that Google, or an engine that sells its results, takes as `gl`, `hl` and `lr`.

    Each table is a text of codes between spaces. `gl`: countries to search from. `hl`: languages to prefer. `lr`:
    languages to which results can be restricted, empty where the engine has no such parameter. `countries` maps
    ISO 3166-1 codes in lower case to the engine's, where they differ. `engine` is its name in notes.
    """

    def __init__(
        self, engine: str, *, gl: str, hl: str, lr: str = "", countries: Mapping[str, str] | None = None
    ) -> None:
        self._engine = engine
        self._gl, self._hl, self._lr = _table(gl), _table(hl), _table(lr)
        self._countries = countries or {}

    def parameters(self, language: str, country: str) -> tuple[dict[str, str], list[str]]:
        """Parameters for a language (BCP 47) and a country (ISO 3166-1), and notes on what the engine does not know.

        Without a country, the language's own counts (`de-AT`).
        """
        said: dict[str, str] = {}
        notes: list[str] = []
        country = country or language_region(language)
        restricted, preferred = _code(language, country, self._lr), _code(language, country, self._hl)
        if restricted:
            said["lr"] = f"lang_{restricted}"
        if preferred:
            said["hl"] = preferred
        if language and not (restricted or preferred):
            notes.append(f"{self._engine}: does not know this language; it was left out")
        elif preferred and self._lr and not restricted:
            notes.append(f"{self._engine}: cannot restrict results to this language; it was only preferred")
        if code := self._gl.get(self._countries.get(country.lower(), country.lower())):
            said["gl"] = code
        elif country and not preferred.endswith(f"-{country}"):  # es-419 says its region itself
            notes.append(f"{self._engine}: does not know this country; it was left out")
        return said, notes


def _table(codes: str) -> Mapping[str, str]:
    return {code.lower(): code for code in codes.split()}


def _code(language: str, country: str, known: Mapping[str, str]) -> str:
    """The code of the longest beginning of the tag that is known; empty when none is.

    The country tells variants apart where the tag does not: `pt` in BR is `pt-BR`.
    """
    tag = (language if "-" in language or not language else f"{language}-{country}").lower()
    while tag:
        if code := known.get(tag) or known.get(_GOOGLE_NAMES.get(tag, "")):
            return code
        tag = tag.rpartition("-")[0]
    return ""
