"""Parts of hidden elements that undo what they would inherit: `visibility`, `font-size` and `color` of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..css.cascade import undone
from ..css.hiding import INHERITED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from turbohtml import Element, Text

    from ..css.stylesheet import StyleSheets

MAX_PARTS = 3_000
"""Elements within hidden ones; with more of them, all are hidden."""


def take_out(unseen: Mapping[Element, frozenset[str]], sheets: StyleSheets) -> list[str]:
    """Remove these elements, but not their parts that show again; what they said."""
    soft = {element: None for element, ways in unseen.items() if ways <= INHERITED}
    heirs = _heirs(soft, unseen, sheets)
    whole: dict[Element, None] = dict.fromkeys(element for element in unseen if element not in soft or not heirs)
    texts: list[Text] = []
    walked: set[Element] = set()
    for element in sorted(soft, key=lambda each: len(list(each.ancestors))) if heirs else ():
        if element in walked:
            continue
        hidden, shows = _parted(element, unseen, heirs, walked)
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


def _heirs(
    soft: Collection[Element], unseen: Mapping[Element, frozenset[str]], sheets: StyleSheets
) -> dict[Element, set[str]]:
    """Which parts undo which ways of hiding."""
    outermost = [element for element in soft if not any(above in soft for above in element.ancestors)]
    parts = {part: None for element in outermost for part in element.select("*")}
    heirs: dict[Element, set[str]] = {}
    for way in (
        sorted(frozenset[str]().union(*(unseen[element] for element in soft))) if len(parts) <= MAX_PARTS else ()
    ):
        for part in undone({part: None for part in parts if way not in unseen.get(part, ())}, way, sheets):
            heirs.setdefault(part, set()).add(way)
    return heirs


def _parted(
    element: Element,
    unseen: Mapping[Element, frozenset[str]],
    heirs: Mapping[Element, set[str]],
    walked: set[Element],
) -> tuple[list[Text], bool]:
    """The text that stays hidden, and whether any part shows."""
    from turbohtml import Element, Text

    hidden: list[Text] = []
    shows = False
    left: list[tuple[Element, frozenset[str]]] = [(element, unseen[element])]
    while left:
        parent, missing = left.pop()
        walked.add(parent)
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
    return " ".join(said.split())
