"""A site's reply as the document that a fetcher gets: decompressed, within the cap."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ..contract.errors import TooLarge
from ..contract.models import Download
from . import body, response_headers

if TYPE_CHECKING:
    from .transport import Reply
    from .urls import Target


async def read(reply: Reply, asked: str, target: Target, cap: int, on_cap: str, fetched_at: datetime) -> Download:
    """The document of at most `cap` bytes; a longer one is cut and marked, or `TooLarge` where `on_cap` is `error`.

    `asked` is the address that the caller gave, `target` the one that answered.
    """
    encoding = reply.headers.get("content-encoding", "")
    length = reply.headers.get("content-length", "")
    if on_cap == "error" and not encoding and length.isdigit() and len(length) < 20 and int(length) > cap:
        raise TooLarge(f"the document is larger than {cap} bytes")
    content, truncated = await body.read(reply.chunks, encoding, cap)
    if truncated and on_cap == "error":
        raise TooLarge(f"the document is larger than {cap} bytes")
    media_type, charset = response_headers.content_type(reply.headers.get("content-type", ""))
    bytes_read = len(content)
    if truncated:
        content = body.cut(content, cap, charset, marked=body.is_text(media_type, content))
    return Download(
        url=asked,
        final_url=target.url,
        status=reply.status,
        media_type=media_type,
        charset=charset,
        headers=reply.headers,
        body=content,
        truncated=truncated or response_headers.is_part(reply),
        bytes_read=bytes_read,
        fetched_at=fetched_at,
    )
