"""Addresses that could carry data out, or that run or hold something instead of leading somewhere."""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from ..deobfuscation.packed_text import readable_base64

_ACTIVE = re.compile(r"\s*(?:javascript|vbscript|data|file|blob|about):", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?<!\\)\{\{?\s?(?P<braces>[A-Za-z][\w .:'-]{1,80}?)\s?\}\}?"
    r"|\$\{?(?P<variable>[A-Z][A-Z_]{2,40}|[a-z][a-z_]{3,40}(?=\}))"
    r"|(?<=[=/])\[(?P<brackets>[A-Za-z][^\]\[\n]{2,80})\]"
    r"|(?<=[=/])<(?P<angles>[A-Za-z][^<>\n]{2,80})>"
    r"|(?:(?<==)|(?<=/))(?P<words>(?:INSERT|YOUR|REPLACE|PUT)[ _+][A-Za-z][\w+ -]{2,60}|[A-Z][A-Z_]{3,40}_HERE)"
)
_SIGN = re.compile(r"[{$\[<%]|[=/](?:INSERT|YOUR|REPLACE|PUT)[ _+]|_HERE")
_LAYOUT_NAMES = """
width height size w h x y z s r format quality q ext dpr scale crop lang locale language country id slug page
index version v year month day date theme color colour file filename name path domain host region zoom tile
"""
_LAYOUT = frozenset(_LAYOUT_NAMES.split())
_TEX = re.compile(r"\\[A-Za-z]+|%5c[A-Za-z]+", re.IGNORECASE)
_TELLING = re.compile(
    r"conversation|chat|histor|summar|messag|prompt|secret|passw|credential|e-?mail|user|data|context|answer|response|reply"
    r"|token|cookie|memor|private|confidential|system|instruction|content|previous|session|phone|address|key|document|file",
    re.IGNORECASE,
)
_OWN_KEY = re.compile(r"api[ _+-]?key|access[ _+-]?key|app[ _+-]?id|client[ _+-]?id", re.IGNORECASE)
_CARRIER = re.compile(
    r"[?&;](?P<name>data|d|q|c|p|payload|secret|token|leak|exfil|content|context|msg|message|text|t|info|log|body|s|b64|x)"
    r"=(?P<value>[^&#\s]{24,})",
    re.IGNORECASE,
)
_PAYLOADS = frozenset(
    {"data", "payload", "secret", "leak", "exfil", "content", "context", "msg", "message", "info", "log", "b64"}
)
"""Parameters that hold what is told; others hold signatures and sizes."""
_RANDOM = re.compile(r"[A-Za-z0-9_\-+/]{24,}={0,2}")
_LEADS_SOMEWHERE = re.compile(r"\s*(?:https?:|s3:|gs:|/|\{\s*\"|<|[\w-]+\.[\w.-]+/)")
_SHORT = 40
_WORDS = 3
"""A parameter that says so many words could as well say others."""


def is_active(address: str) -> bool:
    """Whether this address would run or hold something."""
    return bool(_ACTIVE.match(address))


def has_placeholder(address: str, *, image: bool) -> bool:
    """Whether whoever uses this address is to fill something in; of links, only what tells on the user counts."""
    if not _SIGN.search(address):
        return False
    plain = unquote(unquote(address)) if "%" in address else address
    query = plain.find("?")
    for match in _PLACEHOLDER.finditer(plain):
        what = next((group for group in match.groups() if group), "")
        if what.lower() in _LAYOUT or _TEX.search(plain):
            continue
        if image or (_TELLING.search(what) and not _OWN_KEY.search(what) and 0 <= query < match.start()):
            return True
    return False


def carries_words(address: str, site: str) -> bool:
    """Whether a parameter, packed or plain, says whole words to a host that is not the page's own."""
    match = _CARRIER.search(address) if len(address) > _SHORT else None
    if not match or _same_site(address, site):
        return False
    plain = unquote(match["value"])
    if match["name"].lower() in _PAYLOADS and _RANDOM.fullmatch(plain) and _is_mixed(plain):
        return True
    said = readable_base64(plain) or plain
    return len(said.split() if " " in said else said.split("+")) >= _WORDS and not _LEADS_SOMEWHERE.match(said)


def _is_mixed(value: str) -> bool:
    """Digits, capitals and small letters change places as in a cipher."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    return len(set(kinds)) == 3 and sum(a != b for a, b in pairwise(kinds)) >= 0.3 * len(kinds)


def _same_site(address: str, site: str) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return not host or host.split(".")[-2:] == site.split(".")[-2:]
