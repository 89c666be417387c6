"""One form for the many ways of writing code, formulas, images, links and footnotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .code import write_code
from .links import Addresses
from .maths import write_maths
from .raw import raw

if TYPE_CHECKING:
    from turbohtml import Element, Node

_LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-srcset",
    "data-original-src",
    "data-hi-res-src",
)


def normalise(root: Node, addresses: Addresses) -> None:
    """Rewrite the tree in place; afterwards it needs no knowledge of any site's conventions."""
    write_maths(root)
    write_code(root)
    _images(root, addresses)
    _footnotes(root)
    _anchors(root, addresses)
    _emphasis(root)


def _images(root: Node, addresses: Addresses) -> None:
    for image in root.select("amp-img"):
        image.tag = "img"
    for image in root.select("img"):
        source = _source(image, addresses)
        alt = " ".join((image.attr("alt") or "").split())
        if source and (image.attr("width") or "") not in {"0", "1"}:
            image.attrs["src"] = source
            image.attrs["alt"] = alt
            if "title" in image.attrs:
                del image.attrs["title"]
        elif alt:
            from turbohtml import Text

            image.replace_with(Text(alt))
        else:
            image.decompose()


def _source(image: Element, addresses: Addresses) -> str:
    for name in ("src", *_LAZY, "srcset"):
        value = image.attr(name) or ""
        if value and name.endswith("srcset"):
            value = value.split(",")[-1].strip().split(" ")[0]
        if value and not value.lower().startswith("data:") and (found := addresses(value)):
            lazy = name == "src" and any(image.attr(other) for other in _LAZY[:3])
            if not lazy:
                return found
    return ""


def _anchors(root: Node, addresses: Addresses) -> None:
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


def _footnotes(root: Node) -> None:
    numbers: dict[str, int] = {}
    notes = {note.attr("id") or "": note for note in root.select("li[id], [role=doc-footnote][id], div.footnote[id]")}
    for anchor in root.select("sup a[href^='#'], a.footnote-ref[href^='#'], a[role=doc-noteref][href^='#']"):
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
    """Emphasis that touches other emphasis, holds nothing, or has a line break at its edge has no form in Markdown."""
    from turbohtml import Element, Text

    for element in root.select("strong, b, em, i, s, del, strike"):
        before = element.previous_sibling
        touching = isinstance(before, Element) and before.tag in {"strong", "b", "em", "i"}
        if touching or not element.text.strip() or element.closest("pre, code"):
            element.unwrap()
            continue
        for edge in (element.children[0], element.children[-1]):
            if isinstance(edge, Element) and edge.tag == "br" and edge.parent == element:
                edge.extract()
                element.insert_after(Text("\n"))
