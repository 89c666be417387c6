"""How text of a Word document looks, by its own properties and by its styles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypedDict
from xml.parsers import expat

from ...kit.colours import Colour, Theme, alike, colour_of, darker, lighter
from ...kit.xml_cutter import OFF

_SIZE = re.compile(r"0*(\d{1,4})")
_TINY_MOST = 5
"""In half points."""
_PARENTS_MOST = 20


class Look(TypedDict, total=False):
    """What is said of a run, or comes from its style; what is missing is as around it."""

    vanished: bool
    size: int
    colour: Colour | None
    ground: Colour | None


def is_seen(look: Look, ground: Colour | None) -> bool:
    """On a ground, where the look brings none; None is a ground that is not known."""
    if look.get("vanished") or look.get("size", _TINY_MOST + 1) <= _TINY_MOST:
        return False
    return not alike(look.get("colour"), look.get("ground", ground))


def note(look: Look, kind: str, given: Mapping[str, str], theme: Theme) -> None:
    """Add what one property says; `kind` and the names in `given` are without prefixes."""
    value = given.get("val", "")
    match kind:
        case "vanish" | "specVanish":
            look["vanished"] = value.lower() not in OFF
        case "sz":
            if size := _SIZE.match(value):
                look["size"] = int(size[1])
        case "color":
            look["colour"] = _shaded(given, "val", "themeColor", "theme", theme)
        case "shd" if is_shading(given):
            look["ground"] = shading(given, theme)
        case "highlight" if value.lower() not in ("", "none"):
            look["ground"] = colour_of(value)
        case _:
            pass


def is_shading(given: Mapping[str, str]) -> bool:
    """Whether `w:shd` gives a ground at all."""
    pattern, fill = given.get("val", "clear").lower(), given.get("fill", "auto").lower()
    return pattern not in ("nil", "clear") or (pattern == "clear" and (fill != "auto" or "themeFill" in given))


def shading(given: Mapping[str, str], theme: Theme) -> Colour | None:
    """The ground that `w:shd` gives; None for one that is not known."""
    match given.get("val", "clear").lower():
        case "solid":
            return _shaded(given, "color", "themeColor", "theme", theme)
        case "clear":
            return _shaded(given, "fill", "themeFill", "themeFill", theme)
        case _:
            return None


def _shaded(given: Mapping[str, str], value: str, name: str, prefix: str, theme: Theme) -> Colour | None:
    """A theme's colour, where there is one, is what Word shows; the digits are for who knows no themes."""
    colour = theme.colour(given.get(name, "")) if given.get(name, "none") != "none" else None
    if colour is None:
        return colour_of(given.get(value, ""))
    colour = lighter(colour, 1 - _share(given.get(f"{prefix}Tint", "ff")))
    return darker(colour, 1 - _share(given.get(f"{prefix}Shade", "ff")))


def _share(digits: str) -> float:
    return int(digits, 16) / 255 if re.fullmatch("[0-9a-fA-F]{1,2}", digits) else 1.0


class Styles:
    """Of styles.xml: how a style's text looks, and the ground of its paragraphs."""

    def __init__(self, content: bytes, theme: Theme) -> None:
        """`content`: checked XML, or empty."""
        self._theme = theme
        self._looks: dict[str, Look] = {"": {}}
        self._known: dict[str, Look] = {}
        self._parents: dict[str, str] = {}
        self._shaded: set[str] = set()
        self._usual = ""
        self._within: list[str] = []
        self._style = ""
        if content:
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._start
            parser.EndElementHandler = lambda _: self._within.pop()
            parser.Parse(content, True)

    def of_paragraph(self, style: str) -> Look:
        """Of what stands in a paragraph; without a name, of the usual one."""
        return self._looks[""] | self._of(style or self._usual)

    def of_run(self, style: str) -> Look:
        """What the style of a run adds; nothing, without a name."""
        return self._of(style)

    def is_shaded(self, table: str) -> bool:
        """Whether a table's style gives cells a ground."""
        return any(name in self._shaded for name in self._line(table))

    def _of(self, style: str) -> Look:
        if style not in self._known:
            look: Look = {}
            for name in reversed(self._line(style)):
                look = look | self._looks.get(name, {})
            self._known[style] = look
        return self._known[style]

    def _line(self, style: str) -> tuple[str, ...]:
        line: list[str] = []
        while style and style not in line and len(line) < _PARENTS_MOST:
            line.append(style)
            style = self._parents.get(style, "")
        return tuple(line)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        kind = name.rpartition(":")[2]
        given = {key.rpartition(":")[2]: value.strip() for key, value in attributes.items()}
        if kind == "docDefaults":
            self._style = ""
        elif kind == "style":
            self._style = given.get("styleId", "-")
            if given.get("type") == "paragraph" and given.get("default", "0").lower() not in OFF:
                self._usual = self._style
        elif kind == "basedOn":
            self._parents[self._style] = given.get("val", "")
        elif kind == "shd":
            self._shaded.add(self._style)
        if self._within[-1:] in (["rPr"], ["pPr"]) and not {"tblStylePr", "rPrChange"}.intersection(self._within):
            note(self._looks.setdefault(self._style, {}), kind, given, self._theme)
        self._within.append(kind)
