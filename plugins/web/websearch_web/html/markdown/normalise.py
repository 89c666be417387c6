"""One form for the many ways of writing code, formulas, images, links and footnotes."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from ...kit.links import LinkResolver
from .code import write_code, write_code_spans
from .maths import write_maths
from .raw import raw

if TYPE_CHECKING:
    from turbohtml import Element, Node, Text

_KEEPS_LINES = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|preserve|break-spaces)", re.IGNORECASE)
_EMPHASIS = frozenset({"strong", "b", "em", "i", "s", "del", "strike"})
_TWICE = ":is(strong, b) :is(strong, b), :is(em, i) :is(em, i), :is(s, del, strike) :is(s, del, strike)"
_MARKED = frozenset({"code", "kbd", "samp", "a", "img", "x-raw"})
"""Elements that Markdown begins and ends with punctuation."""
_LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-srcset",
    "data-original-src",
    "data-hi-res-src",
)


def normalise(root: Node, addresses: LinkResolver) -> None:
    """Rewrite the tree in place; afterwards it needs no knowledge of any site's conventions."""
    write_maths(root)
    write_code(root)
    write_code_spans(root)
    _images(root, addresses)
    _footnotes(root)
    _anchors(root, addresses)
    _emphasis(root)
    _readings(root)
    _white_space(root)


def _readings(root: Node) -> None:
    """How the characters before it are read, as browsers without ruby show it: in parentheses."""
    from turbohtml import Text

    for parenthesis in root.select("rp"):
        parenthesis.extract()
    for reading in root.select("rt"):
        text = reading.text.strip()
        reading.replace_with(Text(f"({text})" if text else ""))


def _images(root: Node, addresses: LinkResolver) -> None:
    for image in root.select("amp-img"):
        image.tag = "img"
    for image in root.select("img"):
        source = _source(image, addresses)
        alt = " ".join((image.attr("alt") or "").split())
        if not alt and image.closest("h1, h2, h3, h4, h5, h6") is not None:
            image.decompose()
        elif source and (image.attr("width") or "") not in {"0", "1"}:
            image.attrs["src"] = source
            image.attrs["alt"] = alt
            if "title" in image.attrs:
                del image.attrs["title"]
        elif alt:
            from turbohtml import Text

            image.replace_with(Text(alt))
        else:
            image.decompose()


def _source(image: Element, addresses: LinkResolver) -> str:
    for name in ("src", *_LAZY, "srcset"):
        value = image.attr(name) or ""
        if value and name.endswith("srcset"):
            value = value.split(",")[-1].strip().split(" ")[0]
        if value and not value.lower().startswith("data:") and (found := addresses(value)):
            lazy = name == "src" and any(image.attr(other) for other in _LAZY[:3])
            if not lazy:
                return found
    return ""


def _anchors(root: Node, addresses: LinkResolver) -> None:
    for anchor in root.select("a"):
        reference = (anchor.attr("href") or "").strip()
        target = addresses(reference) if reference and not reference.startswith("#") else ""
        text = anchor.text.strip()
        if (not text and not anchor.select_one("img, x-raw")) or (
            text in {"¶", "#", "§", "🔗"} and reference.startswith("#")
        ):
            anchor.decompose()
        elif not target:
            anchor.unwrap()
        else:
            anchor.attrs["href"] = target
            if "title" in anchor.attrs:
                del anchor.attrs["title"]
            if anchor.select_one("br") is not None:
                _move_breaks_out(anchor)


def _move_breaks_out(anchor: Element) -> None:
    """Line breaks at the edges of a link stand beside it; within it one stands for several, as a blank line ends it."""
    for line_break in [node for node in takewhile(_is_break, anchor.children) if getattr(node, "tag", "")]:
        anchor.insert_before(line_break.extract())
    for line_break in [node for node in takewhile(_is_break, reversed(anchor.children)) if getattr(node, "tag", "")]:
        anchor.insert_after(line_break.extract())
    for line_break in anchor.select("br + br"):
        line_break.extract()


def _footnotes(root: Node) -> None:
    numbers: dict[str, int] = {}
    references = root.select("sup a[href^='#'], a.footnote-ref[href^='#'], a[role=doc-noteref][href^='#']")
    if not references:
        return
    notes = {note.attr("id") or "": note for note in root.select("li[id], [role=doc-footnote][id], div.footnote[id]")}
    for anchor in references:
        target = (anchor.attr("href") or "")[1:]
        if target in notes and not notes[target].closest("nav"):
            number = numbers.setdefault(target, len(numbers) + 1)
            mark = anchor.closest("sup") or anchor
            if mark.parent is not None:
                mark.replace_with(raw(f"[^{number}]"))
    for target, number in numbers.items():
        _footnote(notes[target], number)


def _footnote(note: Element, number: int) -> None:
    note.remove(
        ".mw-cite-backlink, .footnote-backref, a[role=doc-backlink], a[href^='#fnref'], a[href^='#cite_ref'], "
        "a.footnote-back, a.reversefootnote"
    )
    holder = note.parent
    note.tag = "div"
    first = note.select_one("p") or note
    first.insert(0, raw(f"[^{number}]: "))
    if holder is not None and getattr(holder, "tag", "") in {"ol", "ul"}:
        holder.tag = "div"  # pyright: ignore[reportAttributeAccessIssue] - it is an element, its tag says so


def _emphasis(root: Node) -> None:
    """Emphasis that touches other emphasis, holds nothing, or has a line break at its edge has no form in Markdown.

    Nor has emphasis between a letter and a punctuation mark, as in `size<b>"x"</b>`.
    """
    from turbohtml import Element, Text

    selector = ", ".join(_EMPHASIS)
    if not any(root.select(name) for name in _EMPHASIS):
        return
    for nested in root.select(_TWICE):
        nested.unwrap()
    for element in root.select(selector):
        before, after = element.previous_sibling, element.next_sibling
        touching = isinstance(before, Element) and before.tag in {"strong", "b", "em", "i"}
        text = element.text
        if touching or not text.strip() or element.closest("pre, code"):
            element.unwrap()
            continue
        edges = element.children
        if (before is not None and _is_letter(before, -1) and _is_mark(edges[0], 0)) or (
            after is not None and _is_letter(after, 0) and _is_mark(edges[-1], -1)
        ):
            element.unwrap()
            continue
        for line_break in (*takewhile(_is_break, edges), *takewhile(_is_break, reversed(edges))):
            line_break.extract()
            element.insert_after(Text("\n"))


def _is_break(node: Node) -> bool:
    return getattr(node, "tag", "") == "br" or (not node.text.strip() and not getattr(node, "tag", ""))


def _is_letter(node: Node, edge: int) -> bool:
    """Whether its Markdown begins (0) or ends (-1) with a letter or digit."""
    text = node.text
    return bool(text) and text[edge].isalnum() and getattr(node, "tag", "") not in _MARKED


def _is_mark(node: Node, edge: int) -> bool:
    """Whether its Markdown begins (0) or ends (-1) with punctuation."""
    text = node.text.strip()
    return bool(text) and (not text[edge].isalnum() or getattr(node, "tag", "") in _MARKED | _EMPHASIS)


def _white_space(root: Node) -> None:
    """Prose that keeps its line breaks by style is prose; the renderer would take it for code."""
    from turbohtml import Text

    for element in root.select("[style*='white-space']"):
        style = element.attrs.pop("style", "")
        kept = _KEEPS_LINES.search(str(style))
        if kept and element.tag != "pre" and "\n" in element.text.strip() and not element.closest("pre"):
            for text in [node for node in element.descendants if isinstance(node, Text) and "\n" in node.text]:
                _break_lines(text)


def _break_lines(text: Text) -> None:
    from turbohtml import Element, Text

    lines = text.text.split("\n")
    nodes: list[Element | Text] = [Text(lines[0])]
    for line in lines[1:]:
        nodes += [Element("br"), Text(line)]
    text.replace_with(*nodes)
