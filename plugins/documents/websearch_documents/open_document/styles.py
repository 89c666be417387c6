"""How the styles of an OpenDocument text make it look: hidden, tiny, in a colour, on a ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from ..kit.colours import WHITE, Colour, alike, colour_of
from ..kit.lengths import TINY_MOST, points
from .namespaces import read_names

_PARENTS_MOST = 20
_FAMILIES = {
    "text:p": "paragraph",
    "text:h": "paragraph",
    "table:table": "table",
    "table:table-row": "table-row",
    "table:table-cell": "table-cell",
    "text:section": "section",
    "draw:frame": "graphic",
    "draw:custom-shape": "graphic",
    "draw:text-box": "graphic",
}


class Look(TypedDict, total=False):
    """What styles say of text; what is missing is as around it. A ground or colour of None is not known."""

    hidden: bool
    tiny: bool
    colour: Colour | None
    ground: Colour | None


def is_seen(look: Look) -> bool:
    """With all that is around it."""
    return not (look.get("hidden") or look.get("tiny") or alike(look.get("colour"), look.get("ground")))


class Styles:
    """By family and name, each with what it takes from the styles it comes from."""

    def __init__(self, *parts: bytes) -> None:
        """`parts`: content.xml and styles.xml, checked; an empty one is none."""
        self.page: Look = {"ground": WHITE}
        """Below everything: the page, and what is said of text that has no style."""
        self._parents: dict[tuple[str, str], str] = {}
        self._looks: dict[tuple[str, str], Look] = {}
        self._known: dict[tuple[str, str], Look] = {}
        self._style = ("", "")
        for part in filter(None, parts):
            read_names(part, self._start)
        for family in _OF_TEXT:
            self.page |= self._looks.pop((family, ""), {})

    def look(self, element: str, attributes: Mapping[str, str]) -> Look:
        """What this element's style adds; a drawing's ground is not known unless its style says it."""
        family = _FAMILIES.get(element, "text")
        name = next((attributes[key] for key in _NAMES if key in attributes), "")
        if (family, name) not in self._known:
            look: Look = {"ground": None} if family == "graphic" else {}
            for style in ("", *reversed(self._line(family, name))):
                look = look | self._looks.get((family, style), {})
            self._known[family, name] = look
        return self._known[family, name]

    def _line(self, family: str, name: str) -> list[str]:
        line: list[str] = []
        while name and name not in line and len(line) < _PARENTS_MOST:
            line.append(name)
            name = self._parents.get((family, name), "")
        return line

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("style:style", "style:default-style"):
            usual = name == "style:default-style"
            self._style = (attributes.get("style:family", ""), "" if usual else attributes.get("style:name", "-"))
            self._parents[self._style] = attributes.get("style:parent-style-name", "")
        elif name == "style:page-layout":
            self._style = ("", "")
        elif name == "style:page-layout-properties":
            self._note(self.page, attributes)
        elif name.startswith("style:") and name.endswith("-properties") and self._style[0]:
            self._note(self._looks.setdefault(self._style, {}), attributes)

    @staticmethod
    def _note(look: Look, given: Mapping[str, str]) -> None:
        if display := given.get("text:display"):
            look["hidden"] = display == "none"
        if (size := points(given.get("fo:font-size", ""))) is not None:
            look["tiny"] = size <= TINY_MOST
        if "fo:color" in given:
            look["colour"] = colour_of(given["fo:color"])
        if given.get("style:use-window-font-color") == "true":
            look["colour"] = None
        if (ground := given.get("fo:background-color", "transparent")) != "transparent":
            look["ground"] = colour_of(ground)
        if given.get("draw:fill") == "solid":
            look["ground"] = colour_of(given.get("draw:fill-color", ""))


_OF_TEXT = ("paragraph", "text")
_NAMES = ("text:style-name", "table:style-name", "draw:style-name")
