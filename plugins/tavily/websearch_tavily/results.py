"""Reads Tavily's search results, and what the search cost."""

from __future__ import annotations

from websearch_core import Hit
from websearch_core.kit import Row, hit_of

CREDITS = {"basic": 1.0, "fast": 1.0, "ultra-fast": 1.0, "advanced": 2.0}
"""Tavily's price list: credits for a search, per depth."""


def hit(row: Row, *, whole_text: bool) -> Hit | None:
    """One result; None when it has no address. `whole_text`: its text was asked for, and is the body where it came."""
    body = row.block("raw_content") if whole_text else ""
    return hit_of(
        url=row.address("url"),
        title=row.text("title"),
        snippet="" if body else row.block("content"),
        body=body,
        **row.dated("published_date"),
        score=row.number("score"),
        favicon=row.address("favicon"),
    )


def spent(answer: Row, depth: str) -> float:
    """The credits that Tavily says the search took; where it says none, what its price list says."""
    said = answer.number("usage", "credits")
    return said if said is not None and said >= 0 else CREDITS[depth]
