"""Reads sitemaps (sitemaps.org 0.9): the addresses of a site, and sitemaps of sitemaps."""

from __future__ import annotations

import gzip
import io
import zlib
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlsplit
from xml.parsers.expat import ExpatError, ParserCreate

MAX_BYTES = 50_000_000
"""The protocol's own limit for one uncompressed file."""
MOST_ENTRIES = 50_000


class SitemapError(Exception):
    """The document is something else, malformed, or declares entities."""


class Entry(NamedTuple):
    """One address of a sitemap."""

    url: str
    modified: float | None
    """When it last changed, in seconds since the epoch; None: not said."""


class Sitemap(NamedTuple):
    """What a sitemap file holds."""

    pages: tuple[Entry, ...]
    sitemaps: tuple[str, ...]


def looks_like_one(url: str) -> bool:
    """Whether an address is worth being read as a sitemap first."""
    return urlsplit(url).path.lower().endswith((".xml", ".xml.gz"))


def parse(document: bytes) -> Sitemap:
    """The entries, in order. Raises `SitemapError`."""
    reader = _Reader()
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.doctype  # no entities, so none that expand
    try:
        parser.Parse(_uncompressed(document), True)
    except (ExpatError, OSError, EOFError, zlib.error, ValueError, LookupError):
        raise SitemapError("not well-formed XML") from None
    if reader.root not in ("urlset", "sitemapindex"):
        raise SitemapError("neither a urlset nor a sitemapindex")
    return Sitemap(tuple(reader.pages), tuple(reader.sitemaps))


class _Reader:
    def __init__(self) -> None:
        self.root = ""
        self.pages: list[Entry] = []
        self.sitemaps: list[str] = []
        self._path: list[str] = []
        self._fields: dict[str, str] = {}

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        self.root = self.root or local
        self._path.append(local)
        if len(self._path) == 2:
            self._fields = {}

    def text(self, text: str) -> None:
        if len(self._path) == 3 and self._path[-1] in ("loc", "lastmod"):
            self._fields[self._path[-1]] = (self._fields.get(self._path[-1], "") + text)[:4096]

    def end(self, name: str) -> None:
        local = name.rpartition(":")[2]
        self._path.pop()
        url = self._fields.get("loc", "").strip()
        if len(self._path) == 1 and url and len(self.pages) + len(self.sitemaps) < MOST_ENTRIES:
            if local == "url":
                self.pages.append(Entry(url, _moment(self._fields.get("lastmod", "").strip())))
            elif local == "sitemap":
                self.sitemaps.append(url)

    def doctype(self, *_: object) -> None:
        raise SitemapError("declares a document type")


def _uncompressed(document: bytes) -> bytes:
    if document[:2] != b"\x1f\x8b":
        return document
    with gzip.GzipFile(fileobj=io.BytesIO(document)) as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise SitemapError("larger than the protocol allows")
    return content


def _moment(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
