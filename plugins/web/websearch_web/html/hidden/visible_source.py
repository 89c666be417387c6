"""A page's own source without what the reader takes for unseen: the same judge, at the places of the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from turbohtml import Element, SourceSpan

_UNREAD = frozenset({"script", "style", "link", "meta", "map", "track", "object", "embed", "applet", "canvas"})
"""The reader has no use for these, whether or not they are seen."""
_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "source", "wbr"})
"""What holds nothing, so that it ends with its tag."""


class VisibleSource(NamedTuple):
    """Markup, and the text of what was cut out of it."""

    text: str
    hidden: str = ""


def seen_source(text: str) -> VisibleSource:
    """The markup without elements that a person would not see, and without pages in attributes; comments stay.

    Scripts and styles stay, too. Its lines must end in line feeds, as places are counted so.
    """
    import turbohtml

    from .hidden_text import take_hidden

    document = turbohtml.parse(text, source_locations=True)
    elements = document.select("*")
    parents = [element.parent for element in elements]
    spans = _spans(elements, len(text))
    frames = [element for element in elements if element.tag == "iframe" and element.attr("srcdoc")]
    hidden = "\n".join((take_hidden(document).text, *(frame.attr("srcdoc") or "" for frame in frames))).strip("\n")
    kept = set[object](document.select("*"))
    for element, parent in zip(reversed(elements), reversed(parents), strict=True):
        if element in kept and parent is not None:
            kept.add(parent)  # what holds something that is seen stays, wherever that stands now
    cuts = [
        span
        for element, span in zip(elements, spans, strict=True)
        if element not in kept and element.tag not in _UNREAD
    ]
    cuts += [(span.start_offset, span.end_offset) for frame in frames if (span := _srcdoc(frame))]
    pieces: list[str] = []
    at = 0
    for start, end in sorted(cuts):
        if at <= start < end:
            pieces.append(text[at:start])
            at = end
    return VisibleSource("".join((*pieces, text[at:])), hidden) if pieces else VisibleSource(text)


def _spans(elements: Sequence[Element], length: int) -> list[tuple[int, int]]:
    """Where each begins and ends. One without an end tag ends where the next begins that is not within it."""
    index = {element: number for number, element in enumerate(elements)}
    parents = [-1 if element.parent is None else index.get(cast("Element", element.parent), -1) for element in elements]
    tags = [_tags(element) for element in elements]
    last = list(range(len(elements)))
    begins = [*(begin for begin, *_ in tags), length]
    """Of each the first place at which it, or what comes after it, is written: some elements are only implied."""
    for number in reversed(range(len(elements))):
        begins[number] = begins[number] if begins[number] >= 0 else begins[number + 1]
        if parents[number] >= 0:
            last[parents[number]] = max(last[parents[number]], last[number])
    spans: list[tuple[int, int]] = []
    limits: list[int] = []
    """Of each element, where at the latest what is in it ends."""
    for number, (element, (begin, opened, closing, closed)) in enumerate(zip(elements, tags, strict=True)):
        limit = limits[parents[number]] if parents[number] >= 0 else length
        limits.append(limit if closed < 0 else closing)
        end = opened if element.tag in _VOID else closed if closed >= 0 else min(limit, begins[last[number] + 1])
        spans.append((begin, end))
    return spans


def _srcdoc(frame: Element) -> SourceSpan | None:
    location = frame.source_location
    return location.attrs.get("srcdoc") if location else None


def _tags(element: Element) -> tuple[int, int, int, int]:
    """Where its tags begin and end; -1 where it has none."""
    location = element.source_location
    if location is None:
        return -1, -1, -1, -1
    start, end = location.start_tag, location.end_tag
    return (
        start.start_offset,
        start.end_offset,
        -1 if end is None else end.start_offset,
        -1 if end is None else end.end_offset,
    )
