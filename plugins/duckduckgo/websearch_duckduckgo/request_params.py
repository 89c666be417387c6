"""A request in DuckDuckGo's words: the form that its own page would send, and the headers that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from websearch_core import SearchRequest
from websearch_core.kit import InvalidRequest, plain_query

from .regions import WORLD, region_of

MAX_QUERY_CHARS = 499
"""DuckDuckGo refuses longer ones."""

_SPANS = {"day": "d", "week": "w", "month": "m", "year": "y"}
_SAFESEARCH = {"strict": "1", "moderate": "-1", "off": "-2"}


class Asking(NamedTuple):
    """What each page of one search is asked with, and what the model should know about it."""

    form: Mapping[str, str]
    headers: Mapping[str, str]
    notes: tuple[str, ...]


def asking(request: SearchRequest) -> Asking:
    """The request in DuckDuckGo's words. Raises `InvalidRequest` for a query that DuckDuckGo would refuse."""
    query, had_bangs = plain_words(request.query)
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidRequest("DuckDuckGo takes no query of more than 499 characters: shorten it")
    region, note = region_of(request.language, request.user_location_country)
    form = {"q": query, "kl": region}
    if request.time_range:
        form["df"] = _SPANS[request.time_range]
    if request.safesearch:
        form["kp"] = _SAFESEARCH[request.safesearch]
    notes = ["DuckDuckGo: bangs (! and \\) in the query were taken as plain words"] if had_bangs else []
    return Asking(form, _headers(form, request.language), (*notes, note) if note else tuple(notes))


def standing_headers(url: str, user_agent: str) -> Mapping[str, str]:
    """What goes with every request to the page at `url`, as with any form that a browser sends."""
    origin = "/".join(url.split("/")[:3])
    return {
        "User-Agent": user_agent,
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Origin": origin,
        "Referer": f"{origin}/",
        "Sec-Fetch-Dest": "document",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Site": "same-origin",
        "Sec-Fetch-User": "?1",
    }


def plain_words(query: str) -> tuple[str, bool]:
    r"""The query without bangs, and whether there were any. No word is lost.

    DuckDuckGo sends `!w …` to Wikipedia's site, and `\word` or a lone `!` to the first result, wherever in the query
    they stand; `w!` is another way to write `!w`.
    """
    return plain_query(query, sigils="!\\", trailing="!\\")


def _headers(form: Mapping[str, str], language: str) -> Mapping[str, str]:
    """DuckDuckGo's page keeps region and span in cookies, too, and takes the reader's language from the browser."""
    cookies = {name: form[name] for name in ("kl", "df") if form.get(name, WORLD) != WORLD}
    languages = f"{language},{language.partition('-')[0]};q=0.8,en;q=0.5" if language else "en-US,en;q=0.5"
    headers = {"Accept-Language": languages}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return headers
