"""Reads a thread: GET items/{id}, the story with all comments nested."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Drift, Fetcher, FetchRequest, InvalidRequest, Page, Row

from .thread import comments_of, text_of

if TYPE_CHECKING:
    from websearch_core import Api, Clock

_ITEM = re.compile(r"https?://news\.ycombinator\.com/item\?(?:[^#]*&)?id=([0-9]{1,12})(?:[&#].*)?", re.IGNORECASE)
_PATIENCE_S = 8.0
"""The ordinary way must have time left when the service does not answer."""


class HackerNews(Fetcher):
    """Stories, polls, jobs and comments of news.ycombinator.com, with the replies to them."""

    name = "hackernews"
    priority = 30

    def __init__(self, api: Api, clock: Clock, max_comments: int) -> None:
        self._api = api
        self._clock = clock
        self._max_comments = max_comments

    def can_fetch(self, request: FetchRequest) -> bool:
        """Items only."""
        return not request.raw and _ITEM.fullmatch(request.url) is not None

    async def fetch(self, request: FetchRequest) -> Page:
        """The item, then what was said about it as a nested list."""
        match = _ITEM.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no item of Hacker News")
        response = await self._api.get(f"items/{match[1]}", deadline=request.caller.deadline, timeout_s=_PATIENCE_S)
        item = Row.of(response)
        if item.number("id") is None or not item.text("type"):
            raise Drift("id")
        return self._page(request, match[1], item)

    def _page(self, request: FetchRequest, number: str, item: Row) -> Page:
        author = item.text("author")
        title = item.text("title") or f"Comment by {author or 'somebody'}"
        comments, shown, total = comments_of(item, self._max_comments)
        points = item.number("points")
        facts = [
            f"by {author}" if author else "",
            f"{points:.0f} points" if points is not None else "",
            f"{total} comments",
            item.address("url"),
        ]
        options = "\n".join(f"- {text_of(row.block('text'))}" for row in item.rows("options"))
        parts = [f"# {title}", " · ".join(filter(None, facts)), text_of(item.block("text")), options]
        parts += ["## Comments", comments] if comments else []
        return Page.from_text(
            "\n\n".join(filter(None, parts)),
            max_bytes=request.max_bytes,
            url=request.url,
            final_url=f"https://news.ycombinator.com/item?id={number}",
            title=title,
            author=author,
            site="Hacker News",
            published=item.moment("created_at_i") or item.moment("created_at"),
            published_from="meta",
            kind="discussion",
            media_type="text/markdown",
            notes=(f"{shown} of {total} comments are shown: those near the top first",) if shown < total else (),
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )
