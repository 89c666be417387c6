"""What Word does not show: runs that are hidden, tiny, or in the colour of what is behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...kit.colours import WHITE, Colour, Theme, colour_of
from ...kit.xml_cutter import OFF, Span, XmlCutter
from .formatting import Look, Styles, is_seen, is_shading, note, shading

_CHANGES = frozenset({"rPrChange", "pPrChange", "tcPrChange", "tblPrChange", "trPrChange", "sectPrChange"})
"""What it was before a tracked change."""
_SHAPES = frozenset({"wsp", "rect", "roundrect", "shape", "oval"})


@dataclass(slots=True)
class _Run:
    span: Span
    look: Look = field(default_factory=Look)
    style: str = ""
    holds_runs: bool = False
    texts: list[Span] = field(default_factory=list[Span])
    said: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class _Around:
    """A paragraph, table, cell or shape, and the ground of what is in it; None: not known."""

    name: str
    ground: Colour | None
    style: str = ""
    look: Look = field(default_factory=Look)
    """Of a paragraph, its own."""


class VisibleWordPart(XmlCutter):
    """One part of a Word document."""

    def __init__(self, content: bytes, styles: Styles, theme: Theme, *, coloured_page: bool = False) -> None:
        """`coloured_page`: the background that the document names is shown."""
        super().__init__(content)
        self._styles = styles
        self._theme = theme
        self._runs: list[_Run] = []
        self._around = [_Around("page", None if coloured_page else WHITE)]
        self._within: list[str] = []
        self._rows: list[tuple[Span, bool]] = []
        """Of tables, the outer ones first, and whether they are hidden."""
        self._row_said: list[str] = []
        self._aside = 0
        self._moved = self._text = Span(0)
        self.read()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Properties come before what they are of."""
        parent = self._within[-1] if self._within else ""
        self._within.append(name)
        self._aside += name in _CHANGES
        if self._aside:
            return
        match name:
            case "r":
                for run in self._runs[-1:]:
                    run.holds_runs = True
                self._runs.append(_Run(self.here))
            case "t":
                self._text = self.here
            case "moveFrom":
                self._moved = self.here
            case "tr":
                self._rows.append((self.here, False))
            case "hidden" if parent == "trPr" and self._rows and attributes.get("val", "1").lower() not in OFF:
                self._rows[-1] = (self._rows[-1][0], True)
            case "p" | "tbl" | "tc":
                self._around.append(_Around(name, self._around[-1].ground))
            case _ if name in _SHAPES:
                self._around.append(_Around(name, None))
            case "rStyle" if parent == "rPr" and self._runs:
                self._runs[-1].style = attributes.get("val", "")
            case "pStyle" if parent == "pPr":
                self._around[-1].style = attributes.get("val", "")
            case "tblStyle" if parent == "tblPr" and self._styles.is_shaded(attributes.get("val", "")):
                self._around[-1].ground = None
            case "shd" if parent == "pPr":
                note(self._around[-1].look, name, attributes, self._theme)
            case "shd" if parent in ("tcPr", "tblPr") and is_shading(attributes):
                self._around[-1].ground = shading(attributes, self._theme)
            case "srgbClr" if self._within[-3:-1] == ["spPr", "solidFill"] and self._around[-1].name in _SHAPES:
                self._around[-1].ground = colour_of(attributes.get("val", ""))
            case "background" if self._around[0].ground is None:
                self._around[0].ground = colour_of(attributes.get("color", ""))
            case "noFill" if parent == "textFill" and self._runs:
                self._runs[-1].look["vanished"] = True
            case _ if parent == "rPr" and self._runs and self._within[-3:-2] == ["r"]:
                note(self._runs[-1].look, name, attributes, self._theme)
            case _:
                pass

    def end(self, name: str) -> None:
        """A run is judged at its end."""
        self._within.pop()
        if name in _CHANGES:
            self._aside -= 1
        if self._aside:
            return
        if name == "r" and self._runs:
            self._close(self._runs.pop())
        elif name == "t" and self._runs:
            self.finish(self._text)
            self._runs[-1].texts.append(self._text)
        elif name == "tr" and self._rows:
            row, hidden = self._rows.pop()
            if hidden:
                self.finish(row)
                self.cut(row, "".join(self._row_said))
            self._row_said.clear()
        elif name == "moveFrom":  # a tracked change: it stands elsewhere now
            self.finish(self._moved)
            self.cut(self._moved)
        elif name == self._around[-1].name:
            self._around.pop()
        if name == "p":
            self.text(" ")

    def text(self, text: str) -> None:
        """Of a run."""
        if self._runs:
            self._runs[-1].said.append(text)
        if any(hidden for _, hidden in self._rows):
            self._row_said.append(text)

    def _close(self, run: _Run) -> None:
        """A run may hold a drawing with runs of its own: these it only hides when it is hidden itself."""
        around = self._around[-1]
        look = self._styles.of_paragraph(around.style) | around.look | self._styles.of_run(run.style) | run.look
        if is_seen(look, around.ground):
            for outer in self._runs[-1:]:  # is said when that is hidden
                outer.said += run.said if outer.look.get("vanished") else ()
            return
        said = "".join((*run.said, " "))
        if look.get("vanished") or not run.holds_runs:
            self.finish(run.span)
            self.cut(run.span, said)
        else:
            self.said.append(said)
            for span in run.texts:
                self.cut(span)
