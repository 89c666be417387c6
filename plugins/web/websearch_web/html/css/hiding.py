"""Which plain declarations keep an element's text from being seen, and in what way."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from itertools import chain
from math import cos, radians

from .colours import has_picture, is_clear
from .declarations import declarations, resolved
from .values import length, number

FAINT = 0.05
"""Of opacity, and of scales; no eye sees so little, or less."""
TINY, BLURRED = 2.0, 10.0
"""Pixels."""
WHOLE = frozenset({"whole"})
"""All that stands in the element is hidden, too; any other way is one that its parts may undo."""
FADED = frozenset({"faded"})
"""All that stands in it, by opacity alone: the way of parts that a script brings into view."""
GROUND = frozenset({"ground"})
INHERITED = frozenset({"visibility", "font-size", "color", "ground"})
_NOTHING: frozenset[str] = frozenset()
_COLOUR = re.compile(r"color(?<![a-km-z]-color)\s*:\s*([^\s;!]+)")
_CLIPPED = re.compile(
    r"rect\((?:\s{0,4}[01](?:px)?[\s,]{0,4}){4}\)|inset\((?:50|100)%|circle\(0|polygon\(0(?:px)? 0(?:px)?\)"
)
_FUNCTION = re.compile(r"([a-z][a-z0-9-]*)\(((?:[^()]|\([^()]*\))*)\)")
_PLACES = frozenset(
    {"text-indent", "translate", "margin", "margin-left", "margin-top", "margin-inline", "margin-block"}
    | {"margin-inline-start", "margin-block-start"}
)
_ACROSS = frozenset({"left", "right", "inset", "inset-inline", "inset-inline-start", "inset-inline-end"})
_SIDES = _ACROSS | {"top", "bottom", "inset-block", "inset-block-start", "inset-block-end"}
_POSITIONS = frozenset({"absolute", "fixed", "relative", "sticky"})
_OVERFLOW = frozenset({"overflow", "overflow-x", "overflow-y", "overflow-inline", "overflow-block"})
_SIZES = frozenset(
    f"{most}{size}" for most in ("", "max-") for size in ("width", "height", "block-size", "inline-size")
)
_GIVES_SIZE = ("height", "block-size", "intrinsic", "flex", "grid", "inset", "position", "aspect", "padding")


def at_their_end(text: str, ends: Mapping[str, str]) -> str:
    """Plain declarations, with what an animation of one of these names leaves behind in its place."""
    if not ends or "animation" not in text:
        return text
    kept: list[str] = []
    given: list[str] = []
    for declaration in text.split(";"):
        animates = declaration.lstrip().startswith(("animation", "-webkit-animation"))
        (given if animates else kept).append(declaration)
    words = dict.fromkeys(word for each in given for word in each.partition(":")[2].replace(",", " ").split())
    left = [ends[word] for word in words if word in ends]
    return ";".join([*kept, *left]) if left and not _STAYS.isdisjoint(words) else text


def hiding_among(texts: Collection[str], variables: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Those of plain declarations that hide, and in what ways."""
    every = set(chain.from_iterable(text.split(";") for text in texts))
    told = [each for each in every if each.partition(":")[0].strip() in _HIDING]
    hides = {each for each in told if _may_hide(resolved(each, variables) if "var(" in each else each)}
    found: dict[str, frozenset[str]] = {}
    for text in texts:
        if hides.isdisjoint(text.split(";")) and not _is_of_one_colour(text):
            continue  # most do not, and need no further reading
        if ways := ways_of(declarations(resolved(text, variables))):
            found[text] = ways
    return found


def _is_of_one_colour(text: str) -> bool:
    return "color" in text and "background" in text and any(text.count(own) > 1 for own in _COLOUR.findall(text))


@lru_cache(4096)
def _may_hide(declaration: str) -> bool:
    """Pages say the same things again and again."""
    name, _, value = declaration.partition(":")
    name, value = name.strip(), value.partition("!")[0].strip()
    if name in _SIDES:
        return _is_far(value, aside=True)
    if name in _OVERFLOW:
        return value != "visible"
    check = _CHECKS.get(name)
    return name == "contain" or (check(name, value, {}) if check else bool(ways_of({name: value})))


def ways_of(rules: Mapping[str, str]) -> frozenset[str]:
    """How these hide text; empty where they do not. See `WHOLE`."""
    if (whole := _whole(rules)) is not None:
        return whole
    ways: set[str] = set()
    if rules.get("visibility") in {"hidden", "collapse"}:
        ways.add("visibility")
    if is_tiny(rules.get("font-size", "")) or any(map(is_tiny, rules.get("font", "").split("/")[0].split())):
        ways.add("font-size")
    # a ground that shows through the letters
    if "text" not in (rules.get("background-clip"), rules.get("-webkit-background-clip")):
        colour = rules.get("-webkit-text-fill-color") or rules.get("color", "")
        ground = rules.get("background-color") or rules.get("background", "")
        if is_clear(colour):
            ways.add("color")
        elif colour and colour == ground and not has_picture(rules):
            ways.add("ground")
    return frozenset(ways) if ways else _NOTHING


def is_faint(value: str) -> bool:
    """Whether so much opacity, or so small a scale, leaves nothing to see."""
    amount = number(value)
    return amount is not None and amount <= FAINT


def is_tiny(value: str) -> bool:
    """Whether letters of this size cannot be read."""
    return _within(length(value), TINY) if value else False


def opens_over(rules: Mapping[str, str]) -> bool:
    """Whether it stands over the page, which it is then no part of."""
    return rules.get("position") in {"absolute", "fixed"} or rules.get("pointer-events") == "none"


def _whole(rules: Mapping[str, str]) -> frozenset[str] | None:
    faded = False
    for name, value in rules.items():
        if (check := _CHECKS.get(name)) is not None and check(name, value, rules):
            if name != "opacity" or opens_over(rules):
                return WHOLE
            faded = True
    return FADED if faded else None


_STAYS = frozenset({"forwards", "both"})
_LASTS = re.compile(r"(?=.*[1-9])[0-9.]+m?s")
"""A time above none: without one, and without a name, an animation shows nothing."""


def _fades_in(rules: Mapping[str, str]) -> bool:
    """Whether a part of the page comes into view: it is shifted, and moves to its place, or is animated for good."""
    if opens_over(rules):
        return False
    words = " ".join(given for name, given in rules.items() if name.startswith("animation")).replace(",", " ").split()
    animated = not _STAYS.isdisjoint(words) and "none" not in words and any(map(_LASTS.fullmatch, words))
    moved = "translate" in rules or ("translate" in rules.get("transform", ""))
    return (moved and "transition" in rules) or animated


def _is_opacity(name: str, value: str, rules: Mapping[str, str]) -> bool:
    return is_faint(value) and not (name == "opacity" and _fades_in(rules))


def _is_scaled(_name: str, value: str, _rules: Mapping[str, str]) -> bool:
    return any(map(_is_no_scale, value.split()[:2]))


def _is_filtered(_name: str, value: str, _rules: Mapping[str, str]) -> bool:
    for name, given in _FUNCTION.findall(value) if "(" in value else ():
        if name == "opacity" and is_faint(given.strip()):
            return True
        if name == "blur" and (length(given.strip()) or 0) >= BLURRED:
            return True
    return False


def _is_clipped(_name: str, value: str, _rules: Mapping[str, str]) -> bool:
    return _CLIPPED.search(value) is not None


def _is_shifted(name: str, value: str, rules: Mapping[str, str]) -> bool:
    """By a margin that no padding takes back, an indent or a translation."""
    margin = name.startswith("margin")
    return _is_far(value, aside=not margin) and not (
        margin and any((length(rules[side].split(" ")[-1]) or 0) >= 900 for side in rules if side.startswith("padding"))
    )


def _is_placed(name: str, value: str, rules: Mapping[str, str]) -> bool:
    position = rules.get("position")
    return position in _POSITIONS and _is_far(value, aside=name in _ACROSS or position == "fixed")


def _is_squeezed(_name: str, value: str, _rules: Mapping[str, str]) -> bool:
    """Letters drawn on top of each other."""
    return "-" in value and (length(value) or 0) * (2 if "em" in value else 1) <= -16


def _is_far(value: str, least: float = 900, *, aside: bool) -> bool:
    """Beyond an edge from which nothing scrolls there, or so far aside that nobody would."""
    for part in (value,) if "(" in value else value.split():
        away = length(part, percent=100)
        if away is not None and (away <= -least or (aside and away >= 5000)):
            return True
    return False


def _is_turned(_name: str, value: str, _rules: Mapping[str, str]) -> bool:
    """Made nothing by a transform, turned on edge, or moved away."""
    for name, given in _FUNCTION.findall(value) if "(" in value else ():
        parts = [part.strip() for part in given.split(",")]
        if name.startswith("translate"):
            if any(_is_far(part, 1000, aside=name != "translatey" and n == 0) for n, part in enumerate(parts[:2])):
                return True
        elif name.startswith("scale"):
            if any(map(_is_no_scale, parts[:2])):
                return True
        elif name.startswith("matrix"):
            cells = [number(part) for part in parts]
            if None in cells or len(cells) not in {6, 16}:
                continue
            a, b, c, d, x, y = (
                cells[n] or 0.0 for n in ((0, 1, 2, 3, 4, 5) if len(cells) == 6 else (0, 1, 4, 5, 12, 13))
            )
            if abs(a * d - b * c) < 0.001 or min(x, y) <= -1000 or x >= 5000:
                return True
        elif _is_on_edge(name, parts):
            return True
    return False


def _is_no_scale(value: str) -> bool:
    amount = number(value)
    return amount is not None and abs(amount) <= FAINT


def _is_on_edge(name: str, parts: list[str]) -> bool:
    if name not in {"rotatex", "rotatey"} and not (name == "rotate3d" and len(parts) == 4 and number(parts[2]) == 0):
        return False
    found = re.fullmatch(r"([+-]?[\d.]{1,9})(deg|turn|grad|rad)", parts[-1])
    amount = number(found[1]) if found else None
    if found is None or amount is None:
        return False
    degrees = amount * {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 57.29578}[found[2]]
    return abs(cos(radians(degrees))) < 0.02


def _is_cut(_name: str, _value: str, rules: Mapping[str, str]) -> bool:
    """Text beyond the edge of a box that has no room."""
    overflow = {part for name in _OVERFLOW.intersection(rules) for part in rules[name].split(" ")}
    if "hidden" in overflow or "clip" in overflow:
        if any(_within(length(rules[size]), TINY) for size in _SIZES.intersection(rules)):
            return True
        if is_faint(rules.get("line-height", "")):
            return True
        indent = rules.get("text-indent", "")
        if indent.endswith("%") and rules.get("white-space") == "nowrap" and (number(indent) or 0) >= 1:
            return True
    return ("auto" in overflow or "scroll" in overflow) and _is_nothing(rules, "width") and _is_nothing(rules, "height")


def _is_contained(_name: str, value: str, rules: Mapping[str, str]) -> bool:
    """What does not ask its text for its size has none, unless something gives it one."""
    ways = value.split(" ")
    cut = "strict" in ways or ("size" in ways and ("overflow" in rules or "paint" in ways))
    return cut and not any(part in name for name in rules for part in _GIVES_SIZE)


def _is_nothing(rules: Mapping[str, str], side: str) -> bool:
    return any(_within(length(rules[name]), TINY) for name in (side, f"max-{side}") if name in rules)


def _within(amount: float | None, most: float) -> bool:
    return amount is not None and 0 <= amount < most


_Check = Callable[[str, str, Mapping[str, str]], bool]
_CHECKS: dict[str, _Check] = {
    "display": lambda _name, value, _rules: value in {"none", "table-column", "table-column-group"},
    "content-visibility": lambda _name, value, _rules: value == "hidden",
    "mso-hide": lambda _name, value, _rules: value == "all",
    "opacity": _is_opacity,
    "zoom": _is_opacity,
    "scale": _is_scaled,
    "filter": _is_filtered,
    "clip": _is_clipped,
    "clip-path": _is_clipped,
    "transform": _is_turned,
    "letter-spacing": _is_squeezed,
    "contain": _is_contained,
    **dict.fromkeys(_PLACES, _is_shifted),
    **dict.fromkeys(_SIDES, _is_placed),
    **dict.fromkeys(_OVERFLOW, _is_cut),
}
"""By property: its name, its value, and all that is declared beside it."""
_HIDING = frozenset({*_CHECKS, "visibility", "font-size", "font", "color", "-webkit-text-fill-color"})
