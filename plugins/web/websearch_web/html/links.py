"""Addresses in a page: what they are relative to, and which a reader may be given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from turbohtml import Document

_WHOLE = re.compile(r"https?://[\w.-]+(?::\d{1,5})?(?:/[\w~!$&'*+,;=:@%/?#-]*)?", re.ASCII)
"""Absolute already."""
_SHOWN_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})


def base_of(document: Document, url: str) -> str:
    """What relative addresses are relative to: `<base href>`, itself relative to the page's address."""
    base = document.select_one("base[href]")
    return absolute(url, (base.attr("href") or "") if base is not None else "") or url


def absolute(base: str, reference: str) -> str:
    """The absolute form of an address that a reader may be given; empty for scripts, data and nonsense."""
    if _WHOLE.fullmatch(reference):
        return reference
    reference = re.sub(r"[\t\n\r]", "", reference).strip()
    try:
        joined = urljoin(base, reference)
        scheme = urlsplit(joined).scheme
    except ValueError:
        return ""
    return joined.replace(" ", "%20") if scheme in _SHOWN_SCHEMES else ""


def links_of(document: Document, base: str) -> tuple[str, ...]:
    """Every http(s) address that the page's anchors point to, in order, once, without fragments."""
    found: dict[str, None] = {}
    for anchor in document.select("a[href], area[href]"):
        reference = (anchor.attr("href") or "").strip()
        if reference and not reference.startswith("#"):
            target = absolute(base, reference).partition("#")[0]
            if target.startswith(("http://", "https://")):
                found[target] = None
    return tuple(found)
