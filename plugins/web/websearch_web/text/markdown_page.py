"""From a download of Markdown to everything that a page holds."""

from __future__ import annotations

from websearch_core import Download, Page
from websearch_core.kit import outline_of

from ..kit.dates import parse_date
from ..kit.extraction import page_of, text_of
from ..kit.invisible_characters import visible
from .front_matter import split
from .markdown_visibility import MarkdownVisibility


def read_markdown(download: Download) -> Page:
    """Split off the front matter, take out what is not shown, make links absolute. Raises `Unsupported`."""
    text, spelt = visible(text_of(download))
    table, rest = split(text)
    markup = MarkdownVisibility(rest, download.final_url or download.url)
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
