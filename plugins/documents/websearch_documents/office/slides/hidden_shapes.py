"""What a slide does not show: hidden and far-off shapes, tiny text, text without ink or in the colour of its ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...kit.colours import Colour, Theme, alike, colour_of, darker, lighter
from ...kit.xml_cutter import OFF, Span, XmlCutter
from .shape_positions import Box, Move

_TINY_MOST = 300
"""In hundredths of a point."""
_PAINTED_MOST = 300
"""Beyond, what is behind a text is not known."""
_SHAPES = frozenset({"sp", "graphicFrame", "pic", "cxnSp", "grpSp"})
_FILLS = frozenset({"solidFill", "noFill", "gradFill", "blipFill", "pattFill", "grpFill"})
_FURNITURE = frozenset({"sldNum", "ftr", "dt", "hdr"})
"""What stands on every slide alike."""
_CHANGED = frozenset({"tint", "lumMod", "lumOff", "shade", "satMod", "alpha"})


@dataclass(slots=True)
class _Run:
    span: Span
    colour: Colour | None = None
    unseen: bool = False
    tiny: bool = False
    said: list[str] = field(default_factory=list[str])
    cell: _Cell | None = None


@dataclass(slots=True)
class _Cell:
    ground: Colour | None = None


@dataclass(slots=True)
class _Shape:
    name: str
    hidden: bool
    move: Move
    painted: bool | None = None
    """Whether it covers what is behind it; None: it does not say."""
    box: Box | None = None
    ground: Colour | None = None
    runs: list[_Run] = field(default_factory=list[_Run])
    colours: dict[str, Colour | None] = field(default_factory=dict[str, "Colour | None"])
    """Of its text by level."""
    tiny: dict[str, bool] = field(default_factory=dict[str, bool])
    unseen: set[str] = field(default_factory=set[str])
    furniture: bool = False


class VisibleSlide(XmlCutter):
    """One slide, the layout or master below it, or the notes to it."""

    def __init__(
        self, content: bytes, theme: Theme, size: Box, below: VisibleSlide | None = None, *, hidden: bool = False
    ) -> None:
        """`size`: what is beyond is not shown. `below`: what is drawn first. `hidden`: nothing is shown."""
        super().__init__(content)
        self.hidden = hidden
        self.ground = below.ground if below else theme.colour("bg1")
        self.painted: list[Box | None] = list(below.painted) if below else []
        """Where it, or what is below it, has pictures and filled shapes; None: somewhere."""
        self._theme = theme
        self._size = size
        self._shapes: list[_Shape] = []
        self._within: list[str] = []
        self._run: _Run | None = None
        self._cell: _Cell | None = None
        self._level = "lvl1pPr"
        self._colour: Colour | None = None
        self.read()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Shapes, their places and fills, and their runs."""
        self._within.append(name)
        parent = self._within[-2] if len(self._within) > 1 else ""
        shape = self._shapes[-1] if self._shapes else None
        match name:
            case "sld":
                self.hidden |= attributes.get("show", "").lower() in OFF
            case _ if name in _SHAPES:
                self._shapes.append(
                    _Shape(name, bool(shape and shape.hidden), shape.move if shape else Move(), name == "pic" or None)
                )
            case "cNvPr" if shape and parent.startswith("nv"):
                shape.hidden |= attributes.get("hidden", "0").lower() not in OFF
            case "ph" if shape:
                shape.furniture = attributes.get("type", "") in _FURNITURE
            case "off" | "ext" | "chOff" | "chExt" if shape and parent == "xfrm":
                shape.move = shape.move.told(name, attributes)
            case "r" | "fld" if shape:
                level = self._level
                unseen, tiny = level in shape.unseen, shape.tiny.get(level, False)
                self._run = _Run(self.here, shape.colours.get(level), unseen, tiny, cell=self._cell)
            case "rPr" if self._run:
                self._run.tiny = _is_tiny(attributes, usual=self._run.tiny)
            case "defRPr" if shape and self._within[-3:-2] == ["lstStyle"]:
                shape.tiny[parent] = _is_tiny(attributes, usual=False)
            case "pPr":
                level = attributes.get("lvl", "0")
                self._level = f"lvl{int(level) + 1 if level.isdecimal() and len(level) < 3 else 1}pPr"
            case "p":
                self._level = "lvl1pPr"
            case "tc":
                self._cell = _Cell()
            case "bgRef" if attributes.get("idx") != "1001":
                self.ground = None
            case "bgPr":
                self.ground = None
            case "fillRef" if shape and parent == "style" and attributes.get("idx", "0") != "0":
                shape.painted = shape.painted is not False
            case "noFill" | "solidFill" if parent == "rPr" and self._run:
                self._run.unseen = name == "noFill"
            case "noFill" if parent == "defRPr" and shape and self._within[-4:-3] == ["lstStyle"]:
                shape.unseen.add(self._within[-3])
            case _ if name in _FILLS and parent == "spPr" and shape:
                shape.painted = name != "noFill"
            case "srgbClr" | "schemeClr" | "sysClr":
                value = attributes.get("lastClr" if name == "sysClr" else "val", "")
                self._colour = self._theme.colour(value) if name == "schemeClr" else colour_of(value)
            case _ if name in _CHANGED:
                self._change(name, attributes.get("val", ""))
            case _:
                pass

    def end(self, name: str) -> None:
        """A colour is known at its end, a shape at its own."""
        self._within.pop()
        shape = self._shapes[-1] if self._shapes else None
        match name:
            case "srgbClr" | "schemeClr" | "sysClr":
                self._paint(shape)
            case "r" | "fld" if shape and self._run:
                self.finish(self._run.span)
                shape.runs.append(self._run)
                self._run = None
            case "tc":
                self._cell = None
            case "xfrm" if shape and shape.name != "grpSp":
                shape.box = shape.move.box
            case _ if shape and name == shape.name:
                self._close(self._shapes.pop())
            case _:
                pass

    def text(self, text: str) -> None:
        """Of a run, or of a hidden slide."""
        if self._run:
            self._run.said.append(text)
        if self.hidden:
            self.said.append(f"{text} ")

    def _paint(self, shape: _Shape | None) -> None:
        colour, self._colour = self._colour, None
        if self._within[-1:] == ["bgRef"] and self.ground is not None:
            self.ground = colour
        elif self._within[-1:] == ["highlight"] and self._run:
            self._run.cell = _Cell(colour)
        elif self._within[-1:] != ["solidFill"]:
            return
        elif (holder := self._within[-2]) == "bgPr":
            self.ground = colour
        elif holder == "rPr" and self._run:
            self._run.colour = colour
        elif holder == "tcPr" and self._cell:
            self._cell.ground = colour
        elif holder == "spPr" and shape:
            shape.ground = colour
        elif holder == "defRPr" and shape and self._within[-4:-3] == ["lstStyle"]:
            shape.colours[self._within[-3]] = colour

    def _change(self, name: str, value: str) -> None:
        share = int(value[:7]) / 100_000 if value.isdecimal() else 1.0
        match name:
            case "alpha":
                if share <= 0.05 and self._run and self._within[-4:-2] == ["rPr", "solidFill"]:
                    self._run.unseen = True
                self._colour = self._colour if share == 1 else None
            case "tint":
                self._colour = lighter(self._colour, 1 - share)
            case "lumOff":
                self._colour = lighter(self._colour, share)
            case "shade" | "lumMod":
                self._colour = darker(self._colour, 1 - share)
            case _:
                pass

    def _close(self, shape: _Shape) -> None:
        away = shape.box is not None and not shape.box.meets(self._size)
        ground = shape.ground if shape.painted else self._behind(shape.box)
        for run in () if self.hidden else shape.runs:
            on = run.cell.ground if run.cell else ground
            if shape.hidden or away or run.unseen or run.tiny or alike(run.colour, on):
                self.cut(run.span, f"{''.join(run.said)} ")
            elif shape.furniture:
                self.cut(run.span)
        if shape.painted and not shape.hidden and not away:
            self.painted = [*self.painted, shape.box] if len(self.painted) < _PAINTED_MOST else [None]

    def _behind(self, box: Box | None) -> Colour | None:
        if any(box is None or other is None or other.meets(box) for other in self.painted):
            return None
        return self.ground


def _is_tiny(given: Mapping[str, str], *, usual: bool) -> bool:
    """By the size that a run's properties say; `usual`: where they say none."""
    size = given.get("sz", "")
    return int(size[:7]) <= _TINY_MOST if size.isdecimal() else usual
