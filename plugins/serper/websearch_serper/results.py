"""Reads Serper's answers: hits, and what the call cost."""

from __future__ import annotations

from websearch_core import Hit
from websearch_core.kit import Row, hit_of, require_hits

_LISTS = {"web": "organic", "news": "news", "images": "images"}
"""Where each vertical's results are."""
_ONE_CREDIT = 10
"""So many results cost one credit, more cost two."""


def hits_of(answer: Row, vertical: str) -> tuple[Hit, ...]:
    """The results that have an address, in Serper's order. Raises `UnexpectedResponse` without any."""
    name = _LISTS[vertical]
    found = (_picture(row) if vertical == "images" else _page(row) for row in answer.required_rows(name))
    return require_hits(found, f"{name}.link")


def credits_of(answer: Row, asked_for: int) -> float:
    """The credits that Serper says it took, else those of the price list for so many results."""
    said = answer.number("credits")
    return said if said is not None and said >= 0 else credits_for(asked_for)


def credits_for(asked_for: int) -> float:
    """The credits of the price list for so many results."""
    return 1.0 if asked_for <= _ONE_CREDIT else 2.0


def _page(row: Row) -> Hit | None:
    age = row.text("date")
    return hit_of(
        url=row.address("link"),
        title=row.text("title"),
        snippet=row.text("snippet"),
        age_text=age,
        published=row.moment("date"),
    )


def _picture(row: Row) -> Hit | None:
    """A picture on its page. Where Google gives no address of the picture itself, the small copy stands for it."""
    image = row.address("imageUrl") or row.address("thumbnailUrl")
    return hit_of(url=row.address("link"), title=row.text("title"), image=image) if image else None
