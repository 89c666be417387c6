"""What a download really is, when its declared type says nothing or too little."""

from __future__ import annotations

import functools
import json
import mimetypes
import re

from ..models import Download

VAGUE = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/x-download", "text/plain"))
"""Declarations that the first bytes may overrule; every other one is believed."""

_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x1f\x8b", "application/gzip"),
    (b"{\\rtf", "application/rtf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
)
_ZIPPED = (
    (b"mimetypeapplication/epub+zip", "application/epub+zip"),
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
)
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|title|script|meta)\b", re.IGNORECASE)
_HEAD = 2048
_JSON_PROOF = 262_144
"""Up to so many bytes JSON is proven by reading it; `[1] A footnote` is none."""


def media_type(download: Download) -> str:
    """The declared type, or what the first bytes say when that is vague; empty: nobody knows."""
    declared = download.media_type.partition(";")[0].strip().lower()
    if declared not in VAGUE:
        return declared
    return _sniffed(download.body, declared) or declared


def shown(name: str) -> str:
    """The media type as it may stand in an error: it came from a stranger, so only a known one is repeated."""
    return name if name in _known() else "of an unknown type"


@functools.cache
def _known() -> frozenset[str]:
    """Python's own table, the same on every machine, and what is recognised here."""
    recognised = (name for _, name in (*_MAGIC, *_ZIPPED))
    return frozenset(mimetypes.MimeTypes().types_map[True].values()).union(recognised)


def _sniffed(body: bytes, declared: str) -> str:
    for magic, name in _MAGIC:
        if body.startswith(magic):
            return name
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    if body.startswith(b"PK\x03\x04"):
        return _zipped(body)
    return _text_type(body, declared)


def _zipped(body: bytes) -> str:
    head = body[:65_536]
    for mark, name in _ZIPPED:
        if mark in head:
            return name
    return "application/zip"


def _text_type(body: bytes, declared: str) -> str:
    head = body[:_HEAD]
    encoding = next((name for bom, name in _BOMS if head.startswith(bom)), "")
    if not encoding and b"\x00" in head:
        return "application/octet-stream" if declared == "text/plain" else ""
    text = head.decode(encoding or "latin-1", "replace").lstrip("\ufeff").lstrip()
    if _HTML.match(_after_comments(text)):
        return "text/html"
    if text.startswith("<?xml"):
        return "application/xhtml+xml" if "<html" in text.lower() else "application/xml"
    if text[:1] in ("{", "[") and _is_json(body):
        return "application/json"
    return declared or ("text/plain" if text and _printable(text) else "")


def _after_comments(text: str) -> str:
    while text.startswith("<!--"):
        text = text.partition("-->")[2].lstrip()
    return text


def _is_json(body: bytes) -> bool:
    if len(body) > _JSON_PROOF:
        return body.rstrip()[-1:] in (b"}", b"]")
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _printable(text: str) -> bool:
    return not any(character < " " and character not in "\t\n\r\f\x1b" for character in text)
