"""Which part of an Office document belongs to which: the `.rels` parts."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat


class Relationship(NamedTuple):
    """One line."""

    name: str
    kind: str
    """The last word of its type."""
    part: str
    target: str = ""
    """As it is written: of what is outside, an address."""


def relations(parts: Mapping[str, bytes], part: str) -> list[Relationship]:
    """Of a part, to other parts; `parts` are checked XML."""
    folder, _, file = part.rpartition("/")
    content = parts.get(posixpath.join(folder, "_rels", f"{file}.rels"), b"")
    found: list[Relationship] = []

    def start(_: str, given: Mapping[str, str]) -> None:
        target = given.get("Target", "")
        path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
        found.append(Relationship(given.get("Id", ""), given.get("Type", "").rpartition("/")[2], path, target))

    if content:
        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.Parse(content, True)
    return found


def related(parts: Mapping[str, bytes], part: str, kind: str) -> str:
    """The name of the first of this kind; empty when there is none."""
    return next((relation.part for relation in relations(parts, part) if relation.kind == kind), "")
