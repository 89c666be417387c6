"""Pages that React streamed in parts: each part is put where the page's own script would put it.

A part that was not ready is `<template id="B:1">` (a Suspense boundary, followed by its fallback) or
`<template id="P:1">` (a placeholder within another part). Its content comes later as the hidden element `S:1`, in any
order; rows come in a hidden table. See ReactDOMFizzInstructionSetShared.js of React 18 and 19.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

MAX_PARTS = 2_000
_PLACE = re.compile(r"(.{0,100})([BP]):([0-9a-f]{1,8})")
_OPENS = frozenset({"$", "$?", "$~", "$!", "&"})
_CLOSES = frozenset({"/$", "/&"})
"""Comments around boundaries, the fallbacks of which may hold boundaries."""


def place_streamed(document: Document) -> None:
    """Put each part in its place, where both are there; a boundary's fallback goes."""
    places = document.select("template[id*='B:'], template[id*='P:']")[:MAX_PARTS]
    parts = {part.attr("id"): part for part in document.select("[id*='S:']")} if places else {}
    for place in places:
        if (found := _PLACE.fullmatch(place.attr("id") or "")) is None:
            continue
        part = parts.pop(f"{found[1]}S:{found[3]}", None)
        if part is None or (holder := _hidden_holder(part)) is None or holder in place.ancestors:
            continue
        if found[2] == "B":
            _remove_fallback(place)
        place.replace_with(*[child.extract() for child in list(part.children)])
        holder.extract()


def _hidden_holder(part: Element) -> Element | None:
    """What hides a part: itself, or the table around rows."""
    for element in (part, part.parent, part.parent and part.parent.parent):
        attrs = getattr(element, "attrs", {})
        if "hidden" in attrs or attrs.get("aria-hidden") == "true":
            return element  # pyright: ignore[reportReturnType] - it has attributes
    return None


def _remove_fallback(place: Element) -> None:
    """Remove what stands between the template and the end of its boundary."""
    from turbohtml import Comment

    depth = 0
    fallback: list[Node] = []
    for node in place.next_siblings:
        if isinstance(node, Comment):
            if node.data in _CLOSES and depth == 0:
                break
            depth += (node.data in _OPENS) - (node.data in _CLOSES)
        fallback.append(node)
    else:
        return  # no boundary as React writes them
    for node in fallback:
        node.extract()
