"""The `text` extractor: text as it stands, and the last resort for every text type that nobody else reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page, Unsupported

if TYPE_CHECKING:
    from websearch_core import Workers

_READ_ELSEWHERE = frozenset({"text/html", "text/markdown", "text/x-markdown", "text/json"})
"""Raw, these would show what their own extractors take out as hidden."""


class PlainText(Extractor):
    """Plain text, code and data, unchanged but for characters that nobody sees."""

    name: str = "text"
    priority: int = 90
    media_types: frozenset[str] = frozenset(
        {"text/plain", "text/*", "application/javascript", "application/yaml", "application/x-yaml", "application/toml"}
        | {"application/x-sh", "application/sql", "application/graphql", "application/x-tex"}
    )

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text, and for types that need their own extractor."""
        from .pages import read_by

        if download.media_type in _READ_ELSEWHERE:
            raise Unsupported("this type is not read as plain text")
        return await read_by(read_text, download, self._workers)


class RawText(PlainText):
    """Any text document as it stands: markup, data, scripts and all."""

    name: str = "raw"
    media_types: frozenset[str] = frozenset({"*/*"})
    raw: bool = True

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for binary data."""
        from .pages import read_by

        return await read_by(read_text, download, self._workers)


def read_text(download: Download) -> Page:
    """The text without characters that nobody sees. Raises `Unsupported` when the bytes are no text."""
    from .characters import visible
    from .pages import page_of, text_of

    text, spelt = visible(text_of(download))
    return page_of(download, text.strip("\n"), hidden=spelt)
