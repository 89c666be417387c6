"""Reads a question with its answers: GET questions/{id} and questions/{id}/answers, texts in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import FetchRequest, Page, SiteReader
from websearch_core.kit import InvalidRequest, NotFound, RateLimited, Row, UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core import EngineClient, PluginContext

_QUESTION = re.compile(
    r"https?://(?:www\.)?(?P<site>(?:(?:meta|es|ja|pt|ru|(?:es|ja|pt|ru)\.meta)\.)?stackoverflow\.com"
    r"|(?:meta\.)?(?:serverfault|superuser|askubuntu)\.com|stackapps\.com|(?:meta\.)?mathoverflow\.net"
    r"|(?!(?:api|blog|chat|data|www)\.)[a-z0-9-]{1,40}\.(?:meta\.)?stackexchange\.com)"
    r"/(?P<kind>questions|q|a)/(?P<id>[0-9]{1,12})(?:[/?#].*)?",
    re.IGNORECASE,
)
_FIELDS = "question.body_markdown;answer.body_markdown"


class StackExchange(SiteReader):
    """Questions of every site of the network: the question, then its answers by score."""

    name = "stackexchange"

    def __init__(self, ctx: PluginContext, api: EngineClient, max_answers: int) -> None:
        super().__init__(ctx)
        self._api = api
        self._max_answers = max_answers
        self._filter = ""

    def can_fetch(self, request: FetchRequest) -> bool:
        """Questions and answers, also by their short addresses."""
        return not request.raw and _QUESTION.fullmatch(request.url) is not None

    async def read(self, request: FetchRequest) -> Page:
        """The question, its accepted answer marked."""
        from .page import question_page

        match = _QUESTION.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no question of Stack Exchange")
        site, number = match["site"].lower(), match["id"]
        self._filter = self._filter or await self._named(request)
        if match["kind"].lower() == "a":
            number = f"{_only(await self._get(request, site, f'answers/{number}')).number('question_id') or 0:.0f}"
        question = _only(await self._get(request, site, f"questions/{number}"))
        votes = {"order": "desc", "sort": "votes", "pagesize": self._max_answers}
        answers = await self._get(request, site, f"questions/{number}/answers", **votes)
        rows = answers.required_rows("items")
        size = sum(len(post.block("body_markdown")) for post in (question, *rows))
        address = f"https://{site}/questions/{number}"
        return await self.made(size, question_page, request, address, question, rows, self.now())

    async def _get(self, request: FetchRequest, site: str, path: str, **params: str | int) -> Row:
        """One call, unless its method rests, in every process: `backoff` is an order (the API's docs, throttle)."""
        rest = f"rest:{re.sub(r'/[0-9]+', '', path)}"
        until = await self.ctx.store.get(rest)
        if until is not None and (left := float(until) - self.ctx.clock.now()) > 0:
            raise RateLimited("Stack Exchange asked us to slow down", retry_after=left)
        response = await self._api.get(
            path,
            params={"site": site, "filter": self._filter, **params},
            deadline=request.caller.deadline,
        )
        answer = Row.of(response)
        if (backoff := answer.number("backoff")) and backoff > 0:
            seconds = min(backoff, 86_400.0)
            await self.ctx.store.set(rest, f"{self.ctx.clock.now() + seconds}".encode(), ttl=seconds)
        return answer

    async def _named(self, request: FetchRequest) -> str:
        """The name of a set of fields that has texts in Markdown, not escaped. The same for ever, so asked for once."""
        response = await self._api.get(
            "filters/create",
            params={"base": "default", "include": _FIELDS, "unsafe": True},
            deadline=request.caller.deadline,
        )
        rows = Row.of(response).required_rows("items")
        name = rows[0].text("filter") if rows else ""
        if not name or not name.isascii():
            raise UnexpectedResponse("items.filter")
        return name


def _only(answer: Row) -> Row:
    rows = answer.required_rows("items")
    if not rows:
        raise NotFound("Stack Exchange has no such question")
    return rows[0]
