"""One text without what is unseen in it, and with its dangerous addresses gone: pure, so that a worker can do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from websearch_core import Finding
from websearch_core.kit import Part

from ..deobfuscation.characters import is_unseen
from ..deobfuscation.text_view import View, rewritten
from .dangerous_links import bad_links
from .dangerous_urls import has_placeholder, is_active
from .hidden_markup import unseen_markup
from .invisible_characters import unseen_runs

_ROUNDS = 4
"""What is taken out can leave something to take out: so often it is looked for again."""
_MOST_FINDINGS = 20
ADDRESSES = frozenset({"url", "final_url"})
DISPENSABLE = frozenset({"favicon", "image", "canonical_url"})
"""Addresses that a document can do without."""
EXACT = frozenset({"media_type", "etag", "last_modified"})
"""What means nothing once it is changed: it goes whole."""


class Cleaned(NamedTuple):
    """The parts as they may be read, and what was found in them."""

    parts: tuple[Part, ...]
    findings: tuple[Finding, ...]


def cleaned(parts: Sequence[Part], site: str) -> Cleaned:
    """The parts of a document that came from the host `site`, each cleaned; unchanged ones are the same objects."""
    findings: list[Finding] = []
    return Cleaned(tuple(_clean(part, site, findings) for part in parts), tuple(findings))


def _clean(part: Part, site: str, findings: list[Finding]) -> Part:
    field, text = part
    if field in ADDRESSES or field in DISPENSABLE:
        return _address(part, findings)
    view = View("plain", text)
    found: list[Finding] = []
    for _ in range(_ROUNDS):
        before = view
        for kind, pieces_of in (("invisible", unseen_runs), ("hidden-markup", unseen_markup), ("address", None)):
            pieces = pieces_of(view.text) if pieces_of else bad_links(view.text, site)
            if pieces:
                found += [Finding(kind, field, *view.span(piece.start, piece.end)) for piece in pieces[:_MOST_FINDINGS]]
                new, edits = rewritten(view.text, pieces)
                view = View("clean", new, tuple(edits), view if view.edits else None)
        if view is before:
            break
    findings += found[:_MOST_FINDINGS]
    if view.text == text:
        return part
    return Part(field, "" if field in EXACT else view.text)


def _address(part: Part, findings: list[Finding]) -> Part:
    """An address keeps its meaning: what is unseen in it is percent-encoded; a picture that is none is no address."""
    field, text = part
    if field in DISPENSABLE and (is_active(text) or has_placeholder(text, image=True)):
        findings.append(Finding("address", field, 0, len(text)))
        return Part(field, "")
    if text.isascii() and text.isprintable():
        return part
    written = "".join(quote(c, errors="replace") if is_unseen(c) or c.isspace() else c for c in text)
    if written == text:
        return part
    findings.append(Finding("invisible", field, 0, len(text)))
    return Part(field, written)
