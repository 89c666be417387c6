"""One search of the library: from a request to hits with their snippets."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Answer, Hit, SearchRequest
from websearch_core.kit import DomainRules, ServerFailed, Unsupported, prose

from .index.best_window import BestWindow
from .index.fts_query import MOST_WORDS, FtsQuery, expression, titled
from .index.index import FLOOR, QUORUM, FoundPassage, Index, Question
from .index.page_keys import DOCS_HOST

if TYPE_CHECKING:
    from .index.library import Library

ONLY_DOCS = "The library holds only websearch's own documentation: nothing has been added to it."
NO_ENGINE = "no search engine is configured, and nothing has been added to the library"
CONFIGURE_ONE = (
    "the operator must configure a search engine (see `websearch plugins`) or add pages (`websearch library add`)"
)
NO_FILE = "The library's file cannot be used, so only websearch's own documentation was searched."
UNDATED = "The library left out pages whose date of publication it does not know."
SHORTENED = f"The library looked for the first {MOST_WORDS} words of the query."

_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


async def ask(library: Library, request: SearchRequest, now: float) -> Answer:
    """Hits, best first; their snippets are the part of a passage in which the query's words stand closest.

    A library that holds only websearch's own documentation, and is not asked by name, is asked only where there is no
    search engine. Then it answers a query that names websearch, or has the words of a page's title, and raises
    `Unsupported` for any other.
    """
    words = expression(request.query)
    more = library.holds_more
    named = bool(request.backend) or DOCS_HOST in request.allowed_domains
    if words and not (more or named or "websearch" in words.words):
        words = titled(words) if len(words.words) > 1 else None
    hits = await _found(library, words, request, now) if words else ()
    if not (hits or more or named):
        error = Unsupported(NO_ENGINE)
        error.next_step = CONFIGURE_ONE
        raise error
    notes = [] if more else [NO_FILE if library.in_memory else ONLY_DOCS]
    if words and any(limit is not None for limit in _published(request, now)):
        notes.append(UNDATED)
    if words and words.shortened:
        notes.append(SHORTENED)
    return Answer(hits=hits, notes=tuple(notes))


async def _found(library: Library, words: FtsQuery, request: SearchRequest, now: float) -> tuple[Hit, ...]:
    of_docs = DOCS_HOST in request.allowed_domains or (bool(request.backend) and "websearch" in words.words)
    sources = () if of_docs or not library.holds_more else ("web", "file")
    since, until = _published(request, now)
    quorum = FLOOR if request.joining else QUORUM
    question = Question(words, request.max_results, sources, _hosts(request), since, until, quorum)
    judge = BestWindow(words.words)

    def work(index: Index) -> tuple[Hit, ...]:
        return tuple(_hit(one, request, judge, index) for one in index.search(question))

    try:
        return await library.read(work)
    except sqlite3.Error:
        raise ServerFailed("the library's file cannot be read; see `websearch library stats`") from None


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
    allowed, excluded = DomainRules(request.allowed_domains), DomainRules(request.excluded_domains)
    return lambda host: (not allowed or allowed.matches(host)) and not excluded.matches(host)


def _hit(found: FoundPassage, request: SearchRequest, words: BestWindow, index: Index) -> Hit:
    whole = request.content_mode == "text"
    most = request.max_content_chars
    copy = found.copy
    fence = index.code_around(found.place)
    # The blank line says that the fence opens code.
    text = _excerpted(f"\n{fence}\n{found.passage}" if fence else found.passage, words)
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


def _excerpted(passage: str, words: BestWindow) -> str:
    """The passage's sentences; with its headings and cells where these alone have any of the words."""
    sentences = prose(passage)
    return sentences if words.share(sentences) else prose(passage, cells=True)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _beginning(body: str, most: int) -> str:
    if len(body) <= most:
        return body
    cut = body[: max(1, most - 2)]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[: space if space > most // 2 else len(cut)].rstrip()} …"[:most]
