"""From bytes of HTML to everything that a page holds; runs in this process or in a worker."""

from __future__ import annotations

import re
from typing import NamedTuple

from turbohtml import Document, Element, parse

from ..kit.charset import decode
from ..kit.invisible_characters import visible
from ..kit.links import LinkResolver, links_of
from ..kit.truncation_marker import without_marker
from .content.main_content import main_content, whole_content
from .content.omitted_sections import headings_of, note_of
from .content.page_kind import Kind, page_kind
from .content.repeated_passages import without_repeats
from .content.text_width import width
from .content.walls import ShownText, Wall, is_paywalled, signs_of, wall_of
from .hidden.hidden_text import take_hidden
from .markdown.normalise import normalise
from .markdown.renderer import to_markdown
from .metadata.metadata import declared_by, metadata_of
from .metadata.page_dates import PageDates
from .script_data import embedded_html

_SHELL_CHARS = 200
_POOR_CHARS = 250
_NO_BREAK = re.compile("&(?:nbsp|#160);")
_LOGIN = re.compile(r"log[-_]?in|sign[-_]?in|auth|account|session|sso", re.IGNORECASE)
_PUBLISHED = re.compile(r"publi(?!sher)|^news_")
"""In the name of what a page declares: when it was published, or what news it is."""
_MOUNTS = (
    "#root, #app, #__next, #__nuxt, #__layout, #gatsby-focus-wrapper, #svelte, app-root, [data-reactroot], [ng-app], "
    "[ng-version]"
)


class HtmlContent(NamedTuple):
    """What was read."""

    body: str
    hidden: str
    title: str = ""
    author: str = ""
    site: str = ""
    when: PageDates = PageDates()
    language: str = ""
    description: str = ""
    canonical: str = ""
    favicon: str = ""
    kind: str = ""
    links: tuple[str, ...] = ()
    wall: Wall = ""
    """What stands in place of a page."""
    paywalled: bool = False
    notes: tuple[str, ...] = ()
    """What the reader must know: which sections are not part of the body, what was shown although it looked hidden."""


def read_html(body: bytes, url: str, charset: str = "", truncated: bool = False, asked: str = "") -> HtmlContent:
    """Parse, take out hidden text, read the metadata, find the main content, write it as Markdown.

    `asked` is the address before redirects.
    """
    text = decode(body, charset)
    source = without_marker(text) if truncated else text
    # A no-break space is a space to a reader; the renderer would write a reference.
    source = _NO_BREAK.sub(" ", source.replace("\u00a0", " "))
    document = _parsed(source)
    declared = declared_by(document)
    addresses = LinkResolver.of(document, url)
    hidden = take_hidden(document)
    metadata = metadata_of(document, declared, url, addresses)
    links = links_of(document, addresses)
    login = _asks_for_login(asked or url)
    facts = ShownText.of(document)
    signs = signs_of(document, source, facts)
    kind = page_kind(document, url, declared.types, declared.meta)
    # A date of publication makes a text an article; what a manual declares for machines is the date of its build.
    published = any(map(_PUBLISHED.search, declared.meta))
    guessed = not kind and not published and metadata.when.source in {"time", "text", "url"}
    if guessed or (not kind and published):
        kind = "article"
    least = min(_POOR_CHARS, len(facts.text) * 0.5)
    written, left_out = _markdown(document, source, kind, addresses, metadata.title, guessed, least)
    written = without_repeats(written)
    if len(written) < _SHELL_CHARS and (data := embedded_html(_parsed(source))):
        written = _fuller(written, data, addresses)
    markdown, spelt = visible(written)
    wall = wall_of(facts, signs, metadata.title, markdown, asked_to_log_in=login)
    return HtmlContent(
        body=markdown,
        hidden="\n".join(part for part in (visible(hidden.text)[0], spelt) if part),
        title=visible(metadata.title)[0],
        author=visible(metadata.author)[0],
        site=visible(metadata.site)[0],
        when=metadata.when,
        language=metadata.language,
        description=visible(metadata.description)[0],
        canonical=visible(metadata.canonical)[0],
        favicon=visible(metadata.favicon)[0],
        kind=metadata.kind,
        links=tuple(dict.fromkeys(visible("\n".join(links))[0].split("\n"))) if links else (),
        wall=wall or ("scripts" if signs.scripts and _is_left_to_scripts(markdown, source) else ""),
        paywalled=not wall and is_paywalled(signs, declared.things, markdown),
        notes=tuple(filter(None, (*hidden.notes, visible(left_out)[0]))),
    )


def _asks_for_login(url: str) -> bool:
    """Whether a path names a log-in: the address's own, or one in its query."""
    parts = url.partition("//")[2].split("?")
    return any(_LOGIN.search(part.partition("/")[2]) for part in parts)


def _parsed(source: str) -> Document:
    return parse(source, positions=False, allow_declarative_shadow_roots=False)


def _markdown(
    document: Document, source: str, kind: Kind, addresses: LinkResolver, title: str, guessed: bool, least: float
) -> tuple[str, str]:
    """The main content and what it leaves out; where less than that was found, everything that the page shows."""
    body = document.select_one("body")
    if body is None:
        return "", ""
    headings = headings_of(body)
    content = main_content(body, kind, addresses, title, guessed)
    left_out = note_of(headings, content, title)
    markdown = _written(content, addresses)
    if width(markdown) >= least:
        return markdown, left_out
    again = _parsed(source)
    take_hidden(again)
    whole = again.select_one("body")
    if whole is None:
        return markdown, left_out
    headings = headings_of(whole)
    content = whole_content(whole)
    less = note_of(headings, content, title)
    fuller = _written(content, addresses)
    return (fuller, less) if len(fuller) > 2 * len(markdown) else (markdown, left_out)


def _written(content: Element, addresses: LinkResolver) -> str:
    """Markdown of a part of a page, in a document of its own: in a whole document elements are found by an index."""
    document = _parsed("")
    if (body := document.select_one("body")) is not None:
        body.append(content.extract())
    normalise(document, addresses)
    return to_markdown(document)


def _fuller(written: str, html: str, addresses: LinkResolver) -> str:
    """The longer of what was read and what the page's data say."""
    document = _parsed(f"<body>{html}</body>")
    take_hidden(document)
    body = document.select_one("body")
    if body is None:
        return written
    markdown = _written(body, addresses)
    return f"{written}\n\n{markdown}".strip() if len(markdown) > 2 * len(written) else written


def _is_left_to_scripts(markdown: str, source: str) -> bool:
    """Whether nothing was read, or next to nothing of an application's mount point or a request for JavaScript."""
    if not markdown or len(markdown) >= _SHELL_CHARS:
        return not markdown
    document = _parsed(source)
    if document.select_one("script") is None:
        return False
    asks = any("javascript" in note.text.lower() for note in document.select("noscript")[:5])
    return asks or document.select_one(_MOUNTS) is not None
