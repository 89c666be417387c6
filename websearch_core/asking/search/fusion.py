"""Several lists of hits into one: reciprocal rank fusion on canonical addresses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ...contract.models import Hit
from .canonical_url import canonical

K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009)."""


_FIRST = ("title", "author", "site", "language", "favicon", "image", "alt", "age_text", "published")
"""Fields that are taken from the first list that has them."""


def fuse(lists: Sequence[Sequence[Hit]], limit: int) -> tuple[Hit, ...]:
    """At most `limit` hits, best first; a page that several found is one hit, and `found_by` names them.

    Every hit has its `source` and a valid address, and no list holds a page twice. Ties go to the earlier list.
    """
    scores: dict[str, float] = {}
    found: dict[str, list[Hit]] = {}
    for rank, row in enumerate(zip_longest(*lists), start=1):
        for hit in row:
            if hit is not None:
                key = identity(hit)
                scores[key] = scores.get(key, 0.0) + 1 / (K + rank)
                found.setdefault(key, []).append(hit)
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:limit]
    order = {name: place for place, name in enumerate(hits[0].source for hits in lists if hits)}
    return tuple(_merged(sorted(found[key], key=lambda hit: order[hit.source]), scores[key]) for key in best)


def identity(hit: Hit, page: str = "") -> str:
    """What makes two hits the same: the page's canonical address (`page`, where it is known), and the picture's."""
    return f"{page or canonical(hit.url)} {hit.image}" if hit.image else page or canonical(hit.url)


def _merged(hits: Sequence[Hit], score: float) -> Hit:
    """The first list's hit, with the longest texts and whatever it lacks from the others."""
    longest = max(hits, key=lambda hit: len(hit.body))
    changes: dict[str, object] = {
        name: next((value for hit in hits if (value := getattr(hit, name))), getattr(hits[0], name)) for name in _FIRST
    }
    changes |= {
        "snippet": max((hit.snippet for hit in hits), key=len),
        "body": longest.body,
        "outline": longest.outline,
        "content_hash": longest.content_hash,
        "hidden": "\n".join(hit.hidden for hit in hits if hit.hidden),
        "notes": tuple(note for hit in hits for note in hit.notes),
        "found_by": tuple(hit.source for hit in hits),
        "score": round(score, 6),
    }
    return hits[0].model_copy(update=changes)
