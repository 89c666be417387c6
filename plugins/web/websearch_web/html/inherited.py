"""Parts of hidden elements that undo what they would inherit: `visibility`, `font-size` and `color` of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .cascade import undone
from .hiding import INHERITED
from .stylesheet import selectors_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turbohtml import Element, Text

    from .stylesheet import Sheets

MAX_PARTS = 3_000
"""Elements within hidden ones; with more of them, all are hidden."""
_SPACE = re.compile(r"\s+")


def take_out(unseen: Mapping[Element, frozenset[str]], sheets: Sheets) -> list[str]:
    """Remove these elements, but not their parts that show again; what they said."""
    heirs = _heirs(unseen, sheets)
    whole: dict[Element, None] = {}
    texts: list[Text] = []
    for element, ways in unseen.items():
        hidden, shows = _parted(element, unseen, heirs) if heirs and ways <= INHERITED else ([], False)
        if shows:
            texts += hidden
        else:
            whole[element] = None
    taken = [_plain(element) for element in whole if not any(above in whole for above in element.ancestors)]
    for element in whole:
        element.extract()
    for text in dict.fromkeys(texts):
        if not any(above in whole for above in text.ancestors):
            taken.append(_plain(text))
            text.extract()
    return taken


def _heirs(unseen: Mapping[Element, frozenset[str]], sheets: Sheets) -> dict[Element, set[str]]:
    """Which parts undo which ways of hiding."""
    heirs: dict[Element, set[str]] = {}
    for way in sorted(INHERITED):
        parts = {
            part: None
            for element, ways in unseen.items()
            if way in ways and ways <= INHERITED
            for part in element.select("*")
            if way not in unseen.get(part, ())
        }
        if 0 < len(parts) <= MAX_PARTS:
            for part in undone(list(parts), way, sheets.rules, selectors_of):
                heirs.setdefault(part, set()).add(way)
    return heirs


def _parted(
    element: Element, unseen: Mapping[Element, frozenset[str]], heirs: Mapping[Element, set[str]]
) -> tuple[list[Text], bool]:
    """The text that stays hidden, and whether any part shows."""
    from turbohtml import Element, Text

    hidden: list[Text] = []
    shows = False
    left: list[tuple[Element, frozenset[str]]] = [(element, unseen[element])]
    while left:
        parent, missing = left.pop()
        for child in parent.children:
            if isinstance(child, Text):
                hidden.append(child)
            elif isinstance(child, Element):
                still = missing.difference(heirs.get(child, ())) | unseen.get(child, frozenset())
                if not still <= INHERITED:
                    continue
                if still:
                    left.append((child, still))
                else:
                    shows = True
    return hidden, shows


def _plain(node: Element | Text) -> str:
    said = node.text or (getattr(node, "attrs", {}).get("alt") or "")
    return _SPACE.sub(" ", said).strip()
