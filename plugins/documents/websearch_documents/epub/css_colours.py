"""Colours as style sheets write them."""

from __future__ import annotations

import colorsys
import re
from functools import lru_cache
from typing import NamedTuple

from ..kit.colours import Colour, alike, mixed
from ..kit.lengths import number

_CLEAR_MOST = 0.05
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_CALL = re.compile(r"(rgb|hsl)a?\(([^()]*)\)|(hwb)\(([^()]*)\)")
_BETWEEN = re.compile(r"[\s,/]+")
_NAMED = """
aliceblue-f0f8ff antiquewhite-faebd7 aqua-00ffff aquamarine-7fffd4 azure-f0ffff beige-f5f5dc bisque-ffe4c4
black-000000 blanchedalmond-ffebcd blue-0000ff brown-a52a2a cornsilk-fff8dc crimson-dc143c cyan-00ffff
darkblue-00008b darkgray-a9a9a9 darkgreen-006400 darkgrey-a9a9a9 darkred-8b0000 dimgray-696969 dimgrey-696969
floralwhite-fffaf0 fuchsia-ff00ff gainsboro-dcdcdc ghostwhite-f8f8ff gold-ffd700 gray-808080 green-008000
grey-808080 honeydew-f0fff0 indigo-4b0082 ivory-fffff0 khaki-f0e68c lavender-e6e6fa lavenderblush-fff0f5
lemonchiffon-fffacd lightblue-add8e6 lightcyan-e0ffff lightgray-d3d3d3 lightgreen-90ee90 lightgrey-d3d3d3
lightyellow-ffffe0 lime-00ff00 linen-faf0e6 magenta-ff00ff maroon-800000 midnightblue-191970 mintcream-f5fffa
mistyrose-ffe4e1 moccasin-ffe4b5 navy-000080 oldlace-fdf5e6 olive-808000 orange-ffa500 papayawhip-ffefd5 pink-ffc0cb
purple-800080 red-ff0000 seashell-fff5ee silver-c0c0c0 snow-fffafa steelblue-4682b4 tan-d2b48c teal-008080
violet-ee82ee wheat-f5deb3 white-ffffff whitesmoke-f5f5f5 yellow-ffff00
"""
_NAMES = {name: int(digits, 16) for name, _, digits in (pair.partition("-") for pair in _NAMED.split())}


class Paint(NamedTuple):
    """A colour, None where it is not known, and how much it covers: 0 to 1."""

    colour: Colour | None
    alpha: float = 1.0

    @property
    def is_clear(self) -> bool:
        """Whether nothing is seen of it."""
        return self.alpha <= _CLEAR_MOST

    def on(self, ground: Colour | None) -> Colour | None:
        """What is seen of it on a ground."""
        if self.is_clear:
            return ground
        if self.alpha >= 1:
            return self.colour
        return mixed(ground, self.colour, self.alpha) if ground and self.colour else None

    def is_lost(self, ground: Colour | None) -> bool:
        """Whether text of this colour is not seen on the ground."""
        return self.is_clear or alike(self.on(ground), ground)


UNKNOWN = Paint(None)
CLEAR = Paint((0, 0, 0), 0.0)


@lru_cache(maxsize=1000)
def paint(text: str) -> Paint | None:
    """Of a lower-case value; None for what is no colour, or one that is not read here."""
    if text in _NAMES:
        return Paint(_colour(_NAMES[text]))
    if text == "transparent":
        return CLEAR
    if _HEX.fullmatch(text):
        digits = text[1:] if len(text) > 5 else "".join(digit * 2 for digit in text[1:])
        return Paint(_colour(int(digits[:6], 16)), int(digits[6:] or "ff", 16) / 255)
    if match := _CALL.fullmatch(text):
        return _called(match[1] or match[3], _BETWEEN.split((match[2] or match[4] or "").strip()))
    return None


def _colour(number: int) -> Colour:
    return number >> 16, number >> 8 & 255, number & 255


def _called(name: str, given: list[str]) -> Paint | None:
    if len(given) not in (3, 4):
        return None
    first, second, third = (
        _share(text, 255 if name == "rgb" else 360 if not place else 100) for place, text in enumerate(given[:3])
    )
    alpha = _share(given[3], 1) if len(given) == 4 else 1.0
    if first is None or second is None or third is None or alpha is None:
        return None
    match name:
        case "hsl":
            first, second, third = colorsys.hls_to_rgb(first, third, second)
        case "hwb":
            white, black = (
                (second, third) if second + third < 1 else (second / (second + third), third / (second + third))
            )
            pure = colorsys.hls_to_rgb(first, 0.5, 1.0)
            first, second, third = (part * (1 - white - black) + white for part in pure)
        case _:
            pass
    return Paint((round(first * 255), round(second * 255), round(third * 255)), alpha)


def _share(text: str, most: float) -> float | None:
    """Of a number or percentage, 0 to 1."""
    if text == "none":
        return 0.0
    said = number(text.removesuffix("%").removesuffix("deg"))
    return None if said is None else min(1.0, max(0.0, said / (100 if text.endswith("%") else most)))
