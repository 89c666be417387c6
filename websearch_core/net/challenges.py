"""Challenges: answers that want a browser or a person, of all common makers (Cloudflare, DataDome, Akamai, …)."""

from __future__ import annotations

import re
from collections.abc import Mapping

_STATUSES = frozenset((401, 403, 405, 407, 429, 503))
_LOOKED_AT = 65_536
"""Bytes of a body: challenges are small, or say what they are at the beginning."""

_HEADERS: Mapping[str, re.Pattern[str]] = {
    "cf-mitigated": re.compile(r"challenge|block"),
    "x-amzn-waf-action": re.compile(r"challenge|captcha"),
    "x-datadome": re.compile(r"."),
    "x-dd-b": re.compile(r"."),
    "x-kpsdk-ct": re.compile(r"."),
    "server": re.compile(r"datadome|akamaighost|cloudflare-challenge"),
}
"""Name → what its value says, in lower case."""

_OF_A_PAGE = re.compile(
    rb"/cdn-cgi/challenge-platform/|_cf_chl_opt|challenges\.cloudflare\.com"
    rb"|<title>(?:just a moment|attention required!)"
    rb"|px-captcha|_pxappid|perimeterx|human-challenge"
    rb"|_abck|bm-verify|sec-if-cpt-container|edgesuite\.net|akam/\d"
    rb"|anubis_challenge|within\.website/x/cmd/anubis|making sure you(?:'|&#39;|&#x27;|\xe2\x80\x99)re not a bot"
    rb"|hcaptcha\.com|h-captcha|g-recaptcha|google\.com/recaptcha|/sorry/index"
    rb"|awswaf\.com|_incapsula_resource|kpsdk|geetest|friendlycaptcha|altcha"
)
_OF_DATA = re.compile(rb"captcha-delivery\.com|\"blockscript\"\s*:|\"px-?captcha\"")
"""The same where the answer is JSON for a script that asked."""


def is_challenge(status: int, headers: Mapping[str, str], content: bytes) -> bool:
    """Whether an answer that brings no result (names of its headers in lower case) is a challenge or a robot's refusal.

    An API's `403` about a key is JSON, and no challenge.
    """
    if status not in _STATUSES:
        return False
    if any(said.search(headers.get(name, "").lower()) for name, said in _HEADERS.items()):
        return True
    start = content[:_LOOKED_AT].lower()
    is_page = "html" in headers.get("content-type", "") or start.lstrip().startswith((b"<!doctype", b"<html"))
    return bool(_OF_DATA.search(start) or (is_page and _OF_A_PAGE.search(start)))
