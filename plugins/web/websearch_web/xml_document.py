"""The `xml` extractor: sitemaps as a list of addresses, every other XML as its structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page

if TYPE_CHECKING:
    from websearch_core import Workers

_GZIP = frozenset({"application/gzip", "application/x-gzip"})


class XmlExtractor(Extractor):
    """XML and the `+xml` types; gzip, too, where XML is in it, as sitemaps are sent."""

    name: str = "xml"
    media_types: frozenset[str] = frozenset({"application/xml", "text/xml", *_GZIP})

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for entities and depth, `TooLarge` for what unpacks without end, `Drift` if damaged."""
        from .pages import INLINE_XML_BYTES, read_by

        most = -1 if download.media_type in _GZIP else INLINE_XML_BYTES  # gzip grows
        return await read_by(read_xml, download, self._workers, inline_bytes=most)


def read_xml(download: Download) -> Page:
    """The page of an XML document. Raises as `XmlExtractor.extract`."""
    from .characters import visible
    from .gunzip import gunzipped
    from .pages import page_of, text_of
    from .xml_outline import read

    if download.media_type in _GZIP:
        download = download.model_copy(update={"body": gunzipped(download.body), "charset": ""})
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
