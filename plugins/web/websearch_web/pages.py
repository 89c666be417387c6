"""What every extractor does alike: text out of a download, and a page that keeps what the fetcher knew."""

from __future__ import annotations

from typing import Any

from websearch_core import Download, Page, Unsupported

from .charset import decode
from .truncation import marked, without_marker

_WIDE = ("utf-16", "utf16", "utf-32", "utf32", "ucs-2", "unicode")


def page_of(download: Download, markdown: str, **fields: Any) -> Page:
    """A page of this Markdown; a cut document says so at its end."""
    body = marked(markdown, download.bytes_read or len(download.body)) if download.truncated else markdown
    return Page.from_markdown(
        body,
        url=download.url,
        final_url=download.final_url,
        media_type=download.media_type,
        truncated=download.truncated,
        bytes_read=download.bytes_read or len(download.body),
        etag=download.headers.get("etag", ""),
        last_modified=download.headers.get("last-modified", ""),
        fetched_at=download.fetched_at,
        **fields,
    )


def text_of(download: Download) -> str:
    """The document's text without the mark of truncation. Raises `Unsupported` for binary data."""
    head = download.body[:1024]
    wide = download.charset.lower().startswith(_WIDE) or head[:2] in {b"\xff\xfe", b"\xfe\xff"}
    if b"\0" in head and not wide:
        raise Unsupported("the document calls itself text but holds binary data")
    text = decode(download.body, download.charset)
    return without_marker(text) if download.truncated else text
