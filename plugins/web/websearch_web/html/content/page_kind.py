"""What kind of page it is, as far as it decides what belongs to its content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from turbohtml import Document

Kind = Literal["forum", "product", "listing", "article", "recipe", ""]
"""A thread of posts, one thing for sale, a list of things, a text, a text whose lists say as much as its prose;
empty: none of these stands out."""

_FORUM_URL = re.compile(
    r"(?:^|[/.])(?:forums?|threads?|topics?|discussions?|discuss|community|questions|talk|showthread|viewtopic|comments|item)(?:[/.?]|$)"
    r"|/t/|/d/\d"
)
_FORUM_SOFTWARE = re.compile(
    r"discourse|phpbb|xenforo|vbulletin|flarum|mybb|invision|nodebb|vanilla|simple machines", re.IGNORECASE
)
_FORUM_TYPES = frozenset({"discussionforumposting", "qapage", "question", "conversation"})
_PRODUCT_TYPES = frozenset({"product", "productgroup", "individualproduct"})
_LISTING_TYPES = frozenset({"itemlist", "collectionpage", "offercatalog", "searchresultspage", "productcollection"})
_TEXT_TYPES = re.compile(r"article|posting|report|recipe|book$|review$")


def page_kind(document: Document, url: str, types: list[str], meta: Mapping[str, str]) -> Kind:
    """By what the page declares (`types`: of its JSON-LD, lower case), its address, and its shape."""
    if _FORUM_SOFTWARE.search(meta.get("generator", "")) or _FORUM_TYPES.intersection(types):
        return "forum"
    text = any(_TEXT_TYPES.search(kind) for kind in types)
    if not text and _FORUM_URL.search(url.partition("//")[2].lower()):
        return "forum"
    opengraph = meta.get("og:type", "").lower()
    products = sum(kind in _PRODUCT_TYPES for kind in types)
    if opengraph != "article" and (
        opengraph.startswith(("product", "og:product")) or products == 1 or _one_for_sale(document)
    ):
        return "product"
    if products > 1 or _LISTING_TYPES.intersection(types):
        return "listing"
    if "recipe" in types or document.select_one("[itemtype$='schema.org/Recipe']") is not None:
        return "recipe"
    if text or opengraph == "article":
        return "article"
    return ""


def _one_for_sale(document: Document) -> bool:
    return len(document.select("[itemtype$='schema.org/Product']")) == 1
