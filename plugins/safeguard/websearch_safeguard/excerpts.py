"""What the model is shown of a request or a document: excerpts of bounded length, each part with its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from websearch_core import Document, Finding, Outgoing
from websearch_core.kit import HIDDEN_FIELD, Part

WINDOW = 6_000
OVERLAP = 400
_SHORT = 1_500
"""A part up to this length stands with the others; a longer one in excerpts of its own."""


class Span(NamedTuple):
    """A piece of one part of what was judged: offsets are code points within that part."""

    field: str
    start: int
    end: int


class Segment(NamedTuple):
    """A stretch of one part, from `start` on."""

    field: str
    start: int
    text: str
    reading_of: int = 0
    """The part's length, where this is another reading of the whole part; 0: it is the part's own text."""


@dataclass(frozen=True)
class Excerpt:
    """Segments that are judged together."""

    segments: tuple[Segment, ...]

    @cached_property
    def text(self) -> str:
        """As the model is shown it: each segment after its name."""
        return "\n".join(f"{segment.field}: {segment.text}" for segment in self.segments)

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """What a stretch of `text` is in the parts; names of parts are nothing."""
        found: list[Span] = []
        at = 0
        for segment in self.segments:
            at += len(segment.field) + 2
            first, last = max(start - at, 0), min(end - at, len(segment.text))
            if first < last and segment.reading_of:
                found.append(Span(field=segment.field, start=0, end=segment.reading_of))
            elif first < last:
                found.append(Span(field=segment.field, start=segment.start + first, end=segment.start + last))
            at += len(segment.text) + 1
        return tuple(found)


def of_request(request: Outgoing) -> list[Excerpt]:
    """All of it, whatever its length; addresses also as they read without percent signs."""
    segments: list[Segment] = []
    for field, text in request.parts:
        segments.append(Segment(field, 0, text))
        if (decoded := unquote(text)) != text:
            segments.append(Segment(field, 0, decoded, reading_of=len(text)))
    return _grouped([window for segment in segments for window in _windows(segment)])


def of_document(document: Document, most: int) -> tuple[list[Excerpt], bool]:
    """The excerpts that are judged, and whether they are all: a long part is judged in at most `most` windows.

    These are its first and last one, those with leads, and others, one from each stretch that is left.
    """
    parts = [*document.parts, *([Part(HIDDEN_FIELD, document.hidden)] if document.hidden else [])]
    if sum(len(field) + len(text) + 3 for field, text in parts) <= WINDOW:
        return [Excerpt(tuple(Segment(field, 0, text) for field, text in parts))], True
    about = _grouped([Segment(field, 0, text) for field, text in parts if len(text) <= _SHORT])
    long = [window for field, text in parts if len(text) > _SHORT for window in _windows(Segment(field, 0, text))]
    chosen = _chosen(long, document.leads, most)
    return [*about, *(Excerpt((window,)) for window in chosen)], len(chosen) == len(long)


def _windows(segment: Segment) -> list[Segment]:
    text = segment.text
    starts = range(0, max(len(text) - OVERLAP, 1), WINDOW - OVERLAP)
    return [segment._replace(start=start, text=text[start : start + WINDOW]) for start in starts]


def _grouped(segments: Iterable[Segment]) -> list[Excerpt]:
    """As few excerpts as hold them, in their order."""
    groups: list[list[Segment]] = []
    room = 0
    for segment in segments:
        size = len(segment.field) + len(segment.text) + 3
        if not groups or size > room:
            groups.append([])
            room = WINDOW
        groups[-1].append(segment)
        room -= size
    return [Excerpt(tuple(group)) for group in groups]


def _chosen(windows: Sequence[Segment], leads: Sequence[Finding], most: int) -> list[Segment]:
    if len(windows) <= most:
        return list(windows)
    firsts = [i for i, window in enumerate(windows) if window.start == 0]
    lasts = [i - 1 for i in (*firsts[1:], len(windows))]
    led = [
        i
        for lead in sorted(leads, key=lambda lead: -lead.score)
        for i, window in enumerate(windows)
        if window.field == lead.field and window.start < lead.end and lead.start < window.start + len(window.text)
    ]
    picked = list(dict.fromkeys((*firsts, *lasts, *led)))[: max(most, len(firsts))]
    rest = [i for i in range(len(windows)) if i not in {*picked}]
    slots = most - len(picked)
    for slot in range(slots):
        stretch = rest[slot * len(rest) // slots : (slot + 1) * len(rest) // slots]
        # Python salts the hashes of texts in each process: the same page gives the same windows, nobody foretells them
        picked.append(min(stretch, key=lambda i: hash(windows[i].text)))
    return [windows[i] for i in sorted(picked)]
