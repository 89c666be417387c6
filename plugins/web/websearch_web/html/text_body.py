"""Around the text of an article: what stands beside the one part that holds most of its prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element

from .own_text import own_chars
from .width import width

if TYPE_CHECKING:
    from turbohtml import Node

_BLOCKS = ":is(p, li, td, pre, blockquote, dd, figcaption):not(:has(p, li, td))"
_HOLDERS = frozenset(["div", "section", "article", "main", "table", "tbody", "tr", "td", "form", "center"])
_PARAGRAPH = 60
"""Characters outside of links that make a block prose."""
_LEAST = 500
"""Characters of prose of a page that has a text to find."""
_MOST_PROSE = 0.7
"""The share of a page's prose that its text holds; the rest are comments, teasers and what the author is called."""
_SOME_TEXT = 0.08
"""The share of all text below which the prose is not what the page is about."""
_NOTES = "[class*=footnote], [class*=reference], [id*=footnote], [role=doc-endnotes]"


def drop_around_text(container: Element) -> None:
    """Of an article: go down to the deepest part that holds most of the prose, and take out what stands beside it.

    Before it the title, headings, prose and figures stay; after it figures, notes, and parts of the same kind.
    """
    prose = _prose_within(container)
    if (total := prose.get(container, 0)) < _LEAST:
        return
    text = container
    while (part := _richest(text, prose)) is not None and prose[part] >= _MOST_PROSE * total:
        text = part
    if width(text.text) < _SOME_TEXT * own_chars(container):
        return
    while text != container:
        for sibling in list(text.next_siblings):
            if isinstance(sibling, Element) and not _continues(sibling, text, prose):
                sibling.extract()
        for sibling in list(text.previous_siblings):
            if isinstance(sibling, Element) and not _leads_in(sibling, prose):
                sibling.extract()
        parent = text.parent
        if not isinstance(parent, Element):
            return
        text = parent


def _prose_within(root: Element) -> dict[Node, int]:
    """Characters of prose in each part of the tree that holds any."""
    found: dict[Node, int] = {}
    for block in root.select(_BLOCKS):
        length = width(block.text.strip())
        if length <= _PARAGRAPH:
            continue
        length -= sum(width(anchor.text) for anchor in block.select("a"))
        if length <= _PARAGRAPH:
            continue
        for part in (block, *block.ancestors):
            found[part] = found.get(part, 0) + length
            if part == root:
                break
    return found


def _richest(parent: Element, prose: dict[Node, int]) -> Element | None:
    parts = [child for child in parent.children if child in prose and isinstance(child, Element)]
    return max((part for part in parts if part.tag in _HOLDERS), key=prose.__getitem__, default=None)


def _continues(sibling: Element, text: Element, prose: dict[Node, int]) -> bool:
    if sibling.tag in {"figure", "img", "picture"}:
        return True
    if sibling in prose and sibling.tag == text.tag and sibling.attr("class") == text.attr("class"):
        return True
    return sibling.matches(_NOTES) or sibling.select_one(_NOTES) is not None


def _leads_in(sibling: Element, prose: dict[Node, int]) -> bool:
    if sibling in prose or sibling.tag in {"h1", "h2", "h3", "p", "figure", "img", "picture"}:
        return True
    return sibling.select_one("h1, figure") is not None
