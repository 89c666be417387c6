"""What a page holds: its main element block by block, and the text around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from turbohtml import Element, Text, parse

from .generators import PERMALINKS, TABLE_OF_CONTENTS, Generator

if TYPE_CHECKING:
    from turbohtml import Document, Node

Kind = Literal["heading", "paragraph", "code", "cell"]
KINDS: tuple[Kind, ...] = ("heading", "paragraph", "code", "cell")
_TAGS: dict[str, Kind] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("p", "li", "dt", "dd", "figcaption", "blockquote"), "paragraph"),
    **dict.fromkeys(("td", "th"), "cell"),
    "pre": "code",
}
_NOT_TEXT = (
    "script, style, template, noscript, svg, math, select, textarea, button, [hidden], [aria-hidden=true], "
    "[style*='display:none'], [style*='display: none'], .sr-only, .visually-hidden"
)
_NUMBER = re.compile(r"^(?:(?:Chapter|Appendix|Part|Section)\s+)?(?:\d+|[A-Z](?=\.))(?:\.\d+)*\.?\s+")


def key(text: str) -> str:
    """Letters and digits alone: what no way of writing Markdown changes."""
    return "".join(character for character in text.lower() if character.isalnum())


class Block(NamedTuple):
    """A piece of a page's content."""

    kind: Kind
    text: str
    key: str


class Truth(NamedTuple):
    """What a reading of a page is held to."""

    blocks: list[Block]
    links: list[str]
    """File names, fragments aside, of the links within the content."""
    inside: str
    """The key of the whole main element, with what is optional."""
    outside: str
    """The key of everything else."""
    titles: list[str]
    """What the page's title may be."""

    @property
    def chars(self) -> int:
        """How much the page has to say."""
        return sum(len(block.key) for block in self.blocks)


def truth_of(source: str, name: str, generator: Generator) -> Truth:
    """Of a page as its generator wrote it; without blocks where it has no main element."""
    document = parse(source, positions=False)
    document.remove(_NOT_TEXT)
    if generator.around:
        around = "".join(_shown(part) for part in _outermost(document.select(generator.around)))
        document.remove(generator.around)
    else:
        around = ""
    for break_ in document.select("br, hr"):
        break_.replace_with(Text(" "))
    mains = _outermost(document.select(generator.main))
    inside = "".join(key(_shown(main)) for main in mains)
    titles = _titles(document, mains, generator)
    for main in mains:
        main.remove(", ".join(filter(None, (TABLE_OF_CONTENTS, PERMALINKS, generator.optional))))
    blocks: list[Block] = []
    links: list[str] = []
    for main in mains:
        _collect(main, blocks)
        files = (_file(anchor) for anchor in main.select("a[href]") if key(anchor.text))
        links += [file for file in files if file not in {"", name}]
    for main in mains:
        main.extract()
    body = document.select_one("body")
    outside = key(around) + (key(_shown(body)) if body is not None else "")
    return Truth(blocks, links, inside, outside, titles)


def _outermost(elements: list[Element]) -> list[Element]:
    chosen = set[object](elements)
    return [element for element in elements if not any(ancestor in chosen for ancestor in element.ancestors)]


def _shown(element: Element) -> str:
    return element.text


def _titles(document: Document, mains: list[Element], generator: Generator) -> list[str]:
    """The page's first heading; the name in the head counts, too, unless it is the site's."""
    found: list[str] = []
    for main in mains:
        heading = main if main.matches(generator.title) else main.select_one(generator.title)
        if heading is not None and key(heading.text):
            for mark in heading.select(f"{PERMALINKS}, {generator.optional}" if generator.optional else PERMALINKS):
                mark.extract()
            text = " ".join(heading.text.split()).rstrip("¶#\uf0c1 ")
            bare = "".join(child.text for child in heading.children if not isinstance(child, Element))
            found += [text, _NUMBER.sub("", text), " ".join(bare.split())]
            break
    head = document.select_one("head > title")
    if head is not None and head.text.strip():
        found.append(re.split(r"\s+[\u2014\u2013|:-]\s+|: ", " ".join(head.text.split()))[0])
    return found


def _file(anchor: Element) -> str:
    """What a link points to, without its folder, query and fragment; empty for what is no link in Markdown."""
    reference = (anchor.attr("href") or "").strip()
    if reference.startswith(("#", "javascript:", "mailto:", "file:")) or anchor.closest("pre") is not None:
        return ""
    return file_name(reference)


def file_name(address: str) -> str:
    """The last part of an address's path, or its host."""
    return address.partition("#")[0].partition("?")[0].rstrip("/").rsplit("/", 1)[-1]


def _collect(element: Element, blocks: list[Block]) -> None:
    kind = _TAGS.get(element.tag)
    if kind is None or (kind != "code" and _has_blocks(element)):
        own = "".join(_own_text(child) for child in element.children) if kind is not None else ""
        if kind is not None and key(own):
            blocks += [Block(kind, run, key(run)) for run in _runs(element) if key(run)]
        for child in element.children:
            if isinstance(child, Element):
                _collect(child, blocks)
        return
    text = element.text
    if kind == "heading" and key(text) in {"tableofcontents", "contents", "shorttableofcontents", "shortcontents"}:
        return
    if key(text) or (kind == "code" and text.strip()):
        blocks.append(Block(kind, text, key(text)))


def _has_blocks(element: Element) -> bool:
    return element.select_one(f"{', '.join(_TAGS)}, table, ul, ol, dl, div") is not None


def _own_text(node: Node) -> str:
    return "" if isinstance(node, Element) and _is_block(node) else node.text


def _is_block(element: Element) -> bool:
    return element.tag in _TAGS or element.tag in {"div", "table", "ul", "ol", "dl", "section"} or _has_blocks(element)


def _runs(element: Element) -> list[str]:
    """The runs of text between an element's blocks."""
    runs = [""]
    for child in element.children:
        if isinstance(child, Element) and _is_block(child):
            runs.append("")
        else:
            runs[-1] += child.text
    return runs
