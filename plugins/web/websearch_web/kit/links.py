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
_LANGUAGE = re.compile(
    r"(?:[./_-]|(?<=/)|[?&](?:lang|hl|locale|language)=)(?:af|ar|be|bg|bn|bs|ca|cs|da|de|el|en|eo|es|et|eu|fa|fi|fr|ga|gl|he|hi|hr|hu|hy|"
    r"id|is|it|ja|jp|ka|kk|ko|lt|lv|mk|ms|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|ta|th|tr|uk|vi|zh)"
    r"(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl))?(?=[./_?&-]|$)",
    re.IGNORECASE,
)
"""What an address names its page's language with."""
_LANGUAGE_CHARS = 24
_SHOWN_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})


class LinkResolver:
    """The addresses of one page, made absolute; pages repeat theirs, so each is worked out once."""

    def __init__(self, base: str, page: str = "") -> None:
        self._base = base
        self._page = (page or base).partition("#")[0]
        self._any_language = _LANGUAGE.sub("", self._page)
        origin = re.match(r"https?://[^/?#]+", base)
        self._origin = origin[0] if origin else ""
        labels = self._origin.partition("://")[2].split(".")
        country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
        self._site = ".".join(["", *labels[-3 if country else -2 :]]) if len(labels) > 1 else ""
        """What the names of its other servers end in."""
        self._known: dict[str, str] = {}

    @classmethod
    def of(cls, document: Document, url: str) -> LinkResolver:
        """Relative to `<base href>`, which is itself relative to the page's address."""
        base = document.select_one("base[href]")
        return cls((cls(url)(base.attr("href") or "") if base is not None else "") or url, url)

    def __call__(self, reference: str) -> str:
        """The absolute form of an address that a reader may be given; empty for scripts, data and nonsense."""
        known = self._known.get(reference)
        if known is None:
            known = self._known[reference] = self._absolute(reference)
        return known

    def is_page(self, reference: str) -> bool:
        """Whether it is the address of this page as a whole."""
        return "#" not in reference and reference.strip() != "" and self(reference) == self._page

    def is_place(self, reference: str) -> bool:
        """Whether it is the address of a place in this page."""
        return reference[:1] == "#" or ("#" in reference and self(reference).partition("#")[0] == self._page)

    def is_here(self, reference: str) -> bool:
        """Whether it stays on this page."""
        return self.is_place(reference) or self.is_page(reference)

    def is_of_site(self, reference: str) -> bool:
        """Whether it is an address of the same server, or of one whose name ends like its name."""
        target = self(reference)
        if self._origin and target.startswith(self._origin):
            return target[len(self._origin) : len(self._origin) + 1] in {"", "/", "?"}
        return self._site != "" and f"{target.partition('://')[2].partition('/')[0]}".endswith(self._site)

    def is_above(self, reference: str) -> bool:
        """Whether it is the address of a folder that this page is in."""
        target = self(reference).partition("#")[0].partition("?")[0].rstrip("/")
        return bool(target) and self._page != target and self._page.startswith((f"{target}/", f"{target}."))

    def is_translation(self, reference: str) -> bool:
        """Whether it is the address of this page but for the name of a language."""
        target = self(reference).partition("#")[0]
        if not 0 <= len(target) - len(self._any_language) <= _LANGUAGE_CHARS:
            return False
        return target != self._page and _LANGUAGE.sub("", target) == self._any_language

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


def links_of(document: Document, addresses: LinkResolver) -> tuple[str, ...]:
    """Every http(s) address that the page's anchors point to, in order, once, without fragments."""
    found: dict[str, None] = {}
    areas = document.select("area[href]")
    for anchor in document.select("a[href], area[href]" if areas else "a[href]"):
        reference = (anchor.attr("href") or "").strip()
        if reference and reference[0] != "#":
            target = addresses(reference).partition("#")[0]
            if target.startswith(("http://", "https://")):
                found[target] = None
    return tuple(found)
