"""The one address by which a page is known, however it was reached."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

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
    ours, theirs = _split(reached), _split(named)
    if ours is None:
        return reached
    if theirs is None or _site(ours) != _site(theirs):
        return _normal(ours)
    to_the_top = theirs.path in ("", "/") and not theirs.query and (ours.path not in ("", "/") or ours.query)
    return _normal(ours if to_the_top else theirs)


def _split(address: str) -> SplitResult | None:
    """The parts of a web address; None: it is none."""
    try:
        parts = urlsplit(address.strip())
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    return parts if parts.scheme in _PORTS and parts.hostname else None


def _site(parts: SplitResult) -> str:
    return _SAME_SITE.sub("", (parts.hostname or "").rstrip("."))


def _normal(parts: SplitResult) -> str:
    name = parts.hostname or ""
    host = f"[{name}]" if ":" in name else name.rstrip(".")
    if parts.port is not None and parts.port != _PORTS[parts.scheme]:
        host = f"{host}:{parts.port}"
    kept = [pair for pair in parts.query.split("&") if pair and not _TRACKING.fullmatch(pair.partition("=")[0])]
    fragment = parts.fragment if parts.fragment.startswith(_ROUTE) else ""
    return urlunsplit((parts.scheme, host, parts.path or "/", "&".join(kept), fragment))
