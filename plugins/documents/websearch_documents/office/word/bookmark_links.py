"""Links of Word to a place within a page: the place stands beside the address, and the converter reads only that."""

from __future__ import annotations

import re
from urllib.parse import quote

_LINK = re.compile(rb"<(?:[\w.-]{1,40}:)?hyperlink\s[^<>]{0,4000}>")
_ID = re.compile(rb"(\s(?:[\w.-]{1,40}:)?id\s*=\s*)(?:\"([^\"<>]{1,200})\"|'([^'<>]{1,200})')")
_ANCHOR = re.compile(rb"\s(?:[\w.-]{1,40}:)?anchor\s*=\s*(?:\"([^\"<>&]{1,400})\"|'([^'<>&]{1,400})')")
_RELATION = re.compile(rb"<(?:[\w.-]{1,40}:)?Relationship\s[^<>]{0,9000}>")
_TARGET = re.compile(rb"(\sTarget\s*=\s*[\"'])([^\"'<>]{0,8000})")
_RELATION_ID = re.compile(rb"(\sId\s*=\s*[\"'])([^\"'<>]{1,200})")
_DOCUMENT, _RELATIONS = "word/document.xml", "word/_rels/document.xml.rels"


def with_places(parts: dict[str, bytes]) -> None:
    """Write the place that a link names into an address of its own. `parts` are checked XML."""
    document, relations = parts.get(_DOCUMENT, b""), parts.get(_RELATIONS, b"")
    if b"anchor" not in document or not relations:
        return
    known = {found[2]: tag for tag in _RELATION.findall(relations) if (found := _RELATION_ID.search(tag))}
    added: dict[bytes, bytes] = {}

    def placed(match: re.Match[bytes]) -> bytes:
        tag = match[0]
        name, anchor = _ID.search(tag), _ANCHOR.search(tag)
        if name is None or anchor is None or (relation := known.get(name[2] or name[3])) is None:
            return tag
        target = _TARGET.search(relation)
        if target is None or b"#" in target[2]:
            return tag
        place = quote((anchor[1] or anchor[2]).decode("utf-8", "replace"), safe="/?:@!$()*,;=-._~").encode()
        new = b"place%d" % len(added)
        relation = _TARGET.sub(lambda found: found[0] + b"#" + place, relation, count=1)
        added[new] = _RELATION_ID.sub(lambda found: found[1] + new, relation, count=1)
        return _ID.sub(lambda found: found[1] + b'"' + new + b'"', tag, count=1)

    parts[_DOCUMENT] = _LINK.sub(placed, document)
    closed = b"".join(tag if tag.endswith(b"/>") else tag[:-1] + b"/>" for tag in added.values())
    end = relations.rfind(b"</")
    if added and end >= 0:
        parts[_RELATIONS] = relations[:end] + closed + relations[end:]
