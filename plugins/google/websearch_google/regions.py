"""Google's own codes for languages and countries (Programmable Search, "JSON API reference")."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COUNTRIES = """ad ae af ag ai al am ao aq ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca
    cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gd ge
    gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki
    km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my
    mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se
    sg sh si sj sk sl sm sn so sr st sv sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk um us uy uz va vc
    ve vg vi vn vu wf ws ye yt za zm zw"""
"""Countries that a search can come from (`gl`)."""
_ISO = {"gb": "uk"}
"""ISO 3166-1 to Google's, where they differ."""

_RESULTS = """ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN
    zh-TW"""
"""Languages to which results can be restricted (`lr`)."""
_INTERFACE = """af ar az be bg bh bn bs ca cs cy da de el en eo es et eu fa fi fo fr fy ga gd gl gu hi hr hu ia id is
    it iw ja jw ka kn ko la lt lv mk ml mr ms mt ne nl nn no oc pa pl pt-BR pt-PT ro ru si sk sl sq sr su sv sw ta te th
    ti tl tr uk ur uz vi xh zh-CN zh-TW zu"""
"""Languages of Google's own pages (`hl`), which are preferred among the results."""
_NAMES = {
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
"""BCP 47 to Google's, where they differ."""

_UNKNOWN_LANGUAGE = "Google: does not know this language; it was left out"
_ONLY_PREFERRED = "Google: cannot restrict results to this language; it was only preferred"
_UNKNOWN_COUNTRY = "Google: does not know this country; it was left out"


def _table(codes: str) -> Mapping[str, str]:
    return {code.lower(): code for code in codes.split()}


_GL = _table(_COUNTRIES)
_HL = _table(_INTERFACE)
_LR = _table(_RESULTS)


def place(language: str, country: str) -> tuple[dict[str, str], list[str]]:
    """Parameters for a language (BCP 47) and a country (ISO 3166-1), and notes on what Google does not know.

    Without a country, that of the language (`de-AT`) counts.
    """
    parameters: dict[str, str] = {}
    notes: list[str] = []
    country = country or _named(language)
    if language:
        restricted, preferred = _code(language, country, _LR), _code(language, country, _HL)
        if restricted:
            parameters["lr"] = f"lang_{restricted}"
        if preferred:
            parameters["hl"] = preferred
        if not restricted:
            notes.append(_ONLY_PREFERRED if preferred else _UNKNOWN_LANGUAGE)
    if country:
        code = _ISO.get(country.lower(), country.lower())
        if code in _GL:
            parameters["gl"] = code
        else:
            notes.append(_UNKNOWN_COUNTRY)
    return parameters, notes


def _named(language: str) -> str:
    """The region in a language tag, a country or a number (`es-419`), in upper case; empty where there is none."""
    tags = (tag.upper() for tag in language.split("-")[1:])
    return next((tag for tag in tags if re.fullmatch(r"[A-Z]{2}|[0-9]{3}", tag)), "")


def _code(language: str, country: str, known: Mapping[str, str]) -> str:
    """The code of the longest beginning of the tag that is known; empty when none is.

    The country tells variants apart where the tag does not: `pt` in BR is `pt-BR`.
    """
    tag = (language if "-" in language else f"{language}-{country}").lower()
    while tag:
        if code := known.get(tag) or known.get(_NAMES.get(tag, "")):
            return code
        tag = tag.rpartition("-")[0]
    return ""
