"""Turns a search request into the parameters of Google's GET /v1."""

from __future__ import annotations

from websearch_core import SearchRequest
from websearch_core.kit import plain_query

from .regions import place

PAGE = 10
"""The most results that one call brings."""
CEILING = 100
"""The most results that Google gives for one query, over all its pages."""

_NO_NEWS = "Google: Programmable Search has no news search; these are web pages, recent ones preferred"
_PLAIN = "Google: cache: in the query was taken as a plain word"
_SAFE = "Google: safe search is either on or off; moderate became on"
_RECENT = "date:d:s"
"""Sorting operator: a strong bias towards recent pages."""


def parameters(request: SearchRequest, *, cx: str, now: float) -> tuple[dict[str, str], list[str]]:
    """What Google is sent with each page, and what the model should know about it."""
    query, changed = plain_query(request.query, sigils="", prefixes=("cache:",))
    where, notes = place(request.language, request.user_location_country)
    asked = {"cx": cx, "q": query, **where, **_dates(request, now)}
    if changed:
        notes.append(_PLAIN)
    if request.vertical == "images":
        asked["searchType"] = "image"
    if request.vertical == "news":
        asked["sort"] = ",".join(filter(None, (_RECENT, asked.get("sort"))))
        notes.append(_NO_NEWS)
    if request.safesearch:
        asked["safe"] = "off" if request.safesearch == "off" else "active"
        if request.safesearch == "moderate":
            notes.append(_SAFE)
    return asked, notes


def _dates(request: SearchRequest, now: float) -> dict[str, str]:
    """Days as a range of Google's page dates, else the time range. Pictures have no page dates to be ranged over."""
    ranged = request.start_published_date or request.end_published_date
    if ranged and request.vertical != "images":
        start, end = request.since(now), request.end_published_date
        first, last = (moment.date().isoformat().replace("-", "") if moment else "" for moment in (start, end))
        return {"sort": f"date:r:{first}:{last}"}
    if request.time_range:
        return {"dateRestrict": f"{request.time_range[0]}1"}
    return {}
