"""Turns a search request into what each of Brave's endpoints is sent, and what the model should know about it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from websearch_core import SearchRequest
from websearch_core.kit import InvalidRequest, plain_query

from .goggles import goggles_of
from .regions import region_of

PAGE = 20
"""The most results on a page of web results."""
PAGES = 10
"""Pages of web results that Brave lets one see."""

_RANGES = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
_EARLIEST = date(1990, 1, 1)
"""Where a period without a beginning begins: before the first web page."""
_LONGEST = 2000
"""So many characters of parameters fit into every server's idea of an address; more are sent as a body."""
_TOKENS = (1024, 32_768)
_TOKENS_A_PAGE = (512, 8192)
_SNIPPETS = 100
"""The most that Brave takes: the tokens decide how much text comes."""
_CHARS_IN_FIVE_TOKENS = 13
"""2.6 characters a token, as measured on this endpoint's answers (github.com/keenableai/needle, pull request 13)."""

BANGS = "Brave: bangs (!) in the query were taken as plain words"
STRICT = "Brave: knows no moderate safe search for pictures; strict was used"
NO_SAFESEARCH = "Brave: LLM context has no safe search; safesearch was left out"
LESS_TEXT = "Brave: brings at most 32768 tokens of text, 8192 of a page; there may be less text than was asked for"


class Habits(NamedTuple):
    """What the operator wants of every search."""

    goggles: tuple[str, ...] = ()
    extra_snippets: bool | None = None


class Asked(NamedTuple):
    """The parameters of a call, and notes on what they leave out."""

    params: dict[str, Any]
    notes: list[str]

    @property
    def body(self) -> dict[str, Any]:
        """The parameters that say something, for JSON."""
        return {name: value for name, value in self.params.items() if value is not None and value != []}

    @property
    def is_long(self) -> bool:
        """Whether they are too long for an address."""
        return len(urlencode(self.body, doseq=True)) > _LONGEST

    def page(self, number: int) -> Asked:
        """The same for this page of results, from 0."""
        return Asked({**self.params, "offset": number}, self.notes) if number else self


def web(request: SearchRequest, habits: Habits, now: float) -> Asked:
    """For web/search. Raises InvalidRequest for a period without a day, as all of these do."""
    params, notes = news(request, habits, now)
    return Asked(
        {
            **params,
            "count": min(request.max_results, PAGE),
            # without `query` among them, Brave need not say what it made of the query
            "result_filter": "web,query",
            "text_decorations": False,
        },
        notes,
    )


def news(request: SearchRequest, habits: Habits, now: float) -> Asked:
    """For news/search."""
    params, notes = _common(request)
    goggles, unsaid = goggles_of(request, habits.goggles)
    params |= {
        "count": request.max_results,
        "freshness": _freshness(request, now),
        "goggles": goggles,
        "extra_snippets": habits.extra_snippets,
        "safesearch": request.safesearch,
        # Brave would search for its correction only, and models do not mistype: they ask for names of things
        "spellcheck": False,
    }
    return Asked(params, [*notes, *unsaid])


def images(request: SearchRequest) -> Asked:
    """For images/search, which knows neither dates nor goggles."""
    params, notes = _common(request)
    params |= {"count": request.max_results, "safesearch": request.safesearch, "spellcheck": False}
    if request.safesearch == "moderate":
        params["safesearch"] = "strict"
        notes.append(STRICT)
    return Asked(params, notes)


def text(request: SearchRequest, habits: Habits, now: float) -> Asked:
    """For llm/context, which knows no safe search."""
    params, notes = _common(request)
    goggles, unsaid = goggles_of(request, habits.goggles)
    wanted = -(-request.max_content_chars * 5 // _CHARS_IN_FIVE_TOKENS)
    a_page = _within(wanted, _TOKENS_A_PAGE)
    tokens = _within(a_page * request.max_results, _TOKENS)
    params |= {
        "count": max(request.max_results, PAGE),
        "freshness": _freshness(request, now),
        "goggles": goggles,
        "maximum_number_of_snippets": _SNIPPETS,
        "maximum_number_of_tokens": tokens,
        "maximum_number_of_tokens_per_url": a_page,
        "maximum_number_of_urls": request.max_results,
    }
    notes += unsaid
    if request.safesearch:
        notes.append(NO_SAFESEARCH)
    if wanted > a_page or wanted * request.max_results > tokens:
        notes.append(LESS_TEXT)
    return Asked(params, notes)


def _common(request: SearchRequest) -> Asked:
    query, had_bangs = plain_query(request.query, sigils="!")
    region = region_of(request.language, request.user_location_country)
    params = {"q": query, "country": region.country or None, "search_lang": region.language or None}
    return Asked(params, [*((BANGS,) if had_bangs else ()), *region.notes])


def _freshness(request: SearchRequest, now: float) -> str | None:
    """Brave's word for a range, or two days; None: any time."""
    if not request.start_published_date and not request.end_published_date:
        return _RANGES[request.time_range] if request.time_range else None
    since = request.since(now)
    first = since.date() if since else _EARLIEST
    until = request.end_published_date
    last = until.astimezone(UTC).date() if until else max(first, datetime.fromtimestamp(now, UTC).date())
    if first > last:
        raise InvalidRequest("Brave: no day lies within these dates and this time_range")
    return f"{first.isoformat()}to{last.isoformat()}"


def _within(number: int, limits: tuple[int, int]) -> int:
    return max(limits[0], min(number, limits[1]))
