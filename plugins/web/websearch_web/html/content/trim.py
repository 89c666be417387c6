"""Small things around the text that no heading announces: what stands before the title, buttons, details of posters."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from turbohtml import Element

from .navigation_words import is_stamp
from .section_tests import own_chars

if TYPE_CHECKING:
    from turbohtml import Node

_PROSE = 60
"""Characters of a paragraph that may be more than a label."""
_SHOWN = frozenset({"img", "picture", "figure", "h2", "h3", "h4", "h5", "h6"})
_MENU_LINKS = 40
_STAMPS = 6
_OUTER = frozenset({"div", "section", "footer", "article", "main", "center", "font", "table", "tbody", "tr"})
_BLOCKS = frozenset({"p", "ul", "ol", "dl", "pre", "table", "blockquote", "hr", "h1", "h2", "h3", "h4", "address"})
_BUTTON = re.compile(r"(?:^|[-_ ])(?:btn|button|cta)(?:$|[-_ ])|(?:Btn|Button|Cta|CTA)(?:$|[-_ ])", re.IGNORECASE)
_BUTTON_WORDS = 4
_LEAST_ICONS = 2
_SMALL = re.compile(r"(?:[1-3]?\d|4[0-8])(?:px)?")
"""Pixels of an icon's side."""
_RUNNING_TEXT = "p, td, pre, h1, h2, h3, h4, li li"
_POSTER = (
    "[class*=userExtras], [class*=userTitle], [class*=user-title], [class*=userStats], [class*=user-stats], "
    "[class*=userBanner], [class*=postcount], [class*=post-count], [class*=post_number], [class*=signature], "
    "[class*=Signature], [class*=expandLink], [class*=reactionsBar], [class*=likes], [class*=LikesBar], "
    ".postprofile dd, [class*=post-likes], "
    "[itemprop=interactionStatistic], [class*=post-controls], [class*=postcontrols]"
)
_DETAIL = re.compile(
    r"(?:posts?|messages?|threads?|likes?|points?|reaction score|karma|reputation|beiträge|mensajes)"
    r"\s{0,2}:?\s{0,3}[\d,.]+k?|"
    r"(?:join(?:ed)?(?: date)?|location|registered|member since|registriert|ubicación|inscription)"
    r"\s{0,2}(?::|\n).{0,60}|"
    r"(?:thread starter|start date)\s.{0,60}|"
    r"\d+ (?:likes?|replies|views|posts|reactions|points)|(?:click to expand|toggle sidebar)\W*|"
    r"(?:reply|quote|report|like|share|parent|permalink)"
    r"(?:\s+(?:reply|quote|report|like|share|parent|permalink))*\W*",
    re.IGNORECASE | re.DOTALL,
)


def drop_before_title(container: Element, title: str) -> None:
    """Take out what stands before the page's heading and holds neither prose nor headings.

    That is the `h1` that the page is called after, or its first one; where it has none, the first heading that gives
    the page its name. A site's banner may be an `h1`, too.
    """
    heading = _own_heading(container, title)
    if heading is None:
        return
    node: Node = heading
    while node != container and node.parent is not None:
        for sibling in list(node.previous_siblings):
            if isinstance(sibling, Element) and not _has_prose(sibling):
                sibling.extract()
        node = node.parent


def drop_after_text(container: Element) -> None:
    """Take out the last lines of a page that say who made it, with what and when."""
    for _ in range(_STAMPS):
        last = _last_part(container)
        line = " ".join(last.text.split()) if last is not None else ""
        if last is None or not is_stamp(line, [" ".join(link.text.split()) for link in last.select("a[href]")]):
            break
        last.extract()
    _drop_last_icons(container)


def _drop_last_icons(container: Element) -> None:
    """A row of small linked pictures at the very end leads to other pages, whatever these are called."""
    node = container
    while True:
        rest = [child for child in reversed(node.children) if isinstance(child, Element) or child.text.strip()]
        icons = list(takewhile(_is_icon, rest))
        if len(icons) >= _LEAST_ICONS:
            rule = rest[len(icons)] if len(rest) > len(icons) else None
            for child in [*icons, *([rule] if isinstance(rule, Element) and rule.tag == "hr" else [])]:
                child.extract()
        last = rest[0] if rest else None
        if icons or not isinstance(last, Element) or last.tag not in _OUTER | {"p"}:
            return
        node = last


def _is_icon(node: Node) -> bool:
    """A link that shows a picture of the size of a letter or two, and says nothing."""
    if not isinstance(node, Element) or node.tag != "a" or node.text.strip():
        return False
    image = node.select_one("img")
    sizes = [image.attr("width") or "", image.attr("height") or ""] if image is not None else [""]
    return all(_SMALL.fullmatch(size) for size in sizes)


def _last_part(container: Element) -> Element | None:
    """The smallest part that holds the last line of text, and nothing before it."""
    node = container
    while True:
        last = next((child for child in reversed(node.children) if child.text.strip()), None)
        if not isinstance(last, Element):
            return None if last is None or node == container or node.text.strip() != last.text.strip() else node
        if last.tag not in _OUTER or not any(getattr(child, "tag", "") in _OUTER | _BLOCKS for child in last.children):
            return last
        node = last


def _own_heading(container: Element, title: str) -> Element | None:
    own: Element | None = None
    for element in container.select("h1, p"):
        if element.tag == "h1":
            own = element if _is_called(element, title) else own
        elif len(element.text) > _PROSE:
            break
    if own is not None:
        return own
    first = container.select_one("h1, h2, h3, h4")
    if first is not None and first.tag != "h1" and _is_called(first, title):
        return first
    return _named_title(container, title) or container.select_one("h1")


def _named_title(container: Element, title: str) -> Element | None:
    """A line that is called the title and gives the page its name: from here on its heading."""
    for line in container.select("div.title, p.title, div.page-title, p.page-title")[:3]:
        text = " ".join(line.text.split())
        if text and title.endswith(text) and line.select_one("*") is None:
            line.tag = "h1"
            return line
    return None


def _is_called(heading: Element, title: str) -> bool:
    return title != "" and " ".join(heading.text.split()).startswith(title)


def _has_prose(element: Element) -> bool:
    if element.tag in _SHOWN or element.select_one("h2, h3, h4, h5, h6, pre, figure, picture") is not None:
        return not (element.tag == "img" and _is_decoration(element))
    if not all(map(_is_decoration, element.select("img"))):
        return True
    anchors = element.select("a")
    # Of a menu as large as a site some entries are no links.
    menu = len(anchors) > _MENU_LINKS and element.select_one("p") is None
    return own_chars(element) - len(anchors) > (max(_PROSE, 0.1 * len(element.text)) if menu else _PROSE)


def _is_decoration(image: Element) -> bool:
    """Whether it is a logo or a button, or says of itself that it shows nothing."""
    if image.closest("figure, picture") is not None:
        return False
    return not (image.attr("alt") or "").strip() or image.closest("a[href]") is not None


def drop_buttons(container: Element) -> None:
    """Take out links that are drawn as buttons and stand alone."""
    for anchor in container.select("a[class]"):
        text = anchor.text.strip()
        short = text and len(text.split()) <= _BUTTON_WORDS
        if short and _BUTTON.search(anchor.attr("class") or "") and not anchor.closest(_RUNNING_TEXT):
            anchor.extract()


def drop_poster_details(container: Element) -> None:
    """Of a thread: keep who wrote what and when; join dates, counts and the controls of posts go."""
    for element in container.select(_POSTER):
        if element.parent is not None and len(element.text) < 400:
            element.extract()
    for element in container.select("dl"):
        values = element.select("dd")
        if values and all(len(value.text.strip()) <= 60 for value in values):
            element.extract()
    for element in container.select("div, span, li, a, p"):
        text = element.text.strip()
        if 3 < len(text) < 80 and _DETAIL.fullmatch(text) and not element.closest("blockquote p, pre"):
            element.extract()
