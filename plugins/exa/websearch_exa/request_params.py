"""Turns a search request into the body of Exa's POST /search."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from websearch_core import SearchRequest
from websearch_core.kit import InvalidRequest

CEILING = 100
"""The most that Exa takes as `numResults`."""

_CATEGORIES = {"research paper": "publication"}
"""Ours to Exa's, where they differ."""
_NARROW = ("company", "people")
"""Categories for which Exa refuses dates and excluded domains."""
_HOST = re.compile(r"(\*\.)?([a-z0-9-]+\.)+[a-z0-9-]+")
"""A domain rule that Exa understands as we do: a host and its subdomains, or its subdomains only."""


def search_body(request: SearchRequest, *, search_type: str, now: float, max_age_hours: int | None) -> dict[str, Any]:
    """What Exa is sent. Raises InvalidRequest for what Exa is known to refuse, before it costs a call."""
    category = "news" if request.vertical == "news" else request.category
    start = request.since(now)
    if category in _NARROW and (start or request.end_published_date or request.excluded_domains):
        raise InvalidRequest("Exa: the categories company and people take no dates and no excluded_domains")
    optional: dict[str, Any] = {
        "category": _CATEGORIES.get(category, category) if category else None,
        "userLocation": request.user_location_country,
        "includeDomains": _included(request.allowed_domains, people=category == "people"),
        "excludeDomains": [rule for rule in request.excluded_domains if _HOST.fullmatch(rule)],
        "startPublishedDate": _iso(start),
        "endPublishedDate": _iso(request.end_published_date),
        "moderation": request.safesearch in ("moderate", "strict"),
    }
    return {
        "query": request.query,
        "type": search_type,
        "numResults": min(request.max_results, CEILING),
        **{key: value for key, value in optional.items() if value},
        "contents": _contents(request, max_age_hours),
    }


def _contents(request: SearchRequest, max_age_hours: int | None) -> dict[str, Any]:
    size = {"maxCharacters": request.max_content_chars}
    text = request.content_mode == "text"
    contents: dict[str, Any] = {"text": size} if text else {"highlights": {"query": request.query, **size}}
    age = max_age_hours if request.max_age_hours is None else request.max_age_hours
    return contents if age is None else {**contents, "maxAgeHours": age}


def _included(rules: Iterable[str], *, people: bool) -> list[str]:
    """The allowed domains, if Exa understands each of them: with one left out, its pages could not be found at all.

    An exact host is widened to its subdomains, which the core takes out again.
    """
    wide = [rule.removeprefix("=") for rule in rules]
    if people and not all(re.fullmatch(r"(.+\.)?linkedin\.com", rule) for rule in wide):
        raise InvalidRequest("Exa: the category people takes only linkedin.com among allowed_domains")
    return wide if all(_HOST.fullmatch(rule) for rule in wide) else []


def _iso(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
