"""Turns a search request into the body of one of Serper's POSTs."""

from __future__ import annotations

from typing import Any

from websearch_core import SearchRequest
from websearch_core.kit import plain_query

from .regions import place

PATHS = {"web": "search", "news": "news", "images": "images"}
CEILING = 100
"""The most that Serper takes as `num`."""

_PLAIN = "Serper: cache: in the query was taken as a plain word"


def body(request: SearchRequest) -> tuple[dict[str, Any], list[str]]:
    """What Serper is sent, and what the model should know about it."""
    query, changed = plain_query(request.query, sigils="", prefixes=("cache:",))
    where, notes = place(request.language, request.user_location_country)
    # autocorrect is on unless it is switched off, and would search for other words than those asked for
    asked = {"q": query, "num": min(request.max_results, CEILING), "autocorrect": False, **where}
    if changed:
        notes.append(_PLAIN)
    if request.time_range:
        asked["tbs"] = f"qdr:{request.time_range[0]}"
    return asked, notes
