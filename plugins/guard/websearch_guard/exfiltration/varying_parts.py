"""What an address could tell in small pieces, one request each: parameters, odd path segments, odd labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .ordinary_urls import known, owner
from .text_or_noise import is_random
from .url_parts import taken_apart

_SMALL = re.compile(r"\d{1,4}\Z")
_NUMBER = re.compile(r"\d{1,12}\Z")
_TITLE = re.compile(r"(?:[^\W\d_]|%[0-9A-F]{2}|[_+():,.'-]|\d{1,4}(?!\d))+\Z")
"""A page's title: words, hardly a number; each says as much as a path does, which nobody counts."""
_DIGIT = re.compile(r"\d")
_OUTLINE = 200
_ODD = 12
_DOCUMENTS = _ANYWHERE = 10
Varying = tuple[tuple[str, str, str], str, int, int, int]
"""Where (site, outline of the path, parameter), the value, its place, and how many times the limit it may take."""


def varying(url: str) -> Iterator[Varying]:
    """What to count of this address."""
    address = taken_apart(url)
    if address is None:
        return
    lists, site = known(), owner(address.host)
    outline = "/".join("0" if _DIGIT.search(part) else part for part in address.path[:_OUTLINE].split("/"))
    for piece in address.pieces:
        if piece.where in ("value", "fragment"):
            if piece.name in lists.paging and _SMALL.match(piece.text):
                continue
            counted = piece.name in lists.documents or piece.name in lists.paging
            titled = piece.name in lists.titles and _TITLE.match(piece.text)
            times = _DOCUMENTS if titled or (counted and _NUMBER.match(piece.text)) else 1
            if times == 1:  # whatever the path: more, for a site's pages have parameters of their own
                yield (site, "*", piece.name), piece.text, piece.start, piece.end, _ANYWHERE
            # a name can say as much as a value
            yield (site, "*", "="), piece.name, piece.start, piece.end, _ANYWHERE
            # numbers and other values are counted apart
            yield (site, outline, f"{piece.name}{times}"), piece.text, piece.start, piece.end, times
        elif piece.where == "name":
            yield (site, outline, "?"), piece.text, piece.start, piece.end, 1
        elif piece.where == "segment" and len(piece.text) >= _ODD and is_random(piece.text):
            yield (site, "", "/"), piece.text, piece.start, piece.end, _DOCUMENTS
    label = address.host.removesuffix(site).rstrip(".")
    if len(label) >= _ODD and is_random(label):
        yield (site, "", "."), label, address.host_start, address.host_start + len(label), 1
