"""A PDF page's blocks, as their places on the page suggest them, to Markdown."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...kit.code_fences import fenced
from ...kit.links import LinkResolver
from ...kit.markdown_escaping import table, untagged
from .code_blocks import CodeBlocks, are_one, written
from .line_joins import continued
from .monospace import Line, MonospaceFonts
from .running_heads import RunningHeads
from .table_of_contents import TableOfContents, without_leaders

if TYPE_CHECKING:
    from ..hidden_text import HiddenText

_LOOKS_LIKE_BLOCK = re.compile(r"^(?=#{1,6}\s|>|```|~~~|\||={3,}$|-{3,}$)", re.MULTILINE)
_LINK = re.compile(r"\]\(\s*+<?([^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?)>?\s*+\)")
_LANGUAGE = re.compile(r"[a-z0-9+#-]{0,20}")
_DEEPEST = 8
_CODE = frozenset({"code", "grid_fallback"})


class _Prose(NamedTuple):
    """What is said around the code of a block."""

    block: Any
    text: str

    @property
    def kind(self) -> str:
        return self.block.kind if self.block.kind == "list_item" else "paragraph"

    @property
    def level(self) -> int | None:
        return self.block.level

    @property
    def marker(self) -> str | None:
        return self.block.marker

    @property
    def ordered(self) -> bool | None:
        return self.block.ordered


class _Written:
    """The Markdown of a page, block by block."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._before = ""
        self._code: list[Line] = []
        self._language = ""

    def add(self, text: str, kind: str) -> None:
        """A block; items of a list stand close."""
        text = text.strip("\n")
        if not text.strip():
            return
        self._close()
        if kind == self._before == "paragraph" and (joined := continued(self._blocks[-1], text)):
            self._blocks[-1] = joined
            return
        self._blocks.append(("\n" if kind == self._before == "list_item" else "\n\n") + text)
        self._before = kind

    def add_code(self, lines: Sequence[Line], language: str = "") -> None:
        """Lines of code; those that follow on others make one block with them."""
        for line in lines:
            if self._code and not are_one(self._code[-1], line):
                self._close()
            self._code.append(line)
        self._language = self._language or language

    def text(self) -> str:
        """All of it."""
        self._close()
        return "".join(self._blocks).strip("\n")

    def _close(self) -> None:
        if self._code:
            self._blocks.append(f"\n\n{fenced(written(self._code), self._language)}")
            self._code, self._language, self._before = [], "", "code"


class PageMarkdown:
    """Turns blocks into Markdown; collects where the document's links lead."""

    def __init__(self, url: str) -> None:
        self._addresses = LinkResolver(url)
        self.links: dict[str, None] = {}
        self.hidden: list[str] = []
        self._running = RunningHeads()
        self._typewriter = MonospaceFonts()

    def markdown(self, page: Any, unseen: HiddenText) -> str:
        """The Markdown of one page; empty where there is no text. Raises as foreign objects do."""
        if page is None:
            return ""
        hidden = {id(item): item.text for item in page.text_items if unseen.hides(item)}
        self.hidden += hidden.values()
        self._running.next_page()
        seen = [item for item in page.text_items if id(item) not in hidden]
        code = CodeBlocks(self._typewriter, seen)
        written = _Written()
        contents = TableOfContents(page.blocks or ())
        for block in page.blocks or ():
            if (hidden and not _is_seen(block, page, hidden)) or self._running.is_said(block, page):
                continue
            if contents.are_numbers(block):
                continue
            if entries := contents.entries(block):
                for entry in entries:
                    written.add(f"- {self._prose(entry)}", "list_item")
                continue
            pieces = code.pieces(block)
            if not pieces and block.kind in _CODE and code.is_prose(block):
                written.add(self._prose("\n".join(block.lines or ())), "paragraph")
            elif not pieces:
                written.add(self._block(block, page), block.kind)
            for piece in pieces:
                if piece.lines:
                    written.add_code(piece.lines, _language(block))
                elif piece.text.strip():
                    written.add(self._block(_Prose(block, piece.text.strip()), page), block.kind)
        return written.text()

    def _block(self, block: Any, page: Any) -> str:
        match block.kind:
            case "heading":
                return f"{'#' * max(1, min(6, block.level or 1))} {self._prose(_one_line(block.text))}"
            case "list_item":
                marker = block.marker if block.ordered and re.fullmatch(r"\d{1,9}[.)]", block.marker or "") else "-"
                return f"{'  ' * min(block.level or 0, _DEEPEST)}{marker} {self._prose(_one_line(block.text))}"
            case "table":
                cells = [[cell.text or "" for cell in row] for row in (block.header or (), *(block.rows or ())) if row]
                if max(map(len, cells), default=0) < 2:  # a frame around text
                    return "\n\n".join(self._prose(_one_line(" ".join(row))) for row in cells)
                return self._table(cells)
            case _ if block.kind in _CODE:
                return fenced(_indented(block, page), _language(block))
            case "rule":
                return ""
            case _:
                return self._prose(block.text or "")

    def _prose(self, text: str) -> str:
        """Text that no reader takes for markup, with links that lead to the web or nowhere."""
        return self._linked(_LOOKS_LIKE_BLOCK.sub(r"\\", untagged(text)))

    def _linked(self, text: str) -> str:
        return _LINK.sub(self._target, text)

    def _target(self, match: re.Match[str]) -> str:
        found = self._addresses(match[1]) if match[1] else ""
        if not found:
            return "]"
        if found.startswith(("http://", "https://")):
            self.links[found.partition("#")[0]] = None
        return f"](<{found}>)" if "(" in found or ")" in found else f"]({found})"

    def _table(self, rows: Sequence[Sequence[str | None]]) -> str:
        cells = [[self._linked(without_leaders(text or "")) for text in row] for row in rows]
        return table(cells) if any(any(row) for row in cells) else ""


def _language(block: Any) -> str:
    language = block.lang or ""
    return language if _LANGUAGE.fullmatch(language) else ""


def _is_seen(block: Any, page: Any, hidden: Container[int]) -> bool:
    """Whether anything within the block's box is more than hidden text."""
    if block.bbox is None:
        return True
    within = [item for item in page.text_items if _is_within(item, block.bbox)]
    return not within or any(id(item) not in hidden for item in within)


def _is_within(item: Any, box: Any) -> bool:
    x, y = item.x + item.width / 2, item.y + item.height / 2
    return box.x - 1 <= x <= box.x + box.width + 1 and box.y - 1 <= y <= box.y + box.height + 1


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _indented(block: Any, page: Any) -> str:
    """The lines of code with the blanks that their place on the page stands for."""
    lines: list[str] = [line.rstrip() for line in block.lines or ()]
    if block.bbox is None or any(line.startswith((" ", "\t")) for line in lines):
        return "\n".join(lines)
    top, bottom = block.bbox.y - 1, block.bbox.y + block.bbox.height + 1
    starts = [item for item in page.text_items if top <= item.y <= bottom and item.text.strip()]
    if not starts:
        return "\n".join(lines)
    widest = max(starts, key=lambda item: len(item.text))
    left, advance = min(item.x for item in starts), widest.width / max(1, len(widest.text))
    written: list[str] = []
    for line in lines:
        first = next((item for item in starts if line.strip() and line.startswith(item.text.strip())), None)
        if first is None or advance <= 0:
            written.append(line)
            continue
        starts.remove(first)
        written.append(" " * min(80, round((first.x - left) / advance)) + line)
    return "\n".join(written)
