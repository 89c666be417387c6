"""Streams that unpack to far more than any page needs: found before a reader unpacks them whole."""

from __future__ import annotations

import re
import zlib

from websearch_core.kit import TooLarge

MAX_BYTES = 40_000_000
"""Of one stream of text or objects; pictures may be larger, nobody here unpacks them."""
_STREAM = re.compile(rb"stream\r?\n")
_BEFORE = 600
_ROUNDS = 4
_FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_PICTURE = re.compile(rb"/Subtype\s{0,4}/Image\b")


def defused(body: bytes) -> bytes:
    """The same bytes. Raises `TooLarge` when a compressed stream is larger than is allowed."""
    for match in _STREAM.finditer(body):
        head = body[max(0, match.start() - _BEFORE) : match.start()]
        described = head[head.rfind(b"obj") + 3 :]
        rounds = len(_FLATE.findall(described))
        if rounds and not _PICTURE.search(described):
            _check(body, match.end(), rounds)
    return body


def _check(body: bytes, start: int, rounds: int) -> None:
    content: bytes | memoryview = memoryview(body)[start:]
    for _ in range(min(rounds, _ROUNDS)):
        try:
            content = zlib.decompressobj().decompress(content, MAX_BYTES + 1)
        except zlib.error:  # damaged, or encrypted: the reader's business
            return
        if len(content) > MAX_BYTES:
            raise TooLarge("the PDF unpacks to more than is allowed")
