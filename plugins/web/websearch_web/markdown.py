"""The `markdown` extractor: Markdown as a site offers it, without what its rendering would hide."""

from __future__ import annotations

import importlib
from typing import ClassVar

from websearch_core import Download, Extractor, Page


class MarkdownExtractor(Extractor):
    """Markdown: front matter becomes metadata, raw HTML becomes text, links become absolute."""

    name: ClassVar[str] = "markdown"
    media_types: ClassVar[frozenset[str]] = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})

    async def start(self) -> None:
        """Load the reader before the first request."""
        importlib.import_module(".markdown_page", __package__)

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text."""
        from .markdown_page import read_markdown

        return read_markdown(download)
