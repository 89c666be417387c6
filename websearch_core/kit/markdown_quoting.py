"""Other people's words as a part of a page that is put together here: they cannot break out of their place."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"([^\S\n]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)")
_LISTED = re.compile(r"[^\S\n]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_BARE_FENCE = re.compile(r"^([^\S\n]*)(`{3,}|~{3,})", re.MULTILINE)
_HEADING = re.compile(
    r"^((?:[^\S\n]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*+[^\S\n]*+)(#{1,6})(?=[ \t]|$)", re.MULTILINE
)
_UNDERLINED = re.compile(
    r"^ {0,3}(?!(?:[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t]|$)|[>|=]|`{3}|~{3}|(?:[-*_][ \t]*+){3,}+$)"
    r"(\S[^\n|]{0,200})\n {0,3}(?:=+|-{2,})[ \t]*$",
    re.MULTILINE,
)
_MARKUP = re.compile(
    r"`[^`\n]{1,500}`"
    r"|<!--(?P<comment>.*?)(?:-->|\Z)"
    r"""|<img\b[^<>]{0,2000}?\ssrc=["']?(?P<image>https?://[^\s"'<>()]+)[^<>]{0,2000}>"""
    r"|</?(?P<tag>p|div|br|hr|li|tr|details|summary|h[1-6]|a|abbr|b|center|dd|del|dl|dt|em|font|i|img|ins|kbd|ol|picture"
    r"|s|samp|small|source|span|strong|sub|sup|table|tbody|td|th|thead|u|ul|video)(?:\s[^<>]{0,2000})?/?>",
    re.IGNORECASE | re.DOTALL,
)
_LINES = frozenset({"p", "div", "br", "hr", "li", "tr", "details", "summary"})
_BLOCK = re.compile(
    r"^([^\S\n]*+(?:\d{1,9}(?=[.)]))?)"
    r"((?:#{1,6}|[-*+]|(?<=\d)[.)])(?=[ \t]|$)|>|`{3,}|~{3,}|(?:=+|-+)(?=[ \t]*$))",
    re.MULTILINE,
)


_TELLING = frozenset(("", *"`~-*+0123456789"))
"""What a line begins with that is empty, a fence or a list item."""


class Quoted(NamedTuple):
    """Somebody's Markdown, ready to be put under a heading, and what its rendering would not have shown."""

    text: str
    hidden: str


def quoted(markdown: str, under: int) -> Quoted:
    """Somebody's Markdown as the content of a section whose heading has level `under`.

    Its headings go below that one, every fence is closed, indented code is fenced, comments are taken out, common tags
    of HTML become line breaks or nothing.
    """
    hidden: list[str] = []
    parts: list[str] = []
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for is_code, text in _parts(lines):
        parts.append(text if is_code else _prose(text, under, hidden))
    return Quoted("\n".join(parts).strip("\n"), "\n".join(filter(None, hidden)))


def literal(text: str) -> str:
    """Plain text as Markdown: no line begins a heading, a list, a quotation or code; nothing is a comment."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _BLOCK.sub(r"\1\\\2", text).replace("<!--", r"\<!--")


def fenced(code: str, language: str = "") -> str:
    """Code between fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
    named = language.partition("`")[0].strip()  # a fence of backticks cannot be named with one
    return f"{fence}{named}\n{code.rstrip()}\n{fence}"


def _parts(lines: list[str]) -> Iterator[tuple[bool, str]]:
    """Code blocks, each in fences of its own, and what is between them."""
    prose: list[str] = []
    at, listed, blank = 0, False, True
    while at < len(lines):
        line = lines[at]
        if line[:1] not in _TELLING and not line[:1].isspace():
            prose.append(line)
            at, listed, blank = at + 1, False, False
            continue
        indent = _indent(line)
        match = _FENCE.match(line)
        if blank and line.strip() and indent >= (8 if listed else 4):
            end = at
            while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= 4):
                end += 1
            yield False, "\n".join(prose)
            code = textwrap.dedent("\n".join(lines[at:end]).expandtabs(4)).strip("\n")
            yield True, textwrap.indent(fenced(code), "    " if listed else "") + "\n"
            prose, at = [], end
        elif match and not (match[3][0] == "`" and "`" in match[4]):
            code, at = _fenced_block(lines, at + 1, match[3])
            if match[2]:  # its list item begins in a line of its own, so that everybody sees the fence
                prose.append(match[1] + match[2].rstrip())
            margin = " " * len((match[1] + (match[2] or "")).expandtabs(4)) if listed or match[2] else ""
            yield False, "\n".join(prose)
            yield True, textwrap.indent(fenced(code, match[4].strip(" \t`~")), margin)
            prose, blank = [], True
        else:
            # inline code in three backticks is no fence, and is not to be taken for one
            prose.append(line.replace(match[3], "`") if match else line)
            blank = not line.strip()
            listed = bool(_LISTED.match(line)) or (listed and (blank or indent > 0))
            at += 1
    yield False, "\n".join(prose)


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def _fenced_block(lines: list[str], at: int, fence: str) -> tuple[str, int]:
    """The code from line `at` to where its fence is closed, or the text ends; and the line after that."""
    for end in range(at, len(lines)):
        closing = lines[end].strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return textwrap.dedent("\n".join(lines[at:end])), end + 1
    return textwrap.dedent("\n".join(lines[at:])), len(lines)


def _prose(text: str, under: int, hidden: list[str]) -> str:
    def shown(match: re.Match[str]) -> str:
        if match["comment"] is not None:
            hidden.append(match["comment"].strip())
            return ""
        if match["image"]:
            return f"![]({match['image']})"
        if match["tag"]:
            return "\n" if match["tag"].lower() in _LINES else ""
        return match[0]

    if "<" in text:
        # what stood behind a tag may now begin its line
        text = _BARE_FENCE.sub(r"\1\\\2", _MARKUP.sub(shown, text))
    if "#" in text:
        text = _HEADING.sub(lambda match: _margin(match[1]) + "#" * min(6, under + len(match[2])), text)
    if "\n" in text and ("=" in text or "--" in text):
        text = _UNDERLINED.sub(rf"{'#' * min(6, under + 1)} \1", text)
    return text


def _margin(before: str) -> str:
    """A heading stays in its quotation or list item; mere indentation goes."""
    return before if before.strip() else ""
