"""A thread as Markdown: comments as a nested list, each in its place, however odd its text."""

from __future__ import annotations

import html
import re
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from websearch_core import FetchRequest, Page
from websearch_core.kit import Row, fenced, literal

_CODE = re.compile(r"<pre><code>(.*?)(?:</code></pre>|\Z)", re.DOTALL)
_LINK = re.compile(r'<a\s(?:(?!href=")[^<>])*+href="([^"<>]*+)"[^<>]*+>[^<>]*+</a>')
_PARAGRAPH = re.compile(r"(?<!\s)\s*+</?p>\s*+")
_TAG = re.compile(r"<[^<>]*>")
_DEEPEST = 10
"""Replies below are shown at this depth: more indentation would be read as nothing but code."""


@dataclass(slots=True)
class _Comment:
    row: Row
    replies: list[_Comment] = field(default_factory=list["_Comment"])


def thread_page(request: FetchRequest, number: str, item: Row, most: int, now: datetime) -> Page:
    """An item, then the replies to it, at most so many."""
    author = item.text("author")
    title = item.text("title") or f"Comment by {author or 'somebody'}"
    comments, shown, total = comments_of(item, most)
    points = item.number("points")
    facts = [
        f"by {author}" if author else "",
        f"{points:.0f} points" if points is not None else "",
        f"{total} comments",
        item.address("url"),
    ]
    options = "\n".join(map(_option, item.rows("options")))
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
        published=(moment := item.moment("created_at_i") or item.moment("created_at")),
        published_from="meta" if moment else "",
        kind="discussion",
        media_type="text/markdown",
        notes=(f"{shown} of {total} comments are shown: those near the top first",) if shown < total else (),
        fetched_at=now,
    )


def comments_of(item: Row, most: int) -> tuple[str, int, int]:
    """The replies to an item as a list, how many are shown, and how many there are. Level by level, `most` in all."""
    top = _Comment(item)
    shown = total = 0
    waiting = deque([top])
    while waiting:
        comment = waiting.popleft()
        for row in _replies(comment.row):
            total += 1
            reply = _Comment(row)
            waiting.append(reply)
            if shown < most:
                shown += 1
                comment.replies.append(reply)
    return "\n".join(line for reply in top.replies for line in _lines(reply, 0)), shown, total


def text_of(markup: str) -> str:
    """A text of Hacker News, which is written in a handful of tags, as Markdown."""
    pieces = _CODE.split(markup)
    parts = [fenced(html.unescape(piece)) if number % 2 else _prose(piece) for number, piece in enumerate(pieces)]
    return "\n\n".join(filter(None, parts))


def _option(row: Row) -> str:
    """One of a poll."""
    points = row.number("points")
    votes = f" ({points:.0f} points)" if points is not None else ""
    return f"- {' '.join(text_of(row.block('text')).split())}{votes}"


def _replies(row: Row) -> list[Row]:
    """All of them, however many: but for what was deleted without a reply, of which only the number is left."""
    value: object = row.value("children")
    found = [Row(child) for child in cast("list[object]", value)] if isinstance(value, list) else []
    return [reply for reply in found if reply.block("text") or reply.value("children")]


def _prose(markup: str) -> str:
    text = _PARAGRAPH.sub("\n\n", markup)
    text = _LINK.sub(r"\1", text).replace("<i>", "*").replace("</i>", "*")
    return literal(html.unescape(_TAG.sub("", text))).strip()


def _lines(comment: _Comment, depth: int) -> list[str]:
    row = comment.row
    said = text_of(row.block("text"))
    day = row.moment("created_at_i") or row.moment("created_at")
    when = f" ({day:%Y-%m-%d %H:%M})" if day else ""
    who = f"**{row.text('author') or 'deleted'}**{when}"
    first, *rest = f"{who}: {said or '(deleted)'}".split("\n")
    if said.startswith("```"):
        first, rest = f"{who}:", said.split("\n")
    margin = "  " * min(depth, _DEEPEST)
    lines = [f"{margin}- {first}", *(f"{margin}  {line}".rstrip() for line in rest)]
    return lines + [line for reply in comment.replies for line in _lines(reply, depth + 1)]
