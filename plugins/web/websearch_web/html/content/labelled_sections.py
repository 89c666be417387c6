"""Sections whose own heading says that they are not the page's main content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element

from .section_labels import MAX_CHARS, says_around, says_opinions
from .section_tests import HEADINGS, is_topic

if TYPE_CHECKING:
    from turbohtml import Node

_LABELS = (
    "h2, h3, h4, h5, h6, [role=heading], p, strong, b, summary, [class*=title], [class*=Title], [class*=heading], "
    "[class*=label], [class*=header]"
)
_HEADING = re.compile(r"h[1-6]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_BARE = 25
"""Characters beside a label that still do not make a section: "see all", an arrow."""


def drop_labelled(root: Element, *, opinions: bool, article: bool = False) -> None:
    """Take out sections about other pages, sharing, comments and filters; with `opinions`, reviews too.

    In an `article` also lines between its paragraphs that such a line announces.
    """
    if article:
        _drop_pointers(root)
    whole = max(1, len(root.text))
    gone: set[Node] = set()
    for element in root.select(_LABELS):
        text = element.text.strip()
        if not 2 < len(text) <= MAX_CHARS or "\n\n" in text:
            continue
        label = " ".join(text.split())
        if not (label[0].isalnum() and label[-1].isalnum()):
            label = _EDGES.sub("", label)
        found = says_around(label)
        if not found and not (opinions and says_opinions(label)):
            continue
        if element.closest("table, pre, blockquote, li li") or any(a in gone for a in element.ancestors):
            continue
        most = whole * (0.4 if found else 0.75)
        for part in _section(element, root, most, article=article):
            gone.add(part)
            part.extract()


def _drop_pointers(root: Element) -> None:
    """Paragraphs that are one link to another page, with or without words like "Read also" before it."""
    for line in root.select("p:has(a[href]):not(:has(img))"):
        links = line.select("a[href]")
        text, linked = " ".join(line.text.split()), " ".join(links[0].text.split())
        label = _EDGES.sub("", text.removesuffix(linked))
        if label.lower() == "learn more":
            continue  # says where a fact comes from, as often
        if len(links) == 1 and text.endswith(linked) and len(label) <= _BARE and says_around(label or text[:MAX_CHARS]):
            line.extract()


def _section(label: Element, root: Element, most: float, *, article: bool) -> list[Element]:
    """The label's block with what belongs to it; only the label's line where a boundary is not to be seen."""
    size, node = len(label.text.strip()), label
    while isinstance(parent := node.parent, Element) and parent != root:
        length = len(parent.text.strip())
        if length > size + _BARE:
            if length < most and _begins_with(parent, node) and not _goes_on(parent, label):
                return [] if is_topic(parent, " ".join(label.text.split())) else [parent]
            break
        node = parent
    if node.select_one("pre") is None and (label.tag[0] == "h" or node.next_sibling is None):
        followers = _followers(node, _level(label), most)
        return [node, *followers] if followers or not _text_follows(node) else []
    if article and node.tag == "p" and (followers := _followers(node, 6, most)):
        return [node, *followers]
    return []


def _text_follows(node: Element) -> bool:
    """Whether the next thing below a heading is text and not another heading."""
    following = (sibling for sibling in node.next_siblings if isinstance(sibling, Element) and sibling.text.strip())
    after = next(following, None)
    return after is not None and not _HEADING.fullmatch(after.tag)


def _begins_with(parent: Element, node: Element) -> bool:
    for child in parent.children:
        if child == node:
            return True
        if child.text.strip():
            return False
    return False


def _goes_on(parent: Element, label: Element) -> bool:
    """Whether the block holds another section of the same rank."""
    if parent.select_one("h1, main"):
        return True
    level = _level(label)
    own = label if label.tag[0] == "h" else label.select_one(HEADINGS)
    return any(
        _level(other) <= level and other != own and not other.closest("a, li, article")
        for other in parent.select(HEADINGS)
    )


def _leads_away(heading: Element) -> bool:
    """Whether it is the title of a teaser, of whatever rank."""
    link = heading.select_one("a[href]:not([href^='#'])") or heading.closest("a[href]")
    return link is not None and len(link.text.strip()) >= len(heading.text.strip())


def _level(element: Element) -> int:
    tag = element.tag
    return int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit() else 1


def _followers(node: Element, level: int, most: float) -> list[Element]:
    """What follows up to the next heading of the same rank, as long as it is links."""
    found: list[Element] = []
    total = 0
    for sibling in list(node.next_siblings):
        if not isinstance(sibling, Element):
            continue
        text = len(sibling.text.strip())
        total += text
        own = [h for h in (sibling, *sibling.select(HEADINGS)) if _HEADING.fullmatch(h.tag) and not _leads_away(h)]
        if any(_level(heading) <= level for heading in own):
            break
        linked = text if sibling.tag == "a" else sum(len(anchor.text.strip()) for anchor in sibling.select("a"))
        if total > most or (text and linked < text * 0.5):
            break
        found.append(sibling)
    return found
