"""Every extractor of this plugin keeps the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from websearch_core import Extractor, PluginContext
from websearch_core.testing import ExtractorContract
from websearch_core.testing.samples import archives
from websearch_documents import plugin
from websearch_documents.epub.extractor import EpubExtractor
from websearch_documents.office.extractor import OfficeExtractor
from websearch_documents.open_document.extractor import OpenDocumentExtractor

OFFICE = "application/vnd.openxmlformats-officedocument"
TEXT = "Rivers find their way to the sea, and carry what the mountains gave them. " * 8
ROWS = [["River", "Length"], ["Rhine", "1233"]]
TABLE = "| River | Length |\n| --- | --- |\n| Rhine | 1233 |"


def made_by_the_hook(ctx: PluginContext, kind: type[Extractor]) -> Extractor:
    """The plugin's own instance."""
    return next(extractor for extractor in plugin.websearch_extractors(ctx) if isinstance(extractor, kind))


def with_run(properties: str) -> bytes:
    """A text document with one run of these properties."""
    return archives.zipped(
        archives.docx_parts(archives.word_paragraph("Seen.") + archives.word_paragraph("UNSEEN", "", properties))
    )


class TestOffice(ExtractorContract):
    component = OfficeExtractor
    plugin = "documents"
    media_type = f"{OFFICE}.wordprocessingml.document"
    good = archives.docx("# Rivers", TEXT, ROWS)
    expected = ("# Rivers", "carry what the mountains gave", TABLE)
    hidden: ClassVar[Mapping[bytes, str]] = {
        with_run("<w:vanish/>"): "UNSEEN",
        with_run('<w:color w:val="FFFFFF"/>'): "UNSEEN",
        with_run('<w:sz w:val="2"/>'): "UNSEEN",
    }

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, OfficeExtractor)


class TestWorkbook(TestOffice):
    media_type = f"{OFFICE}.spreadsheetml.sheet"
    good = archives.xlsx({"Rivers": [["River", "Length"], ["Rhine", 1233]]})
    expected = ("## Rivers", TABLE)
    hidden: ClassVar[Mapping[bytes, str]] = {}


class TestSlides(TestOffice):
    media_type = f"{OFFICE}.presentationml.presentation"
    good = archives.pptx([("Rivers", [TEXT]), ("Lengths", ["Rhine 1233"])])
    expected = ("[slide 1]\n\n## Rivers", "carry what the mountains gave", "[slide 2]\n\n## Lengths")
    hidden: ClassVar[Mapping[bytes, str]] = {}


class TestEpub(ExtractorContract):
    component = EpubExtractor
    plugin = "documents"
    media_type = "application/epub+zip"
    good = archives.epub({"b.xhtml": f"<h1>Rivers</h1><p>{TEXT}</p>", "a.xhtml": "<h1>Seas</h1><p>Salt.</p>"})
    expected = ("# Rivers", "carry what the mountains gave", "# Seas\n\nSalt.")
    hidden: ClassVar[Mapping[bytes, str]] = {
        archives.epub({"a.xhtml": f"<p>Seen.</p><p {way}>UNSEEN</p>"}): "UNSEEN"
        for way in ("hidden='hidden'", "style='display:none'", "style='font-size:0'", "style='color:#fff'")
    }

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, EpubExtractor)


class TestOpenDocument(ExtractorContract):
    component = OpenDocumentExtractor
    plugin = "documents"
    media_type = "application/vnd.oasis.opendocument.text"
    good = archives.odt(
        f'<text:h text:outline-level="2">Rivers</text:h><text:p>{TEXT}</text:p>'
        "<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>River</text:p></table:table-cell>"
        "<table:table-cell><text:p>Length</text:p></table:table-cell></table:table-row><table:table-row>"
        "<table:table-cell><text:p>Rhine</text:p></table:table-cell><table:table-cell><text:p>1233</text:p>"
        "</table:table-cell></table:table-row></table:table>"
    )
    expected = ("## Rivers", "carry what the mountains gave", "- one", TABLE)
    hidden: ClassVar[Mapping[bytes, str]] = {
        archives.odt("<text:p>Seen <office:annotation><text:p>UNSEEN</text:p></office:annotation></text:p>"): "UNSEEN"
    }

    def extractor(self, ctx: PluginContext) -> Extractor:
        return made_by_the_hook(ctx, OpenDocumentExtractor)
