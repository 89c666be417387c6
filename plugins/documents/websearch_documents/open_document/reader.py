"""From the bytes of an OpenDocument text to its Markdown; runs in a worker."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from websearch_core import Download
from websearch_core.kit import Unsupported

from ..kit.extraction import MAILS_AND_WEB, DocumentContent, moment
from ..kit.safe_xml import checked
from ..kit.zip_archive import ZipArchive
from .namespaces import read_names
from .styles import Look, Styles, is_seen

_MARKUP = re.compile(r"([\\`*_\[\]|]|<(?=[A-Za-z/!?]|\Z))")
_BLOCK_START = re.compile(r"^(\d{1,9}(?=[.)](?: |$))|(?=#{1,6}(?: |$)|[-+](?: |$)|-[- ]*$|>|~~~))")
_ASIDE = frozenset(
    {"office:annotation", "text:tracked-changes", "text:hidden-text", "text:hidden-paragraph"}
    | {"table:covered-table-cell"}
)
_DEEPEST = 8
_COLUMNS = 256
_CELL = 4
_REPEATED_MOST = 1_000_000
"""Characters in cells that are written once for many."""
_BLANKS_MOST = 80


def read(download: Download) -> DocumentContent:
    """Raises `Unsupported`, `TooLarge` or `UnexpectedResponse`, and says which of all it is."""
    if not download.body.startswith(b"PK"):
        raise Unsupported("the document calls itself an OpenDocument text but is none")
    archive = ZipArchive(download.body, cut=download.truncated)
    manifest = archive.read("META-INF/manifest.xml")
    if manifest and "manifest:encryption-data" in _Facts(manifest).said:
        raise Unsupported("the document is password-protected")
    if "content.xml" not in archive.names:
        raise Unsupported("the archive holds no OpenDocument text")
    written = checked(archive.read("content.xml"))
    styles = archive.read("styles.xml")
    content = _Content(written, Styles(checked(styles) if styles else b"", written))
    facts = _Facts(archive.read("meta.xml"))
    return DocumentContent(
        body="\n\n".join(content.blocks),
        title=facts.said.get("dc:title", ""),
        author=facts.said.get("meta:initial-creator", "") or facts.said.get("dc:creator", ""),
        published=moment(facts.said.get("meta:creation-date", "")),
        modified=moment(facts.said.get("dc:date", "")),
        hidden=" ".join("".join(content.hidden).split()),
    )


class _Facts:
    """The texts of meta.xml or of the manifest by element."""

    def __init__(self, content: bytes) -> None:
        self.said: dict[str, str] = {}
        self._text: list[str] = []
        if content:
            read_names(checked(content), self._begin, self._end, self._text.append)

    def _begin(self, *_: object) -> None:
        self._text.clear()

    def _end(self, name: str) -> None:
        self.said.setdefault(name, "".join(self._text).strip())


class _Content:
    """Blocks of Markdown, by one pass of expat over content.xml."""

    def __init__(self, content: bytes, styles: Styles) -> None:
        self.blocks: list[str] = []
        self.hidden: list[str] = []
        self._styles = styles
        self._looks: list[Look] = [styles.page]
        self._texts: list[list[str]] = [[]]  # a paragraph may hold others: a note's, a frame's
        self._within: list[str] = []
        self._items: list[str] = []
        self._rows: list[list[str]] = []
        self._address = ""
        self._cell: Mapping[str, str] = {}
        self._room = _REPEATED_MOST
        self._level = self._lists = self._tables = self._aside = 0
        read_names(content, self._start, self._end, self._take)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table:covered-table-cell" and self._tables == 1 and self._rows and not self._aside:
            self._rows[-1] += self._cells("", attributes)
        if self._aside or name in _ASIDE or attributes.get("text:display") == "none":
            self._aside += 1
            return
        self._looks.append(self._looks[-1] | self._styles.look(name, attributes))
        match name:
            case "text:h" if not self._tables:
                self._texts.append([])
                level = attributes.get("text:outline-level", "1")
                self._level = min(6, max(1, int(level))) if level.isdecimal() and len(level) < 3 else 1
            case "text:p" if not self._tables:
                self._texts.append([])
            case "text:note":
                self._take(" ")
            case "text:list":
                self._lists += 1
            case "table:table":
                self._tables += 1
            case "table:table-row" if self._tables == 1:
                self._rows.append([])
            case "table:table-cell" if self._tables == 1:
                self._texts.append([])
                self._cell = attributes
            case "text:a":
                self._texts.append([])
                self._address = attributes.get("xlink:href", "")
            case "text:s":
                count = attributes.get("text:c", "1")
                self._take(" " * min(_BLANKS_MOST, int(count) if count.isdecimal() and len(count) < 4 else 1))
            case "text:tab" | "text:line-break":
                self._take(" ")
            case _:
                pass

    def _end(self, name: str) -> None:
        if self._aside:
            self._aside -= 1
            self.hidden.append(" ")
            return
        self._looks.pop()
        match name:
            case "text:p" | "text:h" if self._tables:
                self._texts[-1].append(" ")
            case "text:p" | "text:h":
                self._close_paragraph(name == "text:h")
            case "text:list":
                self._lists -= 1
                if not self._lists and self._items:
                    self.blocks.append("\n".join(self._items))
                    self._items = []
                    self._add_within()
            case "text:a":
                label = self._line()
                address = quote(self._address, safe="!#$%&'*+,/:;=?@~")
                leads = label and address.lower().startswith(MAILS_AND_WEB)
                self._texts[-1].append(f"[{label}]({address})" if leads else label)
            case "table:table-cell" if self._tables == 1 and self._rows:
                self._rows[-1] += self._cells(self._line(), self._cell)
            case "table:table-row" if self._tables == 1 and self._rows:
                while self._rows[-1] and not self._rows[-1][-1]:
                    self._rows[-1].pop()
                    self._room += _CELL
            case "table:table":
                self._tables -= 1
                if not self._tables:
                    self._close_table()
            case _:
                pass

    def _take(self, text: str) -> None:
        if self._aside or not is_seen(self._looks[-1]):
            self.hidden.append(f"{text} ")
        else:
            self._texts[-1].append(_MARKUP.sub(r"\\\1", text))

    def _line(self) -> str:
        return " ".join("".join(self._texts.pop()).split())

    def _cells(self, text: str, attributes: Mapping[str, str]) -> list[str]:
        """A cell as often as it stands in its row, while there is room for more."""
        said = attributes.get("table:number-columns-repeated", "1")
        more = min(_COLUMNS, int(said[:6])) - 1 if said.isdecimal() else 0
        more = max(0, min(more, self._room // (len(text) + _CELL)))
        self._room -= more * (len(text) + _CELL)
        return [text] * (1 + more)

    def _close_paragraph(self, is_heading: bool) -> None:
        text = self._line()
        plain = _BLOCK_START.sub(r"\1\\", text)
        if len(self._texts) > 1:
            self._within += [plain] if plain else []
            return
        if text and is_heading:
            self.blocks.append(f"{'#' * self._level} {text}")
        elif text and self._lists:
            self._items.append(f"{'  ' * min(self._lists - 1, _DEEPEST)}- {plain}")
        elif text:
            self.blocks.append(plain)
        if not self._lists:
            self._add_within()

    def _add_within(self) -> None:
        """After the paragraph or list that they stand in."""
        self.blocks += self._within
        self._within = []

    def _close_table(self) -> None:
        width = max(map(len, self._rows), default=0)
        if width:
            lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in self._rows]
            self.blocks.append("\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]]))
        self._rows = []
