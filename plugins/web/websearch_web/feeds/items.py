"""A feed's text to a list of items in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, cast

from websearch_core.kit import UnexpectedResponse

from ..html.hidden.hidden_text import take_hidden
from ..kit.dates import parse_date
from ..kit.invisible_characters import visible
from ..kit.links import LinkResolver
from ..kit.markdown_escaping import escaped, link, one_line

MAX_ITEMS = 500
_SUMMARY_CHARS = 600
_HTML_CHARS = 50_000


class FeedItem(NamedTuple):
    """One entry, in the feed's own words; `summary` may be HTML."""

    title: str = ""
    link: str = ""
    date: str = ""
    author: str = ""
    summary: str = ""


class FeedContent(NamedTuple):
    """What was read."""

    body: str
    title: str
    published: datetime | None
    links: tuple[str, ...]
    hidden: str
    notes: tuple[str, ...]


class Feed(NamedTuple):
    """A feed of any format."""

    title: str
    description: str
    updated: str
    items: tuple[FeedItem, ...]


def read(text: str, url: str) -> FeedContent:
    """The newest date of all is the feed's. Raises `UnexpectedResponse` when the text is no feed."""
    feed = _json(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else _xml(text)
    hidden: list[str] = []
    title = _plain(feed.title, hidden)
    lines = [f"# {escaped(title)}"] if title else []
    if description := _plain(feed.description, hidden):
        lines += ["", escaped(description)]
    lines += ["", f"Items: {len(feed.items)}"]
    lines.append("")
    links: list[str] = []
    addresses = LinkResolver(url)
    dates = [parse_date(feed.updated)]
    for item in feed.items[:MAX_ITEMS]:
        moment = parse_date(item.date)
        dates.append(moment)
        target = addresses(item.link.strip()) if item.link else ""
        links += [target] if target.startswith(("http://", "https://")) else []
        lines += _written(item, target, moment, hidden)
    body, spelt = visible("\n".join(lines).strip())
    more = len(feed.items) - MAX_ITEMS
    return FeedContent(
        body=body,
        title=visible(title)[0],
        published=max((moment for moment in dates if moment), default=None),
        links=tuple(dict.fromkeys(links)),
        hidden="\n".join(part for part in (*hidden, spelt) if part),
        notes=(f"{more} older items are left out",) if more > 0 else (),
    )


def _written(item: FeedItem, target: str, moment: datetime | None, hidden: list[str]) -> list[str]:
    title = _plain(item.title, hidden)
    summary = _plain(item.summary, hidden)
    if not title:
        title, summary = one_line(summary, 80), summary if len(summary) > 80 else ""
    author = _plain(item.author, hidden)
    said = [link(title or "untitled", target), moment.date().isoformat() if moment else "", escaped(author)]
    lines = [f"- {' · '.join(part for part in said if part)}"]
    return [*lines, f"  {escaped(summary)}"] if summary and summary != title else lines


def _plain(text: str, hidden: list[str]) -> str:
    """The words of text that may be HTML, on one line."""
    if "<" in text or "&" in text:
        from turbohtml import Text, parse

        document = parse(text[:_HTML_CHARS], positions=False)
        hidden.append(take_hidden(document).text)
        body = document.select_one("body")
        if body is not None:
            body.remove("script, style, template, noscript, svg, iframe, object")
            for block in body.select("p, div, br, li, tr, h1, h2, h3, h4, td, blockquote"):
                block.append(Text(" "))
            text = body.text
    return one_line(text.removesuffix("]]>"), _SUMMARY_CHARS)


def _xml(text: str) -> Feed:
    from turbohtml.extract import feed

    found = feed(text)
    if found is None:
        raise UnexpectedResponse("document", "the document calls itself a feed but is none")
    items = (
        FeedItem(
            title=entry.title or "",
            link=entry.link or "",
            date=entry.published or entry.updated or "",
            author=entry.author or "",
            summary=_words(entry.summary) or _words(entry.content),
        )
        for entry in found.entries
    )
    return Feed(found.title or "", found.description or "", found.updated or "", tuple(items))


def _words(value: object) -> str:
    return value if isinstance(value, str) else ""


def _json(text: str) -> Feed:
    """JSON Feed 1.1: https://www.jsonfeed.org/version/1.1/."""
    try:
        value: Any = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise UnexpectedResponse("document", "the JSON feed is damaged") from None
    entries = _list(value, "items")
    items = (
        FeedItem(
            title=_text(entry, "title"),
            link=_text(entry, "url") or _text(entry, "external_url"),
            date=_text(entry, "date_published") or _text(entry, "date_modified"),
            author=", ".join(_text(one, "name") for one in _list(entry, "authors")) or _author(entry),
            summary=_text(entry, "summary") or _text(entry, "content_html") or _escaped_text(entry),
        )
        for entry in entries
    )
    return Feed(_text(value, "title"), _text(value, "description"), "", tuple(items))


def _author(entry: Any) -> str:
    return _text(cast("Mapping[str, Any]", entry).get("author"), "name") if isinstance(entry, Mapping) else ""


def _escaped_text(entry: Any) -> str:
    return _text(entry, "content_text").replace("&", "&amp;").replace("<", "&lt;")


def _list(value: Any, key: str) -> Iterable[Any]:
    found = cast("Mapping[str, Any]", value).get(key) if isinstance(value, Mapping) else None
    return cast("list[Any]", found) if isinstance(found, list) else ()


def _text(value: Any, key: str) -> str:
    found = cast("Mapping[str, Any]", value).get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""
