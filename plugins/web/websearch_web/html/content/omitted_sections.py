"""The note that names the sections of a page that its main content leaves out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .section_labels import says_contents
from .section_tests import HEADINGS, SENTENCE_ENDS, own_chars

if TYPE_CHECKING:
    from turbohtml import Element, Node

MAX_NAMES, MAX_CHARS = 8, 60
"""How many sections are named, and how much of each name is shown."""
_REMARK = 80
"""Characters outside of links of an aside that is more than a label."""
_EDGES = re.compile(r"^[\W_]+|[\s¶§#:]+$")


def headings_of(body: Element) -> list[Element]:
    """The headings that a page shows, before its main content is chosen, and remarks that have none."""
    return body.select(f"{HEADINGS}, aside:not(:has({HEADINGS}))")


def note_of(headings: list[Element], content: Element, title: str = "") -> str:
    """Name the sections whose headings are no longer part of `content`; empty when none was lost.

    Of a part that was left out in one piece the first heading is named, and each other down to the third level that
    is no link to another page. A name that still stands in the content, or that is the page's title, is not named: it
    was written twice.
    """
    kept = set[object](headings_of(content))
    lost = [heading for heading in headings if heading not in kept]
    if not lost:
        return ""
    around: set[Node] = {content, *content.ancestors}
    known = {_name(heading) for heading in headings if heading in kept} | {_line(title), ""}
    parts: set[Node] = set()
    names: list[str] = []
    for heading in lost:
        name = _name(heading)
        if name not in known and not says_contents(name) and (heading.tag != "aside" or _is_remark(heading)):
            part = _part(heading, around)
            if part not in parts or _is_of_section(heading):
                names.append(name)
            parts.add(part)
    found = list(dict.fromkeys(names))
    if not found:
        return ""
    more = f", and {len(found) - MAX_NAMES} more" if len(found) > MAX_NAMES else ""
    return f"Left out: {', '.join(f'“{name}”' for name in found[:MAX_NAMES])}{more}."


def _part(heading: Element, around: set[Node]) -> Node:
    """The whole part that was left out: what was cut from the tree, or stands beside the content."""
    part: Node = heading
    while (parent := part.parent) is not None and parent not in around:
        part = parent
    return part


def _is_of_section(heading: Element) -> bool:
    """Whether it heads a section, and is not the title of a teaser."""
    if heading.tag not in {"h1", "h2", "h3"} or heading.closest("a[href]") is not None:
        return False
    return heading.select_one("a[href]:not([href^='#'])") is None


def _is_remark(aside: Element) -> bool:
    """Whether it says something of its own, and is no part of a form, a menu or what has a heading."""
    if own_chars(aside) <= _REMARK or aside.select_one("form, input, time") is not None:
        return False
    return any(p.text.rstrip().endswith(SENTENCE_ENDS) for p in (aside, *aside.select("p")))


def _name(heading: Element) -> str:
    return _line(heading.text)


def _line(text: str) -> str:
    line = _EDGES.sub("", " ".join(text.split()))
    return line if len(line) <= MAX_CHARS else line[: MAX_CHARS - 1].rstrip() + "…"
