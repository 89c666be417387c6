"""A question with its answers as Markdown."""

from __future__ import annotations

from datetime import datetime

from websearch_core import FetchRequest, Page
from websearch_core.kit import Row, UnexpectedResponse, quoted


def question_page(request: FetchRequest, address: str, question: Row, answers: list[Row], now: datetime) -> Page:
    """The question, then its answers by score, the accepted one marked."""
    title = question.text("title")
    if not title or "body_markdown" not in question:
        raise UnexpectedResponse("items.body_markdown")
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
        published=(moment := question.moment("creation_date")),
        published_from="meta" if moment else "",
        kind="qapage",
        media_type="text/markdown",
        hidden="\n".join(filter(None, hidden)),
        notes=(note,) if len(answers) < total else (),
        fetched_at=now,
    )


def _facts(post: Row) -> list[str]:
    day = post.moment("creation_date")
    return [f"score {post.number('score') or 0:.0f}", *([f"{day:%Y-%m-%d}"] if day else [])]
