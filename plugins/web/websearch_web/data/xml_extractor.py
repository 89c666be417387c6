"""The `xml` extractor: sitemaps as a list of addresses, every other XML as its structure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from websearch_core.kit import Workers

_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<!--(?:-?>|.*?--!?>)\s*+|<\?[^>]*+>\s*+)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|script|meta)\b",
    re.IGNORECASE | re.DOTALL,
)
_FRAGMENT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<!--(?:-?>|.*?--!?>)\s*+)*+"
    rb"<(?:div|font|h1|iframe|p|span|style|table)(?=[\s/>])(?![^<>]{0,1000}\sxmlns)",
    re.IGNORECASE | re.DOTALL,
)
"""What else begins HTML, where neither a declaration nor a namespace says that it is XML."""
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*+[\[{]")
_FEED = re.compile(rb"<(?:rss|feed|(?:rdf:)?RDF)[\s>]")
_BEGINNING = 2048
_TABLES = (".csv.gz", ".tsv.gz")
_GZIP = frozenset({"application/gzip", "application/x-gzip"})


class XmlExtractor(Extractor):
    """XML and the `+xml` types; gzip, too, as sitemaps are sent: of a page or a text in it, what that is."""

    name: str = "xml"
    media_types: frozenset[str] = frozenset({"application/xml", "text/xml", *_GZIP})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for entities and depth, `TooLarge` for a bomb, `UnexpectedResponse` if damaged."""
        from ..kit.extraction import INLINE_XML_BYTES, read_by

        if download.media_type in _GZIP:
            return await read_by(read_gzip, download, self._workers, inline_bytes=-1)  # it grows
        if _is_html(download.body):
            return await read_by(read_html, download, self._workers)
        return await read_by(read_xml, download, self._workers, inline_bytes=INLINE_XML_BYTES)


def read_gzip(download: Download) -> Page:
    """The page of what a gzip file holds. Raises as its reader does, and `Unsupported` for what is no text."""
    from .gunzip import gunzipped

    download = download.model_copy(update={"body": gunzipped(download.body), "charset": ""})
    return _reader(download)(download)


def read_html(download: Download) -> Page:
    """The page of HTML that is sent as something else."""
    from ..html.extractor import read_page

    return read_page(download)


def _is_html(body: bytes) -> bool:
    return bool(_HTML.match(body) or _FRAGMENT.match(body))


def _reader(download: Download) -> Callable[[Download], Page]:
    """Of what is unpacked."""
    from ..feeds.extractor import read_feed
    from ..text.text_extractor import read_text
    from .csv_extractor import read_csv
    from .json_extractor import read_json

    body = download.body
    if _is_html(body):
        return read_html
    if _MARKUP.match(body):
        return read_feed if _FEED.search(body, 0, _BEGINNING) else read_xml
    if _JSON.match(body) and body.rstrip().endswith((b"]", b"}")):
        return read_json
    path = urlsplit(download.final_url or download.url).path.lower()
    return read_csv if path.endswith(_TABLES) else read_text


def read_xml(download: Download) -> Page:
    """The page of an XML document. Raises as `XmlExtractor.extract`."""
    from ..kit.extraction import page_of, text_of
    from ..kit.invisible_characters import visible
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
