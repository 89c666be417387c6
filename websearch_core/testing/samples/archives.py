"""Tiny writers of what is a zip archive of XML: DOCX, PPTX, XLSX, EPUB."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument"


def zipped(parts: Mapping[str, bytes | str], *, stored: Sequence[str] = ()) -> bytes:
    """An archive of these files in this order; those in `stored` are not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def docx_parts(body: str, **more: bytes | str) -> dict[str, bytes | str]:
    """The files of a text document whose body is this WordprocessingML (prefix `w`); `more` by name."""
    return {
        **_package("word/document.xml", f"{_TYPES}.wordprocessingml.document.main+xml", "officeDocument"),
        "word/document.xml": _xml(
            f'<w:document xmlns:w="{_MAIN}/wordprocessingml/2006/main" xmlns:r="{_OFFICE}">'
            f"<w:body>{body}</w:body></w:document>"
        ),
        "word/styles.xml": _xml(
            f'<w:styles xmlns:w="{_MAIN}/wordprocessingml/2006/main">'
            + "".join(
                f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/>'
                f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr></w:style>'
                for n in range(1, 4)
            )
            + "</w:styles>"
        ),
        "word/_rels/document.xml.rels": _relations({"rId1": ("styles", "styles.xml")}),
        "docProps/core.xml": _core(),
        **more,
    }


def docx(*blocks: str | Sequence[Sequence[str]]) -> bytes:
    """A text document: `# Heading`, text, or a table's rows."""
    return zipped(docx_parts("".join(_word_block(block) for block in blocks)))


def word_paragraph(text: str, style: str = "", properties: str = "") -> str:
    """One paragraph; `properties` of its run."""
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{styled}<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def xlsx(sheets: Mapping[str, Sequence[Sequence[str | float]]]) -> bytes:
    """A workbook; texts are written in their cells."""
    names = "".join(f'<sheet name="{escape(name)}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(sheets, 1))
    main = f'xmlns="{_MAIN}/spreadsheetml/2006/main"'
    parts: dict[str, bytes | str] = {
        **_package("xl/workbook.xml", f"{_TYPES}.spreadsheetml.sheet.main+xml", "officeDocument"),
        "xl/workbook.xml": _xml(f'<workbook {main} xmlns:r="{_OFFICE}"><sheets>{names}</sheets></workbook>'),
        "xl/_rels/workbook.xml.rels": _relations(
            {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)}
        ),
        "docProps/core.xml": _core(),
    }
    for number, rows in enumerate(sheets.values(), 1):
        written = "".join(
            f'<row r="{r}">{"".join(_cell(value, r, c) for c, value in enumerate(row))}</row>'
            for r, row in enumerate(rows, 1)
        )
        parts[f"xl/worksheets/sheet{number}.xml"] = _xml(
            f"<worksheet {main}><sheetData>{written}</sheetData></worksheet>"
        )
    return zipped(parts)


def pptx(slides: Sequence[tuple[str, Sequence[str]]]) -> bytes:
    """Slides of a title and lines."""
    draw = f'xmlns:a="{_MAIN}/drawingml/2006/main" xmlns:p="{_MAIN}/presentationml/2006/main" xmlns:r="{_OFFICE}"'
    numbers = range(1, len(slides) + 1)
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in numbers)
    parts: dict[str, bytes | str] = {
        **_package("ppt/presentation.xml", f"{_TYPES}.presentationml.presentation.main+xml", "officeDocument"),
        "ppt/presentation.xml": _xml(f"<p:presentation {draw}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"),
        "ppt/_rels/presentation.xml.rels": _relations({f"rId{n}": ("slide", f"slides/slide{n}.xml") for n in numbers}),
        "docProps/core.xml": _core(),
    }
    for number, (title, lines) in enumerate(slides, 1):
        shapes = _shape("title", [title]) + _shape("body", lines)
        parts[f"ppt/slides/slide{number}.xml"] = _xml(
            f"<p:sld {draw}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
    return zipped(parts)


def epub_parts(chapters: Mapping[str, str], *, title: str = "", author: str = "") -> dict[str, bytes | str]:
    """The files of a book whose chapters are these bodies of XHTML by file name, in spine order."""
    items = "".join(
        f'<item id="c{n}" href="text/{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    parts: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _xml(
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
        ),
        "OEBPS/book.opf": _xml(
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator><dc:language>en</dc:language>"
            f"<dc:date>2025-03-04</dc:date></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
        ),
    }
    for name, body in chapters.items():
        parts[f"OEBPS/text/{name}"] = _xml(
            f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{body}</body></html>'
        )
    return parts


def epub(chapters: Mapping[str, str], *, title: str = "", author: str = "") -> bytes:
    """A book."""
    return zipped(epub_parts(chapters, title=title, author=author), stored=("mimetype",))


def odt(body: str) -> bytes:
    """An OpenDocument text whose text is this XML (prefixes `text`, `table`, `office`)."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "meta")
    )
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": _xml(
            f"<office:document-content {spaces}><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>"
        ),
        "meta.xml": _xml(
            f'<office:document-meta {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
            "<dc:title>Of Rivers</dc:title><meta:initial-creator>Ann Lee</meta:initial-creator>"
            "<meta:creation-date>2025-03-04T10:11:12</meta:creation-date></office:meta></office:document-meta>"
        ),
    }
    return zipped(parts, stored=("mimetype",))


def _xml(content: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{content}'


def _package(main: str, kind: str, relation: str) -> dict[str, bytes | str]:
    return {
        "[Content_Types].xml": _xml(
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/{main}" ContentType="{kind}"/></Types>'
        ),
        "_rels/.rels": _xml(
            f'<Relationships xmlns="{_PACKAGE}/relationships">'
            f'<Relationship Id="rId1" Type="{_OFFICE}/{relation}" Target="{main}"/>'
            f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
            'Target="docProps/core.xml"/></Relationships>'
        ),
    }


def _relations(targets: Mapping[str, tuple[str, str]]) -> str:
    written = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for name, (kind, target) in targets.items()
    )
    return _xml(f'<Relationships xmlns="{_PACKAGE}/relationships">{written}</Relationships>')


def _core() -> str:
    return _xml(
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Of Rivers</dc:title><dc:creator>Ann Lee</dc:creator>'
        "<dcterms:created>2025-03-04T10:11:12Z</dcterms:created></cp:coreProperties>"
    )


def _word_block(block: str | Sequence[Sequence[str]]) -> str:
    if isinstance(block, str):
        level = len(block) - len(block.lstrip("#"))
        return word_paragraph(block[level:].strip(), f"Heading{level}" if level else "")
    rows = "".join(f"<w:tr>{''.join(f'<w:tc>{word_paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in block)
    return f"<w:tbl>{rows}</w:tbl>"


def _cell(value: str | float, row: int, column: int) -> str:
    place = f"{chr(65 + column)}{row}"
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def _shape(kind: str, lines: Sequence[str]) -> str:
    text = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in lines)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="{kind}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        f"<p:spPr/><p:txBody><a:bodyPr/>{text}</p:txBody></p:sp>"
    )
