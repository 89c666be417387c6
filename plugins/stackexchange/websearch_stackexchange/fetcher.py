"""Reads a question with its answers: GET questions/{id} and questions/{id}/answers, texts in Markdown."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Drift, Fetcher, FetchRequest, InvalidRequest, NotFound, Page, RateLimited, Row, quoted

if TYPE_CHECKING:
    from websearch_core import Api, Clock

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


class StackExchange(Fetcher):
    """Questions of every site of the network: the question, then its answers by score."""

    name = "stackexchange"
    priority = 30

    def __init__(self, api: Api, clock: Clock, max_answers: int) -> None:
        self._api = api
        self._clock = clock
        self._max_answers = max_answers
        self._filter = ""
        self._rests: dict[str, float] = {}

    def can_fetch(self, request: FetchRequest) -> bool:
        """Questions and answers, also by their short addresses."""
        return not request.raw and _QUESTION.fullmatch(request.url) is not None

    async def fetch(self, request: FetchRequest) -> Page:
        """The question, its accepted answer marked."""
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
        return self._page(request, address, question, answers.required_rows("items"))

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

    def _page(self, request: FetchRequest, address: str, question: Row, answers: list[Row]) -> Page:
        title = question.text("title")
        if not title or "body_markdown" not in question:
            raise Drift("items.body_markdown")
        author = question.text("owner", "display_name")
        facts = [f"Question by {author or 'somebody'}", *_facts(question)]
        if tags := question.texts("tags"):
            facts.append(f"tags: {', '.join(tags)}")
        if closed := question.text("closed_reason"):
            facts.append(f"closed: {closed}")
        asked = quoted(question.block("body_markdown"), 2)
        parts, hidden = [f"# {title}", " · ".join(facts), asked.text], [asked.hidden]
        for answer in sorted(answers, key=lambda row: -(row.number("score") or 0)):
            accepted = ["accepted"] if answer.value("is_accepted") is True else []
            who = answer.text("owner", "display_name") or "somebody"
            said = quoted(answer.block("body_markdown"), 2)
            parts += [f"## Answer by {who} ({', '.join([*accepted, *_facts(answer)])})", said.text]
            hidden.append(said.hidden)
        total = question.number("answer_count") or 0
        note = f"{len(answers)} of {total:.0f} answers are shown: those with the highest score"
        return Page.from_text(
            "\n\n".join(filter(None, parts)),
            max_bytes=request.max_bytes,
            url=request.url,
            final_url=address,
            title=title,
            author=author,
            site=address.split("/")[2],
            published=question.moment("creation_date"),
            published_from="meta",
            kind="qapage",
            media_type="text/markdown",
            hidden="\n".join(filter(None, hidden)),
            notes=(note,) if len(answers) < total else (),
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )


def _facts(post: Row) -> list[str]:
    day = post.moment("creation_date")
    return [f"score {post.number('score') or 0:.0f}", *([f"{day:%Y-%m-%d}"] if day else [])]


def _only(answer: Row) -> Row:
    rows = answer.required_rows("items")
    if not rows:
        raise NotFound("Stack Exchange has no such question")
    return rows[0]
