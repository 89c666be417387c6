"""The words of class names and ids that say: this is not the main content."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+(?![a-z])")
_MODULE_HASH = re.compile(
    r"_{1,3}[A-Za-z0-9_-]{5,8}$|(?:^|(?<=[-_]))(?=[a-z]*\d)(?=\d*[a-z])"
    r"(?:[a-z0-9]{6,}|[a-z]*\d+[a-z]+\d[a-z0-9]*)(?=$|[-_])"
)
"""Generated parts of a name, whose letters mean nothing."""
_ALWAYS = frozenset({
    "advert", "advertisement", "advertising", "breadcrumb", "breadcrumbs", "burger", "byline", "ccpa",
    "catlinks", "colophon", "consent", "cookie", "cookies", "copyright", "disqus", "editsection", "footer", "gdpr",
    "globalnav", "hamburger", "honeypot", "lightbox", "masthead", "megamenu", "minicart", "modal", "navbar", "navbox",
    "navigation", "newsletter", "offcanvas", "pager", "pagination", "popup", "promo", "recommendations", "recommended",
    "related", "searchform", "share", "sharing", "sidebar", "sidenav", "signup", "socials", "sponsored",
    "submenu", "subnav", "subscribe", "subscription", "tagcloud", "wishlist",
})  # fmt: skip
"""Wherever they stand in a name."""
_AT_AN_END = frozenset({
    "ad", "ads", "announcement", "banner", "bio", "cart", "categories", "comment", "comments", "dialog",
    "drawer", "dropdown", "flyout", "legal", "login", "menu", "nav", "overlay", "prev", "respond",
    "skip", "social", "sponsor", "tags", "taxonomy", "toast", "toolbar", "tooltip", "widget", "widgets",
})  # fmt: skip
"""As the first or last word that is not about layout."""
LISTS_OF_LINKS = frozenset({
    "breadcrumb", "breadcrumbs", "categories", "menu", "nav", "navbar", "navigation", "pager", "pagination", "skip",
    "sort", "subnav", "submenu", "tagcloud", "tags", "taxonomy", "toolbar",
})  # fmt: skip
"""Those that name links: what is called so and speaks for itself is something else."""
_FACETS = frozenset({
    "facet", "facets", "filter", "filters", "quickview", "refinement", "refinements", "sort", "sortby", "sorting",
})  # fmt: skip
_OPINIONS = frozenset({"rating", "ratings", "review", "reviews", "testimonial", "testimonials"})
BY_KIND: Mapping[str, frozenset[str]] = {
    "forum": frozenset({
        "avatar", "badge", "badges", "permalink", "postcount", "quickreply", "reaction", "reactions", "signature",
        "userextras", "userstats", "usertitle",
    }),
    "product": _OPINIONS | {
        "accessories", "bundle", "bundles", "crosssell", "financing", "payment", "payments", "questions", "recently",
        "shipping", "upsell",
    },
    "listing": _FACETS | _OPINIONS,
    "": _FACETS,
}  # fmt: skip
"""What else stands around the content of pages of a kind, as the first or last word."""
_WRAPPERS = frozenset({
    "area", "bar", "block", "box", "col", "column", "container", "content", "group", "inner", "list", "main",
    "outer", "panel", "row", "section", "wrap", "wrapper",
})  # fmt: skip
"""Words about layout."""
_QUALIFIERS = frozenset({
    "add", "elementor", "has", "hide", "is", "js", "no", "not", "open", "show", "with", "without", "wp",
})  # fmt: skip
"""A name that starts so speaks about something inside, or about a state."""
_EVERY = _ALWAYS.union(_AT_AN_END, *BY_KIND.values())


@lru_cache(4096)
def boilerplate_word(name: str, more: frozenset[str] = frozenset()) -> str:
    """The word of a class or id that says navigation, advertising, comments and the like; empty when none does."""
    if ":" in name or "[" in name:
        return ""
    plain = name.replace("-", "").isalpha()
    if not plain:  # a hash has a digit or follows a low line
        name = _MODULE_HASH.sub("", name)
    if plain and name.isascii() and name.islower():
        words = [word for word in name.split("-") if word]
    else:
        words = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[0] in _QUALIFIERS:
        return ""
    if words[-1].endswith("footer"):
        return "footer"
    if _EVERY.isdisjoint(words):
        return ""
    if not _ALWAYS.isdisjoint(words):
        return next(word for word in words if word in _ALWAYS)
    kept = [word for word in words if word not in _WRAPPERS]
    return next((word for word in (*kept[-1:], *kept[:1]) if word in _AT_AN_END or word in more), "")
