"""Turns a search request into the parameters of SearchApi's GET /search."""

from __future__ import annotations

from datetime import datetime

from websearch_core import SearchRequest
from websearch_core.kit import plain_query

from .regions import place

PAGE = 10
"""So many results are on a page at most; the parameter `num` has no effect any more. Pictures come in larger pages."""
CEILING = 100
"""The most results that are asked for: ten pages, after which Google seldom has more."""

_ENGINES = {"web": "google", "news": "google_news", "images": "google_images"}
_SAFE = {"off": "off", "moderate": "blur", "strict": "active"}
_PLAIN = "SearchApi: cache: in the query was taken as a plain word"


def parameters(request: SearchRequest, *, now: float) -> tuple[dict[str, str], list[str]]:
    """What SearchApi is sent with each page, and what the model should know about it."""
    query, changed = plain_query(request.query, sigils="", prefixes=("cache:",))
    where, notes = place(request.language, request.user_location_country)
    # nfpr=1: Google shall not search for other words than those asked for
    asked = {"engine": _ENGINES[request.vertical], "q": query, "nfpr": "1", **where, **_dates(request, now)}
    if changed:
        notes.append(_PLAIN)
    if request.safesearch and request.vertical != "news":
        asked["safe"] = _SAFE[request.safesearch]
    return asked, notes


def _dates(request: SearchRequest, now: float) -> dict[str, str]:
    """First and last day, else the time range. Among pictures, SearchApi knows only the time range."""
    ranged = request.start_published_date or request.end_published_date
    if ranged and request.vertical != "images":
        limits = {"time_period_min": request.since(now), "time_period_max": request.end_published_date}
        return {name: _american(moment) for name, moment in limits.items() if moment is not None}
    return {"time_period": f"last_{request.time_range}"} if request.time_range else {}


def _american(moment: datetime) -> str:
    return f"{moment.month:02}/{moment.day:02}/{moment.year:04}"
