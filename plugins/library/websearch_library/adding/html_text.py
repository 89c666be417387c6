"""Reads the text of a local HTML file: headings, paragraphs, lists, code; no tables, no scripts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_SKIPPED = frozenset(("script", "style", "noscript", "template", "svg", "nav", "footer", "head", "iframe"))
_BLOCKS = frozenset(
    """address article aside blockquote dd details div dl dt fieldset figure form header hr main ol p section table
    tbody thead tr ul caption figcaption summary""".split()  # noqa: SIM905 - a list is unreadable
)
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_SPACES = re.compile(r"[ \t\r\f\v]*\n[ \t\r\f\v]*|[ \t\r\f\v]+")
_EMPTY_LINES = re.compile(r"\n{3,}")


def read(html: str) -> tuple[str, str, str]:
    """Title, language and Markdown-like text of an HTML document; never fails, whatever the markup."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    text = _EMPTY_LINES.sub("\n\n", "".join(reader.pieces)).strip()
    return " ".join("".join(reader.title).split()), reader.language, text


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.title: list[str] = []
        self.language = ""
        self._in_title = False
        self._skipping: list[str] = []
        self._preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            self.language = (dict(attrs).get("lang") or "").strip()
        elif tag == "title" and not self.title:
            self._in_title = True
        elif tag == "body":
            self._skipping.clear()  # an unclosed <head>
        elif tag in _SKIPPED:
            self._skipping.append(tag)
        elif self._skipping:
            return
        elif tag == "pre":
            self._preformatted += 1
            self.pieces.append("\n\n```\n")
        elif tag in _HEADINGS:
            self.pieces.append(f"\n\n{_HEADINGS[tag]} ")
        elif tag == "li":
            self.pieces.append("\n- ")
        elif tag == "br":
            self.pieces.append("\n")
        elif tag in ("td", "th"):
            self.pieces.append(" ")
        elif tag in _BLOCKS:
            self.pieces.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag in self._skipping:
            while self._skipping.pop() != tag:
                pass
        elif self._skipping:
            return
        elif tag == "pre" and self._preformatted:
            self._preformatted -= 1
            self.pieces.append("\n```\n\n")
        elif tag in _BLOCKS or tag in _HEADINGS:
            self.pieces.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif self._skipping:
            return
        elif self._preformatted:
            self.pieces.append(data)
        else:
            text = _SPACES.sub(" ", data)
            if text != " " or (self.pieces and not self.pieces[-1].endswith(("\n", " "))):
                self.pieces.append(text)
