"""Reads a question with its answers: GET questions/{id} and questions/{id}/answers, texts in Markdown."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Drift, Fetcher, FetchRequest, InvalidRequest, NotFound, Page, RateLimited, Row

if TYPE_CHECKING:
    from websearch_core import Api, Clock, Workers

_QUESTION = re.compile(
    r"https?://(?:www\.)?(?P<site>(?:(?:meta|es|ja|pt|ru|(?:es|ja|pt|ru)\.meta)\.)?stackoverflow\.com"
    r"|(?:meta\.)?(?:serverfault|superuser|askubuntu|stackapps)\.com|(?:meta\.)?mathoverflow\.net"
    r"|(?:[a-z0-9-]{1,40}\.)?(?:meta\.)?stackexchange\.com)"
    r"/(?P<kind>questions|q|a)/(?P<id>[0-9]{1,12})(?:[/?#].*)?",
    re.IGNORECASE,
)
_FIELDS = "question.body_markdown;answer.body_markdown"
_PATIENCE_S = 8.0
"""The ordinary way must have time left when the API does not answer."""
_INLINE_CHARS = 32_768
"""More text would hold the event loop for too long."""


class StackExchange(Fetcher):
    """Questions of every site of the network: the question, then its answers by score."""

    name = "stackexchange"
    priority = 30

    def __init__(self, api: Api, clock: Clock, workers: Workers, max_answers: int) -> None:
        self._api = api
        self._workers = workers
        self._clock = clock
        self._max_answers = max_answers
        self._filter = ""
        self._rests: dict[str, float] = {}

    def can_fetch(self, request: FetchRequest) -> bool:
        """Questions and answers, also by their short addresses."""
        return not request.raw and _QUESTION.fullmatch(request.url) is not None

    async def fetch(self, request: FetchRequest) -> Page:
        """The question, its accepted answer marked."""
        from .page import question_page

        match = _QUESTION.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no question of Stack Exchange")
        site, number = match["site"].lower(), match["id"]
        self._filter = self._filter or await self._made(request)
        if match["kind"].lower() == "a":
            number = f"{_only(await self._get(request, site, f'answers/{number}')).number('question_id') or 0:.0f}"
        question = _only(await self._get(request, site, f"questions/{number}"))
        votes = {"order": "desc", "sort": "votes", "pagesize": self._max_answers}
        answers = await self._get(request, site, f"questions/{number}/answers", **votes)
        address = f"https://{site}/questions/{number}"
        rows, now = answers.required_rows("items"), datetime.fromtimestamp(self._clock.now(), UTC)
        given = (request, address, question, rows, now)
        small = sum(len(post.block("body_markdown")) for post in (question, *rows)) <= _INLINE_CHARS
        return question_page(*given) if small else await self._workers.run(question_page, *given)

    async def _get(self, request: FetchRequest, site: str, path: str, **params: str | int) -> Row:
        """One call, unless its method rests: `backoff` is an order (api.stackexchange.com/docs/throttle)."""
        method = re.sub(r"/\d+", "", path)
        left = self._rests.get(method, 0.0) - self._clock.monotonic()
        if left > 0:
            raise RateLimited("Stack Exchange asked us to slow down", retry_after=left)
        response = await self._api.get(
            path,
            params={"site": site, "filter": self._filter, **params},
            deadline=request.caller.deadline,
            timeout_s=_PATIENCE_S,
        )
        answer = Row.of(response)
        if (backoff := answer.number("backoff")) and backoff > 0:
            self._rests[method] = self._clock.monotonic() + min(backoff, 86_400.0)
        return answer

    async def _made(self, request: FetchRequest) -> str:
        """The name of a set of fields that has texts in Markdown, not escaped. The same for ever, so asked for once."""
        response = await self._api.get(
            "filters/create",
            params={"base": "default", "include": _FIELDS, "unsafe": True},
            deadline=request.caller.deadline,
            timeout_s=_PATIENCE_S,
        )
        rows = Row.of(response).required_rows("items")
        name = rows[0].text("filter") if rows else ""
        if not name or not name.isascii():
            raise Drift("items.filter")
        return name


def _only(answer: Row) -> Row:
    rows = answer.required_rows("items")
    if not rows:
        raise NotFound("Stack Exchange has no such question")
    return rows[0]
