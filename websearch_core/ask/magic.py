"""Binary formats by their first bytes."""

from __future__ import annotations

_OFFICE = "application/vnd.openxmlformats-officedocument"
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x01\x00", "image/vnd.microsoft.icon"),
    (b"\x1f\x8b", "application/gzip"),
    (b"{\\rtf", "application/rtf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
)
_BRANDS = {b"avif": "image/avif", b"avis": "image/avif", b"heic": "image/heic", b"heix": "image/heic"}
"""Of ISO base media files: the pictures among them."""
_ZIPPED = (
    (b"mimetypeapplication/epub+zip", "application/epub+zip"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
    (b"word/", f"{_OFFICE}.wordprocessingml.document"),
    (b"ppt/", f"{_OFFICE}.presentationml.presentation"),
    (b"xl/", f"{_OFFICE}.spreadsheetml.sheet"),
    (b"META-INF/container.xml", "application/epub+zip"),
)
ARCHIVES = frozenset(("application/zip", "application/x-zip", "application/x-zip-compressed", "multipart/x-zip"))
"""Declarations of an archive: documents are archives, too."""


CONTAINERS = frozenset(("application/zip", "application/gzip", "application/x-ole-storage"))
"""Signatures of many formats: they do not tell which one it is."""
ZIPPED = frozenset(name for _, name in _ZIPPED)
"""Told by names within an archive, which another kind of archive may hold as well."""
_BEFORE_PDF = b"\xef\xbb\xbf \t\r\n\x00"


def binary(body: bytes) -> str:
    """The media type that the signature stands for; empty: none that is known."""
    if body[:1024].lstrip(_BEFORE_PDF).startswith(b"%PDF-"):
        return "application/pdf"
    for signature, name in _SIGNATURES:
        if body.startswith(signature):
            return name
    if body.startswith(b"RIFF") and body[8:12] == b"WEBP":
        return "image/webp"
    if body[4:8] == b"ftyp":
        return _BRANDS.get(body[8:12], "")
    if body.startswith(b"BM") and body[6:10] == b"\x00\x00\x00\x00":
        return "image/bmp"
    return _zipped(body) if body.startswith(b"PK\x03\x04") else ""


def names() -> frozenset[str]:
    """Every type that can be recognised."""
    known = {name for _, name in (*_SIGNATURES, *_ZIPPED)}
    return frozenset(known.union(_BRANDS.values(), ("application/pdf", "image/webp", "image/bmp", "application/zip")))


def _zipped(body: bytes) -> str:
    """By the names in the first entries; where media come first, by those in the directory at the end."""
    for part in (body[:65_536], body[-65_536:]):
        for mark, name in _ZIPPED:
            if mark in part:
                return name
    return "application/zip"
