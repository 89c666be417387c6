"""Lists of Word that a paragraph's style makes: the converter knows only those that the paragraph names itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

_STYLED = re.compile(rb"<((?:[\w.-]{1,40}:)?)pStyle\s[^<>]{0,200}?val\s*=\s*[\"']([^\"'<>]{1,200})[\"'][^<>]{0,200}/>")
_ITEM = re.compile(r"^( {0,40})([-*+]|\d{1,9}[.)]) (?=\S)")
_STEP = 2
"""Blanks that the converter writes for each level."""
_PARENTS_MOST = 20
_NO_LIST = "0"
"""The number of a list that is none."""


def with_named_lists(parts: dict[str, bytes]) -> None:
    """Write into each paragraph which list its style puts it in. `parts` are checked XML; numbered headings stay."""
    lists = _Styles(parts.get("word/styles.xml", b"")).lists()
    document = parts.get("word/document.xml", b"")
    if not lists or not document:
        return
    pieces: list[bytes] = []
    place = 0
    for match in _STYLED.finditer(document):
        prefix, style = match[1], match[2].decode("utf-8", "replace")
        end = document.find(b"</%bpPr>" % prefix, match.end())
        if style not in lists or end < 0 or b"numPr" in document[match.end() : end]:
            continue
        level, number = (value.encode() for value in lists[style])
        pieces.append(document[place : match.end()])
        pieces.append(
            b'<%bnumPr><%bilvl %bval="%b"/><%bnumId %bval="%b"/></%bnumPr>'
            % (prefix, prefix, prefix, level, prefix, prefix, number, prefix)
        )
        place = match.end()
    parts["word/document.xml"] = b"".join((*pieces, document[place:]))


def nested(markdown: str) -> str:
    """Each item as far in as the text of the one that it belongs to, as CommonMark asks: under `3. ` three blanks."""
    lines: list[str] = []
    columns: list[int] = []
    for line in markdown.split("\n"):
        item = _ITEM.match(line)
        if item is None:
            columns = [] if line.strip() else columns
            lines.append(line)
            continue
        level = min(len(item[1]) // _STEP, len(columns))
        columns = columns[:level]
        indent = columns[-1] if columns else 0
        columns.append(indent + len(item[2]) + 1)
        lines.append(" " * indent + line[len(item[1]) :])
    return "\n".join(lines)


class _Styles:
    """Of styles.xml: the list of each style, its own or that of the style it is based on."""

    def __init__(self, content: bytes) -> None:
        self._own: dict[str, dict[str, str]] = {}
        self._parents: dict[str, str] = {}
        self._headings: set[str] = set()
        self._style = ""
        if content:
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._start
            parser.Parse(content, True)

    def lists(self) -> dict[str, tuple[str, str]]:
        """Level and number, by the name of the style; both are digits."""
        found: dict[str, tuple[str, str]] = {}
        for style in self._parents.keys() | self._own.keys():
            line = self._line(style)
            number = next((said["numId"] for one in line if "numId" in (said := self._own.get(one, {}))), _NO_LIST)
            level = next((said["ilvl"] for one in line if "ilvl" in (said := self._own.get(one, {}))), "0")
            if number != _NO_LIST and not self._headings.intersection(line):
                found[style] = level, number
        return found

    def _line(self, style: str) -> list[str]:
        line: list[str] = []
        while style and style not in line and len(line) < _PARENTS_MOST:
            line.append(style)
            style = self._parents.get(style, "")
        return line

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        kind = name.rpartition(":")[2]
        given = {key.rpartition(":")[2]: value.strip() for key, value in attributes.items()}
        value = given.get("val", "")
        if kind == "style":
            self._style = given.get("styleId", "")
            self._parents.setdefault(self._style, "")
        elif kind == "basedOn":
            self._parents[self._style] = value
        elif kind == "outlineLvl":
            self._headings.add(self._style)
        elif kind in ("numId", "ilvl") and value.isascii() and value.isdigit() and len(value) < 7:
            self._own.setdefault(self._style, {})[kind] = value
