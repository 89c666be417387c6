"""What the declarations of a style mean for whether its text is seen."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import starmap
from typing import NamedTuple

from ..kit.lengths import USUAL, number, points
from .css_colours import CLEAR, UNKNOWN, Paint, paint

_IGNORED = re.compile(
    r"/\*.*?(?:\*/|\Z)|<!--|-->|(url\(\s*+)[^)\"']*+|\"(?:[^\"\\\n]|\\.?)*+\"?|'(?:[^'\\\n]|\\.?)*+'?", re.DOTALL
)
"""Comments, strings and addresses: what stands in them is no rule."""
_ESCAPED = re.compile(r"\\([0-9a-f]{1,6})\s?|\\", re.IGNORECASE)
_CALL = re.compile(r"(?<![a-z0-9-])([a-z0-9-]+)\(([^()]*)\)")
_TOKEN = re.compile(r"[a-z0-9-]*+\([^()]*+\)|[^\s()]++")
_BETWEEN = re.compile(r"[\s,/]+")
_AROUND = frozenset({"inherit", "unset", "currentcolor", "revert", "revert-layer"})
_SIZES = {
    **dict.fromkeys(
        ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial"), f"{USUAL}pt"
    ),
    **dict.fromkeys(_AROUND, "1em"),
    "smaller": "0.83em",
    "larger": "1.2em",
}
_FAR_BEFORE, _FAR_BEHIND, _FAR_MARGIN = -75.0, 3000.0, -750.0
"""Points."""
_LINE = 0.75
"""Points: one pixel."""
_LITTLE = 0.05
AS_AROUND = Paint(None, -1.0)
"""The ink of what is around."""


class StyleEffect(NamedTuple):
    """Of one block of declarations, or of all that are about an element; None and empty: nothing is said."""

    away: bool = False
    flat: bool = False
    clipped: bool = False
    ink: Paint | None = None
    ground: Paint | None = None
    size: str = ""
    """For `points`; shares are of what is around."""

    def then(self, other: StyleEffect) -> StyleEffect:
        """With what a stronger block says; what one hides, no other shows."""
        return StyleEffect(
            self.away or other.away,
            self.flat or other.flat,
            self.clipped or other.clipped,
            other.ink or self.ink,
            other.ground or self.ground,
            other.size or self.size,
        )


NOTHING = StyleEffect()


def plain(style: str) -> str:
    """Without comments, strings and addresses, and with single blanks."""
    return " ".join(_IGNORED.sub(lambda match: match[1] or " ", style).split())


@lru_cache(maxsize=2000)
def said(style: str) -> tuple[StyleEffect, StyleEffect]:
    """Of plain declarations: those that are not important, and those that are."""
    usual = important = NOTHING
    for declaration in _ESCAPED.sub(_unescaped, style).lower().split(";"):
        name, _, value = declaration.partition(":")
        value, marked, _ = value.partition("!")
        one = _said(name.strip(), value.strip())
        if one is not NOTHING and marked:
            important = important.then(one)
        elif one is not NOTHING:
            usual = usual.then(one)
    return usual, important


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1] or "0", 16)
    return chr(code) if 0 < code < 0x110000 else ""


def _said(name: str, value: str) -> StyleEffect:
    match name:
        case "color" | "-webkit-text-fill-color":
            ink = AS_AROUND if value in _AROUND else UNKNOWN if value == "initial" else paint(value)
            return StyleEffect(ink=ink) if ink else NOTHING
        case "background" | "background-color" | "background-image":
            return _ground(value)
        case "font-size":
            return _sized(value)
        case "font":
            found = (token.partition("/")[0] for token in _TOKEN.findall(value))
            return next((one for token in found if not _is_weight(token) and (one := _sized(token)).size), NOTHING)
        case "overflow" | "overflow-x" | "overflow-y":
            return StyleEffect(clipped=True) if {"hidden", "clip"}.intersection(value.split()) else NOTHING
        case "height" | "width" | "max-height" | "max-width":
            return StyleEffect(flat=True) if _at_most(points(value), _LINE) else NOTHING
        case _:
            return StyleEffect(away=True) if _is_away(name, value) else NOTHING


def _is_weight(text: str) -> bool:
    return (number(text) or 0) >= 1 or text in _AROUND or text == "initial"


def _sized(value: str) -> StyleEffect:
    size = _SIZES.get(value, value)
    return NOTHING if points(size) is None else StyleEffect(size=size)


def _ground(value: str) -> StyleEffect:
    if value == "currentcolor":
        return StyleEffect(away=True)
    tokens = _TOKEN.findall(value)
    paints = [found for token in tokens if (found := paint(token))]
    if any("(" in token and not paint(token) for token in tokens):
        return StyleEffect(ground=UNKNOWN)
    if paints:
        return StyleEffect(ground=paints[-1])
    return StyleEffect(ground=CLEAR) if value in ("none", "initial", "unset") else NOTHING


def _is_away(name: str, value: str) -> bool:
    match name:
        case "display":
            return value == "none"
        case "visibility" | "content-visibility":
            return value in ("hidden", "collapse")
        case "opacity" | "scale" | "zoom":
            return any(_at_most(_share(text), _LITTLE) for text in value.split())
        case "left" | "right" | "top" | "bottom" | "inset" | "text-indent" | "translate":
            return _is_far(value.split())
        case "margin" | "margin-left" | "margin-top":
            return any(_at_most(points(text, whole=600), _FAR_MARGIN) for text in value.split())
        case "transform" | "clip" | "clip-path":
            return any(starmap(_is_cut, _CALL.findall(value)))
        case _:
            return False


def _is_cut(name: str, body: str) -> bool:
    """By one function of `transform`, `clip` or `clip-path`."""
    given = _BETWEEN.split(body.strip())
    lengths = [points(text, whole=75) for text in given]
    match name:
        case "scale" | "scalex" | "scaley" | "scale3d":
            return any(_at_most(_share(text), _LITTLE) for text in given[:2])
        case "matrix":
            a, b, c, d = ([_share(text) or 0.0 for text in given] + [0.0] * 4)[:4]
            return abs(a * d - b * c) <= _LITTLE**2
        case "translate" | "translatex" | "translatey" | "translate3d":
            return _is_far(given)
        case "rect":
            top, right, bottom, left = (lengths + [None] * 4)[:4]
            return (top is not None and bottom is not None and bottom - top <= _LINE) or (
                left is not None and right is not None and right - left <= _LINE
            )
        case "inset":
            return any(
                length is not None and length >= (37.5 if "%" in text else 750)
                for text, length in zip(given, lengths, strict=True)
            )
        case "circle" | "ellipse":
            return any(_at_most(length, _LINE) for length in lengths[: 1 if name == "circle" else 2])
        case "polygon":
            return all(_at_most(length, _LINE) for length in lengths)
        case _:
            return False


def _is_far(given: list[str]) -> bool:
    lengths = [points(text, letters=7.5, whole=75) for text in given]
    return any(length is not None and not _FAR_BEFORE < length < _FAR_BEHIND for length in lengths)


def _at_most(value: float | None, most: float) -> bool:
    return value is not None and value <= most


def _share(text: str) -> float | None:
    value = number(text.removesuffix("%"))
    return value / 100 if value is not None and text.endswith("%") else value
