"""Web pages, feeds, data and pictures that want to hurt their reader, and what is to be said of each."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterator

from .case import Case
from .zips import LAUGHS, XXE

HTML, XML, RSS, JSON, CSV = "text/html", "application/xml", "application/rss+xml", "application/json", "text/csv"
ENTITIES = "unsupported: entities"
DAMAGED = "drift: well-formed"
RIVERS = "<p>Rivers find their way to the sea, and carry what the mountains gave them.</p>"


def cases() -> Iterator[Case]:
    """Every file."""
    yield from _pages()
    yield from _xml()
    yield from _feeds()
    yield from _json()
    yield from _tables()
    yield from _pictures()
    yield from _charsets()


def _pages() -> Iterator[Case]:
    bodies = {
        "20,000 open divs": "<div>" * 20_000 + RIVERS,
        "2,000 nested tables": "<table><tr><td>" * 2000 + RIVERS,
        "5,000 nested lists": "<ul><li>" * 5000 + RIVERS,
        "5,000 nested quotes": "<blockquote>" * 5000 + RIVERS,
        "10,000 misnested formats": "<a><b><i>" * 10_000 + RIVERS,
        "20,000 open paragraphs in formats": "<font>" * 200 + "<p>x" * 20_000,
        "100,000 attributes": "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x</p>" + RIVERS,
        "an attribute of a megabyte": f"<p title='{'x' * 1_000_000}'>x</p>{RIVERS}",
        "5,000 links": "".join(f"<a href='/{n}'>{n}</a> " for n in range(5_000)),
        "a cell a billion wide": "<table><tr><td colspan=999999999 rowspan=999999999>x</td></tr></table>" + RIVERS,
        "a megabyte of brackets": "<" * 1_000_000 + RIVERS,
        "a megabyte of ampersands": "&" * 1_000_000 + RIVERS,
        "50,000 closing tags": "</p>" * 50_000 + RIVERS,
        "an open comment": "Rivers <!-- " + "x" * 500_000,
        "an open script": f"{RIVERS}<script>{'x(' * 200_000}",
        "an open title": f"<title>{'x' * 500_000}",
        "10,000 style rules": "<style>"
        + "".join(f".a{n}{{display:none}}" for n in range(10_000))
        + "</style>"
        + RIVERS,
        "a selector of blanks": f"<style>.a{' ' * 10_000}!{{display:none}}</style>{RIVERS}",
        "a colour of blanks": f"<p style='color:rgb(1{' ' * 10_000}x'>x</p>{RIVERS}",
        "a clip of blanks": f"<p style='clip:rect(0{' ' * 10_000}x'>x</p>{RIVERS}",
        "20,000 hidden elements": "<i hidden>x</i>" * 20_000 + RIVERS,
        "references to no character": "&#0;&#xD800;&#x110000;&#99999999999;" * 1000 + RIVERS,
        "zero bytes": "\0" * 100_000 + RIVERS,
        "plain text inside": RIVERS + "<plaintext>" + "<div>" * 50_000,
        "frames": "<frameset>" * 10_000 + "<frame src=x>",
        "drawings and formulas": "<svg><math><foreignObject>" * 5000 + RIVERS,
        "selects in selects": "<select><option>" * 20_000 + RIVERS,
        "a base of script": f"<base href='javascript:alert(1)//'><a href='x'>x</a>{RIVERS}",
        "templates in templates": "<template>" * 10_000 + RIVERS,
        "a heading of a megabyte": f"<h1>{'x ' * 500_000}</h1>{RIVERS}",
        "5,000 headings": "<h2>x</h2>" * 5000,
        "JSON-LD nested 10,000 deep": f"<script type=application/ld+json>{'[' * 10_000}{']' * 10_000}</script>{RIVERS}",
        "code of a megabyte": f"<pre><code>{'`' * 1_000_000}</code></pre>{RIVERS}",
        "formulas without end": f"<math><mrow>{'<msup><mi>x</mi>' * 5000}</mrow></math>{RIVERS}",
    }
    for name, body in bodies.items():
        yield Case(f"html with {name}", HTML, f"<!doctype html><html><body>{body}".encode())
    yield Case("html in crumbs of UTF-8", HTML, b"<p>\xe2\x82" * 50_000)


def _xml() -> Iterator[Case]:
    yield Case("xml laughs", XML, f"{LAUGHS}<x>&i;</x>".encode(), ENTITIES)
    yield Case(
        "xml of one long entity",
        XML,
        f"<!DOCTYPE x [<!ENTITY a '{'A' * 50_000}'>]><x>{'&a;' * 5000}</x>".encode(),
        ENTITIES,
    )
    yield Case("xml with a foreign file", XML, f"{XXE}<x>&a;</x>".encode(), ENTITIES)
    yield Case(
        "xml with a foreign address",
        XML,
        b"<!DOCTYPE x [<!ENTITY a SYSTEM 'http://127.0.0.1:9/'>]><x>&a;</x>",
        ENTITIES,
    )
    yield Case(
        "xml with a parameter entity",
        XML,
        b"<!DOCTYPE x [<!ENTITY % a SYSTEM 'http://127.0.0.1:9/'>%a;]><x/>",
        ENTITIES,
    )
    yield Case("xml with a foreign document type", XML, b"<!DOCTYPE x SYSTEM 'http://127.0.0.1:9/x.dtd'><x>Rivers</x>")
    yield Case("xml with an entity of nobody", XML, b"<x>&nobody;</x>", DAMAGED)
    yield Case("xml nested 100,000 deep", XML, b"<x>" * 100_000, "unsupported: nested too deep")
    yield Case("xml with 100,000 attributes", XML, b"<x " + b" ".join(b"a%d='1'" % n for n in range(100_000)) + b"/>")
    yield Case("xml of 300,000 letters and elements", XML, b"<x>" + b"x<b/>" * 300_000 + b"</x>", notes="counted")
    yield Case("xml with 50,000 elements", XML, b"<x>" + b"<y>1</y>" * 50_000 + b"</x>", notes="counted")
    yield Case(
        "xml with as many names", XML, b"<x>" + b"".join(b"<y%d>1</y%d>" % (n, n) for n in range(50_000)) + b"</x>"
    )
    yield Case("xml with a name of a megabyte", XML, b"<" + b"x" * 1_000_000 + b"/>")
    yield Case("xml not closed", XML, b"<x><y>Rivers</y>", DAMAGED)
    yield Case("xml cut by the limit", XML, b"<x><y>Rivers</y>", truncated=True)
    yield Case("xml with an open comment", XML, b"<x><!-- " + b"x" * 100_000, DAMAGED)
    yield Case("xml with open CDATA", XML, b"<x><![CDATA[ " + b"x" * 100_000, DAMAGED)
    yield Case("xml of instructions", XML, b"<?a b?>" * 100_000 + b"<x>Rivers</x>")
    yield Case("xml in UTF-16", XML, "<x>Rivers</x>".encode("utf-16"))
    yield Case("xml in a charset of nobody", XML, b"<?xml version='1.0' encoding='klingon'?><x>Rivers</x>")
    yield Case("xml that is empty", XML, b"", "unsupported: empty")
    yield Case("xml that is none", XML, b"plain words", DAMAGED)
    yield Case("xml with spaces for names", XML, b"<x" + b" xmlns:a='b'" * 2 + b"/>", DAMAGED)
    yield Case(
        "sitemap of 6,000 addresses",
        XML,
        b"<urlset>" + b"<url><loc>https://a.example/1</loc></url>" * 6_000 + b"</urlset>",
        notes="more addresses",
    )
    yield Case("sitemap of scripts", XML, b"<urlset><url><loc>javascript:alert(1)</loc></url></urlset>")
    yield Case("sitemap laughs", XML, f"{LAUGHS}<urlset><url><loc>&i;</loc></url></urlset>".encode(), ENTITIES)
    yield Case("gzip bomb", "application/gzip", gzip.compress(b"<x>" + b" " * 100_000_000, 1), "too_large: 20 MB")
    yield Case("gzip bomb without a type", "", gzip.compress(b"<x>" + b" " * 100_000_000, 1), "too_large: 20 MB")
    yield Case(
        "gzip of a sitemap",
        "application/x-gzip",
        gzip.compress(b"<urlset><url><loc>https://a.example/</loc></url></urlset>"),
    )
    yield Case("gzip of a program", "application/gzip", gzip.compress(b"\x7fELF"), "unsupported: no text")
    yield Case("gzip cut", "application/gzip", gzip.compress(b"<x>Rivers</x>")[:-9], "drift: cut short")
    yield Case("gzip damaged", "application/gzip", b"\x1f\x8b\x08\x00" + b"\xff" * 100, "drift: damaged")


def _feeds() -> Iterator[Case]:
    def rss(items: str, channel: str = "<title>Rivers</title>") -> bytes:
        return f'<rss version="2.0"><channel>{channel}{items}</channel></rss>'.encode()

    yield Case("feed good", RSS, rss("<item><title>x</title></item>"))
    yield Case("feed as HTML", HTML, rss("<item><title>x</title></item>"))
    yield Case("feed laughs", RSS, LAUGHS.replace("x [", "rss [").encode() + rss("<item><title>&i;</title></item>"))
    yield Case(
        "feed with a foreign file", RSS, XXE.replace("x [", "rss [").encode() + rss("<item><title>&a;</title></item>")
    )
    yield Case("feed of 20,000 items", RSS, rss("<item><title>x</title></item>" * 20_000), notes="left out")
    yield Case("feed without items", RSS, rss(""))
    yield Case("feed of nothing", RSS, b"<rss/>")
    yield Case("feed that is none", RSS, b"<rows><p>x", "drift")
    yield Case("feed that is a page", RSS, b"<html><p>x", "page")
    yield Case("feed that is words", RSS, b"plain words", "drift: is none")
    yield Case("feed nested 50,000 deep", RSS, rss("<item>" * 50_000))
    yield Case(
        "feed with deep HTML",
        RSS,
        rss(f"<item><title>x</title><description><![CDATA[{'<div>' * 40_000}x]]></description></item>"),
    )
    yield Case(
        "feed with deep HTML 200 times",
        RSS,
        rss(f"<item><title>x</title><description><![CDATA[{'<b>' * 1000}x]]></description></item>" * 200),
    )
    yield Case(
        "feed with dates of nobody",
        RSS,
        rss("<item><title>x</title><pubDate>Mon, 99 Foo 99999 99:99:99 +9999</pubDate></item>"),
    )
    yield Case("feed with links of script", RSS, rss("<item><title>x</title><link>javascript:alert(1)</link></item>"))
    yield Case("feed not closed", RSS, b"<rss version='2.0'><channel><item><title>x &nbsp; & y")
    yield Case("feed in a feed", RSS, rss(rss("<item><title>x</title></item>").decode() * 100))
    yield Case("atom of nothing", "application/atom+xml", b"<feed xmlns='http://www.w3.org/2005/Atom'/>")
    wrong: dict[str, object] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": 5,
        "items": [None, 5, [], {"url": 7, "authors": "x", "title": []}],
    }
    yield Case("JSON feed of wrong types", "application/feed+json", json.dumps(wrong).encode())
    yield Case(
        "JSON feed nested 100,000 deep",
        "application/feed+json",
        b'{"version": "https://jsonfeed.org/version/1", "items": ' + b"[" * 100_000,
    )
    yield Case("JSON feed that is a list", "application/feed+json", b"[]")


def _json() -> Iterator[Case]:
    for name, body in {
        "100,000 open lists": b"[" * 100_000,
        "100,000 lists in lists": b"[" * 100_000 + b"]" * 100_000,
        "50,000 objects in objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        "a number of 100,000 digits": b"9" * 100_000,
        "a number beyond all": b"[1e999999, -1e999999, 1e-999999]",
        "numbers that are none": b"[NaN, Infinity]",
        "a text of a megabyte": b'"' + b"x" * 1_000_000 + b'"',
        "half characters": b'["\\ud800", "\\udfff"]',
        "300,000 lists": b"[" + b"[]," * 300_000 + b"[]]",
        "50,000 keys": json.dumps({f"k{n}": n for n in range(50_000)}).encode(),
        "one key 50,000 times": b"{" + b'"a":1,' * 50_000 + b'"a":1}',
        "fences": json.dumps("```\n# x\n" * 1000).encode(),
        "a mark of UTF-8": b'\xef\xbb\xbf{"a": 1}',
        "nothing": b" ",
        "zero bytes": b"\0" * 5000,
    }.items():
        yield Case(f"json of {name}", JSON, body)
    yield Case("json cut by the limit", JSON, b'{"a": [1, 2, ' * 1000, truncated=True)
    yield Case("json lines with damaged ones", "application/x-ndjson", b'{"a": 1}\n{"a": \n' * 20_000)


def _tables() -> Iterator[Case]:
    for name, body in {
        "100,000 rows": b"a,b\n" + b"1,2\n" * 100_000,
        "100,000 columns": b",".join([b"x"] * 100_000) + b"\n1,2\n",
        "an open quote": b'a,b\n"' + b"x,\n" * 300_000,
        "a field of a megabyte": b"a," + b"x" * 1_000_000,
        "quotes alone": b'"' * 300_000,
        "commas alone": b"," * 300_000,
        "bars and tags": b"a,b\n|x|,<script>x</script>\n",
        "formulas": b"a,b\n=cmd|'/c calc'!A1,+1\n",
        "zero bytes": b"a,b\n\0,1\n" * 1000,
    }.items():
        yield Case(f"csv of {name}", CSV, body)


def _pictures() -> Iterator[Case]:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 2**32 - 1, 2**32 - 1)
    damaged = "drift: header is damaged"
    yield Case("png of 18 exapixels", "image/png", png)
    yield Case("png cut", "image/png", png[:15], damaged)
    yield Case("png as text", "text/plain", png)
    yield Case("png as JPEG", "image/jpeg", png)
    yield Case("jpeg without a frame", "image/jpeg", b"\xff\xd8" + b"\xff\xe1\x00\x02" * 100_000, damaged)
    yield Case("jpeg of fill bytes", "image/jpeg", b"\xff\xd8" + b"\xff" * 100_000, damaged)
    yield Case("jpeg with a segment of no length", "image/jpeg", b"\xff\xd8\xff\xe0\x00\x00" * 1000, damaged)
    yield Case(
        "jpeg with secrets in EXIF",
        "image/jpeg",
        b"\xff\xd8\xff\xe1\x00\x0eExif\0\0SECRET\xff\xc0\x00\x11\x08\0\1\0\1\x03" + bytes(9),
    )
    yield Case("gif cut", "image/gif", b"GIF89a\x01", damaged)
    yield Case("webp cut", "image/webp", b"RIFF\0\0\0\0WEBPVP8X", damaged)
    yield Case("webp of another kind", "image/webp", b"RIFF\0\0\0\0WEBPVP9 " + bytes(50), damaged)
    yield Case("tiff whose directory is far away", "image/tiff", b"II*\0\xff\xff\xff\xff", damaged)
    yield Case("tiff of 65,535 tags", "image/tiff", b"II*\0\x08\0\0\0\xff\xff" + b"\x00\x01" * 100_000)
    yield Case("avif without a size", "image/avif", b"\0\0\0\x20ftypavif" + bytes(100))
    yield Case("avif of sizes alone", "image/avif", b"\0\0\0\x20ftypavif" + b"ispe" * 15_000)
    yield Case("svg with scripts", "image/svg+xml", b"<svg width='5' height='6'><script>x</script></svg>")
    yield Case("svg laughs", "image/svg+xml", f"{LAUGHS.replace('x [', 'svg [')}<svg>&i;</svg>".encode())
    yield Case("svg that is none", "image/svg+xml", b"words", damaged)
    yield Case("picture of nobody", "image/x-nobody", b"words", damaged)
    yield Case("picture of nothing", "image/png", b"", "unsupported: empty")


def _charsets() -> Iterator[Case]:
    text = "<p>Flüsse finden ihren Weg: 川は海へ。</p>"
    for charset in (
        "utf-7",
        "klingon",
        "utf-32",
        "base64",
        "rot13",
        "idna",
        "unicode_escape",
        "utf-16-be",
        "\0",
        "x" * 5000,
    ):
        yield Case(f"html declared {charset[:20]!r}", HTML, text.encode(), charset=charset)
    for charset in ("utf-16", "utf-16-le", "utf-32", "gb18030", "shift_jis"):
        yield Case(f"html written in {charset}", HTML, text.replace("ü", "u").encode(charset))
    yield Case("html in UTF-7", HTML, b"<meta charset=utf-7>+ADw-script+AD4-x+ADw-/script+AD4- Rivers")
    yield Case("text of a program", "text/plain", b"\x7fELF\0\0\0" * 100, "unsupported: application/octet-stream")
    yield Case("text of marks", "text/plain", "\u202e\u200b\ufeff\U000e0041".encode() * 20_000, "unsupported: no text")
    yield Case("text of one line", "text/plain", b"x" * 3_000_000)
    yield Case("program of nobody", "application/x-executable", b"\x7fELF", "unsupported: unknown type")
