"""What the head of an answer says: where it leads, and what its body is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .transport import Reply

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def location(reply: Reply) -> str:
    """Where the answer redirects to: bytes that are no ASCII, escaped as they are; empty: it is none."""
    text = reply.headers.get("location", "") if reply.status in _REDIRECTS else ""
    return "".join(c if ord(c) < 128 else f"%{ord(c):02X}" for c in text)


def is_part(reply: Reply) -> bool:
    """Whether the site sent a part of the document, which nobody asked for (RFC 9110, §15.3.7)."""
    whole = re.fullmatch(r"bytes 0-([0-9]{1,15})/([0-9]{1,15})", reply.headers.get("content-range", ""))
    return reply.status == 206 and not (whole and int(whole[1]) + 1 == int(whole[2]))


def content_type(value: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, lower case; empty where it says nothing usable."""
    media_type, *parameters = value.partition(",")[0].split(";")
    charset = ""
    for parameter in parameters:
        name, _, text = parameter.partition("=")
        if name.strip().lower() == "charset" and not charset:
            charset = text.strip().strip("\"'").lower()
    media_type = media_type.strip().lower()
    return (media_type if "/" in media_type else ""), charset
