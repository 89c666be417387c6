"""One key for all spellings of a page's address: what merging and duplicate removal compare, never what is shown."""

from __future__ import annotations

import re
from urllib.parse import unquote

from ...net.urls import Target, parse

TRACKING = frozenset(
    (
        "_ga", "_gl", "_hsenc", "_hsmi", "_openstat", "dclid", "epik", "fbclid", "gad_source", "gbraid", "gclid",
        "gclsrc", "igsh", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id",
        "oly_enc_id", "rb_clickid", "s_cid", "srsltid", "ttclid", "twclid", "vero_id", "wbraid", "wickedid", "yclid",
    )
)  # fmt: skip
"""Parameters that only say where a visitor came from. `ref` and `source` are not among them: they choose content."""

_PREFIXES = ("utm_", "hsa_", "mtm_", "pk_")
_AMP_PARAMETERS = frozenset(("amp", "amp=", "amp=1", "amp=true", "outputtype=amp"))
_AMP_CACHE = re.compile(r"^/(?:[cviar]/)?(?:s/)?(?P<page>[^/]+\.[^/]+/?.*)$")
_AMP_SUFFIX = re.compile(r"(?:/amp/?|\.amp(?=\.html?$)|\.amp$)", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical(address: str | Target) -> str:
    """The page's key: the same for http and https, www., AMP, a trailing slash, a fragment and tracking parameters.

    Raises `InvalidRequest` or `Refused` when it is no address that could be fetched.
    """
    target = parse(address) if isinstance(address, str) else address
    path, _, query = target.path.partition("?")
    host, path = target.host, _ESCAPE.sub(_unescaped, path) if "%" in path else path
    if "amp" in host or "amp" in path.lower():
        host, path = _without_amp(host, path)
    host = host.removeprefix("www.")
    if target.port != _DEFAULT_PORTS[target.scheme]:
        host = f"{host}:{target.port}"
    kept = "&".join(item for item in query.split("&") if item and not _is_noise(item)) if query else ""
    return f"{host}{path.rstrip('/')}{'?' if kept else ''}{kept}"


def _without_amp(host: str, path: str) -> tuple[str, str]:
    cached = host.endswith(".cdn.ampproject.org") or (
        host in ("www.google.com", "google.com") and path.startswith("/amp/")
    )
    if cached and (match := _AMP_CACHE.match(path.removeprefix("/amp"))):
        host, _, rest = match["page"].partition("/")
        host, path = host.lower(), f"/{rest}"
    if host.startswith("amp.") and host.count(".") > 1:
        host = host.removeprefix("amp.")
    match = _AMP_SUFFIX.search(path)
    if match and match.end() in (len(path), len(path) - len(".html"), len(path) - len(".htm")):
        path = path[: match.start()] + path[match.end() :]
    return host, path


def _is_noise(item: str) -> bool:
    name = unquote(item.partition("=")[0]).lower()
    return name in TRACKING or name.startswith(_PREFIXES) or item.lower() in _AMP_PARAMETERS


def _unescaped(match: re.Match[str]) -> str:
    """RFC 3986 §6.2.2: unreserved characters need no escape, and the digits of an escape are upper case."""
    character = chr(int(match[1], 16))
    unreserved = character.isascii() and (character.isalnum() or character in "-._~")
    return character if unreserved else match[0].upper()
