"""From the bytes of an Office document to its Markdown; runs in a worker."""

from __future__ import annotations

import io
import re
import zipfile
from html import unescape
from importlib import import_module
from typing import Any
from urllib.parse import quote
from xml.parsers import expat

from websearch_core import Download
from websearch_core.kit import UnexpectedResponse, Unsupported

from ..kit.extraction import DocumentContent, moment
from ..kit.long_tables import shortened
from ..kit.safe_xml import checked
from ..kit.zip_archive import ZipArchive
from .hidden_text import without_concealed
from .relationships import related
from .sheets.workbook_markdown import WorkbookMarkdown
from .word.bookmark_links import with_places
from .word.field_links import with_field_links
from .word.list_markers import with_markers
from .word.style_lists import nested, with_named_lists

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_MAIN = {"word/document.xml": "document", "ppt/presentation.xml": "slides", "xl/workbook.xml": "sheets"}
_LEFT_OUT = re.compile(
    r"(?:^|/)(?:media|embeddings|fonts|customXml|activeX|ctrlProps|printerSettings|theme|webSettings|vbaData)(?:/|\.|\d)"
)
_THEME = re.compile(r"(?:word|ppt|xl)/theme/theme\d{1,4}\.xml")
_MACROS = "vbaProject.bin"
_NOT_SHOWN = {
    "slides": "slides or text that the presentation does not show are left out",
    "sheets": "hidden sheets, rows, columns or cells are left out",
}
_HEADING_LEVELS = 6
_BROKEN_HEADING = re.compile(r"^#{1,6} (?:[^\n]*? {2}\n(?=[^\n]))+", re.MULTILINE)
"""A heading of two lines: the second one would be text."""
_BREAK = re.compile(r"(?<!\\)<br ?/?>")
"""In a cell, which is one line."""
_LINK = re.compile(r"(?<=\]\()[^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?(?=\))")
_EQUATION = re.compile(rb"<[\w.-]{1,20}:oMath[\s>]")
_SLIDE = re.compile(r"^## Slide (\d{1,6})$")


def read(download: Download) -> DocumentContent:
    """Raises `Unsupported`, `TooLarge` or `UnexpectedResponse`, and says which of all it is."""
    body = download.body
    if body.startswith(_OLE):
        if _LOCKED in body:
            raise Unsupported("the document is password-protected")
        raise Unsupported("old binary Office documents (.doc, .xls, .ppt) are not read")
    if not body.startswith(b"PK"):
        raise Unsupported("the document calls itself an Office document but is none")
    archive = ZipArchive(body, cut=download.truncated)
    parts = {name: checked(archive.read(name)) for name in archive.names if _is_needed(name)}
    kind = _with_usual_name(parts)
    if not kind:
        raise Unsupported("the archive holds no Office document")
    notes: list[str] = []
    if any(name.endswith(_MACROS) for name in archive.names):
        notes.append("the document holds macros: they are neither read nor run")
    if any(_EQUATION.search(content) for content in parts.values()):
        notes.append("equations are left out")
    themes = {name: checked(archive.read(name)) for name in archive.names if _THEME.fullmatch(name)}
    hidden = without_concealed(parts, themes)
    if kind == "sheets":
        workbook = WorkbookMarkdown(parts)
        notes += workbook.notes
        body, count = workbook.body, workbook.count
        hidden = " ".join((hidden, *workbook.covered)).strip()
    else:
        with_named_lists(parts)
        with_markers(parts)
        with_field_links(parts)
        with_places(parts)
        body, count = _converted(parts, kind, notes)
    if hidden and kind in _NOT_SHOWN:
        notes.append(_NOT_SHOWN[kind])
    facts = _facts(parts.get("docProps/core.xml", b""))
    return DocumentContent(
        body=body,
        title=facts.get("title", ""),
        author=facts.get("creator", ""),
        published=moment(facts.get("created", "")),
        modified=moment(facts.get("modified", "")),
        page_count=None if kind == "document" else count,
        hidden=hidden,
        notes=tuple(notes),
    )


def _with_usual_name(parts: dict[str, bytes]) -> str:
    """The kind of document, empty for none; its main part, which a relation names, gets the name that readers expect.

    Word for the web writes `word/document2.xml`.
    """
    main = related(parts, "", "officeDocument")
    folder, _, file = main.rpartition("/")
    usual = next((name for name in _MAIN if name.startswith(f"{folder}/")), "") if main in parts else ""
    if usual and main != usual and usual not in parts:
        parts[usual] = parts.pop(main)
        if about := parts.pop(f"{folder}/_rels/{file}.rels", b""):
            parts[f"{folder}/_rels/{usual.rpartition('/')[2]}.rels"] = about
        for name in ("_rels/.rels", "[Content_Types].xml"):
            if name in parts:
                parts[name] = parts[name].replace(main.encode(), usual.encode())
    return next((kind for name, kind in _MAIN.items() if name in parts), "")


def _converted(parts: dict[str, bytes], kind: str, notes: list[str]) -> tuple[str, int]:
    """The Markdown of a text or of slides, and how many sections or slides there are."""
    undoc: Any = import_module("undoc")
    try:
        with undoc.parse_bytes(_rebuilt(parts)) as document:
            written: str = document.to_markdown(
                include_images=False, preserve_line_breaks=True, max_heading_level=_HEADING_LEVELS
            )
            sections: int = document.section_count
    except undoc.UndocError:
        raise UnexpectedResponse("document", "the Office document is damaged") from None
    written = _BREAK.sub(" ", written)
    written = _LINK.sub(_leading, _BROKEN_HEADING.sub(lambda heading: heading[0].replace("  \n", " "), written))
    return _of_slides(written) if kind == "slides" else shortened(nested(written), notes), sections


def _facts(content: bytes) -> dict[str, str]:
    """The texts of core.xml by element, without prefixes."""
    facts: dict[str, str] = {}
    said: list[str] = []

    def begin(*_: object) -> None:
        said.clear()

    def end(name: str) -> None:
        facts.setdefault(name.rpartition(":")[2], "".join(said).strip())

    if content:
        parser = expat.ParserCreate()
        parser.StartElementHandler = begin
        parser.EndElementHandler = end
        parser.CharacterDataHandler = said.append
        parser.Parse(content, True)
    return facts


def _leading(match: re.Match[str]) -> str:
    """The address itself: the converter repeats it as the XML writes it, with a backslash before each ampersand."""
    return quote(unescape(match[0].replace("\\&", "&")), safe="!#$%&'*+,/:;=?@[]~()") if "\\&" in match[0] else match[0]


def _is_needed(name: str) -> bool:
    return name.endswith((".xml", ".rels")) and not _LEFT_OUT.search(name)


def _rebuilt(parts: dict[str, bytes]) -> bytes:
    """An archive of nothing but checked XML: what the next reader unpacks is no larger than what was checked."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def _of_slides(markdown: str) -> str:
    """A mark before each slide, and its title as a heading of its own."""
    lines: list[str] = []
    number = 0
    for line in markdown.split("\n"):
        match = _SLIDE.match(line)
        if match and int(match[1]) == number + 1:
            number += 1
            lines.append(f"[slide {number}]")
        elif line.startswith("# "):
            lines.append(f"#{line}")
        elif line != "---":
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
