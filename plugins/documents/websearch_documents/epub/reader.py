"""From the bytes of an EPUB to its Markdown; runs in a worker."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.parsers import expat

from websearch_core import Download
from websearch_core.kit import UnexpectedResponse, Unsupported

from ..kit.extraction import DocumentContent, moment
from ..kit.safe_xml import checked
from ..kit.zip_archive import ZipArchive
from .chapter import chapter
from .hidden_text import MAX_CHARS as MAX_STYLE_CHARS

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_CHARS = 4_000_000
_MAX_CHAPTERS = 2000
_READING_S = 12.0
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/html", ""})


def read(download: Download) -> DocumentContent:
    """The chapters of the spine. Raises `Unsupported`, `TooLarge` or `UnexpectedResponse`."""
    if not download.body.startswith(b"PK"):
        raise Unsupported("the document calls itself an EPUB but is none")
    archive = ZipArchive(download.body, cut=download.truncated)
    package = _package_name(archive)
    book = _Package(checked(archive.read(package)))
    locked = _locked(archive)
    names = list(book.spine(posixpath.dirname(package)))
    if locked and locked.issuperset(names):
        raise Unsupported("the book is protected by DRM")
    written: list[str] = []
    hidden: list[str] = []
    sheets: dict[str, str] = {}
    chars = read_chapters = apart = 0
    deadline = time.monotonic() + _READING_S
    for name in names[:_MAX_CHAPTERS]:
        if chars > MAX_CHARS or time.monotonic() > deadline:
            break
        read_chapters += 1
        if name in locked:
            continue
        text = chapter(archive.read(name), hidden, partial(_sheet, archive, sheets, posixpath.dirname(name)))
        apart += text is None
        chars += len(text or "")
        written += [text] if text else []
    notes: list[str] = []
    if len(names) > read_chapters:
        notes.append(f"only the first {read_chapters} of {len(names)} chapters were read")
    if apart:
        notes.append(f"{apart} chapters are left out: their style sheets are too long to tell what they show")
    return DocumentContent(
        body="\n\n".join(written),
        title=book.said("title"),
        author=", ".join(book.facts.get("creator", ())),
        published=moment(book.said("date")),
        language=book.said("language")[:35],
        hidden="\n".join(part for part in hidden if part),
        notes=tuple(notes),
    )


def _sheet(archive: ZipArchive, known: dict[str, str], folder: str, address: str) -> str:
    """A style sheet's text; each is unpacked once. Empty when it is not in the book."""
    name = posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0].partition("?")[0])))
    if name not in known:
        content = archive.read(name)
        encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
        known[name] = content.decode(encoding, "replace")[: MAX_STYLE_CHARS + 1]
    return known[name]


def _package_name(archive: ZipArchive) -> str:
    """Of the package document, as META-INF/container.xml names it."""
    container = archive.read("META-INF/container.xml")
    found = _Package(checked(container)).package if container else ""
    name = found or next((name for name in archive.names if name.endswith(".opf")), "")
    if not name or name not in archive.names:
        raise UnexpectedResponse("document", "the EPUB names no package document")
    return name


def _locked(archive: ZipArchive) -> frozenset[str]:
    """The encrypted files: META-INF/encryption.xml."""
    content = archive.read("META-INF/encryption.xml")
    return frozenset(_Package(checked(content)).references) if content else frozenset()


class _Package:
    """What the three small XML files of a book say: metadata, manifest, spine, container, encryption."""

    def __init__(self, content: bytes) -> None:
        self.facts: dict[str, list[str]] = {}
        self.package = ""
        self.references: list[str] = []
        self._manifest: dict[str, tuple[str, str]] = {}
        self._order: list[str] = []
        self._text: list[str] = []
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.Parse(content, True)

    def said(self, fact: str) -> str:
        """The first of this name in the metadata; empty when there is none."""
        return next(iter(self.facts.get(fact, ())), "")

    def spine(self, folder: str) -> Iterator[str]:
        """The names of the chapters' files, in order, each once."""
        seen: set[str] = set()
        for item in self._order:
            address, media_type = self._manifest.get(item, ("", ""))
            name = posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0])))
            if address and media_type in _PAGES and name not in seen:
                seen.add(name)
                yield name

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._text.clear()
        match name.rpartition(":")[2]:
            case "item":
                self._manifest[attributes.get("id", "")] = (
                    attributes.get("href", ""),
                    attributes.get("media-type", "").lower(),
                )
            case "itemref" if attributes.get("linear", "yes") != "no":
                self._order.append(attributes.get("idref", ""))
            case "rootfile":
                self.package = self.package or attributes.get("full-path", "")
            case "CipherReference":
                self.references.append(unquote(attributes.get("URI", "")))
            case _:
                pass

    def _end(self, name: str) -> None:
        local = name.rpartition(":")[2]
        text = " ".join("".join(self._text).split())
        if name.startswith("dc:") and text:
            self.facts.setdefault(local, []).append(text[:500])
        self._text.clear()
