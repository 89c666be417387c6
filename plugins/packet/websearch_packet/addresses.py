"""The one address by which a page is known, however it was reached."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|ttclid|yclid|igshid|li_fat_id|mc_[ce]id|_ga|_gl"
    r"|_hs(enc|mi)|vero_id|mkt_tok|oly_(anon|enc)_id",
    re.IGNORECASE,
)
"""Parameters that only say how somebody came: `ref` and `source` are not among them, for some sites need these."""
_SAME_SITE = re.compile(r"^(?:www|m|mobile|amp)\.")
_ROUTE = ("/", "!")
"""A fragment that begins so is a page of its own, not a place in one."""
_PORTS = {"http": 80, "https": 443}


def canonical(reached: str, named: str = "") -> str:
    """Where a page was reached, without what does not matter; or what it names as its own address.

    A page is believed only within its own host (with or without `www.` and the like), and not when it calls itself the
    site's first page without being that: sites get this wrong more often than right.
    """
    here, there = _normal(reached), _normal(named) if named else ""
    if not there:
        return here
    ours, theirs = urlsplit(here), urlsplit(there)
    if theirs.scheme not in _PORTS or _site(ours.hostname) != _site(theirs.hostname):
        return here
    to_the_top = theirs.path in ("", "/") and not theirs.query and (ours.path not in ("", "/") or ours.query)
    return here if to_the_top else there


def _site(host: str | None) -> str:
    return _SAME_SITE.sub("", host or "")


def _normal(address: str) -> str:
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError:
        return address
    if parts.scheme not in _PORTS or not parts.hostname:
        return address
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname.rstrip(".")
    if port is not None and port != _PORTS[parts.scheme]:
        host = f"{host}:{port}"
    kept = [pair for pair in parts.query.split("&") if pair and not _TRACKING.fullmatch(pair.partition("=")[0])]
    fragment = parts.fragment if parts.fragment.startswith(_ROUTE) else ""
    return urlunsplit((parts.scheme, host, parts.path or "/", "&".join(kept), fragment))
