"""A normalised tree to Markdown, with no HTML left over."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from .raw import RAW, raw
from .tables import is_layout, to_gfm

if TYPE_CHECKING:
    from turbohtml import Element, Markdown, Node

_NOT_SHOWN = (
    "script, style, template, noscript, select, textarea, svg, iframe, audio, video, object, embed, canvas, "
    "dialog:not([open]), input:not([type=checkbox]), progress, meter, rp"
)
_LAYOUT_TAGS = "table, tbody, thead, tfoot, tr, td, th, caption, colgroup, col"
_TOO_DEEP = f"{'blockquote ' * 9}, {'li ' * 12} ul, {'li ' * 12} ol, {'dd ' * 9} dd"
"""Each level indents every line again: nested markup could grow without bound."""
_SHORT = 12
_FENCE = re.compile(r"^[\s>*+-]{0,40}(?:\d{1,9}[.)]\s{0,4})?(`{3,}|~{3,})")
_BLANK_REFERENCE = re.compile(r"(?<!\\)&#(?:160|8192|8194|8195|8201|8232|8233|8239|12288);")
_PLAIN_CELL = re.compile(r"(?![-+]|\d+[.)])(?:[^\W_]|[ ,.;:%€£'\"/()@=?-])*")
_TASK = re.compile(r"^(\s{0,40}[-*+] \[[ x]\]) +")


def to_markdown(root: Element) -> str:
    """Markdown of a tree that `normalise` has prepared; the tree is used up."""
    options = _options()
    root.remove(_NOT_SHOWN)
    _headings(root)
    for element in root.select(_TOO_DEEP):
        element.tag = "div"
    for table in reversed(root.select("table")):
        _place(table, options)
    return _tidy(root.to_markdown(options))


def _options() -> Markdown:
    from turbohtml import Markdown

    converters: dict[str, Callable[[Element, str], str]] = {
        RAW: lambda element, _: element.text,
        "input": lambda element, _: (
            "" if not element.closest("li") else ("[x] " if "checked" in element.attrs else "[ ] ")
        ),
        "dt": lambda _, text: f"**{text.strip()}**" if text.strip() and "**" not in text else text,
        "dd": lambda _, text: ": " + text.strip().replace("\n", "\n  ") if text.strip() else "",
        "strong": lambda _, text: _wrapped(text, "**"),
        "b": lambda _, text: _wrapped(text, "**"),
        "em": lambda _, text: _wrapped(text, "*"),
        "i": lambda _, text: _wrapped(text, "*"),
        "s": lambda _, text: _wrapped(text, "~~"),
        "del": lambda _, text: _wrapped(text, "~~"),
        "strike": lambda _, text: _wrapped(text, "~~"),
        "sup": lambda _, text: _marked(text, "^"),
        "sub": lambda _, text: _marked(text, "~"),
    }
    return Markdown(
        tables=Markdown.Tables(cell_blocks="text"), links=Markdown.Links(autolink=False), converters=converters
    )


def _wrapped(text: str, mark: str) -> str:
    """Emphasis on one line; what spans blocks or is already emphasised stays as it is."""
    return f"{mark}{text}{mark}" if text and "\n\n" not in text and not text.startswith(mark[0]) else text


def _marked(text: str, mark: str) -> str:
    """Pandoc's form where it says something: ordinals, trade marks and whole phrases stay plain."""
    word = text.strip()
    if not word or len(word) > _SHORT or " " in word or word.startswith("[") or (word.isalpha() and len(word) > 1):
        return text
    return text if word in {"®", "™", "©", "℠", "†", "‡", "*", "\\*"} else f"{mark}{word}{mark}"


def _headings(root: Node) -> None:
    for heading in root.select("h1, h2, h3, h4, h5, h6"):
        if not heading.text.strip():
            heading.tag = "div"


def _place(table: Element, options: Markdown) -> None:
    from turbohtml import Element

    if is_layout(table):
        for part in [table, *table.select(_LAYOUT_TAGS)]:
            part.tag = "div"
        return
    written = to_gfm(table, lambda cell: _cell(cell, options))
    if written:
        table.replace_with(Element("div", None, [raw(written)]))
    else:
        table.decompose()


def _cell(cell: Element, options: Markdown) -> str:
    """Most cells are a word or a number, which the renderer would hand back as it is."""
    text = cell.text.strip()
    if _PLAIN_CELL.fullmatch(text) and cell.select_one("*") is None:
        return text
    return cell.to_markdown(options)


def _tidy(markdown: str) -> str:
    """No trailing blanks, no runs of empty lines; code stays as it was written."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            lines.append(line)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if mark:
            fence = mark[1]
        task = _TASK.sub(r"\1 ", line) if "] " in line else line
        kept = (_BLANK_REFERENCE.sub(" ", task) if "&#" in task else task).rstrip()
        if kept or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).strip("\n")
