"""What a book's style sheets and `style` attributes keep from being seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turbohtml import Document, Element, Text

from ..kit.colours import WHITE, Colour
from ..kit.lengths import TINY_MOST, USUAL, points
from .css_colours import UNKNOWN, Paint
from .css_declarations import AS_AROUND, NOTHING, StyleEffect, plain, said
from .css_rules import Rule, rules

MAX_CHARS = 300_000
"""Of one style sheet."""
_ASKED_MOST = 40_000_000
"""Of elements and their classes, each once for every rule whose names the document has."""
_DECLARED_MOST = 500_000
"""Of elements, each once for every rule that is about it."""
_ROOTS = frozenset({"html", "body"})


class TooManyRules(Exception):  # noqa: N818 - a limit, not an error of the program
    """More than can be followed in time, so that nobody knows what is shown."""


class _Look(NamedTuple):
    """How text looks with all that is around it."""

    ink: Paint = UNKNOWN
    ground: Colour | None = WHITE
    size: float = USUAL
    away: bool = False
    dim: bool = False
    """Whether it is not seen."""

    def within(self, one: StyleEffect) -> _Look:
        """Of what stands in it, and of which this is said."""
        ink = self.ink if one.ink in (None, AS_AROUND) else one.ink or UNKNOWN
        ground = one.ground.on(self.ground) if one.ground else self.ground
        size = points(one.size, letters=self.size, whole=self.size) if one.size else self.size
        size = self.size if size is None else size
        away = self.away or one.away or (one.flat and one.clipped)
        return _Look(ink, ground, size, away, away or size <= TINY_MOST or ink.is_lost(ground))


def unseen(document: Document, sheets: Sequence[str]) -> list[Element | Text]:
    """What is hidden, out of sight, tiny, or in the colour of its ground; of what holds text that is seen, the rest.

    `sheets`: texts of style sheets; rules with plain selectors count. Raises `TooManyRules`.
    """
    declared = _declared(document, sheets)
    if not declared:
        return []
    looks: dict[object, _Look] = {}
    dim: list[Element] = []
    holders: set[object] = set()
    for element in document.select("*"):
        around = looks.get(element.parent, _Look())
        one = declared.get(element)
        look = looks[element] = around.within(one) if one else around
        if look.dim:
            dim.append(element)
        elif around.dim:
            node = element.parent
            while isinstance(node, Element) and node not in holders and looks[node].dim:
                holders.add(node)
                node = node.parent
    gone: set[object] = set()
    found: list[Element | Text] = []
    for element in dim:
        if element.parent in gone or element.tag == "head":
            gone.add(element)
        elif element in holders or element.tag in _ROOTS:
            found += [node for node in element.children if isinstance(node, Text) and node.text.strip()]
        else:
            gone.add(element)
            found.append(element)
    return found


def _declared(document: Document, sheets: Sequence[str]) -> dict[Element, StyleEffect]:
    """All that is said of an element: of the sheets, then of its attribute; what is important comes last."""
    chosen = _chosen(document, sheets)
    inline = [(element, said(plain(element.attr("style") or ""))) for element in document.select("[style]")]
    declared: dict[Element, StyleEffect] = {}
    left = _DECLARED_MOST
    for important in (False, True):
        for rule in chosen:
            if rule.weight[0] == important:
                elements = document.select(rule.selector)
                left -= len(elements)
                if left < 0:
                    raise TooManyRules
                for element in elements:
                    declared[element] = declared.get(element, NOTHING).then(rule.said)
        for element, blocks in inline:
            if blocks[important] != NOTHING:
                declared[element] = declared.get(element, NOTHING).then(blocks[important])
    return declared


def _chosen(document: Document, sheets: Sequence[str]) -> list[Rule]:
    """The rules whose names the document has, the weaker first."""
    if any(len(sheet) > MAX_CHARS for sheet in sheets):
        raise TooManyRules
    named = [_named(element) for element in document.select("[class], [id]")]
    names = {name for some in named for name in some}
    last = reversed(dict.fromkeys(reversed([rule for sheet in sheets for rule in rules(sheet)])))
    chosen = sorted((rule for rule in last if names.issuperset(rule.names)), key=lambda rule: rule.weight)
    if chosen and len(chosen) * (len(document.select("*")) + sum(map(len, named))) > _ASKED_MOST:
        raise TooManyRules
    return chosen


def _named(element: Element) -> list[str]:
    return [*(element.attr("class") or "").split(), element.attr("id") or ""]
