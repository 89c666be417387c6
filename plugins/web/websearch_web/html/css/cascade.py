"""Which of several rules counts: `display`, `visibility` and the like of an element, by the cascade (CSS Cascade 5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .colours import NO_GROUND, has_picture, is_clear, is_colour
from .declarations import declarations, pairs_of
from .hiding import FADED, FAINT, INHERITED, is_faint, is_tiny, opens_over, ways_of
from .selectors import Specificity, may_match, names_of, specificity
from .stylesheet import WEIGHED, Rule
from .values import length, number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from turbohtml import Document, Element, Node

    from .stylesheet import StyleSheets

_SHOWS = {
    "display": re.compile(
        r"(?:inline-)?(?:block|flex|grid|table)|inline|table-(?:caption|cell|row|(?:row|header|footer)-group)|"
        r"list-item|flow-root|contents|initial|unset|revert|-webkit-(?:inline-)?(?:box|flex)"
    ),
    "visibility": re.compile("visible|initial"),
    "opacity": re.compile(r"initial|unset|revert"),
    "font-size": re.compile(r"(?:xx?-)?small|x{0,3}-?large|medium|initial"),
    "color": re.compile("initial"),
}
"""Words that browsers know: others undo nothing."""
_HIDES = {
    "display": frozenset({"none", "table-column", "table-column-group"}),
    "visibility": frozenset({"hidden", "collapse"}),
}
_RELATIVE = re.compile(r"em\b|%|\b(?:ex|ch|cap|ic|lh)\b")
_COLOURED = ("color", "background")
_COLOURED_CHARS = 30_000
"""Of style sheets in which colours are looked at: larger ones are a program's, and colour thousands of elements."""
_INHERITS = frozenset({"inherit", "unset", "revert", "revert-layer"})
_TRANSLUCENT = 0.7
"""Opacity of which a few layers leave nothing."""
_INLINE: Specificity = (0, 0, 0)

Weight = tuple[bool, bool, tuple[float, ...], Specificity, int, int]
Said = tuple[str, Weight, bool]
"""A property, how much what is said of it weighs, and whether that hides."""


def hidden_by_rules(document: Document, sheets: StyleSheets) -> dict[Element, frozenset[str]]:
    """Elements that a rule keeps unseen on an ordinary screen, and in what ways (`hiding.ways_of`).

    Selectors that depend on a state are not read, nor are linked style sheets.
    """
    found: dict[Element, list[tuple[str, Rule]]] = {}
    for rule in sheets.hiding():
        for selector in rule.selectors:
            for element in sheets.select(selector):
                found.setdefault(element, []).append((selector, rule))
    if found and document.select_one("math") is not None:
        found = {element: matched for element, matched in found.items() if not _is_formula(element)}
    return {element: ways for element, ways in _ways_left(found, sheets).items() if ways}


def hidden_against_rules(styled: Mapping[Element, str], sheets: StyleSheets) -> dict[Element, frozenset[str]]:
    """In what ways elements that their own style hides stay hidden where important rules may show them."""
    if not styled or next(sheets.rules({"!"}, _showing(WEIGHED)), None) is None:
        return {}
    return _ways_left({element: [("", Rule((), style))] for element, style in styled.items()}, sheets, "!")


def coloured_by_rules(sheets: StyleSheets) -> Iterator[tuple[list[Element], dict[str, str]]]:
    """Elements, rule by rule, with the declarations of rules that give them a colour or a ground."""
    for rule in sheets.rules(_COLOURED) if sheets.chars <= _COLOURED_CHARS else ():
        for selector in rule.selectors:
            if elements := sheets.select(selector):
                yield elements, declarations(rule.text)


def undone(elements: dict[Element, None], way: str, sheets: StyleSheets) -> Iterator[Element]:
    """Of elements within hidden ones, those for which a rule or their own style undoes what they would inherit."""
    won: dict[Element, dict[str, tuple[Weight, bool]]] = {element: {} for element in elements}
    for element in elements:
        if style := element.attr("style"):
            _weigh(won[element], _handed_down(Rule((), style.lower()), way, _INLINE, inline=True))
    names = names_of(elements)
    speaking = sheets.rules(_COLOURED) if way == "ground" else sheets.rules({way}, _speaking_of(way))
    for rule in speaking if elements else ():
        near = [selector for selector in rule.selectors if may_match(selector, names)]
        sure = bool(near) and rule.is_sure(next(iter(elements)))
        for selector in dict.fromkeys(near):
            if said := _handed_down(rule, way, specificity(selector), shows=sure):
                for element in sheets.among(elements, selector):
                    _weigh(won[element], said)
    return (element for element, said in won.items() if way in said and not said[way][1])


def layered(styles: Mapping[Element, str], sheets: StyleSheets) -> dict[Element, frozenset[str]]:
    """Elements that only together with those around them leave too little to see, each by an opacity of its own."""
    rules = [(rule, *_opacity_of(rule.text)) for rule in sheets.with_opacity()]
    given = {element: _opacity_of(text) for element, text in styles.items() if "opacity" in text}
    found = {element for element, (amount, _) in given.items() if amount <= _TRANSLUCENT}
    for rule, amount, _ in rules:
        if amount <= _TRANSLUCENT:
            for selector in rule.selectors:
                found.update(sheets.select(selector))
    if not any(above in found for element in found for above in element.ancestors):
        return {}
    won: dict[Node, tuple[Weight, float]] = {}
    for rule, amount, important in rules:
        for selector in rule.selectors:
            weight = (important, False, rule.layer, specificity(selector), rule.order, 0)
            for element in sheets.among(found, selector):
                won[element] = max(won.get(element, (weight, amount)), (weight, amount))
    for element, (amount, important) in given.items():
        weight = (important, True, (), _INLINE, 0, 0)
        won[element] = max(won.get(element, (weight, amount)), (weight, amount))
    left: dict[Node, float] = {}
    return {element: FADED for element in found if _left(element, won, left) <= FAINT}


def _left(element: Element, won: Mapping[Node, tuple[Weight, float]], left: dict[Node, float]) -> float:
    """What all around it and its own opacity leave to see; `left` remembers."""
    amount = 1.0
    layers: list[Node] = []
    for each in (element, *element.ancestors):
        if each in left:
            amount = left[each]
            break
        if each in won:
            layers.append(each)
    for each in reversed(layers):
        amount = left[each] = amount * won[each][1]
    return amount


def _opacity_of(text: str) -> tuple[float, bool]:
    """How much opacity declarations give, and whether that is important."""
    counts, important = 1.0, False
    for name, value, marked in pairs_of(text):
        if name == "opacity" and marked >= important and (amount := number(value)) is not None:
            counts, important = amount, marked
    return counts, important


def _is_formula(element: Element) -> bool:
    """MathML for screen readers, hidden beside the formula's picture."""
    formula = element if element.tag == "math" else element.select_one("math")
    return formula is not None and formula.text.strip() == element.text.strip()


def _ways_left(
    found: Mapping[Element, Sequence[tuple[str, Rule]]], sheets: StyleSheets, only: str = ""
) -> dict[Element, frozenset[str]]:
    """How elements that rules hide, found by these selectors, are hidden; empty where what is stronger shows them.

    A rule that may not hold in every browser shows nothing: what is in doubt stays hidden.
    """
    said: dict[tuple[str, Rule], list[Said]] = {}
    lasting: dict[str, frozenset[str]] = {}
    winners: dict[Element, dict[str, tuple[Weight, bool]]] = {}
    for element, matched in found.items():
        won = winners[element] = {}
        for pair in matched:
            if pair not in said:
                selector, rule = pair
                said[pair] = _said(rule, specificity(selector), shows=rule.is_sure(element))
                lasting[rule.text] = _lasting(rule.text)
            _weigh(won, said[pair])
        if style := element.attr("style"):
            _weigh(won, _said(Rule((), style.lower()), _INLINE, inline=True))
    ways = {way for won in winners.values() for way, (_, hidden) in won.items() if hidden}
    names = names_of(winners) if ways else set[str]()
    for rule in sheets.rules({only} if only else ways, _showing(ways)) if ways else ():
        for selector in dict.fromkeys(each for each in rule.selectors if may_match(each, names)):
            if (elements := sheets.among(winners, selector)) and rule.is_sure(elements[0]):
                weighed = _said(rule, specificity(selector))
                for element in elements:
                    _weigh(winners[element], weighed)
    return {
        element: frozenset(
            _way(way, (rule for _, rule in found[element])) for way, (_, hidden) in won.items() if hidden
        ).union(*(lasting[rule.text] for _, rule in found[element]))
        for element, won in winners.items()
    }


def _way(name: str, rules: Iterable[Rule]) -> str:
    """The way of hiding by this property; see `hiding.WHOLE` and `hiding.FADED`."""
    if name == "opacity" and not any(opens_over(declarations(rule.text)) for rule in rules):
        return "faded"
    return name if name in INHERITED else "whole"


def _lasting(text: str) -> frozenset[str]:
    """In what ways declarations hide that nothing undoes."""
    return ways_of({name: value for name, value, _ in pairs_of(text) if _hides(name, value) is not True})


def _said(rule: Rule, specific: Specificity, *, inline: bool = False, shows: bool = True) -> list[Said]:
    """What a rule says of the properties that are weighed."""
    said: list[Said] = []
    for nth, (name, value, important) in enumerate(pairs_of(rule.text)):
        if (hides := _hides(name, value)) is None or not (hides or (shows and name not in rule.doubted)):
            continue
        layer = tuple(-place for place in rule.layer) if important else rule.layer
        said.append((name, (important, inline, layer, specific, rule.order, nth), hides))
    return said


def _weigh(won: dict[str, tuple[Weight, bool]], said: Iterable[Said]) -> None:
    """Let each declaration of a rule take the place of a weaker one."""
    for name, weight, hides in said:
        if name not in won or weight > won[name][0]:
            won[name] = weight, hides


def _hides(name: str, value: str) -> bool | None:
    """Whether a declaration hides or shows; None where it does neither, or is none that every browser knows."""
    if name not in WEIGHED:
        return None
    if _SHOWS[name].fullmatch(value):
        return False
    if name in _HIDES:
        return True if value in _HIDES[name] else None
    if name == "color":
        return True if is_clear(value) else False if is_colour(value) else None
    if name == "font-size":
        return True if is_tiny(value) else False if (length(value) or -1) > 0 else None
    return is_faint(value) if number(value) is not None else None


def _showing(ways: Collection[str]) -> Callable[[str], bool]:
    """Whether declarations show what others hide in one of these ways."""
    return lambda text: any(way in text and _shows(text, way) for way in ways)


def _shows(text: str, way: str) -> bool:
    return any(
        name == way and _hides(name, value) is False
        for declaration in text.split(";")
        if way in declaration
        for name, value, _ in pairs_of(declaration)
    )


def _speaking_of(way: str) -> Callable[[str], bool]:
    """Whether declarations show what is hidden in this way, or hand it down."""
    shows = _showing({way})
    return lambda text: "inherit" in text or shows(text)


def _handed_down(
    rule: Rule, way: str, specific: Specificity, *, inline: bool = False, shows: bool = True
) -> list[Said]:
    """What a rule says of a property that elements inherit: a size relative to nothing is nothing, too."""
    if way == "ground":
        found = declarations(rule.text)
        ground = found.get("background-color") or found.get("background", "")
        own = is_colour(found.get("color", "")) or has_picture(found) or ground.split(" ")[0] not in NO_GROUND
        sure = shows and own and rule.doubted.isdisjoint({"color", "background", "background-color"})
        return [(way, (False, inline, rule.layer, specific, rule.order, 0), False)] if sure else []
    said: list[Said] = []
    for nth, (name, value, important) in enumerate(pairs_of(rule.text)):
        if name != way:
            continue
        inherits = value in _INHERITS or (way == "font-size" and _RELATIVE.search(value) is not None)
        hides = True if inherits else _hides(name, value)
        if hides or (hides is False and shows and name not in rule.doubted):
            layer = tuple(-place for place in rule.layer) if important else rule.layer
            said.append((name, (important, inline, layer, specific, rule.order, nth), hides))
    return said
