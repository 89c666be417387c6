"""Hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import Extractor, PluginContext, hookimpl


@hookimpl
def websearch_extractors(ctx: PluginContext) -> Iterator[Extractor]:
    """Office documents and e-books."""
    from .epub.extractor import EpubExtractor
    from .office.extractor import OfficeExtractor
    from .open_document.extractor import OpenDocumentExtractor

    yield OfficeExtractor(ctx.workers)
    yield EpubExtractor(ctx.workers)
    yield OpenDocumentExtractor(ctx.workers)
