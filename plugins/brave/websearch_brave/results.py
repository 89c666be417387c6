"""Reads Brave's answers: results of each kind as hits, and what Brave says about the query."""

from __future__ import annotations

from collections.abc import Callable

from websearch_core import Hit
from websearch_core.kit import Row, UnexpectedResponse, hit_of, moment, require_hits

ALTERED = "Brave: changed the words of the query before it searched"
HIDDEN = "Brave: safe search hid results"


def web_hits(answer: Row) -> list[Hit]:
    """Of web/search. Without a block of web results nothing was found, if the rest is as it should be."""
    _expect(answer, "search")
    if answer.value("web") is None:
        if not answer.row("query"):
            raise UnexpectedResponse("web")
        return []
    return _hits(answer, _page, "web", "results")


def news_hits(answer: Row) -> list[Hit]:
    """Of news/search."""
    _expect(answer, "news")
    return _hits(answer, _page, "results")


def image_hits(answer: Row) -> list[Hit]:
    """Of images/search: the page as `url`, the picture itself as `image`."""
    _expect(answer, "images")
    return _hits(answer, _image, "results")


def text_hits(answer: Row) -> list[Hit]:
    """Of llm/context: what was extracted from each page as `body`."""
    sources = answer.row("sources")
    return _hits(answer, lambda row: _text(row, sources.row(row.text("url"))), "grounding", "generic")


def remarks(answer: Row) -> list[str]:
    """What the model should know of how Brave took the query."""
    query = answer.row("query")
    altered = query.text("altered")
    return [
        *((ALTERED,) if altered and altered != query.text("original") else ()),
        *((HIDDEN,) if query.value("show_strict_warning") is True else ()),
    ]


def _expect(answer: Row, kind: str) -> None:
    if answer.text("type") != kind:
        raise UnexpectedResponse("type")


def _hits(answer: Row, read: Callable[[Row], Hit | None], *path: str) -> list[Hit]:
    return list(require_hits(map(read, answer.required_rows(*path)), ".".join((*path, "url"))))


def _page(row: Row) -> Hit | None:
    excerpts = (row.plain("description"), *map(_plain, row.texts("extra_snippets")))
    return hit_of(
        url=row.address("url"),
        title=row.plain("title"),
        snippet="\n\n".join(dict.fromkeys(text for text in excerpts if text)),
        author=", ".join(name for author in row.rows("article", "author") if (name := author.plain("name"))),
        site=row.plain("profile", "name") or row.plain("source", "name"),
        published=row.moment("page_age"),
        age_text=row.plain("age"),
        language=row.text("language"),
        favicon=row.address("meta_url", "favicon"),
    )


def _image(row: Row) -> Hit | None:
    picture = row.address("properties", "url") or row.address("thumbnail", "src")
    title = row.plain("title")
    return hit_of(
        url=row.address("url") if picture else "",
        title=title,
        alt=title,
        image=picture,
        site=row.plain("source"),
        favicon=row.address("meta_url", "favicon"),
    )


def _text(row: Row, source: Row) -> Hit | None:
    # three forms of one date, and four in some answers: the longest that begins with the year says most
    ages = source.texts("age")
    dates = [text for text in ages if moment(text)]
    return hit_of(
        url=row.address("url"),
        title=row.plain("title") or source.plain("title"),
        body="\n\n".join(row.texts("snippets")),
        published=moment(max(dates, key=lambda text: (text[0].isdigit(), len(text)))) if dates else None,
        age_text=next((text for text in ages if moment(text) is None), ""),
    )


def _plain(text: str) -> str:
    return Row({"text": text}).plain("text")
