"""Text in the colour of its ground, by inline styles, `bgcolor` and the page's own plain rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .values import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from turbohtml import Document, Element, Node

MAX_ELEMENTS = 2_000
"""With a colour of their own; beyond that a page is drawn by a program, not written."""
_NEAR = 24
"""Steps of 255 in every channel that no eye tells apart."""
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_RGB = re.compile(r"rgba?\( ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?(?:[,/] ?([\d.]{1,20}%?) ?)?\)")
"""With single blanks: more could be parted in many ways."""
_FUNCTION = re.compile(r"(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(([^()]*)\)")
_BETWEEN = re.compile(r" ?[,/] ?| ")
_CALC = re.compile(r"calc\(\s*+([^()\s*/]++)\s*+\)")
_CLEAR = 0.05
"""Of opacity."""
_LITTLE = re.compile(r"(?<!transparent) [0-5](?:\.\d*)?%|transparent (?:9[5-9]|100)%")
"""Of a mix with transparency: next to nothing is a colour."""
_COLOUR = re.compile(
    r"#[0-9a-f]{3,8}|(?!inherit|unset|revert|current|initial)[a-z]{3,20}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()]*\)"
)
_PICTURE = re.compile(r"(?:url|gradient|image|image-set|element|paint|cross-fade)\(")
_NAMED = {"white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240)}
NO_GROUND = frozenset({"none", "transparent", "inherit", "initial", "unset", "0", ""})
_WHITE = (255, 255, 255)

Colour = tuple[int, int, int]
Rules = dict[str, str]


def unreadable(
    document: Document, ruled: Iterable[tuple[list[Element], Rules]], inline: Iterable[tuple[list[Element], Rules]]
) -> list[Element]:
    """Elements whose text has the colour of what is behind it, as far as the page itself tells.

    Where a linked style sheet may colour an ancestor, the ground is unknown and the text counts as seen.
    """
    colours: dict[Node, Colour] = {}
    grounds: dict[Node, Colour | None] = {}
    pictured: set[Node] = set()
    for elements, rules in (*ruled, *inline):
        if (colour := colour_of(rules.get("color", ""))) is not None:
            colours.update(dict.fromkeys(elements, colour))
        ground = rules.get("background-color") or rules.get("background", "")
        if has_picture(rules):
            pictured.update(elements)
        elif ground.split(" ")[0] not in NO_GROUND:
            grounds.update(dict.fromkeys(elements, colour_of(ground)))
    for element in (*document.select("body[text]"), *document.select("font[color]")):
        if (colour := _of_attribute(element.attr("color") or element.attr("text"))) is not None:
            colours.setdefault(element, colour)
    if not colours or len(colours) > MAX_ELEMENTS:
        return []
    for element in document.select("[bgcolor]"):
        grounds.setdefault(element, _of_attribute(element.attr("bgcolor")))
    grounds.update(dict.fromkeys(pictured))
    linked = document.select_one("link[rel~=stylesheet]") is not None
    for element in [e for e in grounds if e not in colours]:
        if not linked and (heir := next((above for above in element.ancestors if above in colours), None)) is not None:
            colours[element] = colours[heir]
    return [e for e, colour in colours.items() if _same(colour, _ground(e, grounds, linked=linked))]  # pyright: ignore[reportReturnType]


def _of_attribute(value: str | None) -> Colour | None:
    """Old attributes may leave the number sign out."""
    word = (value or "").strip().lower()
    return colour_of(f"#{word}" if re.fullmatch("[0-9a-f]{6}", word) else word)


def _ground(element: Node, grounds: dict[Node, Colour | None], *, linked: bool) -> Colour | None:
    for node in (element, *element.ancestors):
        if node in grounds:
            return grounds[node]
        attrs = getattr(node, "attrs", {})
        if linked and ("class" in attrs or "id" in attrs):
            return None
    return None if linked else _WHITE


def _same(colour: Colour, ground: Colour | None) -> bool:
    return ground is not None and all(abs(a - b) <= _NEAR for a, b in zip(colour, ground, strict=True))


def is_colour(value: str) -> bool:
    """Whether a lower-case CSS colour, as a browser would read it, is seen on some ground."""
    return _COLOUR.fullmatch(value) is not None and not is_clear(value)


def has_picture(rules: Mapping[str, str]) -> bool:
    """Whether declarations draw a picture behind the text."""
    return any(_PICTURE.search(rules[name]) for name in ("background", "background-image") if name in rules)


def is_clear(value: str) -> bool:
    """Whether a lower-case CSS colour lets everything shine through."""
    if value == "transparent":
        return True
    if value.startswith("#"):
        alpha = value[4:] * 2 if len(value) == 5 else value[7:] if len(value) == 9 else ""
        return alpha.isalnum() and int(alpha, 16) <= 255 * _CLEAR if _HEX.fullmatch(value) else False
    if value.startswith("color-mix"):
        return "transparent" in value and _LITTLE.search(" ".join(value.split())) is not None
    if (found := _FUNCTION.fullmatch(_CALC.sub(r"\1", value))) is None:
        return False
    channels = _BETWEEN.split(" ".join(found[1].split()))
    alpha = number(channels[-1])
    return len(channels) == 4 and alpha is not None and alpha <= _CLEAR


def colour_of(value: str) -> Colour | None:
    """Of a lower-case CSS value; None for what is no plain colour, or lets the ground shine through."""
    word = value.split(" ", 1)[0] if "(" not in value else " ".join(value.split())
    if word in _NAMED:
        return _NAMED[word]
    if match := _HEX.match(word):
        digits = match[1]
        if len(digits) in {3, 4}:
            digits = "".join(digit * 2 for digit in digits)
        return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)) if len(digits) in {6, 8} else None
    if (match := _RGB.match(word)) and match[4] in {None, "1", "1.0", "100%"}:
        return (int(match[1]), int(match[2]), int(match[3]))
    return None
