"""The `xml` extractor: sitemaps as a list of addresses, every other XML as its structure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core import Workers

_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<!--(?:-?>|.*?--!?>)\s*+|<\?[^>]*+>\s*+)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|script|meta)\b",
    re.IGNORECASE | re.DOTALL,
)
_GZIP = frozenset({"application/gzip", "application/x-gzip"})


class XmlExtractor(Extractor):
    """XML and the `+xml` types; gzip, too, as sitemaps are sent: of a page or a text in it, what that is."""

    name: str = "xml"
    media_types: frozenset[str] = frozenset({"application/xml", "text/xml", *_GZIP})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for entities and depth, `TooLarge` for what unpacks without end, `Drift` if damaged."""
        from .pages import INLINE_XML_BYTES, read_by

        most = -1 if download.media_type in _GZIP else INLINE_XML_BYTES  # gzip grows
        read = read_gzip if download.media_type in _GZIP else read_xml
        return await read_by(read, download, self._workers, inline_bytes=most)


def read_gzip(download: Download) -> Page:
    """The page of what a gzip file holds. Raises as its reader does, and `Unsupported` for what is no text."""
    from .gunzip import gunzipped
    from .html.extractor import read_page
    from .plain import read_text

    download = download.model_copy(update={"body": gunzipped(download.body), "charset": ""})
    if _HTML.match(download.body):
        return read_page(download)
    return read_xml(download) if _MARKUP.match(download.body) else read_text(download)


def read_xml(download: Download) -> Page:
    """The page of an XML document. Raises as `XmlExtractor.extract`."""
    from .characters import visible
    from .pages import page_of, text_of
    from .xml_outline import read

    text, spelt = visible(text_of(download))
    reading = read(text, download.final_url or download.url, cut=download.truncated)
    return page_of(
        download,
        reading.body,
        title=reading.title,
        links=reading.links,
        hidden="\n".join(part for part in (reading.hidden, spelt) if part.strip()),
        notes=reading.notes,
    )
