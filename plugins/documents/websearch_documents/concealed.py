"""What Office does not show: hidden, white or tiny runs of text, hidden sheets and slides.

Expat reads each part, so no way to write the same XML (quotes, blanks, prefixes, encodings) makes a difference; names
count without their prefix, which the converter may not resolve. What is concealed is cut out at its place in the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

_OFF = frozenset({"0", "false", "off"})
_LIGHT = re.compile(r"F[A-F0-9]F[A-F0-9]F[A-F0-9]", re.IGNORECASE)
_SIZE = re.compile(r"0*(\d{1,4})")
_TINY_MOST = 5
"""In half points."""
_NO_SLIDE = b'<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>'


def without_concealed(parts: dict[str, bytes]) -> str:
    """Take it out of the parts, which are checked XML; what it says, for filters."""
    said: list[str] = []
    for name, content in parts.items():
        if name.startswith(("word/", "ppt/slides/slide")) or name == "xl/workbook.xml":
            part = _Part(content)
            said += part.said
            parts[name] = _NO_SLIDE if part.hidden_slide else part.shown()
    return " ".join("".join(said).split())


@dataclass(slots=True)
class _Run:
    begin: int
    vanished: bool = False
    tiny: bool = False
    colour: str = ""
    ground: str = ""
    holds_runs: bool = False
    texts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    said: list[str] = field(default_factory=list[str])

    @property
    def concealed(self) -> bool:
        unseen = self.colour.lower() == self.ground.lower() if self.ground else bool(_LIGHT.fullmatch(self.colour))
        return self.vanished or self.tiny or (unseen and bool(self.colour))


class _Part:
    """One pass of expat, with an event for every token: where one begins, the one before has ended."""

    def __init__(self, content: bytes) -> None:
        self.said: list[str] = []
        self.hidden_slide = False
        self._content = content
        self._cuts: list[tuple[int, int]] = []
        self._runs: list[_Run] = []
        self._open: list[int] = []
        self._ended: list[tuple[list[tuple[int, int]], int]] = []
        self._aside = 0
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._take
        parser.DefaultHandler = self._settle
        parser.Parse(content, True)

    def shown(self) -> bytes:
        """The part without what is concealed."""
        kept: list[bytes] = []
        place = 0
        for begin, end in sorted(self._cuts):
            if begin >= place:
                kept.append(self._content[place:begin])
            place = max(place, end)
        return b"".join((*kept, self._content[place:]))

    def _settle(self, *_: object) -> None:
        if self._ended:
            place = self._parser.CurrentByteIndex
            for cuts, begin in self._ended:
                cuts.append((begin, place))
            self._ended.clear()

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._settle()
        place = self._parser.CurrentByteIndex
        match name.rpartition(":")[2]:
            case "r":
                for run in self._runs[-1:]:
                    run.holds_runs = True
                self._runs.append(_Run(place))
            case "rPrChange" | "pPr":  # what it was before a tracked change; the mark of a paragraph in a drawing
                self._aside += 1
            case "t":
                self._open.append(place)
            case "sheet":
                self._open.append(place if _given(attributes, "state").lower() in ("hidden", "veryhidden") else -1)
            case "sld":
                self.hidden_slide |= _given(attributes, "show").lower() in _OFF
            case kind:
                if self._runs and not self._aside:
                    _note(self._runs[-1], kind, attributes)

    def _end(self, name: str) -> None:
        self._settle()
        match name.rpartition(":")[2]:
            case "r":
                self._close(self._runs.pop())
            case "rPrChange" | "pPr":
                self._aside -= 1
            case "t" | "sheet" as kind:
                begin = self._open.pop()
                if kind == "t" and self._runs:
                    self._ended.append((self._runs[-1].texts, begin))
                elif kind == "sheet" and begin >= 0:
                    self._ended.append((self._cuts, begin))
            case "p":
                self._take(" ")
            case _:
                pass

    def _take(self, text: str) -> None:
        self._settle()
        if self.hidden_slide:
            self.said.append(text)
        elif self._runs:
            self._runs[-1].said.append(text)

    def _close(self, run: _Run) -> None:
        """A run may hold a drawing with runs of its own: these it only hides when it is hidden itself."""
        if not run.concealed:
            for outer in self._runs[-1:]:  # is said when that is hidden
                outer.said += run.said if outer.vanished else ()
            return
        self.said += [*run.said, " "]
        if run.vanished or not run.holds_runs:
            self._ended.append((self._cuts, run.begin))
        else:
            self._cuts += run.texts


def _given(attributes: Mapping[str, str], name: str) -> str:
    return next((value.strip() for key, value in attributes.items() if key.rpartition(":")[2] == name), "")


def _note(run: _Run, kind: str, attributes: Mapping[str, str]) -> None:
    value = _given(attributes, "val")
    match kind:
        case "vanish" | "specVanish":
            run.vanished |= value.lower() not in _OFF
        case "sz":
            size = _SIZE.match(value)
            run.tiny |= bool(size) and int(size[1] if size else 0) <= _TINY_MOST
        case "color":
            run.colour = value
        case "shd":
            fill = _given(attributes, "fill")
            run.ground = "" if fill.lower() in ("", "auto") or _LIGHT.fullmatch(fill) else fill
        case "highlight":
            run.ground = run.ground if value.lower() in ("", "none", "white") else value
        case _:
            pass
