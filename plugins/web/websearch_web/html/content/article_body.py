"""Around the text of an article: what stands beside the one part that holds most of its prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element

from .boilerplate_words import boilerplate_word
from .section_labels import says_around
from .section_tests import CONVERSATION, HEADINGS, SENTENCE_ENDS, is_section, own_chars
from .text_width import width

if TYPE_CHECKING:
    from turbohtml import Node

_BLOCKS = ":is(p, li, td, pre, blockquote, dd, figcaption):not(:has(p, li, td))"
_BARE = "div:not(:has(p, li, td, div, h1, h2, h3, h4, form))"
"""Paragraphs of pages that know no other element."""
_HOLDERS = frozenset(["div", "section", "article", "main", "table", "tbody", "tr", "td", "form", "center"])
_PARAGRAPH = 60
"""Characters outside of links that make a block prose."""
_LEAST = 250
"""Characters of prose of a page that has a text to find."""
_MOST_PROSE = 0.7
"""The share of a page's prose that its text holds; the rest are comments, teasers and what the author is called."""
_LONG = 1000
"""Characters of prose that make a page a text."""
_MOST_WORDS = 0.5
"""The share of a page's own words that a text holds which the page is about."""
_SOME_TEXT = 0.08
"""The share of all text below which the prose is not what the page is about."""
_DATA = "table:has(> thead th, > tbody > tr > th), tbody:has(> tr > th)"
_NOTES = "[class*=footnote], [class*=reference], [id*=footnote], [role=doc-endnotes]"

_LEAST_TEASERS, _TEASER_CHARS = 2, 300
"""Linked pictures, and the words to each of them, that announce other pages."""
_CARD_CHARS = 600
"""Of a whole teaser: its headline and what it says below."""
_CARD_TITLE = ":is(h2, h3, h4, h5, h6) a[href]:not([href^='#']), a[href] :is(h2, h3, h4, h5, h6)"
_WITHIN = "main, article, [role=main]"
_TEXTS = "pre, blockquote, dl, table:has(tr + tr):has(td + td, th + td)"
"""What is part of a text whatever its length."""
_AROUND = f"{CONVERSATION}, [class*=author], [class*=teaser], [class*=byline], [class*=meta], nav, footer"
_LEADS = frozenset({"h1", "h2", "h3", "p", "figure", "img", "picture", "thead", "caption"})
_TO_USE = "a, ul, ol, form, input, h1, h2, h3, h4"
_BUTTONS = "[class*=button], [class*=btn]"


def drop_around_text(container: Element, title: str, *, guessed: bool = False) -> None:
    """Of an article: go down to the deepest part that holds most of the prose, and take out what stands beside it.

    Before it the title, headings, prose and figures stay; after it figures, notes, and parts of the same kind. Within
    an article, what has words, code or data of its own stays on both sides; anywhere, where that it is one was guessed.
    """
    text, prose = _text_of(container)
    if text is not None and width(text.text) >= _SOME_TEXT * own_chars(container):
        _drop_around(text, container, prose, title, anywhere=guessed)


def drop_around_clear_text(container: Element, title: str) -> bool:
    """The same for a page that does not say what it is, if it has one long text; whether it has."""
    text, prose = _text_of(container)
    if text is None or prose[container] < _LONG or own_chars(text) < _MOST_WORDS * own_chars(container):
        return False
    _drop_around(text, container, prose, title, anywhere=True)
    return True


def _text_of(container: Element) -> tuple[Element | None, dict[Node, int]]:
    """The deepest part that holds most of the prose, and how much each part holds."""
    prose = _prose_within(container, _BLOCKS)
    if 3 * prose.get(container, 0) < len(container.text):
        bare = _prose_within(container, f"{_BLOCKS}, {_BARE}")
        if bare.get(container, 0) > 2 * prose.get(container, 0):
            prose = bare
    if (total := prose.get(container, 0)) < _LEAST:
        return None, prose
    text = container
    while (part := _richest(text, prose)) is not None and prose[part] >= _MOST_PROSE * total:
        text = part
    return text, prose


def _drop_around(text: Element, container: Element, prose: dict[Node, int], title: str, *, anywhere: bool) -> None:
    heading = next(
        (h for h in container.select(HEADINGS) if title and " ".join(h.text.split()).startswith(title)), None
    )
    named: set[Node] = {heading, *heading.ancestors} if heading is not None else set()
    while text != container:
        for sibling in list(text.next_siblings):
            if isinstance(sibling, Element) and not (
                _continues(sibling, text, prose) or _is_of_text(sibling, anywhere)
            ):
                sibling.extract()
        below_title = bool(named) and text not in named
        for sibling in list(text.previous_siblings):
            below_title = below_title and sibling not in named
            if isinstance(sibling, Element) and not (
                sibling in named
                or _leads_in(sibling, prose)
                or (below_title and _shows(sibling))
                or _is_of_text(sibling, anywhere)
            ):
                sibling.extract()
        parent = text.parent
        if not isinstance(parent, Element):
            return
        text = parent


def _prose_within(root: Element, blocks: str) -> dict[Node, int]:
    """Characters of prose in each part of the tree that holds any."""
    found: dict[Node, int] = {}
    for block in root.select(blocks):
        if len(text := block.text.strip()) <= _PARAGRAPH / 2:
            continue
        length = width(" ".join(text.split()))
        if length <= _PARAGRAPH:
            continue
        length -= sum(width(" ".join(anchor.text.split())) for anchor in block.select("a"))
        if length <= _PARAGRAPH or block.closest("a") is not None or _is_of_card(block):
            continue
        for part in (block, *block.ancestors):
            found[part] = found.get(part, 0) + length
            if part == root:
                break
    return found


def _is_of_card(block: Element) -> bool:
    """Whether it is what a teaser says below its linked headline."""
    card = block.parent
    return isinstance(card, Element) and len(card.text) <= _CARD_CHARS and card.select_one(_CARD_TITLE) is not None


def _richest(parent: Element, prose: dict[Node, int]) -> Element | None:
    parts = [child for child in parent.children if child in prose and isinstance(child, Element)]
    holders = [part for part in parts if part.tag in _HOLDERS and not part.matches(_DATA)]
    return max(holders, key=prose.__getitem__, default=None)


def _continues(sibling: Element, text: Element, prose: dict[Node, int]) -> bool:
    if sibling.tag in {"figure", "img", "picture"}:
        return True
    if sibling.tag == text.tag and sibling.attr("class") == text.attr("class"):
        return sibling in prose or (sibling.matches(_BARE) and sibling.select_one("a") is None)
    return sibling.matches(_NOTES) or sibling.select_one(_NOTES) is not None


def _leads_in(sibling: Element, prose: dict[Node, int]) -> bool:
    if sibling in prose or sibling.tag in _LEADS or sibling.select_one("h1, figure, dl") is not None:
        return True
    return sibling.select_one(_TO_USE) is None and own_chars(sibling) > _PARAGRAPH


def _shows(sibling: Element) -> bool:
    """Whether it is a picture that says what it shows, as one between a title and its text is part of both."""
    pictured = sibling.select_one("img[alt]:not([alt=''])") is not None
    return pictured and sibling.select_one(_TO_USE) is None and not sibling.matches(_AROUND)


def _is_of_text(sibling: Element, anywhere: bool) -> bool:
    """Whether a part of an article has words, code or data of its own, and nothing says that it is furniture."""
    parent = sibling.parent
    if not isinstance(parent, Element) or not (anywhere or parent.closest(_WITHIN)):
        return False
    if sibling.matches(_AROUND) or sibling.select_one(_AROUND) is not None:
        return False
    names = f"{sibling.attr('class') or ''} {sibling.attr('id') or ''}".split()
    if any(map(boilerplate_word, names)):
        return False
    heading = sibling if sibling.matches(HEADINGS) else sibling.select_one(HEADINGS)
    if heading is not None and says_around(" ".join(heading.text.split())):
        return False
    own = own_chars(sibling)
    if own * 2 <= width(" ".join(sibling.text.split())):
        return False
    teasers = max(len(sibling.select("a[href] img")), len(sibling.select(_CARD_TITLE)))
    if teasers >= _LEAST_TEASERS and own <= _TEASER_CHARS * teasers:
        return False
    if sibling.matches(_TEXTS) or sibling.select_one(_TEXTS) is not None or is_section(sibling):
        return True
    if sibling.tag == "a" or sibling.select_one(_BUTTONS) is not None:
        return False
    text = sibling.text.rstrip()
    return own > _PARAGRAPH or (text.endswith(SENTENCE_ENDS) and not text.endswith("..."))
