"""A tiny writer of PDF: headings, paragraphs, lists, tables and code in the fonts that every reader has."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

_FONTS = {"R": "Helvetica", "B": "Helvetica-Bold", "M": "Courier"}
_WIDTH, _HEIGHT, _MARGIN = 595, 842, 60
_HEADING_SIZES = {1: 22, 2: 16, 3: 13}
_FIRST_PAGE = 10


def pdf_of(objects: Mapping[int, bytes], trailer: bytes = b"/Root 1 0 R") -> bytes:
    """A file of these objects, with its table of offsets."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets: dict[int, int] = {}
    for number in sorted(objects):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, objects[number])
    table, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
    return bytes(out + b"trailer << /Size %d %b >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, table))


def stream(content: bytes, extra: bytes = b"") -> bytes:
    """A stream object."""
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), extra, content)


def pages_of(contents: Sequence[bytes], *, title: str = "", author: str = "", created: str = "") -> dict[int, bytes]:
    """The objects of a document whose pages have these content streams."""
    kids = b" ".join(b"%d 0 R" % (_FIRST_PAGE + 2 * number) for number in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(contents), kids),
        6: b"<< /Title %b /Author %b /CreationDate %b >>" % (_string(title), _string(author), _string(created)),
    }
    for number, font in enumerate(_FONTS.values(), 3):
        objects[number] = b"<< /Type /Font /Subtype /Type1 /BaseFont /%b /Encoding /WinAnsiEncoding >>" % font.encode()
    fonts = b" ".join(b"/%b %d 0 R" % (name.encode(), number) for number, name in enumerate(_FONTS, 3))
    for number, content in enumerate(contents):
        place = _FIRST_PAGE + 2 * number
        objects[place] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources << /Font << %b >> >> >>"
            % (_WIDTH, _HEIGHT, place + 1, fonts)
        )
        objects[place + 1] = stream(content)
    return objects


class PdfWriter:
    """A document that flows down its pages: `bytes(writer)` is the file."""

    def __init__(self, title: str = "", author: str = "", created: str = "") -> None:
        self._facts = {"title": title, "author": author, "created": created}
        self._pages: list[bytearray] = [bytearray()]
        self._y = _HEIGHT - _MARGIN

    def heading(self, text: str, level: int = 1) -> None:
        """A line in bold, larger for a lower level."""
        size = _HEADING_SIZES[level]
        self._need(size * 3)
        self._y -= size
        self._line("B", size, _MARGIN, text)
        self._y -= size

    def paragraph(self, text: str) -> None:
        """Wrapped text."""
        for line in textwrap.wrap(text, 84):
            self._down(14)
            self._line("R", 11, _MARGIN, line)
        self._y -= 14

    def bullets(self, items: Sequence[str]) -> None:
        """A list."""
        for item in items:
            self._down(14)
            self._line("R", 11, _MARGIN, f"\u2022 {item}")
        self._y -= 14

    def code(self, lines: Sequence[str]) -> None:
        """Lines of one width; a block stays on its page."""
        self._need(12 * len(lines))
        for line in lines:
            self._y -= 12
            indent = len(line) - len(line.lstrip())
            self._line("M", 10, _MARGIN + 6 * indent, line.lstrip())
        self._y -= 14

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Ruled cells; a table stays on its page."""
        self._need(18 * len(rows) + 20)
        wide = (_WIDTH - 2 * _MARGIN) // len(rows[0])
        top = self._y - 4
        for number in range(len(rows) + 1):
            self._rule(_MARGIN, top - 18 * number, _MARGIN + wide * len(rows[0]), top - 18 * number)
        for number in range(len(rows[0]) + 1):
            self._rule(_MARGIN + wide * number, top, _MARGIN + wide * number, top - 18 * len(rows))
        for row in rows:
            self._y -= 18
            for column, cell in enumerate(row):
                self._line("R", 10, _MARGIN + 5 + wide * column, cell)
        self._y -= 18

    def page(self) -> None:
        """A new page."""
        self._pages.append(bytearray())
        self._y = _HEIGHT - _MARGIN

    def raw(self, operators: bytes) -> None:
        """Operators of the content stream, as they are."""
        self._pages[-1] += operators + b"\n"

    def __bytes__(self) -> bytes:
        return pdf_of(pages_of([bytes(page) for page in self._pages], **self._facts), b"/Root 1 0 R /Info 6 0 R")

    def _need(self, points: float) -> None:
        if self._y - points < _MARGIN:
            self.page()

    def _down(self, points: float) -> None:
        self._need(points)
        self._y -= points

    def _line(self, font: str, size: int, x: float, text: str) -> None:
        self.raw(b"BT /%b %d Tf %d %d Td %b Tj ET" % (font.encode(), size, x, self._y, _string(text)))

    def _rule(self, *places: float) -> None:
        self.raw(b"%d %d m %d %d l S" % places)


def _string(text: str) -> bytes:
    """A literal string in the encoding of the fonts."""
    raw = text.encode("cp1252", "replace")
    return b"(%b)" % raw.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
