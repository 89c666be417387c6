"""A gzip archive's content, never more of it than is allowed."""

from __future__ import annotations

import re
import zlib

from websearch_core.kit import TooLarge, UnexpectedResponse, Unsupported

MAX_BYTES = 20_000_000
_CHUNK = 8192
"""Small: what follows a member in its chunk is copied, and an archive can be all tiny members."""
_HEAD = 2048
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAGIC = b"\x1f\x8b"


def gunzipped(body: bytes) -> bytes:
    """The text in a gzip file, of all its members.

    Raises `TooLarge` for a bomb, `UnexpectedResponse` when damaged, `Unsupported` for what is no text.
    """
    content = bytearray()
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    at = 0
    while at < len(body):
        if stream.eof:
            if body[at : at + 2] != _MAGIC:  # padding, or what no member is
                break
            stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
        chunk = body[at : at + _CHUNK]
        try:
            content += stream.decompress(chunk, MAX_BYTES + 1 - len(content))
        except zlib.error:
            raise UnexpectedResponse("document", "the gzip archive is damaged") from None
        if len(content) > MAX_BYTES:
            raise TooLarge("the gzip archive unpacks to more than 20 MB")
        at += len(chunk) - len(stream.unused_data)
    if not stream.eof:
        raise UnexpectedResponse("document", "the gzip archive is cut short")
    if _BINARY.search(content, 0, _HEAD):
        raise Unsupported("the gzip archive holds no text")
    return bytes(content)
