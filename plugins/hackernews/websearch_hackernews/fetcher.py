"""Reads a thread: GET items/{id}, the story with all comments nested."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import FetchRequest, Page, SiteReader
from websearch_core.kit import InvalidRequest, NotFound, Row, UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core import EngineClient, PluginContext

_ITEM = re.compile(r"https?://news\.ycombinator\.com/item\?(?:[^#]*&)?id=([0-9]{1,12})(?:[&#].*)?", re.IGNORECASE)


class HackerNews(SiteReader):
    """Stories, polls, jobs and comments of news.ycombinator.com, with the replies to them."""

    name = "hackernews"

    def __init__(self, ctx: PluginContext, api: EngineClient, max_comments: int) -> None:
        super().__init__(ctx)
        self._api = api
        self._max_comments = max_comments

    def can_fetch(self, request: FetchRequest) -> bool:
        """Items only."""
        return not request.raw and _ITEM.fullmatch(request.url) is not None

    async def read(self, request: FetchRequest) -> Page:
        """The item, then what was said about it as a nested list."""
        from .thread import thread_page

        match = _ITEM.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no item of Hacker News")
        response = await self._api.get(f"items/{match[1]}", deadline=request.caller.deadline)
        item = Row.of(response)
        if item.number("id") is None:
            raise UnexpectedResponse("id")
        if not item.text("type"):
            raise NotFound("this item of Hacker News was deleted")
        size = len(response.content)
        return await self.made(size, thread_page, request, match[1], item, self._max_comments, self.now())
