"""Reads Exa's results: hits, and what the call cost."""

from __future__ import annotations

from typing import cast

from websearch_core import Hit
from websearch_core.kit import Row, hit_of

_MOST_HIGHLIGHTS = 100


def hit(row: Row, *, whole_text: bool) -> Hit | None:
    """One result; None when it has no address. `whole_text`: its text was asked for, not its highlights."""
    text = row.block("text")
    return hit_of(
        url=row.address("url"),
        title=row.text("title"),
        snippet="" if whole_text else highlights(row) or text or row.block("summary"),
        author=row.text("author"),
        **row.dated("publishedDate"),
        body=text if whole_text else "",
        score=row.number("score"),
        favicon=row.address("favicon"),
    )


def highlights(row: Row) -> str:
    """The highlights, a blank line between them. Seen: a list of strings, a list of objects with `text`, a string."""
    value = row.value("highlights")
    ones = cast("list[object]", value)[:_MOST_HIGHLIGHTS] if isinstance(value, list) else [value]
    texts = (Row({"text": one}).block("text") or Row(one).block("text") for one in ones)
    return "\n\n".join(filter(None, texts))


def dollars(answer: Row) -> float | None:
    """What the call cost in US dollars; None when Exa did not say it in a form that we know."""
    for path in (("costDollars", "total"), ("costDollars",)):
        cost = answer.number(*path)
        if cost is not None and cost >= 0:
            return cost
    return None
