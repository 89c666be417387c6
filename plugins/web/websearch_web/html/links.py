"""Addresses in a page: what they are relative to, and which a reader may be given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from turbohtml import Document

_WHOLE = re.compile(r"https?://[\w.-]+(?::\d{1,5})?(?:/[\w~!$&'()*+,;=:@%/?#.-]*)?", re.ASCII)
"""Absolute already."""
_ROOTED = re.compile(r"/(?!/)[\w~!$&'()*+,;=:@%/?#.-]*", re.ASCII)
"""From the root of the same server."""
_SHOWN_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})


class Addresses:
    """The addresses of one page, made absolute; pages repeat theirs, so each is worked out once."""

    def __init__(self, base: str) -> None:
        self._base = base
        origin = re.match(r"https?://[^/?#]+", base)
        self._origin = origin[0] if origin else ""
        self._known: dict[str, str] = {}

    @classmethod
    def of(cls, document: Document, url: str) -> Addresses:
        """Relative to `<base href>`, which is itself relative to the page's address."""
        base = document.select_one("base[href]")
        return cls((cls(url)(base.attr("href") or "") if base is not None else "") or url)

    def __call__(self, reference: str) -> str:
        """The absolute form of an address that a reader may be given; empty for scripts, data and nonsense."""
        known = self._known.get(reference)
        if known is None:
            known = self._known[reference] = self._absolute(reference)
        return known

    def _absolute(self, reference: str) -> str:
        if _WHOLE.fullmatch(reference):
            return reference
        if self._origin and "/." not in reference and _ROOTED.fullmatch(reference):
            return self._origin + reference
        reference = re.sub(r"[\t\n\r]", "", reference).strip()
        try:
            joined = urljoin(self._base, reference)
            scheme = urlsplit(joined).scheme
        except ValueError:
            return ""
        return joined.replace(" ", "%20") if scheme in _SHOWN_SCHEMES else ""


def links_of(document: Document, addresses: Addresses) -> tuple[str, ...]:
    """Every http(s) address that the page's anchors point to, in order, once, without fragments."""
    found: dict[str, None] = {}
    for anchor in document.select("a[href], area[href]"):
        reference = (anchor.attr("href") or "").strip()
        if reference and reference[0] != "#":
            target = addresses(reference).partition("#")[0]
            if target.startswith(("http://", "https://")):
                found[target] = None
    return tuple(found)
