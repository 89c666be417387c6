"""What every extractor does alike: large documents in a worker, text of a download, a page with what was known."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from websearch_core import Download, Page
from websearch_core.kit import Unsupported, Workers

from .charset import decode
from .truncation_marker import marked, without_marker

INLINE_BYTES = 16_384
"""Larger documents could hold the event loop for more than 20 ms, the densest markup included."""
INLINE_XML_BYTES = 8192
"""The same for XML, where a few bytes may be an element, or an item with pages of its own."""
STYLE_CHARS, TAGS = 1000, 500
"""The same for a page with style sheets: what they hide is looked for, selector by selector."""
MEMORY_BYTES = 280_000_000
"""Of the process that reads one document."""
MAX_LINKS = 10_000
"""Of one page: a document that is nothing but links would otherwise grow manifold by them."""
_STYLE = re.compile(r"<style\b.*?(?:</style|\Z)", re.DOTALL)
_WIDE = ("utf-16", "utf16", "utf-32", "utf32", "ucs-2", "unicode")


SECONDS = 15.0
"""For one document, in its process: an honest error still comes within the time of an answer."""


async def read_by(
    read: Callable[[Download], Page],
    download: Download,
    workers: Workers,
    *,
    inline_bytes: int = INLINE_BYTES,
    seconds: float = SECONDS,
    cpu_seconds: float | None = None,
) -> Page:
    """The page that `read`, an importable function, makes; whole, outline and hash included, wherever it ran."""
    if len(download.body) <= inline_bytes and _is_quick(decode(download.body, download.charset).lower()):
        return read(download)
    return await workers.run(read, download, seconds=seconds, cpu_seconds=cpu_seconds, memory_bytes=MEMORY_BYTES)


def _is_quick(text: str) -> bool:
    styles = sum(map(len, _STYLE.findall(text)))
    return not styles or (styles <= STYLE_CHARS and text.count("<") <= TAGS)


def page_of(download: Download, markdown: str, **fields: Any) -> Page:
    """A page of this Markdown; a cut document says so at its end."""
    fields["links"] = tuple(fields.get("links", ()))[:MAX_LINKS]
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
