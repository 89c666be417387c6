"""Colours of documents: those of a theme, lighter and darker ones, and which two no eye tells apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
_NEAR = 16
"""Steps of 255 in every channel."""
_HEX = re.compile(r"#?(?:[0-9a-f]{2})?([0-9a-f]{6})", re.IGNORECASE)
_NAMES = {"white": WHITE, "black": BLACK, "yellow": (255, 255, 0), "red": (255, 0, 0), "blue": (0, 0, 255)}
_WORDS = {"bg1": "lt1", "bg2": "lt2", "tx1": "dk1", "tx2": "dk2"} | {
    f"{word}{number}": f"{short}{number}"
    for word, short in (("background", "lt"), ("light", "lt"), ("text", "dk"), ("dark", "dk"))
    for number in "12"
}


def alike(one: Colour | None, other: Colour | None) -> bool:
    """Whether text of one colour is not seen on the other; what is not known is seen."""
    return bool(one and other) and all(abs(a - b) <= _NEAR for a, b in zip(one or (), other or (), strict=True))


def colour_of(text: str) -> Colour | None:
    """Of six hexadecimal digits, with or without alpha before them, or a name; None for anything else."""
    if match := _HEX.fullmatch(text.strip()):
        red, green, blue = bytes.fromhex(match[1])
        return (red, green, blue)
    return _NAMES.get(text.strip().lower())


def lighter(colour: Colour | None, share: float) -> Colour | None:
    """Nearer to white by this share, 0 to 1."""
    return colour and mixed(colour, WHITE, share)


def darker(colour: Colour | None, share: float) -> Colour | None:
    """Nearer to black by this share, 0 to 1."""
    return colour and mixed(colour, BLACK, share)


def mixed(colour: Colour, end: Colour, share: float) -> Colour:
    """Nearer to the other by this share, 0 to 1."""
    kept = 1 - min(1.0, max(0.0, share))
    red, green, blue = (round(e + (c - e) * kept) for c, e in zip(colour, end, strict=True))
    return (red, green, blue)


class Theme:
    """The colours of a theme part by name; without a part, white paper and black ink."""

    def __init__(self, content: bytes = b"") -> None:
        """`content`: checked XML."""
        self._colours: dict[str, Colour | None] = {"lt1": WHITE, "dk1": BLACK}
        self._name = ""
        if content:
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._start
            parser.Parse(content, True)

    def mapped(self, names: Mapping[str, str]) -> Theme:
        """The same, with other meanings of `bg1`, `tx1` and their like."""
        other = Theme()
        other._colours = self._colours | {name: self.colour(given) for name, given in names.items()}
        return other

    def colour(self, name: str) -> Colour | None:
        """By any of the names that Office gives it; None for one that is not there."""
        known = name.lower()
        return self._colours.get(known) if known in self._colours else self._colours.get(_WORDS.get(known, ""))

    def by_number(self, number: str) -> Colour | None:
        """As cells count them: light before dark."""
        order = ("lt1", "dk1", "lt2", "dk2", *(f"accent{n}" for n in range(1, 7)))
        return self.colour(order[int(number)]) if number.isdecimal() and int(number[:3]) < len(order) else None

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "srgbClr" if self._name:
                self._colours[self._name] = colour_of(attributes.get("val", ""))
            case "sysClr" if self._name:
                self._colours[self._name] = colour_of(attributes.get("lastClr", ""))
            case "fmtScheme" | "objectDefaults" | "extraClrSchemeLst":
                self._name = "-"
            case local:
                if self._name != "-" and local in _SCHEME:
                    self._name = local.lower()


_SCHEME = frozenset({"dk1", "lt1", "dk2", "lt2", *(f"accent{n}" for n in range(1, 7)), "hlink", "folHlink"})
