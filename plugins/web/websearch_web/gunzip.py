"""A gzip archive's content, never more of it than is allowed."""

from __future__ import annotations

import zlib

from websearch_core import Drift, TooLarge, Unsupported

MAX_BYTES = 20_000_000


def gunzipped(body: bytes) -> bytes:
    """The XML in a gzip file. Raises `TooLarge` for a bomb, `Drift` when damaged, `Unsupported` for other content."""
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        content = stream.decompress(body, MAX_BYTES + 1)
    except zlib.error:
        raise Drift("document", "the gzip archive is damaged") from None
    if len(content) > MAX_BYTES:
        raise TooLarge("the gzip archive unpacks to more than 20 MB")
    if not stream.eof:
        raise Drift("document", "the gzip archive is cut short")
    if not content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        raise Unsupported("the gzip archive holds no XML")
    return content
