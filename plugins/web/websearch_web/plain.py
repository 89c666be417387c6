"""The `text` extractor: text as it stands, and the last resort for every text type that nobody else reads."""

from __future__ import annotations

from typing import ClassVar

from websearch_core import Download, Extractor, Page, Unsupported

from .characters import visible
from .charset import decode
from .pages import page_of
from .truncation import without_marker

_READ_ELSEWHERE = frozenset({"text/html", "text/markdown", "text/x-markdown", "text/json"})
"""Raw, these would show what their own extractors take out as hidden."""
_WIDE = ("utf-16", "utf16", "utf-32", "utf32", "ucs-2", "unicode")


class PlainText(Extractor):
    """Plain text, code and data, unchanged but for characters that nobody sees."""

    name: ClassVar[str] = "text"
    priority: ClassVar[int] = 90
    media_types: ClassVar[frozenset[str]] = frozenset(
        {"text/plain", "text/*", "application/javascript", "application/yaml", "application/x-yaml", "application/toml"}
        | {"application/x-sh", "application/sql", "application/graphql", "application/x-tex"}
    )

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text, and for types that need their own extractor."""
        if download.media_type in _READ_ELSEWHERE:
            raise Unsupported("this type is not read as plain text")
        text, spelt = visible(text_of(download))
        return page_of(download, text.strip("\n"), hidden=spelt)


def text_of(download: Download) -> str:
    """The document's text without the mark of truncation. Raises `Unsupported` for binary data."""
    head = download.body[:1024]
    wide = download.charset.lower().startswith(_WIDE) or head[:2] in {b"\xff\xfe", b"\xfe\xff"}
    if b"\0" in head and not wide:
        raise Unsupported("the document calls itself text but holds binary data")
    text = decode(download.body, download.charset)
    return without_marker(text) if download.truncated else text
