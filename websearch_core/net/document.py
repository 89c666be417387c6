"""A site's reply as the document that a fetcher gets: decompressed, within the cap."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..contract.errors import TooLarge
from ..contract.models import Download
from . import body

if TYPE_CHECKING:
    from .transport import Reply
    from .urls import Target

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


async def read(reply: Reply, asked: str, target: Target, cap: int, on_cap: str, now: float) -> Download:
    """The document of at most `cap` bytes; a longer one is cut and marked, or `TooLarge` where `on_cap` is `error`.

    `asked` is the address that the caller gave, `target` the one that answered.
    """
    encoding = reply.headers.get("content-encoding", "")
    length = reply.headers.get("content-length", "")
    truncated = not encoding and length.isdigit() and len(length) < 20 and int(length) > cap
    content = b""
    if not truncated or on_cap != "error":
        content, truncated = await body.read(reply.chunks, encoding, cap)
    if truncated and on_cap == "error":
        raise TooLarge(f"the document is larger than {cap} bytes")
    media_type, charset = content_type(reply.headers.get("content-type", ""))
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
        truncated=truncated or _is_part(reply),
        bytes_read=bytes_read,
        fetched_at=datetime.fromtimestamp(now, UTC),
    )


def location(reply: Reply) -> str:
    """The Location header, non-ASCII bytes percent-encoded; empty if this is no redirect."""
    text = reply.headers.get("location", "") if reply.status in _REDIRECTS else ""
    return "".join(c if ord(c) < 128 else f"%{ord(c):02X}" for c in text)


def content_type(value: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, lower case; empty where it says nothing usable."""
    media_type, *parameters = value.lower().partition(",")[0].split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    charset = next((text.strip().strip("\"'") for name, _, text in pairs if name.strip() == "charset"), "")
    return (media_type.strip() if "/" in media_type else ""), charset


def _is_part(reply: Reply) -> bool:
    """Whether the site sent a part of the document, which we never ask for (RFC 9110, §15.3.7)."""
    whole = re.fullmatch(r"bytes 0-([0-9]{1,15})/([0-9]{1,15})", reply.headers.get("content-range", ""))
    return reply.status == 206 and not (whole and int(whole[1]) + 1 == int(whole[2]))
