"""The `markdown` extractor: Markdown as a site offers it, without what its rendering would hide."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core.kit import Workers


class MarkdownExtractor(Extractor):
    """Markdown: front matter becomes metadata, raw HTML becomes text, links become absolute."""

    name: str = "markdown"
    media_types: frozenset[str] = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    def warm(self) -> None:
        """Load the reader."""
        importlib.import_module(".markdown_page", __package__)

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text."""
        from ..kit.extraction import read_by
        from .markdown_page import read_markdown

        return await read_by(read_markdown, download, self._workers)
