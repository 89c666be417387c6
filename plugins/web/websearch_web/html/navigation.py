"""Navigation of a work: lines like "Previous, Up, Next", and lists of a page's own headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element

if TYPE_CHECKING:
    from turbohtml import Node

_STEPS = re.compile(
    r"\W*(?:next|prev(?:ious)?|up|home|top|contents|index|zurück|weiter|nach oben|précédent|suivant|sommaire|anterior|"
    r"siguiente|próximo|"
    r"indietro|avanti|precedente|successivo|назад|вперед|вперёд|前へ|次へ|上一页|下一页)(?: page)?\W*",
    re.IGNORECASE,
)
"""The labels of links to the neighbours of a page."""
_LETTERS = frozenset("npuht")
"""The keys that DocBook and Texinfo give to next, previous, up, home and top."""
_RELATIONS = frozenset({"next", "prev", "previous", "up", "start", "contents", "index"})
_MOST_CHARS = 300
_CONTENT = "p, pre, h1, h2, h3, h4, h5, h6, li, dd, figure"
_PROSE = frozenset({"pre", "h1", "h2", "h3", "h4", "h5", "h6", "dd", "figure"})
_TABLE = frozenset({"table", "tbody", "tr"})
_ENTRIES = 3
"""Links that make a table of contents."""


def drop_navigation(container: Element) -> None:
    """Take out lines that lead to the neighbours of a page, and lists that only repeat its own headings."""
    for contents in container.select("ul, ol, dl"):
        if contents.parent is not None and _is_contents(contents):
            contents.extract()
    gone: set[Node] = set()
    solid: set[Node] = {container}
    for anchor in container.select("a"):
        if not _is_step(anchor) or not gone.isdisjoint(anchor.ancestors):
            continue
        if (line := _line_of(anchor, solid)) is not None:
            gone.add(line)
            line.extract()


def _is_contents(contents: Element) -> bool:
    """Whether all its entries are links to places of this page, and say no more."""
    anchors = contents.select("a[href]")
    if len(anchors) < _ENTRIES or any((anchor.attr("href") or "")[:1] != "#" for anchor in anchors):
        return False
    linked = sum(len(anchor.text.split()) for anchor in anchors)
    return linked >= len(contents.text.split()) * 0.9


def _is_step(anchor: Element) -> bool:
    if (anchor.attr("accesskey") or "") in _LETTERS and "accesskey" in anchor.attrs:
        return True
    if not _RELATIONS.isdisjoint((anchor.attr("rel") or "").split()):
        return True
    text = anchor.text
    return len(text) < 30 and bool(_STEPS.fullmatch(text))


def _line_of(anchor: Element, solid: set[Node]) -> Element | None:
    """The largest part around a step that holds nothing but its line: two steps at least, and no text of its own.

    A table of navigation names the page in a cell that is no link. `solid` remembers what holds more than a line.
    """
    found, node = None, anchor
    while isinstance(parent := node.parent, Element) and parent not in solid:
        text = " ".join(parent.text.split())
        if len(text) > _MOST_CHARS or parent.select_one(_CONTENT) is not None or parent.tag in _PROSE:
            solid.add(parent)
            break
        node = parent
        anchors = node.select("a")
        linked = sum(len(other.text.split()) for other in anchors)
        if sum(map(_is_step, anchors)) > 1 and (node.tag in _TABLE or 2 * linked >= len(text.split())):
            found = node
    return found
