"""The `markdown` extractor: Markdown as a site offers it, without what its rendering would hide."""

from __future__ import annotations

from typing import ClassVar

from websearch_core import Download, Extractor, Page, outline_of

from .characters import visible
from .front_matter import split
from .html.dates import parse_date
from .markdown_markup import Markup
from .pages import page_of
from .plain import text_of


class MarkdownExtractor(Extractor):
    """Markdown: front matter becomes metadata, raw HTML becomes text, links become absolute."""

    name: ClassVar[str] = "markdown"
    media_types: ClassVar[frozenset[str]] = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text."""
        text, spelt = visible(text_of(download))
        table, rest = split(text)
        markup = Markup(rest, download.final_url or download.url)
        body, smuggled = visible(markup.text.strip("\n"))
        hidden = [*markup.hidden, spelt, smuggled]
        headings = outline_of(body)
        return page_of(
            download,
            body,
            title=table.get("title") or next((h.text for h in headings if h.level == 1), ""),
            author=table.get("author") or table.get("authors", ""),
            published=parse_date(table.get("date") or table.get("published") or table.get("pubdate")),
            language=table.get("lang", "") or table.get("language", ""),
            links=tuple(markup.links),
            hidden="\n".join(part for part in hidden if part.strip()),
        )
