"""Which of several rules counts: `display`, `visibility` and `opacity` of an element by the cascade (CSS Cascade 5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .certain import is_certain
from .colours import NO_GROUND, has_picture, is_clear, is_colour
from .css import declarations
from .hiding import INHERITED, is_faint, is_tiny, ways_of
from .values import length, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from turbohtml import Element

    SelectorsOf = Callable[[Sequence[str]], list[str]]

MAX_MATCHES = 100_000
"""Of elements with selectors of rules that show; what comes later is not weighed."""
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
_STEP = re.compile(r"[\s>+~]+")
_ESCAPED = re.compile(r"\\.")
_ODD = re.compile(r"[^\w-]")
_PLAIN = re.compile(r"\[[^\]]*\]")
_NAME = re.compile(r"[.#][\w-]+")
_PART = re.compile(
    r"(?P<id>#[\w-]+)|(?P<attribute>\.[\w-]+|\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*+\]?)|(?P<type>::[\w-]+|[\w-]+)|"
    r":(?P<function>[\w-]+)\(|(?P<state>:[\w-]+)"
)
_BRACKET = re.compile(r"[(),]")
_LISTS = frozenset({"is", "not", "has", "matches", "where"})
MAX_DEPTH = 8

Specificity = tuple[int, int, int]
Weight = tuple[bool, bool, tuple[float, ...], Specificity, int, int]
ALL = frozenset({*_SHOWS, "background", "background-color"})


class Rule(NamedTuple):
    """Plain declarations in lower case, with the rules and at-rules around them, the outermost first."""

    around: tuple[str, ...]
    text: str
    order: int
    layer: tuple[float, ...] = ()
    """Its place among the cascade's layers; empty where the page has none."""
    doubted: frozenset[str] = frozenset()
    """Properties by which it shows nothing: what a variable says, since another element's may be meant, or `ALL`."""


def layer_of(around: Iterable[str], known: dict[str, int]) -> tuple[float, ...]:
    """Where a rule's layer stands: later layers count more, and what is in none counts most. `known` grows."""
    path, places = "", list[float]()
    for prelude in around:
        if prelude[:6].lower() == "@layer":
            for name in prelude[6:].strip().split("."):
                path = f"{path}.{name}"
                places.append(known.setdefault(path, len(known)))
    return (*places, float("inf"))


def ways_left(
    found: Mapping[Element, Sequence[tuple[str, Rule]]], rules: Iterable[Rule], selectors_of: SelectorsOf
) -> dict[Element, frozenset[str]]:
    """How elements that rules hide, found by these selectors, are hidden; empty where what is stronger shows them.

    A rule that may not hold in every browser shows nothing: what is in doubt stays hidden.
    """
    lasting = {
        text: ways_of({n: v for n, v, _ in _declared(text) if _hides(n, v) is not True})
        for text in {rule.text for matched in found.values() for _, rule in matched}
    }
    sure: dict[tuple[str, ...], bool] = {}

    def is_sure(around: tuple[str, ...], probe: Element) -> bool:
        if (known := sure.get(around)) is None:
            known = sure[around] = is_certain(around) and _is_valid(selectors_of(around), probe)
        return known

    winners: dict[Element, dict[str, tuple[Weight, bool]]] = {}
    for element, matched in found.items():
        won = winners[element] = {}
        for selector, rule in matched:
            _weigh(won, rule, specificity(selector), shows=is_sure(rule.around, element))
        if style := element.attr("style"):
            _weigh(won, Rule((), style.lower(), 0), (0, 0, 0), inline=True)
    names = names_of(winners)
    ways = {way for won in winners.values() for way, (_, hidden) in won.items() if hidden}
    left = MAX_MATCHES
    for rule in rules:
        if left <= 0 or not any([way in rule.text for way in ways]):  # noqa: C419 - a list of one is made faster
            continue
        selectors = selectors_of(rule.around)
        near, left = _affordable(selectors, names, len(winners), left)
        if near and may_undo(rule) and is_certain(rule.around) and _is_valid(selectors, next(iter(winners))):
            for selector in near:
                special = specificity(selector)
                for element, won in winners.items():
                    if element.matches(selector):
                        _weigh(won, rule, special)
    return {
        element: frozenset(way if way in INHERITED else "whole" for way, (_, hidden) in won.items() if hidden).union(
            *(lasting[rule.text] for _, rule in found[element])
        )
        for element, won in winners.items()
    }


def undone(
    elements: Sequence[Element], way: str, rules: Iterable[Rule], selectors_of: SelectorsOf
) -> Iterator[Element]:
    """Of elements within hidden ones, those for which a rule or their own style undoes what they would inherit."""
    names = names_of(elements)
    for element in elements:
        if (style := element.attr("style")) and _undoes(Rule((), style.lower(), 0), way):
            yield element
    left = MAX_MATCHES
    for rule in rules:
        if left > 0 and _undoes(rule, way) and is_certain(rule.around) and elements:
            selectors = selectors_of(rule.around)
            near, left = _affordable(selectors, names, len(elements), left)
            if near and _is_valid(selectors, elements[0]):
                yield from (element for element in elements if any(map(element.matches, near)))


def _affordable(selectors: Iterable[str], names: set[str], elements: int, left: int) -> tuple[list[str], int]:
    """Selectors to try on so many elements, each once, and how many matches are left after them."""
    near = [selector for selector in dict.fromkeys(selectors) if may_match(selector, names)]
    return near[: left // elements], left - len(near) * elements


def _declared(text: str) -> list[tuple[str, str, bool]]:
    """Names, values, and whether they are important, without what no browser reads."""
    found: list[tuple[str, str, bool]] = []
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        value, marked, important = value.partition("!")
        if not marked or important.strip() == "important":
            found.append((name.strip(), value.strip(), bool(marked)))
    return found


def _weigh(
    won: dict[str, tuple[Weight, bool]], rule: Rule, specific: Specificity, *, inline: bool = False, shows: bool = True
) -> None:
    """Let each declaration of a rule take the place of a weaker one."""
    for nth, (name, value, important) in enumerate(_declared(rule.text)):
        if (hides := _hides(name, value)) is None or not (hides or (shows and name not in rule.doubted)):
            continue
        layer = tuple(-place for place in rule.layer) if important else rule.layer
        weight = (important, inline, layer, specific, rule.order, nth)
        if name not in won or weight > won[name][0]:
            won[name] = weight, hides


def _hides(name: str, value: str) -> bool | None:
    """Whether a declaration hides or shows; None where it does neither, or is none that every browser knows."""
    if (words := _SHOWS.get(name)) is None:
        return None
    if words.fullmatch(value):
        return False
    if name in _HIDES:
        return True if value in _HIDES[name] else None
    if name == "color":
        return True if is_clear(value) else False if is_colour(value) else None
    if name == "font-size":
        return True if is_tiny(value) else False if (length(value) or -1) > 0 else None
    return is_faint(value) if number(value) is not None else None


def _undoes(rule: Rule, way: str) -> bool:
    """Whether what is inherited does not count any more; a size relative to nothing is nothing."""
    text = rule.text
    if way in rule.doubted:
        return False
    if way == "ground":
        if not rule.doubted.isdisjoint({"color", "background", "background-color"}):
            return False
        if "color" not in text and "background" not in text:
            return False
        found = declarations(text)
        ground = found.get("background-color") or found.get("background", "")
        return is_colour(found.get("color", "")) or has_picture(found) or ground.split(" ")[0] not in NO_GROUND
    return way in text and any(
        _hides(name, value) is False and not (way == "font-size" and _RELATIVE.search(value))
        for name, value, _ in _declared(text)
        if name == way
    )


def may_undo(rule: Rule) -> bool:
    """Whether its declarations show what others hide."""
    return any(_hides(name, value) is False and name not in rule.doubted for name, value, _ in _declared(rule.text))


def names_of(elements: Iterable[Element]) -> set[str]:
    """Classes and ids in lower case, as they would stand in selectors; what has to be escaped there is an x."""
    classes = {element.attr("class") for element in elements}
    names = {f".{name}" for value in classes if value for name in value.split()}
    names.update(f"#{own}" for element in elements if (own := element.attr("id")))
    return {f"{name[0]}{_ODD.sub('x', name[1:])}".lower() for name in names}


def may_match(selector: str, names: set[str]) -> bool:
    """Whether the selector's last part speaks of these names only; a look at words, before the tree is asked."""
    if "(" in selector:
        return True
    last = _STEP.split((_ESCAPED.sub("x", selector) if "\\" in selector else selector).strip())[-1]
    return all(name in names for name in _NAME.findall((_PLAIN.sub("", last) if "[" in last else last).lower()))


def _is_valid(selectors: Iterable[str], probe: Element) -> bool:
    """Whether all of them are: browsers drop a rule with one that is not."""
    from turbohtml import SelectorSyntaxError

    try:
        for selector in selectors:
            probe.matches(selector)
    except SelectorSyntaxError:
        return False
    return True


def specificity(selector: str, depth: int = 0) -> Specificity:
    """How special a selector is: its ids, then its classes, attributes and states, then its types (Selectors 4)."""
    text = _ESCAPED.sub("x", selector) if not depth else selector
    ids = classes = types = at = 0
    while (part := _PART.search(text, at)) is not None:
        at = part.end()
        ids += part.lastgroup == "id"
        classes += part.lastgroup in {"attribute", "state"}
        types += part.lastgroup == "type"
        if (name := part["function"]) is None:
            continue
        inner, at = _arguments(text, at)
        name = name.lower()
        if name.startswith("nth-") or name not in _LISTS:
            classes += 1
            inner = [text for one in inner[:1] if (text := one.partition(" of ")[2])] + inner[1:]
        if name != "where" and inner and depth < MAX_DEPTH:
            most = max(specificity(one, depth + 1) for one in inner)
            ids, classes, types = ids + most[0], classes + most[1], types + most[2]
    return ids, classes, types


def _arguments(text: str, begin: int) -> tuple[list[str], int]:
    """A list within brackets, and where it ends."""
    parts: list[str] = []
    depth, begun = 1, begin
    for mark in _BRACKET.finditer(text, begin):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth == 0 or (depth == 1 and mark[0] == ","):
            parts.append(text[begun : mark.start()])
            begun = mark.end()
        if depth == 0:
            return parts, begun
    return [*parts, text[begun:]], len(text)
