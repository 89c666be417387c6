"""Bytes to text: byte-order mark, header, the document's own declaration, UTF-8, then a guess."""

from __future__ import annotations

import codecs
import re

_GUESS_BYTES = 65_536
_PRESCAN_BYTES = 4096
_SURE = 0.05
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_NOT_OF_THE_WEB = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined"})
"""Codecs of Python's that make surrogates, run for long, or let text pretend to be other text."""
_DECLARED = re.compile(
    rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{2,40})|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})""",
    re.IGNORECASE,
)
# https://encoding.spec.whatwg.org/#names-and-labels: what browsers decode where a label says less.
_LABELS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "l1": "cp1252",
    "x-cp1252": "cp1252",
    "x-cp1251": "cp1251",
    "iso-8859-9": "cp1254",
    "latin5": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "chinese": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "korean": "cp949",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "unicode": "utf-16-le",
}


def decode(body: bytes, declared: str = "") -> str:
    """The text of `body`; `declared` is the header's charset. Never raises, and holds no lone surrogate.

    A declared charset is used unless it is clearly false: UTF-8 for a body of which most is not, a single-byte charset
    for a body of multi-byte UTF-8, or one that does not know all bytes of a body that is UTF-8 throughout. Bytes that
    the charset does not know become U+FFFD.
    """
    for bom, name in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(name, "replace")
    try:
        plain = body.decode("utf-8")
    except UnicodeDecodeError:
        plain = None
    for name in (_codec(declared), _codec(_inside(body))):
        if name and not name.startswith("utf-8"):
            if name.startswith("cp125") and not body.isascii() and (plain is not None or _is_utf8(body)):
                break
            if plain is not None and not body.isascii() and not _knows_all(name, body):
                break
            return body.decode(name, "replace")
        if name and plain is None and _is_utf8(body, stray_bytes=1):
            return body.decode("utf-8", "replace")
    if plain is not None:
        return plain
    if _is_utf8(body):
        return body.decode("utf-8", "replace")
    return body.decode(_guess(body) or "utf-8", "replace")


def _knows_all(name: str, body: bytes) -> bool:
    """Whether the whole body is of this charset, but for a character cut off at its end."""
    try:
        codecs.getincrementaldecoder(name)("strict").decode(body, final=False)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _inside(body: bytes) -> str:
    match = _DECLARED.search(body, 0, _PRESCAN_BYTES)
    if not match:
        return ""
    label = (match[1] or match[2]).decode("ascii", "replace")
    # The words could be read as ASCII, so it is not UTF-16 (HTML standard, prescan a byte stream).
    return "utf-8" if label.lower().startswith("utf-16") else label


def _codec(label: str) -> str:
    """Python's name of a charset that decodes bytes to text; empty when it has none."""
    wanted = label.strip().strip("\"'").lower()
    if not wanted:
        return ""
    try:
        name = codecs.lookup(_LABELS.get(wanted, wanted)).name
        b"a".decode(name, "replace")
    except (LookupError, ValueError, UnicodeError):
        return ""
    return "" if name.replace("_", "-") in _NOT_OF_THE_WEB else name


def _is_utf8(body: bytes, stray_bytes: int = 0) -> bool:
    """Whether more characters than stray bytes, or no more stray bytes than these, are found where it is read as UTF-8.

    Text in another charset hardly ever holds valid sequences of several bytes.
    """
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(body, final=False)
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
        stray = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
        several = len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")
        return several > stray or stray <= stray_bytes
    return True


def _guess(body: bytes) -> str:
    import chardet

    sample = body[:_GUESS_BYTES]
    if sample.isascii():
        sample = _around_first_high_byte(body)
    found = chardet.detect(sample)
    name = str(found.get("encoding") or "")
    # of a few letters anything may be made: what browsers take where nobody says what it is
    is_guess = name.startswith("Mac") or float(found.get("confidence") or 0) < _SURE
    return "cp1252" if name and is_guess else _codec(name)


def _around_first_high_byte(body: bytes) -> bytes:
    match = re.search(rb"[\x80-\xff]", body)
    start = match.start() if match else 0
    return body[start : start + _GUESS_BYTES]
