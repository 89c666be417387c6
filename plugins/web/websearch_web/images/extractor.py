"""The `image` extractor: what a picture's header says of it. No pixel and no EXIF is read, no text recognised."""

from __future__ import annotations

from websearch_core import Download, Extractor, Page
from websearch_core.kit import UnexpectedResponse

_NOTE = "a picture: only its format and size are read, not what it shows"


class ImageExtractor(Extractor):
    """One line of description: the format, the width and the height."""

    name: str = "image"
    media_types: frozenset[str] = frozenset(
        {"image/*", "image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff"}
        | {"image/avif", "image/heic", "image/x-icon", "image/vnd.microsoft.icon"}
    )

    async def extract(self, download: Download) -> Page:
        """Raises `UnexpectedResponse` for a damaged header."""
        from ..kit.extraction import page_of
        from .header import header_of

        header = header_of(download.body, download.media_type)
        if header is None:
            raise UnexpectedResponse("document", "the picture's header is damaged or of an unknown format")
        size = f", {header.width} \u00d7 {header.height} pixels" if header.width and header.height else ""
        return page_of(download, f"{header.format} image{size}", notes=(_NOTE,))
