"""Links of Word that are written as fields: of their codes the converter loses ampersands and places."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

_DOCUMENT, _RELATIONS = "word/document.xml", "word/_rels/document.xml.rels"
_PACKAGE = b"http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TOKEN = re.compile(
    rb"<(?P<end>/)?(?P<prefix>(?:[\w.-]{1,40}:)?)(?P<name>r|p|t|fldSimple|fldChar|instrText)"
    rb"(?P<about>\s[^<>]{0,9000}?)?(?P<empty>/)?>(?P<text>[^<]{0,9000})"
)
_TAG = re.compile(rb"<(/?)[\w.:-]{1,80}(?:\s[^<>]*?)?(/?)>")
_TYPE = re.compile(rb"fldCharType\s*=\s*[\"'](\w{3,8})[\"']")
_CODE = re.compile(rb"instr\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ADDRESS = re.compile(r"\s*HYPERLINK\s+\"([^\"]{1,4000})\"(?:.{0,200}?\\l\s+\"([^\"]{1,400})\")?", re.IGNORECASE)


class _Link(NamedTuple):
    """Where the link begins and ends; what stands between `opened` and `closing` is its text."""

    start: int
    opened: int
    closing: int
    end: int
    prefix: bytes
    address: str


class _Field:
    """A field within a paragraph, as far as it was read."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.code = b""
        self.opened = 0
        self.plain = True
        """Holds no other field, nor text outside of its result."""


def with_field_links(parts: dict[str, bytes]) -> None:
    """Write fields that are links as the elements that links mostly are. `parts` are checked XML."""
    document = parts.get(_DOCUMENT, b"")
    if b"HYPERLINK" not in document:
        return
    pieces: list[bytes] = []
    added: list[bytes] = []
    place = 0
    for link in _links(document):
        if not (_is_balanced(document[link.opened : link.closing]) and link.start >= place):
            continue
        name = b"field%d" % len(added)
        added.append(
            b'<Relationship xmlns="%b" Id="%b" Type="%b/hyperlink" Target=%b TargetMode="External"/>'
            % (_PACKAGE, name, _OFFICE, quoteattr(link.address).encode())
        )
        pieces += [
            document[place : link.start],
            b'<%bhyperlink xmlns:r="%b" r:id="%b">' % (link.prefix, _OFFICE, name),
            document[link.opened : link.closing],
            b"</%bhyperlink>" % link.prefix,
        ]
        place = link.end
    if added:
        parts[_DOCUMENT] = b"".join((*pieces, document[place:]))
        relations = parts.get(_RELATIONS) or b'<Relationships xmlns="%b"></Relationships>' % _PACKAGE
        end = relations.rfind(b"</")
        if end < 0:  # a root that holds nothing
            relations, end = b'<Relationships xmlns="%b"></Relationships>' % _PACKAGE, -len(b"</Relationships>")
        parts[_RELATIONS] = relations[:end] + b"".join(added) + relations[end:]


def _links(document: bytes) -> list[_Link]:
    """Fields of one paragraph whose code is an address, in order."""
    found: list[_Link] = []
    field: _Field | None = None
    simple: tuple[re.Match[bytes], str] | None = None
    run = 0
    closing: tuple[_Field, int] | None = None
    """A field whose end stands in the run that is being read, and where that run begins."""
    for token in _TOKEN.finditer(document):
        name, tag_end = token["name"], token.start("text")
        if name == b"p":
            field = simple = closing = None
        elif name == b"fldSimple":
            code = _CODE.search(token["about"] or b"")
            if not token["end"]:
                address = _address(code[1] or code[2] or b"") if code else ""
                simple = (token, address) if address and not token["empty"] else None
            elif simple:
                began, address = simple
                found.append(
                    _Link(began.start(), began.start("text"), token.start(), tag_end, token["prefix"], address)
                )
                simple = None
        elif name == b"r" and not token["end"]:
            run = token.start()
        elif name == b"r":
            if field and field.opened < 0:
                field.opened = tag_end
            if closing and (address := _address(closing[0].code)):
                one = closing[0]
                found.append(_Link(one.start, one.opened, closing[1], tag_end, token["prefix"], address))
            closing = None
        elif name == b"instrText" and field and not token["end"]:
            field.code += token["text"]
        elif name == b"t" and field and field.opened <= 0:
            field.plain = False
        elif name == b"fldChar" and not token["end"]:
            kind = _TYPE.search(token["about"] or b"")
            match kind[1] if kind else b"":
                case b"begin":
                    nested = field is not None
                    field = _Field(run)
                    field.plain = not nested
                case b"separate" if field:
                    field.opened = -1
                case b"end" if field:
                    if field.plain and 0 < field.opened <= run:
                        closing = (field, run)
                    field = None
                case _:
                    pass
    return found


def _address(code: bytes) -> str:
    """Where a field code leads; empty for another field, or for a place in the document itself."""
    found = _ADDRESS.match(unescape(code.decode("utf-8", "replace")))
    if found is None:
        return ""
    address, place = found[1].strip(), found[2]
    return f"{address}#{quote(place)}" if place and "#" not in address else address


def _is_balanced(xml: bytes) -> bool:
    deep = 0
    for tag in _TAG.finditer(xml):
        deep += -1 if tag[1] else 0 if tag[2] else 1
        if deep < 0:
            return False
    return deep == 0
