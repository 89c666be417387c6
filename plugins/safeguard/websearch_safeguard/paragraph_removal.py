"""Cuts the paragraphs that hold a violation out of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from websearch_core import Document, Finding
from websearch_core.kit import Part

D = TypeVar("D", bound=Document)

_PROSE = frozenset({"title", "snippet", "author", "site", "body", "alt", "notes", "description", "age_text"})
"""Parts that stay what they are with a piece missing; an address does not."""
_MOST = 2_000
_ENDS = ("\n\n", "\n", ". ")


def excised(document: D, spans: Sequence[Finding]) -> D | None:
    """The document without these paragraphs; None where that cannot be done."""
    texts = dict(document.parts)
    if not spans or any(span.field not in _PROSE or span.field not in texts for span in spans):
        return None
    for field, text in texts.items():
        mine = sorted(_paragraph(text, span) for span in spans if span.field == field)
        texts[field] = _without(text, mine)
    return document.with_parts([Part(field, text) for field, text in texts.items()])


def _paragraph(text: str, span: Finding) -> tuple[int, int]:
    start, end = span.start, span.end
    for mark in _ENDS:
        before, after = text.rfind(mark, 0, span.start), text.find(mark, span.end)
        start = before + len(mark) if before >= 0 else 0
        end = after if after >= 0 else len(text)
        if end - start <= _MOST:
            return start, end
    return span.start, span.end


def _without(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    kept: list[str] = []
    at = 0
    for start, end in ranges:
        if end > at:
            first = max(start, at)
            kept += [text[at:first], f"[removed: suspected instruction to an AI, {end - first} characters]"]
            at = end
    return "".join((*kept, text[at:]))
