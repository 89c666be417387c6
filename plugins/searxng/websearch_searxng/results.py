"""Reads SearXNG's JSON: its results as hits, and which engines kept silent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any, cast

from websearch_core import Drift, Hit, Row, hit_of

_MAX_NAMES = 8
_MOST_ENGINES = 500


def hits(answer: Row, *, images: bool = False) -> list[Hit]:
    """The results that have an address, in SearXNG's order. Raises Drift without a list of results.

    Some templates have no web address (`url` null, or `magnet:`), but no list is without the field.
    """
    rows = answer.required_rows("results")
    for field in ("url", "img_src") if images else ("url",):
        if rows and not any(field in row for row in rows):
            raise Drift(f"results.{field}")
    return [hit for row in rows if (hit := _hit(row, images=images)) is not None]


def silent_engines(answer: Row) -> list[str]:
    """The names of the engines that did not answer; their reasons, other people's words, are left out."""
    told = answer.value("unresponsive_engines")
    entries = cast("list[Any]", told) if isinstance(told, list) else []
    return list(dict.fromkeys(map(_name, islice(entries, _MOST_ENGINES))))


def silence(engines: Iterable[str]) -> str:
    """The note about engines that did not answer."""
    names = list(dict.fromkeys(engines))
    shown = ", ".join((*names[:_MAX_NAMES], *(("…",) if len(names) > _MAX_NAMES else ())))
    return f"SearXNG: {len(names)} engine{'s' if len(names) > 1 else ''} did not answer ({shown})"


def _hit(row: Row, *, images: bool) -> Hit | None:
    image = row.address("img_src") if images else ""
    if images and not image:
        return None
    return hit_of(
        url=row.address("url"),
        title=row.text("title"),
        snippet=row.text("content"),
        author=row.text("author") or ", ".join(row.texts("authors")),
        published=row.moment("publishedDate") or row.moment("pubdate"),
        score=row.number("score"),
        image=image,
    )


def _name(entry: Any) -> str:
    """An engine's name: `[name, reason]` today, a bare name once. What does not look like a name is not repeated."""
    name: Any = next(iter(cast("list[Any]", entry)), None) if isinstance(entry, list) else entry
    return name if isinstance(name, str) and re.fullmatch(r"[\w .+-]{1,40}", name) else "unnamed"
