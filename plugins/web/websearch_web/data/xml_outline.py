"""XML to Markdown by one pass of expat: no entity is expanded, nothing is loaded, no tree is built."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple
from xml.parsers import expat

from websearch_core.kit import UnexpectedResponse, Unsupported

from ..kit.links import LinkResolver
from ..kit.markdown_escaping import escaped, link, one_line

WHOLE_CHARS = 200_000
"""Up to here every element is shown."""
_DEEPEST = 200
_INDENTED = 12
_SIBLINGS = 20
"""Of one name in one element, where the document is larger."""
_TEXT_CHARS = 2000
_ATTRIBUTES = 50
_LINES = 20_000
_ADDRESSES = 5000
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,300}\?>")


class XmlContent(NamedTuple):
    """What was read."""

    body: str
    title: str = ""
    links: tuple[str, ...] = ()
    hidden: str = ""
    notes: tuple[str, ...] = ()


def read(text: str, url: str, *, cut: bool = False) -> XmlContent:
    """Sitemaps as addresses, the rest as a nested list; `cut`: the text ends where the download did.

    Raises `Unsupported` for entity declarations and for nesting without end, `UnexpectedResponse` for malformed XML.
    """
    if not text.strip():
        return XmlContent("")
    outline = _Outline(whole=len(text) <= WHOLE_CHARS)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = outline.start
    parser.EndElementHandler = outline.end
    parser.CharacterDataHandler = outline.text
    parser.CommentHandler = outline.comment
    parser.EntityDeclHandler = _no_entities
    try:
        parser.Parse(_DECLARATION.sub("", text.lstrip("\ufeff")).lstrip(), not cut)
    except expat.ExpatError:
        if not (cut and outline.lines):
            raise UnexpectedResponse("document", "the XML is not well-formed") from None
    if outline.addresses is not None:
        return _sitemap(outline, url)
    return XmlContent("\n".join(outline.lines), hidden="\n".join(outline.hidden), notes=outline.notes)


def _no_entities(*_: object) -> None:
    raise Unsupported("the XML declares entities, which are never expanded")


class _Element:
    __slots__ = ("line", "names", "pending")

    def __init__(self, line: int) -> None:
        self.line = line
        self.pending: list[str] = []
        self.names: dict[str, int] = {}


class _Outline:
    """Handlers of expat's: lines of a nested list, and the addresses where it is a sitemap."""

    def __init__(self, *, whole: bool) -> None:
        self.lines: list[str] = []
        self.hidden: list[str] = []
        self.addresses: list[dict[str, str]] | None = None
        self._siblings = _LINES if whole else _SIBLINGS
        self._open: list[_Element] = []
        self._unshown = 0
        self._left_out = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of what is not shown."""
        note = "the document is large: elements that repeat are counted, and not all are shown"
        return (note,) if self._left_out else ()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if len(self._open) + self._unshown >= _DEEPEST:
            raise Unsupported("the XML is nested too deep")
        if self._unshown:
            self._unshown += 1
            return
        if not self._open and name.rpartition(":")[2] in {"urlset", "sitemapindex"}:
            self.addresses = []
        elif self.addresses is not None and len(self._open) == 1 and len(self.addresses) < _ADDRESSES * 20:
            self.addresses.append({})
        if self._open:
            parent = self._open[-1]
            seen = parent.names[name] = parent.names.get(name, 0) + 1
            if self.addresses is None and (seen > self._siblings or len(self.lines) >= _LINES):
                parent.pending.append(" ")
                self._unshown = 1
                self._left_out = True
                return
            self._flush(parent)
        if self.addresses is None:
            shown = islice(attributes.items(), _ATTRIBUTES)
            said = ", ".join(f"{key}={one_line(value, 300)}" for key, value in shown if _is_said(key))
            self.lines.append(f"{self._indent()}- **{escaped(name)}**{escaped(f' ({said})') if said else ''}")
        self._open.append(_Element(len(self.lines) - 1))

    def end(self, name: str) -> None:
        """An element ends."""
        if self._unshown:
            self._unshown -= 1
            return
        element = self._open[-1]
        if self.addresses and len(self._open) in (3, 4):
            text = one_line("".join(element.pending), 2000)
            self.addresses[-1].setdefault(name.rpartition(":")[2], text)
        self._flush(element)
        if self.addresses is None:
            for child, count in element.names.items():
                if count > self._siblings:
                    self.lines.append(f"{self._indent()}- … {count - self._siblings:,} more **{escaped(child)}**")
        self._open.pop()

    def text(self, text: str) -> None:
        """Text within the element that is open."""
        if self._open and not self._unshown:
            self._open[-1].pending.append(text)

    def comment(self, text: str) -> None:
        """Nobody who reads the document sees it."""
        self.hidden.append(text.strip())

    def _flush(self, element: _Element) -> None:
        text = one_line("".join(element.pending), _TEXT_CHARS) if element.pending else ""
        element.pending.clear()
        if not text or self.addresses is not None:
            return
        if element.line == len(self.lines) - 1:
            self.lines[-1] += f": {escaped(text)}"
        else:
            self.lines.append(f"{self._indent()}- {escaped(text)}")

    def _indent(self) -> str:
        return "  " * min(len(self._open), _INDENTED)


def _is_said(attribute: str) -> bool:
    """Whether an attribute says something about the content: namespaces and schemas do not."""
    return not attribute.startswith(("xmlns", "xsi:", "xml:space"))


def _sitemap(outline: _Outline, url: str) -> XmlContent:
    """https://www.sitemaps.org/protocol.html: an address a line, with its date."""
    addresses = LinkResolver(url)
    found = [(addresses(entry["loc"]), entry) for entry in outline.addresses or () if entry.get("loc")]
    entries = [(address, entry) for address, entry in found if address]
    lines = ["# Sitemap", "", f"Addresses: {len(entries)}", ""]
    for address, entry in entries[:_ADDRESSES]:
        said = [link(entry.get("title", "") or address, address), escaped(entry.get("lastmod", "")[:10])]
        lines.append(f"- {' · '.join(part for part in said if part)}")
    more = len(entries) - _ADDRESSES
    return XmlContent(
        "\n".join(lines).strip(),
        title="Sitemap",
        links=tuple(dict.fromkeys(address for address, _ in entries)),
        hidden="\n".join(outline.hidden),
        notes=(f"{more} more addresses are left out",) if more > 0 else (),
    )
