"""Reads a thread: GET items/{id}, the story with all comments nested."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Drift, Fetcher, FetchRequest, InvalidRequest, Page, Row

if TYPE_CHECKING:
    from websearch_core import Api, Clock, Workers

_ITEM = re.compile(r"https?://news\.ycombinator\.com/item\?(?:[^#]*&)?id=([0-9]{1,12})(?:[&#].*)?", re.IGNORECASE)
_PATIENCE_S = 8.0
"""The ordinary way must have time left when the service does not answer."""
_INLINE_BYTES = 32_768
"""A larger answer would hold the event loop for too long."""


class HackerNews(Fetcher):
    """Stories, polls, jobs and comments of news.ycombinator.com, with the replies to them."""

    name = "hackernews"
    priority = 30

    def __init__(self, api: Api, clock: Clock, workers: Workers, max_comments: int) -> None:
        self._api = api
        self._workers = workers
        self._clock = clock
        self._max_comments = max_comments

    def can_fetch(self, request: FetchRequest) -> bool:
        """Items only."""
        return not request.raw and _ITEM.fullmatch(request.url) is not None

    async def fetch(self, request: FetchRequest) -> Page:
        """The item, then what was said about it as a nested list."""
        from .thread import thread_page

        match = _ITEM.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no item of Hacker News")
        response = await self._api.get(f"items/{match[1]}", deadline=request.caller.deadline, timeout_s=_PATIENCE_S)
        item = Row.of(response)
        if item.number("id") is None or not item.text("type"):
            raise Drift("id")
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        given = (request, match[1], item, self._max_comments, now)
        small = len(response.content) <= _INLINE_BYTES
        return thread_page(*given) if small else await self._workers.run(thread_page, *given)
