"""The title of a page: its own, without the name of the site and the marks of its headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from turbohtml import Document, Element, Node

MAX_CHARS = 500
_SEPARATOR = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb\u2022:-]{1,2}\s+")
_SITE_UNSPACED = re.compile(
    r"(?<=[\u3001-\u9fff\uff01-\uff60])[-_|][\u3040-\u9fff]{1,12}(?:网|網|新闻|新聞|日报|日報|论坛|論壇|频道|頻道|ニュース|サイト)$"
)
"""The name of a Chinese or Japanese site at the end of a title, as no blank shows it."""
_PARTS = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb\u2022:-]{1,2}\s+|:\s+|\s*\|\s*")
"""Where the name of a site may begin or end; a colon in a title is only taken for one where a heading proves it."""
_MARKS = re.compile(r"(?:[\s\u00b6\u00a7\U0001f517\uf0c1]|(?<!\S)#+)+$")
"""What links a heading to itself: pilcrow, number sign, chain, the icon font of the Sphinx theme of Read the Docs."""
_HEADINGS = "h1, h2, h3, .title, .refentrytitle, .entry-title"
_BANNER = (
    "header, nav, [role=banner], [class*=menu], [class*=header], [class*=banner], [id*=menu], [id*=header], #hd, "
    "[class*=logo], [class*=brand]"
)
_MENU = "nav, [role=navigation], [id*=navigation], [class*=navigation]"
_FIRST = 12
"""Headings that are looked at: a page's name stands near its top."""
_LEAST, _SAYS_MUCH = 3, 10


def title_of(document: Document, meta: Mapping[str, str], headlines: Sequence[str]) -> str:
    """What the page is called.

    In order: a heading that the declared title begins with, or has as one of its parts; the headline of its JSON-LD or
    OpenGraph; its only heading; the `<title>`. What all pages of a site share comes last in titles, or first before a
    colon, and is then no title of a page.
    """
    element = document.select_one("head > title, title")
    written = _line(element.text) if element is not None and not element.closest("svg") else ""
    declared = next(
        (meta[name] for name in ("og:title", "twitter:title", "citation_title", "dc.title") if meta.get(name)), ""
    )
    told = next(filter(None, headlines), "")
    site = meta.get("og:site_name", "")
    tops = [heading for heading in document.select("h1")[:_FIRST] if heading_text(heading)]
    beside = [heading for heading in tops if heading.closest(_MENU) is None]
    in_menu = 0 < len(beside) < len(tops)
    if in_menu:
        tops = beside
    own = [text for heading in tops if not _is_sites((text := heading_text(heading)), heading, written)]
    if heading := _named_by(own, document, [name for name in (written, declared, told) if name], site):
        return heading
    if told or declared:
        return without_site(told or declared, site)
    if len(own) == 1 and (len(own[0]) > _SAYS_MUCH or in_menu):
        return own[0]
    if len(own) < len(tops) and len(parts := _SEPARATOR.split(written)) > 1:
        return written[: written.rindex(parts[-1])].rstrip(" |\u2013\u2014\u00b7\u00bb\u2022:-")
    if not tops and len(seconds := document.select("h2")) == 1 and len(text := heading_text(seconds[0])) > _SAYS_MUCH:
        return text
    return without_site(written, site) or (own[0] if own else _first_heading(document))


def _first_heading(document: Document) -> str:
    first = document.select_one("h2, h3")
    return heading_text(first) if first is not None else ""


def heading_text(heading: Element) -> str:
    """A heading on one line without the mark that links to it."""
    written = "".join(map(_spelled, heading.descendants)) if heading.select_one("br, rt") is not None else heading.text
    text = _line(written)
    own = heading.select("a[href^='#']")
    if own and own[-1].text.strip() == "#":
        text = text.removesuffix("#")
    return _MARKS.sub("", text)


def _spelled(node: Node) -> str:
    """What a part of a heading adds to it: a line break is a blank, and how characters are read is no part of it."""
    if not hasattr(node, "tag"):
        return "" if getattr(node.parent, "tag", "") in {"rt", "rp"} else node.text
    return " " if getattr(node, "tag", "") == "br" else ""


def without_site(title: str, site: str) -> str:
    """A title without the name of the site at its end."""
    parts = _SEPARATOR.split(title)
    if len(parts) > 1 and site and parts[-1].strip().lower() == site.lower():
        return title[: title.rindex(parts[-1])].rstrip(" |\u2013\u2014\u00b7\u00bb\u2022:-")
    if len(parts) == 2 and len(parts[0]) > 2 * len(parts[1]) and "|" in title:
        return parts[0]
    return _SITE_UNSPACED.sub("", title)


def _named_by(own: list[str], document: Document, names: list[str], site: str) -> str:
    """The heading that a declared title names, whole, at its beginning or as one of its parts."""
    lowered = [name.lower() for name in names]
    seconds = {heading_text(second).lower() for second in document.select("h2")[:_FIRST]}
    for heading in own:
        begun = [name for name in lowered if name.startswith(heading.lower())]
        if len(heading) > _LEAST and begun:
            # Whether a site and its page or a title and the second half of it: the whole says both.
            whole = any(name[len(heading) :][:2] == ": " and name[len(heading) + 2 :] in seconds for name in begun)
            return names[lowered.index(begun[0])] if whole else heading
    parts = {part.strip().lower() for name in names for part in _PARTS.split(name)} - {site.lower(), ""}
    for heading in document.select(_HEADINGS)[:_FIRST]:
        text = heading_text(heading)
        if len(text) < _LEAST - 1 or not names or _is_sites(text, heading, names[0]):
            continue
        # A heading may end with labels ("Class Reference abstract") that the title leaves out.
        own_words = _line("".join(child.text for child in heading.children if not hasattr(child, "tag")))
        for found in (text, own_words):
            if found.lower() in parts:
                return found
    for heading in own[:3]:
        if len(heading) > _LEAST and any(heading.lower() in name for name in lowered):
            return heading
    return ""


def _is_sites(text: str, heading: Element, title: str) -> bool:
    """Whether a heading is the banner of a site: the end of the title, in what is called a header or menu."""
    parts = _SEPARATOR.split(title)
    return len(parts) > 1 and parts[-1].strip().lower() == text.lower() and heading.closest(_BANNER) is not None


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_CHARS]
