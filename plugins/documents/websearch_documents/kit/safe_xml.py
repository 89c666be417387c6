"""XML that other readers may be given: well-formed, without entities of its own, not nested without end."""

from __future__ import annotations

from xml.parsers import expat

from websearch_core.kit import UnexpectedResponse, Unsupported

_DEEPEST = 200


def checked(content: bytes) -> bytes:
    """The same bytes. Raises `Unsupported` for entities and depth, `UnexpectedResponse` for what is not well-formed."""
    depth = 0

    def start(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise Unsupported("the document is nested too deep")

    def end(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = _no_entities
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError):
        raise UnexpectedResponse("document", "the document's XML is damaged") from None
    return content


def _no_entities(*_: object) -> None:
    raise Unsupported("the document declares XML entities, which are never expanded")
