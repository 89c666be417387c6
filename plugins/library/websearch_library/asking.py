"""One search of the library: from a request to hits with their snippets."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Answer, Hit, Rules, SearchRequest, ServerFailed

from .addresses import DOCS_HOST
from .index import Found, Index, Question
from .passages import plain
from .query import MOST_WORDS, expression
from .window import Words

if TYPE_CHECKING:
    from .library import Library

ONLY_DOCS = (
    "The library holds only websearch's own documentation. To search the web, configure a backend "
    "(see `websearch plugins`)."
)
NO_FILE = "The library's file cannot be used, so only websearch's own documentation was searched."
UNDATED = "The library left out pages whose date of publication it does not know."
SHORTENED = f"The library looked for the first {MOST_WORDS} words of the query."

_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


async def ask(library: Library, request: SearchRequest, now: float) -> Answer:
    """Hits, best first; their snippets are the part of a passage in which the query's words stand closest."""
    words = expression(request.query)
    more = library.holds_more
    notes = [] if more else [NO_FILE if library.in_memory else ONLY_DOCS]
    if words is None:
        return Answer(notes=tuple(notes))
    since, until = _published(request, now)
    if since is not None or until is not None:
        notes.append(UNDATED)
    if words.shortened:
        notes.append(SHORTENED)
    accepts = _hosts(request)
    with_docs = not more or "websearch" in words.words or DOCS_HOST in request.allowed_domains
    sources = () if with_docs else ("web", "file")
    question = Question(words, request.max_results, sources, accepts, since, until)
    judge = Words(words.words)

    def work(index: Index) -> list[Hit]:
        return [_hit(one, request, judge, index) for one in index.search(question)]

    try:
        hits = await library.read(work)
    except sqlite3.Error:
        raise ServerFailed("the library's file cannot be read; see `websearch library stats`") from None
    return Answer(hits=tuple(hits), notes=tuple(notes))


def _published(request: SearchRequest, now: float) -> tuple[float | None, float | None]:
    since = request.start_published_date.timestamp() if request.start_published_date else None
    until = request.end_published_date.timestamp() if request.end_published_date else None
    if request.time_range:
        recent = now - _DAYS[request.time_range] * 86_400
        since = recent if since is None else max(since, recent)
    return since, until


def _hosts(request: SearchRequest) -> Callable[[str], bool] | None:
    if not (request.allowed_domains or request.excluded_domains):
        return None
    allowed, excluded = Rules(request.allowed_domains), Rules(request.excluded_domains)
    return lambda host: (not allowed or allowed.matches(host)) and not excluded.matches(host)


def _hit(found: Found, request: SearchRequest, words: Words, index: Index) -> Hit:
    whole = request.content_mode == "text"
    most = request.max_content_chars
    copy = found.copy
    text = plain(found.passage)
    return Hit(
        url=copy.url,
        title=copy.title,
        author=copy.author,
        site=copy.site,
        language=copy.language,
        published=_moment(copy.published),
        fetched_at=_moment(copy.fetched_at),
        snippet="" if whole else words.window(text, most),
        body=_beginning(index.body(found.number, request.max_content_chars), request.max_content_chars)
        if whole
        else "",
        score=found.score,
    )


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _beginning(body: str, most: int) -> str:
    if len(body) <= most:
        return body
    cut = body[: max(1, most - 2)]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[: space if space > most // 2 else len(cut)].rstrip()} …"[:most]
