"""Turns a search request into the body of Tavily's POST /search."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from websearch_core import SearchRequest
from websearch_core.kit import language_region

from .regions import COUNTRIES, tavilys_language

CEILING = 20
"""The most that Tavily takes as `max_results`."""
SAFE_DEPTHS = frozenset({"basic", "advanced"})
"""The search depths at which Tavily takes `safe_search`."""

NO_COUNTRY = "Tavily: knows no such country; the country was left out"
NEWS_OF_ALL_COUNTRIES = "Tavily: takes no country for news; the one in the language was left out"
NO_LANGUAGE = "Tavily: knows only languages with a code of two letters; the language was left out"
NO_PATTERNS = "Tavily: allowed_domains with patterns, or over 300 of them, were applied to the results only"

_MOST_INCLUDED = 300
_MOST_EXCLUDED = 150
_HOST = re.compile(r"([a-z0-9-]+\.)+[a-z0-9-]+")
_LABEL = re.compile(r"[a-z0-9-]+")


class Asked(NamedTuple):
    """What Tavily is sent, and what the model is told about it."""

    body: dict[str, Any]
    notes: tuple[str, ...]


def search_body(request: SearchRequest, *, depth: str, now: float) -> Asked:
    """The body for this request; notes name what Tavily has no word for. `now` is in seconds since the epoch."""
    general = request.vertical != "news"
    included = _included(request.allowed_domains)
    where = request.user_location_country or language_region(request.language)
    country = COUNTRIES.get(where) if general else None
    language = tavilys_language(request.language)
    optional: dict[str, Any] = {
        **_dates(request, now),
        # include_domains_mode is not sent: to leave out other domains is its default
        "include_domains": included,
        "exclude_domains": _excluded(request.excluded_domains),
        "country": country,
        "language": language,
        "safe_search": depth in SAFE_DEPTHS and request.safesearch in ("moderate", "strict"),
        "include_raw_content": "markdown" if request.content_mode == "text" else None,
    }
    body = {
        "query": request.query,
        "topic": "general" if general else "news",
        "search_depth": depth,
        "max_results": min(request.max_results, CEILING),
        "include_answer": False,
        "auto_parameters": False,  # they may choose a depth that costs more
        "include_published_date": True,
        "include_favicon": True,
        "include_usage": True,
        **{key: value for key, value in optional.items() if value},
    }
    unsaid = {
        NO_PATTERNS: request.allowed_domains and not included,
        NO_COUNTRY: general and where and not country,
        # the core mentions the request's own country; zh-cn says its country itself
        NEWS_OF_ALL_COUNTRIES: not general
        and where != request.user_location_country
        and not language.endswith(f"-{where.lower()}"),
        NO_LANGUAGE: request.language and not language,
    }
    return Asked(body, tuple(note for note, holds in unsaid.items() if holds))


def _dates(request: SearchRequest, now: float) -> dict[str, str]:
    """Tavily's results are from after `start_date` and before `end_date`: the day before and the day after are named.

    Where Tavily counts these two in, the core takes them out again.
    """
    if request.time_range and not (request.start_published_date or request.end_published_date):
        return {"time_range": request.time_range}
    return {"start_date": _day(request.since(now), -1), "end_date": _day(request.end_published_date, 1)}


def _day(moment: datetime | None, later: int) -> str:
    """The day in UTC, so many days later; empty for none, and for one that no calendar has: it limits nothing."""
    try:
        return (moment.astimezone(UTC) + timedelta(days=later)).date().isoformat() if moment else ""
    except OverflowError:
        return ""


def _included(rules: Iterable[str]) -> list[str]:
    """The allowed domains, if Tavily has a word for each of them: with one left out, its pages could not be found.

    A rule for one host, or for its subdomains, is widened to both; the core takes out again what is too much.
    """
    words = [_same(rule) or _same(re.sub(r"^(=|\*\.)", "", rule)) for rule in _normal(rules)]
    return words if all(words) and len(words) <= _MOST_INCLUDED else []


def _excluded(rules: Iterable[str]) -> list[str]:
    """Those of the excluded domains for which Tavily has a word that excludes no more; the core sees to the rest."""
    return [word for rule in _normal(rules) if (word := _same(rule))][:_MOST_EXCLUDED]


def _same(rule: str) -> str:
    """Tavily's word for what the rule means: a host with its subdomains, or all of a top-level domain; else empty."""
    if _HOST.fullmatch(rule):
        return rule
    label = rule.removeprefix("*.")
    return f"*.{label}" if _LABEL.fullmatch(label) else ""


def _normal(rules: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(rule.strip().lower() for rule in rules))
