"""What Office does not show is taken out of the parts; what it says is kept for filters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..kit.colours import Theme
from ..kit.xml_cutter import XmlCutter
from .relationships import related, relations
from .sheets.cell_styles import CellStyles
from .sheets.hidden_cells import VisibleSheet, VisibleWorkbook, shared_strings
from .sheets.table_styles import styled_tables
from .slides.hidden_shapes import VisibleSlide
from .slides.shape_positions import Box
from .word.formatting import Styles
from .word.hidden_text import VisibleWordPart

_NO_SLIDE = b'<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>'
_SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")
_SIZE = re.compile(rb"sldSz\s[^<>]{0,200}")
_MAP = re.compile(rb"<[\w.-]{0,20}:?(?:clrMap|overrideClrMapping)\s([^<>]{0,1000})>")
_GIVEN = re.compile(rb"(\w{1,20})\s*=\s*[\"'](\w{1,20})[\"']")
_ANYWHERE = Box(float("-inf"), float("-inf"), float("inf"), float("inf"))
_USUAL = Box(0, 0, 12_192_000, 6_858_000)


def without_concealed(parts: dict[str, bytes], themes: Mapping[str, bytes] | None = None) -> str:
    """Take it out of the parts, which are checked XML, as the `themes` are by name; what it says."""
    concealed = _Concealed(parts, themes or {})
    return " ".join("".join(concealed.said).split())


class _Concealed:
    def __init__(self, parts: dict[str, bytes], themes: Mapping[str, bytes]) -> None:
        self.said: list[str] = []
        self._parts = parts
        self._themes = themes
        if "ppt/presentation.xml" in parts:
            self._slides(dict(parts))
        elif "xl/workbook.xml" in parts:
            self._workbook()
        else:
            self._word()

    def _put(self, name: str, part: XmlCutter) -> None:
        self.said += part.said
        self._parts[name] = part.shown()

    def _theme(self, name: str) -> Theme:
        return Theme(self._themes.get(name) or next(iter(self._themes.values()), b""))

    def _word(self) -> None:
        theme = self._theme("word/theme/theme1.xml")
        styles = Styles(self._parts.get("word/styles.xml", b""), theme)
        coloured = b"displayBackgroundShape" in self._parts.get("word/settings.xml", b"")
        for name in [name for name in self._parts if name.startswith("word/") and name.endswith(".xml")]:
            self._put(name, VisibleWordPart(self._parts[name], styles, theme, coloured_page=coloured))

    def _slides(self, given: Mapping[str, bytes]) -> None:
        size = _size(given["ppt/presentation.xml"])
        known: dict[str, tuple[Theme, VisibleSlide | None]] = {}

        def below(part: str, kinds: tuple[str, ...]) -> tuple[Theme, VisibleSlide | None]:
            """The theme of a slide, layout or master, and what is drawn below it."""
            kind, *rest = kinds
            name = related(given, part, kind)
            if kind == "theme":
                return self._theme(name), None
            if name not in known:
                theme, lower = below(name, tuple(rest))
                theme = theme.mapped(_map(given.get(name, b"")))
                known[name] = theme, VisibleSlide(given[name], theme, size, lower) if name in given else lower
            return known[name]

        for name in filter(_SLIDE.fullmatch, given):
            theme, lower = below(name, ("slideLayout", "slideMaster", "theme"))
            slide = VisibleSlide(given[name], theme.mapped(_map(given[name])), size, lower)
            self._put(name, slide)
            notes = related(given, name, "notesSlide")
            if notes in given:
                self._put(notes, VisibleSlide(given[notes], theme, _ANYWHERE, hidden=slide.hidden))
            if slide.hidden:
                self._parts |= dict.fromkeys({name, notes} & given.keys(), _NO_SLIDE)

    def _workbook(self) -> None:
        name = "xl/workbook.xml"
        book = VisibleWorkbook(self._parts[name])
        sheets = {one.part: one.name in book.hidden for one in relations(self._parts, name) if one.kind == "worksheet"}
        styles = CellStyles(self._parts.get("xl/styles.xml", b""), self._theme("xl/theme/theme1.xml"))
        texts = shared_strings(self._parts.get("xl/sharedStrings.xml", b""))
        self._put(name, book)
        for part, hidden in sheets.items():
            if part in self._parts:
                tables = styled_tables(self._parts, part)
                self._put(part, VisibleSheet(self._parts[part], styles, texts, tables, whole=hidden))


def _size(presentation: bytes) -> Box:
    found = _SIZE.search(presentation)
    given = dict(_GIVEN.findall(found[0])) if found else {}
    wide, high = given.get(b"cx", b""), given.get(b"cy", b"")
    return Box(0, 0, int(wide), int(high)) if wide.isdigit() and high.isdigit() else _USUAL


def _map(part: bytes) -> dict[str, str]:
    found = _MAP.search(part)
    return {name.decode(): value.decode() for name, value in _GIVEN.findall(found[1])} if found else {}
