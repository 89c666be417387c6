"""PDFs that want to hurt their reader, and what is to be said of each."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from websearch_core.testing.samples.pdf import PdfWriter, pages_of, pdf_of, stream

from .case import Case

TYPE = "application/pdf"
SEEN = b"BT /R 11 Tf 60 700 Td (Rivers find their way.) Tj ET"
MEGABYTE = 1_000_000


def good() -> bytes:
    """A page of text."""
    writer = PdfWriter("Of Rivers")
    writer.heading("Rivers")
    writer.paragraph("Rivers find their way to the sea.")
    return bytes(writer)


def changed(number: int, content: bytes, page: bytes = SEEN) -> bytes:
    """A document of one page with another object in one place."""
    return pdf_of({**pages_of([page]), number: content})


def with_resources(extra: bytes, objects: dict[int, bytes], page: bytes) -> bytes:
    """A page whose resources have more in them."""
    made = pages_of([page])
    made[10] = made[10].replace(b"/Resources <<", b"/Resources << " + extra)
    return pdf_of({**made, **objects})


def flate(content: bytes, rounds: int = 1) -> bytes:
    """A stream, compressed so many times over."""
    for _ in range(rounds):
        content = zlib.compress(content, 1)
    return stream(content, b"/Filter [%b]" % (b" /FlateDecode" * rounds))


def encrypted(handler: bytes = b"Standard") -> bytes:
    """A document that asks for a password."""
    locked = b"<< /Filter /%b /V 2 /R 3 /Length 128 /P -44 /O <%b> /U <%b> >>" % (handler, b"11" * 32, b"22" * 32)
    return pdf_of({**pages_of([SEEN]), 7: locked}, b"/Root 1 0 R /Encrypt 7 0 R /ID [<00> <00>]")


def picture(extra: bytes, content: bytes = b"\x00" * 100) -> bytes:
    """A page with nothing but a picture."""
    image = stream(content, b"/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 " + extra)
    return with_resources(b"/XObject << /I 20 0 R >> ", {20: image}, b"500 0 0 700 40 40 cm /I Do")


def many_pages(count: int) -> bytes:
    """Pages that share one content stream."""
    made = pages_of([SEEN])
    made[2] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (count, b" ".join(b"10 0 R" for _ in range(count)))
    return pdf_of(made)


def nested_page_tree(depth: int) -> bytes:
    """Each node of the tree of pages holds the next."""
    made = pages_of([SEEN])
    made[2] = b"<< /Type /Pages /Count 1 /Kids [100 0 R] >>"
    for number in range(100, 100 + depth):
        made[number] = b"<< /Type /Pages /Count 1 /Kids [%d 0 R] >>" % (number + 1)
    made[100 + depth] = made[10]
    return pdf_of(made)


def object_stream_bomb() -> bytes:
    """An object stream that unpacks to 45 MB."""
    content = b"30 0 " + b" " * (45 * MEGABYTE)
    packed = zlib.compress(content, 1)
    return changed(20, stream(packed, b"/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode"))


def cases() -> Iterator[Case]:
    """Every file."""
    text = good()
    bomb = b" " * (45 * MEGABYTE)
    yield Case("pdf good", TYPE, text)
    for eighths in range(1, 8):
        yield Case(f"pdf cut at {eighths}/8", TYPE, text[: len(text) * eighths // 8])
    yield Case("pdf cut by the limit", TYPE, text[: len(text) // 8], "too_large: limit on downloads", truncated=True)
    yield Case("pdf only a header", TYPE, b"%PDF-1.7\n", "drift: damaged")
    yield Case("pdf that is none", TYPE, b"plain words", "unsupported: is none")
    yield Case("pdf that is text", TYPE, b"Rivers", "unsupported: is none")
    yield Case("pdf that is HTML", TYPE, b"<html><body>Rivers</body></html>")
    yield Case("pdf that is a picture", TYPE, b"\x89PNG\r\n\x1a\n" + bytes(100), "drift: picture's header")
    yield Case("pdf behind 500 bytes of junk", TYPE, b"x" * 500 + text)
    yield Case("pdf behind 2000 bytes of junk", TYPE, b"x" * 2000 + text, "unsupported: is none")
    yield Case("pdf as HTML", "text/html", text)
    yield Case("pdf as text", "text/plain", text)
    yield Case("pdf with a password", TYPE, encrypted(), "unsupported: password")
    yield Case("pdf with a foreign lock", TYPE, encrypted(b"Vendor.DRM"), "unsupported: encrypted")
    yield Case("pdf without offsets", TYPE, text[: text.index(b"xref")])
    yield Case("pdf with wrong offsets", TYPE, text.replace(b"00000000", b"99999999"))
    yield Case(
        "pdf with startxref beyond its end", TYPE, text[: text.index(b"startxref")] + b"startxref\n99999999\n%%EOF"
    )
    yield Case(
        "pdf whose previous table is itself", TYPE, text.replace(b"/Root", b"/Prev %d /Root" % text.rindex(b"xref\n0"))
    )
    yield Case("pdf without root", TYPE, pdf_of(pages_of([SEEN]), b""))
    yield Case("pdf without pages", TYPE, changed(2, b"<< /Type /Pages /Count 0 /Kids [] >>"), "drift: damaged")
    yield Case(
        "pdf whose pages are itself",
        TYPE,
        changed(2, b"<< /Type /Pages /Count 5 /Kids [2 0 R] >>"),
        "unsupported: no text",
    )
    yield Case(
        "pdf that claims a billion pages", TYPE, changed(2, b"<< /Type /Pages /Count 999999999 /Kids [10 0 R] >>")
    )
    yield Case("pdf with pages nested 5,000 deep", TYPE, nested_page_tree(5000))
    yield Case("pdf of 10,000 pages", TYPE, many_pages(10_000), notes="only the first")
    yield Case("pdf content bomb", TYPE, changed(11, flate(bomb)), "too_large: unpacks to more")
    yield Case("pdf content bomb in a bomb", TYPE, changed(11, flate(bomb, 2)), "too_large: unpacks to more")
    yield Case("pdf object stream bomb", TYPE, object_stream_bomb(), "too_large: unpacks to more")
    yield Case("pdf with 100,000 saves", TYPE, changed(11, stream(b"q " * 100_000 + SEEN)))
    yield Case("pdf with 200,000 operators", TYPE, changed(11, flate(b"1 0 0 1 0 0 cm\n" * 200_000 + SEEN)))
    yield Case("pdf with 50,000 texts", TYPE, changed(11, flate(SEEN * 50_000)), "server: more memory than is allowed")
    yield Case("pdf with a string of a megabyte", TYPE, changed(11, stream(SEEN.replace(b"Rivers", b"R" * MEGABYTE))))
    yield Case("pdf with deep arrays", TYPE, changed(20, b"[" * 100_000 + b"]" * 100_000))
    yield Case("pdf with deep dictionaries", TYPE, changed(20, b"<< /a " * 50_000 + b"1" + b" >>" * 50_000))
    yield Case("pdf with a deep array in its content", TYPE, changed(11, stream(b"[" * 50_000 + b"] TJ " + SEEN)))
    form = stream(
        b"/F Do " + SEEN, b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /F 20 0 R >> >>"
    )
    yield Case(
        "pdf with a form within itself",
        TYPE,
        with_resources(b"/XObject << /F 20 0 R >> ", {20: form}, b"/F Do " + SEEN),
    )
    glyph = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 21 0 R >> "
        b"/Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] "
        b"/Resources << /Font << /T 3 0 R >> >> >>"
    )
    page = b"BT /T 9 Tf 60 600 Td (aaaa) Tj ET " + SEEN
    yield Case(
        "pdf with a glyph within itself",
        TYPE,
        pdf_of({**pages_of([page]), 3: glyph, 21: stream(page)}),
    )
    for name, box in {
        "huge": b"0 0 1e30 1e30",
        "negative": b"-5 -5 -900 -900",
        "empty": b"0 0 0 0",
        "of words": b"/a /b",
    }.items():
        made = pages_of([SEEN])
        made[10] = made[10].replace(b"0 0 595 842", box)
        yield Case(f"pdf with a box {name}", TYPE, pdf_of(made))
    yield Case("pdf scan", TYPE, picture(b"/Width 10 /Height 10"), "unsupported: scanned")
    yield Case(
        "pdf with a picture of a terapixel", TYPE, picture(b"/Width 1000000 /Height 1000000"), "unsupported: scanned"
    )
    for filter_ in (b"JBIG2Decode", b"JPXDecode", b"DCTDecode", b"CCITTFaxDecode", b"LZWDecode", b"RunLengthDecode"):
        garbage = bytes(range(256)) * 20
        name = filter_.decode()
        yield Case(
            f"pdf with a damaged {name}",
            TYPE,
            picture(b"/Width 100 /Height 100 /Filter /" + filter_, garbage),
            "unsupported: scanned",
        )
        yield Case(
            f"pdf with content in {name}",
            TYPE,
            changed(11, stream(garbage, b"/Filter /" + filter_)),
            "unsupported: no text",
        )
    yield Case(
        "pdf run-length bomb",
        TYPE,
        changed(
            11, flate(b"\x81 " * (20 * MEGABYTE // 2), 1).replace(b"/FlateDecode", b"/FlateDecode /RunLengthDecode")
        ),
    )
    yield Case(
        "pdf that runs scripts",
        TYPE,
        changed(1, b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while(1){}) >> >>"),
    )
    yield Case(
        "pdf that launches",
        TYPE,
        changed(1, b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (/bin/sh) >> >>"),
    )
    yield Case(
        "pdf with an endless outline",
        TYPE,
        changed(1, b"<< /Type /Catalog /Pages 2 0 R /Outlines 20 0 R >>").replace(
            b"%%EOF", b"20 0 obj << /First 20 0 R /Next 20 0 R >> endobj %%EOF"
        ),
    )
    yield Case(
        "pdf with text at infinity", TYPE, changed(11, stream(b"BT /R 1e38 Tf 1e38 -1e38 Td (far) Tj ET " + SEEN))
    )
    yield Case(
        "pdf with a broken font",
        TYPE,
        pdf_of(
            {
                **pages_of([SEEN]),
                3: b"<< /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor 20 0 R >>",
                20: b"<< /Type /FontDescriptor /FontFile2 21 0 R >>",
                21: stream(bytes(range(256)) * 10),
            }
        ),
    )
    cmap = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <00> <ff> <%b> endbfrange" % (
        b"0041" * 100_000
    )
    yield Case(
        "pdf whose letters are novels",
        TYPE,
        pdf_of(
            {
                **pages_of([SEEN]),
                3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 20 0 R >>",
                20: stream(cmap),
            }
        ),
        "timeout: too long",
        seconds=2.0,
    )
    yield Case("pdf with a stream of negative length", TYPE, good().replace(b"/Length ", b"/Length -"))
    yield Case("pdf with content that is the page", TYPE, changed(11, b"10 0 R"))
