"""What every extractor does alike: a page that keeps what the fetcher knew."""

from __future__ import annotations

from typing import Any

from websearch_core import Download, Page

from .truncation import marked


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
