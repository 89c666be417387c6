"""Lists of links that a site adds to its texts by itself: to share a page, and to what it is filed under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element

from .section_tests import own_chars

if TYPE_CHECKING:
    from turbohtml import Node

    from ...kit.links import LinkResolver

_SHARE = re.compile(
    r"(?:https?:)?//(?:[\w-]+\.){0,2}?(?:facebook\.com/(?:sharer|share\.php|dialog/)|"
    r"(?:twitter|x)\.com/(?:intent/|share|home\?status)|google\.com/share|linkedin\.com/(?:share|cws/)|"
    r"pinterest\.\w+/pin/create|reddit\.com/submit|wa\.me/\?|(?:api|web)\.whatsapp\.com/send|whatsapp\.com/send|"
    r"(?:t|telegram)\.me/share|tumblr\.com/(?:share|widgets/share)|getpocket\.com/(?:save|edit)|"
    r"xing\.com/(?:spi/|social|app/)|vk(?:ontakte)?\.\w+/share|bsky\.app/intent|threads\.net/intent|line\.me/r/msg|"
    r"weibo\.com/share|digg\.com/submit|buffer\.com/add|flipboard\.com/bookmarklet|connect\.ok\.ru|"
    r"news\.ycombinator\.com/submitlink|addtoany\.com/|addthis\.com/|hatena\.ne\.jp/(?:entry|add))|"
    r"mailto:\?|whatsapp:|[^?]*\?(?:[^?]*&)?share=\w",
    re.IGNORECASE,
)
"""Where services take the addresses of pages."""
_FILED = re.compile(
    r"/(?:tags?|tagged|categor(?:y|ies|ia|ias|ie)|kategorien?|etiquetas?|label|schlagworte?|mots?-cles?|tagi)(?:/|$)",
    re.IGNORECASE,
)
"""How the addresses of a site's collections name them."""
_IDLE = re.compile(r"#|javascript:|mailto:|$")
"""Links that lead nowhere, as buttons do."""
_BLOCKS = frozenset({"p", "div", "ul", "ol", "li", "dl", "section", "footer", "aside"})
_SOLID = "table, pre, blockquote, h1, figure, p + p"
_LABEL = 40
"""Characters beside links: "Tags:", "Share this", and the signs between them."""
_MOST_LEVELS = 8
_MOST = 0.2
"""The share of its page that such a list may be."""


def drop_site_links(container: Element, addresses: LinkResolver, *, files: bool) -> None:
    """Take out blocks of nothing but links to share the page or, with `files`, to what it is filed under."""
    most = len(container.text) * _MOST
    gone: set[Node] = set()
    solid: set[Node] = {container}
    for anchor in container.select("a[href]"):
        if not (shares := _shares(anchor)) and not (files and _is_filed_under(anchor, addresses)):
            continue
        if not gone.isdisjoint(anchor.ancestors):
            continue
        block: Element | None = None
        node = anchor
        for _ in range(_MOST_LEVELS):
            if not isinstance(parent := node.parent, Element) or parent in solid:
                break
            if len(parent.text) > most or not _holds_only(parent, addresses, shares=shares):
                solid.add(parent)
                break
            node = parent
            block = node if node.tag in _BLOCKS else block
        if block is not None:
            gone.add(block)
            block.extract()


def _holds_only(part: Element, addresses: LinkResolver, *, shares: bool) -> bool:
    """Whether it holds no more than links of one kind and a label."""
    if part.select_one(_SOLID) is not None or own_chars(part) > _LABEL:
        return False
    if shares:
        return all(_shares(link) or _IDLE.match(link.attr("href") or "") for link in part.select("a[href]"))
    return all(_is_filed_under(link, addresses) for link in part.select("a[href]"))


def _shares(anchor: Element) -> bool:
    target = anchor.attr("href") or ""
    return target[:1] != "#" and _SHARE.match(target) is not None


def _is_filed_under(anchor: Element, addresses: LinkResolver) -> bool:
    target = anchor.attr("href") or ""
    return "tag" in (anchor.attr("rel") or "").split() or (
        _FILED.search(target) is not None and addresses.is_of_site(target)
    )
