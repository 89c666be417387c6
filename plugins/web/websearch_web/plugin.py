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
    from .csv_document import CsvExtractor
    from .feed import FeedExtractor
    from .html.extractor import HtmlExtractor
    from .html.second import SecondReader
    from .image import ImageExtractor
    from .json_document import JsonExtractor
    from .markdown import MarkdownExtractor
    from .pdf.extractor import PdfExtractor
    from .plain import PlainText, RawText
    from .xml_document import XmlExtractor

    yield HtmlExtractor(ctx.workers)
    yield SecondReader(ctx.workers)
    yield MarkdownExtractor(ctx.workers)
    yield PdfExtractor(ctx.workers)
    yield FeedExtractor(ctx.workers)
    yield XmlExtractor(ctx.workers)
    yield JsonExtractor(ctx.workers)
    yield CsvExtractor(ctx.workers)
    yield ImageExtractor()
    yield PlainText(ctx.workers)
    yield RawText(ctx.workers)
