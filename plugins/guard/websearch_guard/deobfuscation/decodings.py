"""Further readings of a text: what is encoded, disguised or hidden in it, within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, filterfalse, islice

from .canonical_text import canonical
from .disguised_spelling import spellings
from .escapes import escapes
from .excess_accents import unaccented
from .inline_markdown import unmarked
from .invisible_text import invisible_texts
from .morse import morse
from .packed_text import packed_texts
from .spelled_numbers import spelled_numbers
from .suspicious_words import suspicious_words
from .text_view import View

MAX_VIEWS = 64
MAX_TRIED = 256
_DEPTH = 2
_TIMES = 4
_LEAST_OF_URL = 12
_LEAST_OF_TEXT = 24


def decodings(text: str, *, url: bool = False, requests: bool = False, read: View | None = None) -> list[View]:
    """Readings beside the canonical one, at most 64 and together at most four times the text; often none.

    `url`: the text is an address: all its escapes are read. `requests`: spoken digits and "at", "dot" are read, too.
    `read`: the text's canonical reading, where the caller has it.
    """
    plain = canonical(text) if read is None else read
    room = _TIMES * len(text) + 64
    found: list[View] = []
    seen = {(plain.text, plain.whole)}
    for view in islice(
        chain(invisible_texts(text), unaccented(text), _within(plain, _DEPTH, url=url, requests=requests)), MAX_TRIED
    ):
        said = view.text, view.whole
        if said in seen or not view.text.strip():
            continue
        if len(view.text) > room or len(found) == MAX_VIEWS:
            break
        seen.add(said)
        room -= len(view.text)
        found.append(view)
    return found


def _within(view: View, depth: int, *, url: bool, requests: bool) -> Iterator[View]:
    """What can be read in this reading, and in what was read there."""
    text = view.text
    said = text.split()
    tokens = suspicious_words(said)
    mixed = [*filterfalse(str.isupper, filterfalse(str.istitle, filterfalse(str.islower, tokens)))]
    readers = chain(
        packed_texts(text, said, tokens, mixed, least=_LEAST_OF_URL if url else _LEAST_OF_TEXT),
        escapes(text, url=url),
        unmarked(text),
        spellings(text, tokens, mixed),
        morse(text),
        spelled_numbers(text) if requests else (),
    )
    for found in readers:
        read = found._replace(source=view)
        canon = canonical(read.text)
        yield canon._replace(kind=read.kind, source=read) if canon.text != read.text else read
        if depth > 1 and read.kind in _NESTING:
            yield from _within(read, depth - 1, url=url, requests=requests)


_NESTING = frozenset({"base64", "base32", "hex", "percent", "entities", "escapes", "rot13", "reversed"})
