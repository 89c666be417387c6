"""Marks of list items that no Markdown list has: "(a)", "IV.", "1.2", "Article 3": written as text of the item.

Those that have a look of their own may be there for machines alone, and are left to the converter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape

_PARAGRAPH = re.compile(
    rb"<((?:[\w.-]{1,40}:)?)pPr(?:\s[^<>]{0,400})?(?<!/)>((?:(?!</(?:[\w.-]{1,40}:)?pPr>).){0,8000}?)</\1pPr>",
    re.DOTALL,
)
_NUMBERED = re.compile(rb"<(?:[\w.-]{1,40}:)?numPr(?:\s[^<>]{0,200})?>(.{0,600}?)</(?:[\w.-]{1,40}:)?numPr>", re.DOTALL)
_VALUE = re.compile(rb"<(?:[\w.-]{1,40}:)?(ilvl|numId)\s[^<>]{0,100}?val\s*=\s*[\"'](\d{1,6})[\"']")
_PLACE = re.compile(r"%([1-9])")
_USUAL = re.compile(r"%[1-9][.)]?")
_LOOKS = re.compile(rb"<(?:[\w.-]{1,40}:)?(?:vanish|specVanish|color|sz|pPrChange)[\s/>]")
"""In the properties of a paragraph: what its mark looks like, which a person may not see."""
_LOOKS_OF_LEVEL = frozenset({"vanish", "specVanish", "color", "sz"})
_HEADING = re.compile(rb"outlineLvl|val\s*=\s*[\"'](?:Heading|Title|berschrift|Titre|T)\d?", re.IGNORECASE)
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_ROMAN_MOST = 3999
_LETTERS = 26


@dataclass(slots=True)
class _Level:
    written: str = "decimal"
    text: str = ""
    start: int = 1
    looks: bool = False
    """Whether it has a size or colour of its own, or none: it may not be seen."""

    @property
    def is_usual(self) -> bool:
        """Whether Markdown has a mark for it."""
        return (
            self.looks
            or self.written in ("bullet", "none")
            or (self.written == "decimal" and _USUAL.fullmatch(self.text.strip()) is not None)
        )


@dataclass(slots=True)
class _Counter:
    at: dict[int, int] = field(default_factory=dict[int, int])

    def next(self, level: int, levels: Mapping[int, _Level]) -> None:
        """Count an item; the levels below begin again."""
        self.at = {deep: number for deep, number in self.at.items() if deep <= level}
        self.at[level] = self.at.get(level, levels[level].start - 1) + 1


def with_markers(parts: dict[str, bytes]) -> None:
    """Write the marks that are no Markdown as text before their items. `parts` are checked XML."""
    numbering, document = parts.get("word/numbering.xml", b""), parts.get("word/document.xml", b"")
    if not numbering or not document:
        return
    lists = _Numbering(numbering).lists
    if all(level.is_usual for levels in lists.values() for level in levels.values()):
        return
    counters: dict[int, _Counter] = {}

    def marked(match: re.Match[bytes]) -> bytes:
        numbered = _NUMBERED.search(match[2])
        values = {name: int(value) for name, value in _VALUE.findall(numbered[1])} if numbered else {}
        number, level = values.get(b"numId", 0), values.get(b"ilvl", 0)
        levels = lists.get(number, {})
        if level not in levels or _HEADING.search(match[2]):
            return match[0]
        counter = counters.setdefault(id(levels), _Counter())
        counter.next(level, levels)
        if levels[level].is_usual or _LOOKS.search(match[2]) or not (mark := _mark(levels, level, counter)):
            return match[0]
        prefix = match[1]
        return match[0] + b'<%br><%bt xml:space="preserve">%b </%bt></%br>' % (
            prefix, prefix, escape(mark).encode(), prefix, prefix,
        )  # fmt: skip

    parts["word/document.xml"] = _PARAGRAPH.sub(marked, document)
    parts["word/numbering.xml"] = _Numbering(numbering).as_bullets()


def _mark(levels: Mapping[int, _Level], level: int, counter: _Counter) -> str:
    """As Word shows it; empty for a way of counting that is not known here."""
    unknown = False

    def number(match: re.Match[str]) -> str:
        nonlocal unknown
        deep = int(match[1]) - 1
        of = levels.get(deep, _Level())
        write = _WRITTEN.get(of.written)
        unknown = unknown or write is None
        return write(counter.at.get(deep, of.start)) if write else ""

    text = _PLACE.sub(number, levels[level].text)
    return "" if unknown else text.strip()


def _letters(number: int) -> str:
    """A … z, aa, bb: as Word counts on."""
    return chr(ord("a") + (number - 1) % _LETTERS) * min(9, (number - 1) // _LETTERS + 1) if number > 0 else ""


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN if 0 < number <= _ROMAN_MOST else ():
        count, number = divmod(number, value)
        written += letters * count
    return written


_WRITTEN: Mapping[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02}",
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
}


class _Numbering:
    """Of numbering.xml: the levels of each list."""

    def __init__(self, content: bytes) -> None:
        self.lists: dict[int, dict[int, _Level]] = {}
        self._content = content
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._of: dict[int, str] = {}
        self._formats: list[tuple[_Level, int]] = []
        self._now = self._list = ""
        self._level: _Level | None = None
        parser = self._parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.Parse(content, True)
        self.lists = {number: self._abstract.get(name, {}) for number, name in self._of.items()}

    def as_bullets(self) -> bytes:
        """The same with a bullet for each level whose mark is written as text."""
        pieces: list[bytes] = []
        place = 0
        for level, at in self._formats:
            if level.is_usual or level.written not in _WRITTEN:
                continue
            end = self._content.index(b">", at) + 1
            tag = self._content[at:end]
            pieces += [self._content[place:at], re.sub(rb"(val\s*=\s*[\"'])[^\"']*", rb"\1bullet", tag, count=1)]
            place = end
        return b"".join((*pieces, self._content[place:]))

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        kind = name.rpartition(":")[2]
        given = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        value = given.get("val", "")
        match kind:
            case "abstractNum":
                self._now, self._list, self._level = given.get("abstractNumId", ""), "", None
            case "num":
                self._list, self._level = given.get("numId", ""), None
            case "lvl" if not self._list and (deep := given.get("ilvl", "")).isdecimal() and len(deep) == 1:
                self._level = self._abstract.setdefault(self._now, {}).setdefault(int(deep), _Level())
            case "abstractNumId" if self._list.isdecimal() and len(self._list) < 7:
                self._of[int(self._list)] = value
            case "numFmt" if self._level:
                self._level.written = value
                self._formats.append((self._level, self._parser.CurrentByteIndex))
            case "lvlText" if self._level:
                self._level.text = value[:100]
            case "start" if self._level and value.isdecimal() and len(value) < 6:
                self._level.start = int(value)
            case _ if kind in _LOOKS_OF_LEVEL and self._level:
                self._level.looks = True
            case _:
                pass
