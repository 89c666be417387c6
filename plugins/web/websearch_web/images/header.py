"""Format and size of a picture from its header: a few bytes at known places, no decoder."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

_HEAD = 65_536
_SEGMENTS = 500
_TAGS = 200
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_SVG = re.compile(r"<(?:[\w-]{1,20}:)?svg\b([^>]{0,4000})>")
_LENGTH = re.compile(r"""\s(width|height)\s*=\s*["']\s*(\d{1,6})(?:\.\d{1,9})?(?:px)?\s*["']""")
_BOX = re.compile(r"""\sviewBox\s*=\s*["'][\s,]*[-\d.]+[\s,]+[-\d.]+[\s,]+(\d{1,6})[\d.]*[\s,]+(\d{1,6})""")


class ImageHeader(NamedTuple):
    """What is known of a picture; zero: the header does not say."""

    format: str
    width: int = 0
    height: int = 0


def header_of(body: bytes, media_type: str = "") -> ImageHeader | None:
    """The header of these bytes; None when they are no picture that is known. Never raises."""
    head = body[:_HEAD]
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR" and len(head) >= 24:
        return ImageHeader("PNG", _big(head, 16, 4), _big(head, 20, 4))
    if head.startswith((b"GIF87a", b"GIF89a")) and len(head) >= 10:
        return ImageHeader("GIF", _little(head, 6, 2), _little(head, 8, 2))
    if head.startswith(b"\xff\xd8\xff"):
        return _jpeg(body)
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return _webp(head)
    if head.startswith((b"II*\x00", b"MM\x00*")):
        return _tiff(head)
    if head.startswith(b"BM") and len(head) >= 26:
        return ImageHeader("BMP", _little(head, 18, 4), abs(int.from_bytes(head[22:26], "little", signed=True)))
    if head.startswith(b"\x00\x00\x01\x00") and len(head) >= 8:
        return ImageHeader("ICO", head[6] or 256, head[7] or 256)
    if head[4:8] == b"ftyp":
        return _iso(head)
    return _svg(head) if "svg" in media_type else None


def _big(head: bytes, place: int, size: int) -> int:
    return int.from_bytes(head[place : place + size], "big")


def _little(head: bytes, place: int, size: int) -> int:
    return int.from_bytes(head[place : place + size], "little")


def _jpeg(body: bytes) -> ImageHeader | None:
    """Segment by segment to the first frame header."""
    place = 2
    for _ in range(_SEGMENTS):
        if place + 9 > len(body) or body[place] != 0xFF:
            return None
        marker = body[place + 1]
        if marker in _FRAMES:
            return ImageHeader("JPEG", _big(body, place + 7, 2), _big(body, place + 5, 2))
        place += 1 if marker == 0xFF else 2 + _big(body, place + 2, 2)
    return None


def _webp(head: bytes) -> ImageHeader | None:
    kind = head[12:16]
    if kind == b"VP8X" and len(head) >= 30:
        return ImageHeader("WebP", _little(head, 24, 3) + 1, _little(head, 27, 3) + 1)
    if kind == b"VP8L" and len(head) >= 25:
        bits = _little(head, 21, 4)
        return ImageHeader("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 " and len(head) >= 30:
        return ImageHeader("WebP", _little(head, 26, 2) & 0x3FFF, _little(head, 28, 2) & 0x3FFF)
    return None


def _tiff(head: bytes) -> ImageHeader | None:
    """Tags 256 and 257 of the first directory."""
    order = "little" if head.startswith(b"II") else "big"
    place = int.from_bytes(head[4:8], order)
    count = int.from_bytes(head[place : place + 2], order)
    size = {256: 0, 257: 0}
    for number in range(min(count, _TAGS)):
        entry = head[place + 2 + 12 * number :][:12]
        tag, kind = int.from_bytes(entry[:2], order), int.from_bytes(entry[2:4], order)
        if tag in size:
            size[tag] = int.from_bytes(entry[8:10] if kind == 3 else entry[8:12], order)
    return ImageHeader("TIFF", size[256], size[257]) if count else None


def _iso(head: bytes) -> ImageHeader | None:
    """AVIF and HEIC: the largest of the `ispe` boxes; smaller ones are tiles and thumbnails."""
    name = "AVIF" if head[8:12] in (b"avif", b"avis") else "HEIC"
    boxes = islice(re.finditer(b"ispe", head), _TAGS)
    return ImageHeader(
        name, *max(((_big(head, m.end() + 4, 4), _big(head, m.end() + 8, 4)) for m in boxes), default=(0, 0))
    )


def _svg(head: bytes) -> ImageHeader | None:
    match = _SVG.search(head.replace(b"\x00", b"").decode("utf-8", "replace"))
    if not match:
        return None
    lengths = dict(_LENGTH.findall(match[1]))
    box = _BOX.search(match[1])
    if "width" in lengths and "height" in lengths:
        return ImageHeader("SVG", int(lengths["width"]), int(lengths["height"]))
    return ImageHeader("SVG", int(box[1]), int(box[2])) if box else ImageHeader("SVG")
