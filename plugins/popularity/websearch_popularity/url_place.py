"""An address taken apart for judging. What cannot be read in one way only is not read: nobody trusts it."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

MAX_CHARS = 8192
_ADDRESS = re.compile(r"(https?)://([^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.IGNORECASE)
_AUTHORITY = re.compile(r"([^:@\[\]%]+)(?::([0-9]{0,5}))?")
_DOUBTFUL = re.compile(r"[\x00-\x20\x7f\\]")
"""Browsers drop or turn some of these, other readers do not."""
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PORTS = {"http": ("", "80"), "https": ("", "443")}
_MOST_DECODINGS = 3
_ENCODED = re.compile(r"%[0-9a-fA-F]{2}")


class UrlPlace(NamedTuple):
    """Where a text stands."""

    host: str
    """Lower-case ASCII (international names as `xn--`), without a trailing dot; never an IP address."""
    segments: tuple[str, ...] = ()
    """Of the path: decoded, lower case, less parameters and empty ones."""
    query: str = ""
    """Decoded, lower case."""
    written: tuple[str, str] = ("", "")
    """Path and query, decoded, in their own case: what is encoded in them can be read only so."""


def place(address: str) -> UrlPlace | None:
    """The place of an http(s) address on the scheme's own port; None where there is the least doubt."""
    match = None if len(address) > MAX_CHARS or _DOUBTFUL.search(address) else _ADDRESS.fullmatch(address)
    authority = _AUTHORITY.fullmatch(match[2]) if match else None
    if match is None or authority is None or (authority[2] or "") not in _PORTS[match[1].lower()]:
        return None
    host, path, query = host_name(authority[1]), _decoded(match[3]), _decoded(match[4] or "")
    segments = _segments(path.lower())
    # `/forum/1/..%2f..%2fnews` is a thread to one server and news to another
    if not host or ".." in segments or _ENCODED.search(path + query) or not path.isprintable():
        return None
    return UrlPlace(host, segments, query.lower(), (path, query))


def host_name(text: str) -> str:
    """A host's normal spelling; empty for an IP address in any spelling, a single label, or no host name at all."""
    name = (text if text.isascii() else _ascii(text)).lower().removesuffix(".")
    return "" if not _HOST.fullmatch(name) or _NUMBER.fullmatch(name.rpartition(".")[2]) else name


def _ascii(text: str) -> str:
    """As browsers do (UTS 46, not transitional); empty for what is no international name."""
    import idna

    try:
        mapped = idna.uts46_remap(text, std3_rules=False)
        return mapped if mapped.isascii() else idna.encode(mapped).decode("ascii")
    except idna.IDNAError:
        return ""


def _segments(path: str) -> tuple[str, ...]:
    names = (segment.partition(";")[0] for segment in path.replace("\\", "/").split("/"))
    return tuple(name for name in names if name not in ("", "."))


def _decoded(text: str) -> str:
    """Percent-decoded as often as a careless server might."""
    for _ in range(_MOST_DECODINGS):
        if "%" not in text:
            break
        text = unquote(text)
    return text
