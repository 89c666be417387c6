"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from websearch_core import Extractor, Fetcher, PluginContext, Settings, hookimpl


class WebSettings(Settings):
    """`[plugin.web]`."""

    accept_markdown: bool = True
    """Ask for Markdown first; sites that do not offer it answer with HTML as always."""
    accept_language: str = Field(default="*", min_length=1, max_length=200, pattern=r"^[A-Za-z0-9*,;=. -]+$")
    """The Accept-Language header; `*` leaves the choice to the site."""


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The HTTP fetcher."""
    from .fetcher import HttpFetcher

    settings = ctx.settings(WebSettings)
    yield HttpFetcher(
        ctx.web,
        accept_markdown=settings.accept_markdown,
        accept_language=settings.accept_language,
    )


@hookimpl
def websearch_extractors(ctx: PluginContext) -> Iterator[Extractor]:
    """Web pages, documents and data; text as the last resort; the raw text of anything."""
    from .data.csv_extractor import CsvExtractor
    from .data.json_extractor import JsonExtractor
    from .data.xml_extractor import XmlExtractor
    from .feeds.extractor import FeedExtractor
    from .html.extractor import HtmlExtractor
    from .html.fallback_reader import FallbackHtmlExtractor
    from .images.extractor import ImageExtractor
    from .pdf.extractor import PdfExtractor
    from .text.markdown_extractor import MarkdownExtractor
    from .text.text_extractor import RawTextExtractor, TextExtractor

    yield HtmlExtractor(ctx.workers)
    yield FallbackHtmlExtractor(ctx.workers)
    yield MarkdownExtractor(ctx.workers)
    yield PdfExtractor(ctx.workers)
    yield FeedExtractor(ctx.workers)
    yield XmlExtractor(ctx.workers)
    yield JsonExtractor(ctx.workers)
    yield CsvExtractor(ctx.workers)
    yield ImageExtractor()
    yield TextExtractor(ctx.workers)
    yield RawTextExtractor(ctx.workers)
