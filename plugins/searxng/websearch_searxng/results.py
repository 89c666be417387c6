"""Reads SearXNG's JSON: its results as hits, and which engines kept silent."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any, cast

from websearch_core import Hit
from websearch_core.kit import Row, UnexpectedResponse, hit_of

_MOST_ENGINES = 500
_KNOWN = frozenset(
    (
        *("arxiv", "baidu", "bing", "brave", "crossref", "dailymotion", "deviantart", "duckduckgo", "flickr", "github"),
        *("google", "mojeek", "mwmbl", "naver", "openverse", "pinterest", "presearch", "pubmed", "qwant", "reddit"),
        *("reuters", "seznam", "sogou", "stackoverflow", "startpage", "unsplash", "wikidata", "wikinews", "wikipedia"),
        *("wolframalpha", "yacy", "yahoo", "yandex", "youtube"),
    )
)
"""First words of the names that SearXNG's engines commonly have."""


def hits(answer: Row, *, images: bool = False) -> list[Hit]:
    """The results that have an address, in SearXNG's order. Raises UnexpectedResponse without a list of results.

    Some templates have no web address (`url` null, or `magnet:`), but no list has only such with none at all.
    """
    rows = answer.required_rows("results")
    for field in ("url", "img_src") if images else ("url",):
        if rows and not any(row.text(field) for row in rows):
            raise UnexpectedResponse(f"results.{field}")
    return [hit for row in rows if (hit := _hit(row, images=images)) is not None]


def silent_engines(answer: Row) -> list[str]:
    """The engines that did not answer, as SearXNG calls them; their reasons are left out."""
    told = answer.value("unresponsive_engines")
    entries = cast("list[Any]", told) if isinstance(told, list) else []
    return list(dict.fromkeys(map(_name, islice(entries, _MOST_ENGINES))))


def silence(engines: Collection[str]) -> str:
    """The note about engines that did not answer. It names well-known ones alone.

    No filter reads a note, and what else SearXNG calls an engine are words of whoever runs it.
    """
    number = len(set(engines))
    families = [name.replace(".", " ").partition(" ")[0].lower() for name in engines]
    known = list(dict.fromkeys(family for family in families if family in _KNOWN))
    others = ["…"] if known and any(family not in _KNOWN for family in families) else []
    shown = f" ({', '.join([*known, *others])})" if known else ""
    return f"SearXNG: {number} engine{'s' if number > 1 else ''} did not answer{shown}"


def _hit(row: Row, *, images: bool) -> Hit | None:
    image = row.address("img_src") if images else ""
    if images and not image:
        return None
    return hit_of(
        url=row.address("url"),
        title=row.text("title"),
        snippet=row.text("content"),
        author=row.text("author") or ", ".join(row.texts("authors")),
        **(row.dated("publishedDate") or row.dated("pubdate")),
        score=row.number("score"),
        image=image,
    )


def _name(entry: Any) -> str:
    """An engine's name: `[name, reason]` today, a bare name once; empty for anything else."""
    name: Any = next(iter(cast("list[Any]", entry)), None) if isinstance(entry, list) else entry
    return name if isinstance(name, str) else ""
