"""OpenDocument's XML with the prefixes that its standard uses, whatever the file calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from xml.parsers import expat

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_PREFIXES = {
    f"{_OASIS}{name}:1.0": prefix
    for name, prefix in (
        *((name, name) for name in ("office", "style", "text", "table", "draw", "meta", "manifest")),
        ("xsl-fo-compatible", "fo"),
    )
} | {"http://purl.org/dc/elements/1.1/": "dc", "http://www.w3.org/1999/xlink": "xlink"}


def read_names(
    content: bytes,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], object] = lambda _: None,
) -> None:
    """One pass over checked XML; names of other standards come with their whole namespace."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, given: start(
        _usual(name), {_usual(key): value.strip() for key, value in given.items()}
    )
    parser.EndElementHandler = lambda name: end(_usual(name))
    parser.CharacterDataHandler = text
    parser.Parse(content, True)


@lru_cache(maxsize=2000)
def _usual(name: str) -> str:
    space, _, local = name.rpartition(" ")
    return f"{_PREFIXES.get(space, space)}:{local}" if space else local
