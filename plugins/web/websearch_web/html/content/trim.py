"""Small things around the text that no heading announces: what stands before the title, buttons, details of posters."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element

from .section_tests import SENTENCE_ENDS, own_chars

if TYPE_CHECKING:
    from turbohtml import Node

    from ...kit.links import LinkResolver

_PROSE = 60
"""Characters of a paragraph that may be more than a label."""
_SHOWN = frozenset({"img", "picture", "figure", "h2", "h3", "h4", "h5", "h6"})
_MOST_LEVELS = 8
_MOST_BESIDE, _MOST_LEADS = 8, 2
_BANNER = 150
"""Characters of a site's name and motto."""
_MENU_LINKS = 40
_BUTTON = re.compile(r"(?:^|[-_ ])(?:btn|button|cta)(?:$|[-_ ])|(?:Btn|Button|Cta|CTA)(?:$|[-_ ])", re.IGNORECASE)
_BUTTON_WORDS = 4
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


def bring_title(container: Element, title: str) -> None:
    """Put the page's heading and what it says below it in front of a content that stands beside them."""
    body = container.closest("body")
    if body is None or container.select_one("h1") is not None:
        return
    heading = next((h1 for h1 in body.select("h1") if _is_called(h1, title)), None)
    around: set[Node] = {container, *container.ancestors}
    if heading is None or heading in around:  # never closed, a heading holds the page
        return
    block = heading
    for _ in range(_MOST_LEVELS):
        if not isinstance(parent := block.parent, Element) or parent in around or not _is_lead(parent):
            break
        block = parent
    for lead in reversed(_leads_after(block, around)):
        container.insert(0, lead.extract())
    container.insert(0, block.extract())


def _leads_after(title: Element, around: set[Node]) -> list[Element]:
    """Paragraphs of prose beside the title, up to what holds the text."""
    beside: list[Element] = []
    for sibling in islice(title.next_siblings, _MOST_BESIDE):
        if sibling in around:
            break
        if isinstance(sibling, Element) and sibling.select_one("form, nav, pre, h1, h2, h3") is None:
            beside += [sibling] if sibling.tag == "p" else sibling.select("p:not(li p, table p, a p)")
    return [p for p in beside if own_chars(p) > _PROSE and p.text.rstrip().endswith(SENTENCE_ENDS)][:_MOST_LEADS]


def _is_lead(block: Element) -> bool:
    """Whether it holds no other heading than a second line, nothing to use, and more than links."""
    if block.select_one("nav, form, input, ul, ol, [role=navigation]") or len(block.select("h1, h2, h3, h4")) > 2:
        return False
    return own_chars(block) * 2 > len(block.text.strip())


def drop_before_title(container: Element, title: str, addresses: LinkResolver) -> None:
    """Take out what stands before the page's heading and holds neither prose nor headings.

    That is the `h1` that the page is called after, or its first one; where it has none, the first heading that gives
    the page its name. A site's banner may be an `h1`, too.
    """
    heading = _own_heading(container, title)
    if heading is None:
        return
    name = " ".join(heading.text.split())
    node: Node = heading
    while node != container and node.parent is not None:
        for sibling in list(node.previous_siblings):
            if isinstance(sibling, Element) and (not _has_prose(sibling, name) or _is_banner(sibling, addresses)):
                sibling.extract()
        node = node.parent


def _own_heading(container: Element, title: str) -> Element | None:
    own: Element | None = None
    lower: Element | None = None
    for element in container.select("h1, h2, h3, h4, p"):
        if element.tag == "h1":
            own = element if _is_called(element, title) else own
        elif element.tag != "p":
            lower = lower or (element if _is_called(element, title) else None)
        elif len(element.text) > _PROSE:
            break
    if own is not None or lower is not None:
        return own or lower
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


def _is_banner(element: Element, addresses: LinkResolver) -> bool:
    """Whether it holds the site's name, which leads to the site, and what it says of itself."""
    name = element if element.tag in {"h1", "h2"} else element.select_one("h1, h2") or element
    link = name.select_one("a[href]")
    return (
        link is not None
        and link.text.strip() != ""
        and addresses.is_above(link.attr("href") or "")
        and len(" ".join(element.text.split())) <= _BANNER
    )


def _has_prose(element: Element, title: str) -> bool:
    if element.tag in _SHOWN or element.select_one("h2, h3, h4, h5, h6, pre, figure, picture") is not None:
        return not (element.tag == "img" and _is_decoration(element))
    if not all(map(_is_decoration, element.select("img"))):
        return True
    anchors = element.select("a")
    # Of a menu as large as a site some entries are no links.
    menu = len(anchors) > _MENU_LINKS and element.select_one("p") is None
    own = own_chars(element) - len(anchors)
    if title and title in " ".join(element.text.split()):
        own -= len(title)
    return own > (max(_PROSE, 0.1 * len(element.text)) if menu else _PROSE)


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
