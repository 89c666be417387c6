"""A normalised tree to Markdown, with no HTML left over."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from .raw import RAW, raw
from .tables import LAYOUT_TAGS, cells_of, flatten, is_layout, open_box, own_rows, to_gfm
from .tidy import BLANK_REFERENCE, tidy

if TYPE_CHECKING:
    from turbohtml import Document, Element, Markdown, Node

_NOT_SHOWN = (
    *("script", "style", "template", "noscript", "select", "textarea", "svg", "iframe", "audio", "video", "object"),
    *("embed", "canvas", "dialog:not([open])", "input:not([type=checkbox])", "progress", "meter", "rp"),
)
"""Looked for one by one, as the names of headings are: a document has an index of its elements' names."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TOO_DEEP = ("blockquote " * 9, f"{'li ' * 12} ul", f"{'li ' * 12} ol", f"{'dd ' * 9} dd")
"""Each level indents every line again: nested markup could grow without bound."""
_SHORT = 12
_FORMULA = re.compile("\x00(\\d+)\x00")
"""Where a formula goes. A parser of HTML lets no NUL through, so no page can write this."""
_FIRST_RULES = re.compile(r"(?:---(?:\n+|\Z))+")
"""Lines that part the text from what stood before it."""
_PLAIN_CELL = re.compile(r"(?![-+]|\d+[.)])(?:[^\W_]|[ ,.;:%€£'\"/()@=?-])*")


def to_markdown(root: Document) -> str:
    """Markdown of a tree that `normalise` has prepared; the tree is used up."""
    formulas: list[str] = []
    options = _options(formulas)
    for element in [element for name in _NOT_SHOWN for element in root.select(name)]:
        element.extract()
    for rule in root.select(":is(h1, h2, h3, h4, h5, h6) + hr"):
        rule.extract()
    _headings(root)
    _lists(root)
    for element in [element for deep in _TOO_DEEP for element in root.select(deep)]:
        element.tag = "div"
    for table in _data_tables(root):
        _write_table(table, options)
    markdown = _without_edge_rules(tidy(root.to_markdown(options)))
    return _FORMULA.sub(lambda match: formulas[int(match[1])], markdown) if formulas else markdown


def _without_edge_rules(markdown: str) -> str:
    if begun := _FIRST_RULES.match(markdown):
        markdown = markdown[begun.end() :]
    while markdown.endswith("\n---"):
        markdown = markdown[:-3].rstrip("\n")
    return markdown


def _options(formulas: list[str]) -> Markdown:
    from turbohtml import Markdown

    def written(element: Element, _: str) -> str:
        """What is Markdown already. The backslashes of a formula are no escapes: it is put in its place at the end."""
        text = element.text
        if "\\" not in text or not text.startswith("$"):
            return text
        formulas.append(text.replace("|", "\\|") if element.closest("td, th") else text)
        return f"\x00{len(formulas) - 1}\x00"

    converters: dict[str, Callable[[Element, str], str]] = {
        RAW: written,
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
    text = BLANK_REFERENCE.sub(" ", text) if "&#" in text else text
    inner = text.strip()
    if not inner or "\n\n" in inner or inner.startswith(mark[0]):
        return text
    start = text.index(inner)
    return f"{text[:start]}{mark}{inner}{mark}{text[start + len(inner) :]}"


def _marked(text: str, mark: str) -> str:
    """Pandoc's form where it says something: ordinals, trade marks and whole phrases stay plain."""
    word = text.strip()
    if not word or len(word) > _SHORT or " " in word or word.startswith(("[", "\\[")):
        return text
    if word.isalpha() and len(word) > 1:
        return text
    return text if word in {"®", "™", "©", "℠", "†", "‡", "*", "\\*"} else f"{mark}{word}{mark}"


def _headings(root: Node) -> None:
    for heading in [heading for name in _HEADINGS for heading in root.select(name)]:
        if not heading.text.strip():
            heading.tag = "div"


def _lists(root: Node) -> None:
    """A list that is all that an item holds stands in the item's place."""
    from turbohtml import Element

    for inner in root.select("ul > li > ul:only-child, ol > li > ol:only-child"):
        item = inner.parent
        if isinstance(item, Element) and item.text.strip() == inner.text.strip():
            inner.unwrap()
            item.unwrap()


def _data_tables(root: Document) -> list[Element]:
    """The tables that are left when those that only place things, and those within others, are none."""
    for table in root.select("table"):  # the outer ones first
        if table.tag != "table":
            continue
        if open_box(table) or is_layout(table):
            for part in [*own_rows(table), *table.children]:
                _unplace(part)
            _unplace(table)
        else:
            for inner in table.select("table"):
                flatten(inner)
    return root.select("table")


def _unplace(part: Node) -> None:
    from turbohtml import Element

    if isinstance(part, Element) and part.tag in LAYOUT_TAGS:
        for cell in cells_of(part):
            cell.tag = "div"
        part.tag = "div"


def _write_table(table: Element, options: Markdown) -> None:
    from turbohtml import Element

    if written := to_gfm(table, lambda cell: _cell(cell, options)):
        table.replace_with(Element("div", None, [raw(written)]))
    else:
        table.decompose()


def _cell(cell: Element, options: Markdown) -> str:
    """Most cells are a word or a number, which the renderer would hand back as it is."""
    text = cell.text.strip()
    if _PLAIN_CELL.fullmatch(text) and cell.select_one("*") is None:
        return text
    markdown = cell.to_markdown(options)
    return tidy(markdown) if "\\" in markdown else markdown
