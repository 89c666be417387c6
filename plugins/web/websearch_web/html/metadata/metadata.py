"""Title, author, site, date and language, as the page itself declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .page_dates import PageDates, when
from .titles import title_of

if TYPE_CHECKING:
    from turbohtml import Document

    from ...kit.links import LinkResolver

_ARTICLES = (
    "Article",
    "Posting",
    "Report",
    "WebPage",
    "Recipe",
    "Product",
    "Course",
    "Event",
    "QAPage",
    "Dataset",
    "Book",
)
_NO_AUTHOR = re.compile(r"^(?:admin(?:istrator)?|author|editor|staff|unknown|guest|by|none|null|n/a)$", re.IGNORECASE)
_MAX = 500
_MAX_ADDRESS = 2_000


class Metadata(NamedTuple):
    """What the page says of itself; empty where it says nothing."""

    title: str = ""
    author: str = ""
    site: str = ""
    when: PageDates = PageDates()
    language: str = ""
    description: str = ""
    canonical: str = ""
    favicon: str = ""
    kind: str = ""
    """JSON-LD or OpenGraph type, lower case."""


class DeclaredMetadata(NamedTuple):
    """What stands in the head and in scripts, for machines: read it before hidden text is taken out."""

    meta: Mapping[str, str]
    things: list[Mapping[str, Any]]
    types: list[str]
    """Of every JSON-LD object, lower case."""


def declared_by(document: Document) -> DeclaredMetadata:
    """Meta elements by lower-case name, and JSON-LD objects, articles and the like first."""
    every = _things(document)
    ranked = [(next((n for n, kind in enumerate(_ARTICLES) if kind in _kind(thing)), 99), thing) for thing in every]
    things = [thing for rank, thing in sorted(ranked, key=lambda pair: pair[0]) if rank < 99]
    return DeclaredMetadata(
        _metas(document), things, [kind for thing in every for kind in _kind(thing).lower().split()]
    )


def metadata_of(document: Document, declared: DeclaredMetadata, url: str, addresses: LinkResolver) -> Metadata:
    """JSON-LD first, then OpenGraph and other meta elements, then what `document` shows."""
    meta, things, types = declared
    return Metadata(
        title=title_of(document, meta, [_named(thing.get("headline")) for thing in things]),
        author=_author(document, meta, things),
        site=_site(meta, things),
        when=when(document, meta, things, url),
        language=_language(document, meta),
        description=_description(meta, things),
        canonical=_web(addresses, _linked(document, "link[rel~=canonical][href]") or meta.get("og:url", "")),
        favicon=_web(addresses, _linked(document, "link[rel~=icon][href], link[rel='apple-touch-icon'][href]")),
        kind=_kind_of(things, types, meta),
    )


def _metas(document: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in document.select("meta[content]"):
        name = (
            element.attr("property") or element.attr("name") or element.attr("itemprop") or element.attr("http-equiv")
        )
        value = _line(element.attr("content"))
        if name and value:
            found.setdefault(name.strip().lower(), value)
    return found


def _things(document: Document) -> list[Mapping[str, Any]]:
    """JSON-LD objects in the order of the document."""
    flat: list[Mapping[str, Any]] = []
    queue: list[Any] = []
    try:
        queue.extend(document.json_ld())
    except (ValueError, RecursionError):
        return []
    while queue and len(flat) < 200:
        item = queue.pop(0)
        if isinstance(item, list):
            queue[:0] = cast("list[Any]", item)[:50]
        elif isinstance(item, Mapping):
            thing = cast("Mapping[str, Any]", item)
            flat.append(thing)
            queue.extend(thing[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in thing)
    return flat


def _kind(thing: Mapping[str, Any]) -> str:
    kind = thing.get("@type", "")
    return " ".join(str(part) for part in cast("list[Any]", kind)) if isinstance(kind, list) else str(kind)


def _author(document: Document, meta: Mapping[str, str], things: list[Mapping[str, Any]]) -> str:
    for thing in things:
        if name := _people(thing.get("author")):
            return name
    for key in ("author", "article:author", "dc.creator", "dc.contributor.author", "citation_author", "parsely-author"):
        if (name := _person(meta.get(key, ""))) and not name.startswith("http"):
            return name
    name = _person(meta.get("sailthru.author", "") or meta.get("byl", "") or meta.get("twitter:data1", ""))
    if name and "min" not in name and not name[0].isdigit():  # Twitter's second line is a reading time as often
        return name
    for element in document.select(
        "[itemprop=author] [itemprop=name], [rel=author], [itemprop=author], .byline a, .author-name, .author a, "
        ".byline-name, .post-author, .entry-author, a[href*='/author/'], .byline"
    )[:8]:
        if not element.closest("footer, aside, .comments, #comments, .comment, .related") and (
            name := _person(element.text)
        ):
            return name
    return ""


def _people(value: Any) -> str:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    names = [name for item in items[:20] if (name := _person(_named(item)))]
    return ", ".join(dict.fromkeys(names))


def _named(value: Any) -> str:
    if isinstance(value, Mapping):
        return _named(cast("Mapping[str, Any]", value).get("name"))
    return _line(value) if isinstance(value, str) else ""


def _person(text: str) -> str:
    name = re.sub(r"^(?:(?:written|posted|reviewed|published|words?) )?by[:\s]+", "", _line(text), flags=re.IGNORECASE)
    name = re.split(r"\s[|\u2022\u00b7]\s|,? (?:on|updated|published) ", name)[0].strip(" ,|\u2022")
    return name if 2 <= len(name) <= 100 and not _NO_AUTHOR.match(name) else ""


def _site(meta: Mapping[str, str], things: list[Mapping[str, Any]]) -> str:
    if site := meta.get("og:site_name") or meta.get("application-name"):
        return site
    return next((name for thing in things if (name := _named(thing.get("publisher")))), "")


def _description(meta: Mapping[str, str], things: list[Mapping[str, Any]]) -> str:
    for key in ("description", "og:description", "twitter:description", "dc.description"):
        if text := meta.get(key):
            return text
    return next((text for thing in things if (text := _named(thing.get("description")))), "")


def _linked(document: Document, selector: str) -> str:
    link = document.select_one(selector)
    return (link.attr("href") or "").strip() if link is not None else ""


def _web(addresses: LinkResolver, reference: str) -> str:
    target = addresses(reference)[:_MAX_ADDRESS] if reference else ""
    return target if target.startswith(("http://", "https://")) else ""


def _kind_of(things: list[Mapping[str, Any]], types: list[str], meta: Mapping[str, str]) -> str:
    first = next((kind for thing in things for kind in _kind(thing).lower().split() if kind != "webpage"), "")
    kind = first or meta.get("og:type", "").lower() or next(iter(types), "")
    kind = kind.rpartition("/")[2].rpartition(":")[2]
    return kind if re.fullmatch(r"[a-z][a-z0-9._-]{1,40}", kind) else ""


def _language(document: Document, meta: Mapping[str, str]) -> str:
    root = document.select_one("html")
    declared = (root.attr("lang") or root.attr("xml:lang") or "") if root is not None else ""
    language = (declared or meta.get("content-language", "") or meta.get("og:locale", "")).strip().replace("_", "-")
    return language if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}", language) else ""


def _line(text: str | None) -> str:
    return " ".join((text or "").split())[:_MAX]
