"""Threads and gists as Markdown: who wrote what and when, each text in its place."""

from __future__ import annotations

from datetime import datetime

from websearch_core import FetchRequest, Page
from websearch_core.kit import Quoted, Row, UnexpectedResponse, fenced, quoted

from .addresses import place_of

SHOWN = 100
"""So many comments of a thread are shown, the first ones: what the API gives at once."""


def thread_page(issue: Row, comments: list[Row], request: FetchRequest, now: datetime) -> Page:
    """An issue or a pull request, then its comments in order."""
    title, author = issue.text("title"), issue.text("user", "login")
    if not title or issue.number("number") is None:
        raise UnexpectedResponse("title")
    pull = "pull_request" in issue
    labels = [label.text("name") for label in issue.rows("labels")]
    facts = [
        f"{'Pull request' if pull else 'Issue'} #{issue.number('number'):.0f} by {author or 'somebody'}",
        "merged" if issue.text("pull_request", "merged_at") else _state(issue),
        _day(issue),
        f"labels: {', '.join(filter(None, labels))}" if any(labels) else "",
    ]
    said = [quoted(issue.block("body"), 2)]
    parts = [f"# {title}", " · ".join(filter(None, facts)), said[0].text]
    for comment in comments:
        said.append(quoted(comment.block("body"), 2))
        day = _day(comment)
        who = comment.text("user", "login") or "somebody"
        parts += [f"## Comment by {who}{f' ({day})' if day else ''}", said[-1].text]
    total = issue.number("comments") or 0
    note = f"the first {len(comments)} of {total:.0f} comments are shown"
    return _page(
        issue,
        "\n\n".join(filter(None, parts)),
        said,
        request,
        now,
        title=title,
        author=author,
        kind="discussion",
        notes=(note,) if len(comments) < total else (),
    )


def gist_page(gist: Row, request: FetchRequest, now: datetime) -> Page:
    """A gist's files, each under its name."""
    files = gist.row("files")
    names = [name for name in (gist.value("files") or ()) if isinstance(name, str)]
    if not names:
        raise UnexpectedResponse("files")
    author = gist.text("owner", "login")
    title = gist.text("description") or names[0]
    parts = [f"# {title}", f"Gist by {author or 'somebody'} · {_day(gist)}".removesuffix(" · ")]
    said: list[Quoted] = []
    for name in names:
        content, ending = files.row(name).block("content"), name.rpartition(".")[2]
        if ending in ("md", "markdown"):
            said.append(quoted(content, 2))
            content = said[-1].text
        else:
            content = fenced(content, ending if ending.isalnum() and ending != name else "")
        parts += [f"## {' '.join(name.split())}", content]
    cut = any(files.row(name).value("truncated") is True for name in names) or gist.value("truncated") is True
    return _page(
        gist,
        "\n\n".join(filter(None, parts)),
        said,
        request,
        now,
        title=title,
        author=author,
        kind="softwaresourcecode",
        notes=("GitHub cut this gist: some files are not shown whole",) if cut else (),
    )


def _page(row: Row, body: str, said: list[Quoted], request: FetchRequest, now: datetime, **fields: object) -> Page:
    address = row.address("html_url")  # another one than was asked for, where the repository has moved
    return Page.from_text(
        body,
        max_bytes=request.max_bytes,
        url=request.url,
        final_url=address if place_of(address) else request.url,
        site="GitHub",
        published=(moment := row.moment("created_at")),
        published_from="meta" if moment else "",
        media_type="text/markdown",
        hidden="\n".join(quote.hidden for quote in said if quote.hidden),
        fetched_at=now,
        **fields,
    )


def _state(issue: Row) -> str:
    """`open`, `closed`, or why it was closed where that is not that it is done."""
    state, reason = issue.text("state"), issue.text("state_reason").replace("_", " ")
    return f"closed as {reason}" if state == "closed" and reason not in ("", "completed") else state


def _day(row: Row) -> str:
    moment = row.moment("created_at")
    return f"{moment:%Y-%m-%d}" if moment else ""
