"""Links to other pages of a site, with a picture or as headlines, that announce them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element

from .section_tests import HEADINGS, own_chars
from .text_width import width

if TYPE_CHECKING:
    from ...kit.links import LinkResolver

HEADLINE = f"a[href] img, a[href] :is({HEADINGS}), :is({HEADINGS}) a[href]"
NO_TEASER = "pre, table, dl, figure, h1:not(:has(a[href])), form"
_TEASER_CHARS = 300
"""What a teaser says of its page."""
_WHOLE_CHARS = 500
"""Of a teaser with its links: in a link that nobody closed stands the text itself."""
_HEADLINE_CHARS, _TITLE_CHARS = 30, 15
"""Of a link to an article, on an average and at least."""
_DATE_CHARS = 25
_FILE = re.compile(r"\.(?:pdf|docx?|xlsx?|pptx?|zip|mp[34]|epub|ics|jpe?g|png|gif|webp|svg)(?:$|[?#])", re.IGNORECASE)
_CARDS = frozenset({"a", "div", "aside", "section"})
_CARD_CHARS = 60
"""What a card says beside its link: a rubric, a date, an author."""
_MOST_CARDS = 3
"""Of more of them the text is made: the places, books or films that it presents."""
_MOST_NODES = 60
"""Elements and texts of a card: one that holds more is a part of the page."""
_NEAR = 12
"""Parts that are looked through for a paragraph on the other side of a card."""


def drop_cards(container: Element, addresses: LinkResolver) -> None:
    """Take out the few teasers between the paragraphs of an article."""
    cards = dict.fromkeys(card for line in container.select("p") if (card := _card_before(line, addresses)))
    if len(cards) <= _MOST_CARDS:
        for card in cards:
            card.extract()


def _card_before(line: Element, addresses: LinkResolver) -> Element | None:
    before = [node for node in islice(line.previous_siblings, _NEAR) if node.text.strip()]
    card = before[0] if before else None
    if not isinstance(card, Element) or card.tag not in _CARDS or any(islice(card.descendants, _MOST_NODES, None)):
        return None
    if _chars(card) > _WHOLE_CHARS or not is_teaser(card, addresses):
        return None
    if card.select_one(f"img, {HEADINGS}") is None or not any(getattr(node, "tag", "") == "p" for node in before):
        return None
    links = card.select("a[href]") or [card]
    own = own_chars(card) if card.tag != "a" else 0
    titled = max(width(" ".join(link.text.split())) for link in links) >= _TITLE_CHARS
    return card if titled and own <= _CARD_CHARS else None


def is_teaser(part: Element, addresses: LinkResolver) -> bool:
    """Whether all that it shows is linked to other pages of the site, but for what a teaser says of them."""
    links = part.select("a[href]") or ([part] if part.tag == "a" else [])
    if not links or not all(leads_to_page(link, addresses) for link in links) or not part.text.strip():
        return False
    if part.matches(NO_TEASER) or part.select_one(NO_TEASER) is not None:
        return False
    own = own_chars(part) if part.tag != "a" else 0
    shown = part.select(HEADLINE)
    if shown or part.matches(HEADINGS):
        count = max(1, len(shown))
        return own <= _TEASER_CHARS * count and _chars(part) <= _WHOLE_CHARS * count
    titles = [width(link.text.strip()) for link in links]
    return (
        own <= _DATE_CHARS * len(links) and min(titles) >= _TITLE_CHARS and sum(titles) >= _HEADLINE_CHARS * len(titles)
    )


def _chars(part: Element) -> int:
    return width(" ".join(part.text.split()))


def leads_to_page(link: Element, addresses: LinkResolver) -> bool:
    """Whether it leads to another page of the site, and not to a file."""
    target = link.attr("href") or ""
    return addresses.is_of_site(target) and not addresses.is_here(target) and not _FILE.search(target)
