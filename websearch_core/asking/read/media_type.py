"""What a download really is, when its declared type says nothing, too little, or what cannot be."""

from __future__ import annotations

import functools
import json
import mimetypes
import re
from urllib.parse import urlsplit

from ...contract.models import Download

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
RECOGNISED = CONTAINERS.union(
    ZIPPED, _BRANDS.values(), ("application/pdf", "image/webp", "image/bmp"), (name for _, name in _SIGNATURES)
)
"""Every type that a signature can tell."""
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


def _zipped(body: bytes) -> str:
    """By the names in the first entries; where media come first, by those in the directory at the end."""
    for part in (body[:65_536], body[-65_536:]):
        for mark, name in _ZIPPED:
            if mark in part:
                return name
    return "application/zip"


VAGUE = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/x-download", "text/plain"))
"""Declarations that the first bytes may overrule, whatever they say."""

_XML = frozenset(("text/xml", "application/xml", "application/xhtml+xml", "text/html", "application/rss+xml"))
"""Declarations under which feeds, sitemaps and web pages are sent alike: the root element tells."""
_JSON = frozenset(("application/json", "text/json"))
_BY_NAME = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".tab": "text/tab-separated-values",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".jsonl": "application/x-ndjson",
    ".ndjson": "application/x-ndjson",
}
"""Text that looks like any other: only the file's name tells."""
_MORE_THAN_TEXT = frozenset(("text/html", "text/csv", "text/tab-separated-values"))
"""Tables are sent as Excel's, too."""
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_MEDIA = frozenset(("image", "audio", "video", "font"))
_OLD_OFFICE = frozenset(("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"))
_DOCTYPE = re.compile(r"<!doctype\s+html\b", re.IGNORECASE)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|title|script|meta)\b", re.IGNORECASE)
_FRAGMENT = re.compile(r"<(?:!--|(?:iframe|h1|div|font|table|a|style|b|br|p)[\s>])", re.IGNORECASE)
"""What else begins HTML where no type is declared (WHATWG MIME Sniffing, §7.1)."""
_BEFORE_ROOT = re.compile(r"<\?[^>]{0,1000}>|<!--(?:(?!-->).){0,4000}-->|<!DOCTYPE[^>\[]{0,1000}>|\s+", re.DOTALL)
_ROOT = re.compile(r"<(?:[A-Za-z][\w.-]{0,40}:)?([A-Za-z][\w.-]{0,60})[\s>/]")
_ROOTS = {
    "rss": "application/rss+xml",
    "RDF": "application/rss+xml",
    "feed": "application/atom+xml",
    "svg": "image/svg+xml",
    "html": "application/xhtml+xml",
}
_FEED_ROOTS = frozenset(("rss", "feed", "urlset", "sitemapindex"))
"""Unmistakable, even in what calls itself HTML."""
_JSON_FEED = re.compile(rb'"version"\s*:\s*"https:\\?/\\?/jsonfeed\.org\\?/version\\?/')
_HEAD = 2048
_JSON_PROOF = 262_144
"""JSON of at most this many bytes is proven by parsing it: `[1] A footnote` is not JSON."""


def media_type(download: Download) -> str:
    """The declared type, or what the bytes say where that is vague or cannot be; empty: unknown.

    The signature of a binary format overrules what cannot be that; where a binary format is declared and its signature
    is missing, markup or JSON is taken for what it is; no type but markup begins with HTML's own first line; what
    calls itself JSON begins with none of its elements; and JSON that calls itself HTML is JSON.
    """
    declared = _declared(download)
    body = download.body
    found = binary(body)
    if declared in VAGUE or declared in ARCHIVES:
        return found or _text_type(download, declared) or declared
    if found:
        return found if _denies(declared, found) else declared
    if declared in _XML:
        return _xml_type(body, declared)
    if declared in _JSON:
        return _json_type(body, declared)
    if _is_binary(declared):
        return read_as(download) or declared
    if declared.startswith("text/") and _DOCTYPE.match(_after_comments(_head(body)[0])):
        return "text/html"
    return declared


def read_as(download: Download) -> str:
    """What the bytes alone say; empty: nothing, or mere text where a binary format was declared."""
    found = binary(download.body) or _text_type(download, "")
    is_mere_text = found.startswith("text/") and found not in _MORE_THAN_TEXT
    return "" if is_mere_text and _is_binary(_declared(download)) else found


def shown(name: str) -> str:
    """The media type as it may stand in an error: it came from a stranger, so only a known one is repeated."""
    return name if name in _known() else "of an unknown type"


@functools.cache
def _known() -> frozenset[str]:
    """Python's own table, the same on every machine, and what is recognised here."""
    known = frozenset(mimetypes.MimeTypes().types_map[True].values())
    return known.union(RECOGNISED, _ROOTS.values(), _BY_NAME.values())


def _denies(declared: str, found: str) -> bool:
    """Whether bytes of the one kind cannot be what was declared."""
    kind = declared.partition("/")[0]
    if kind == "text" or declared in _XML | _JSON:
        return True
    if found in ZIPPED:
        return kind in _MEDIA or declared == "application/pdf"
    return found not in CONTAINERS


def _declared(download: Download) -> str:
    return download.media_type.partition(";")[0].strip().lower()


def _is_binary(declared: str) -> bool:
    if declared.partition("/")[0] in _MEDIA:
        return not declared.endswith("+xml")
    return declared in RECOGNISED | ARCHIVES | _OLD_OFFICE


def _json_type(body: bytes, declared: str) -> str:
    if _JSON_FEED.search(body, 0, _HEAD):
        return "application/feed+json"
    return "text/html" if _HTML.match(_after_comments(_head(body)[0])) else declared


def _xml_type(body: bytes, declared: str) -> str:
    text = _head(body)[0]
    if declared == "text/html" and text[:1] in ("{", "[") and _is_json(body):
        return _json_type(body, "application/json")
    root = _root(text)
    if declared in {"text/xml", "application/xml"}:
        return _ROOTS.get(root, declared)
    if root in _FEED_ROOTS:
        return _ROOTS.get(root, "application/xml")
    return "application/xml" if declared == "application/rss+xml" and root and root != "RDF" else declared


def _text_type(download: Download, declared: str) -> str:
    body = download.body
    text, is_wide = _head(body)
    if not is_wide and b"\x00" in body[:_HEAD]:
        return "application/octet-stream" if declared == "text/plain" else ""
    if _HTML.match(_after_comments(text)):
        return "text/html"
    if text.startswith("<?xml") or (text.startswith("<") and _root(text) in _FEED_ROOTS):
        if "<html" in text.lower():
            return "application/xhtml+xml"
        return _ROOTS.get(_root(text), "application/xml")
    if declared != "text/plain" and _FRAGMENT.match(text):
        return "text/html"
    if text[:1] in ("{", "[") and _is_json(body):
        return "application/feed+json" if _JSON_FEED.search(body, 0, _HEAD) else "application/json"
    if declared in ARCHIVES or not text or not (declared == "text/plain" or _printable(text)):
        return declared if declared == "text/plain" else ""
    return _BY_NAME.get(_ending(download), "text/plain")


def _head(body: bytes) -> tuple[str, bool]:
    """The first characters, and whether a byte-order mark says how they are written."""
    head = body[:_HEAD]
    encoding = next((name for bom, name in _BOMS if head.startswith(bom)), "")
    return head.decode(encoding or "latin-1", "replace").lstrip("\ufeff").lstrip(), bool(encoding)


def _root(text: str) -> str:
    """The name of the first element, without its prefix."""
    place = 0
    while match := _BEFORE_ROOT.match(text, place):
        place = match.end()
    match = _ROOT.match(text, place)
    return match[1] if match else ""


def _ending(download: Download) -> str:
    try:
        path = urlsplit(download.final_url or download.url).path.rpartition("/")[2]
    except ValueError:
        return ""
    return f".{path.rpartition('.')[2].lower()}" if "." in path else ""


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
    return not any((character < " " and character not in "\t\n\r\f\x1b") or character == "\x7f" for character in text)
