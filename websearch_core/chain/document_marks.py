"""The marks of a document: cleared on its way in, carried from filter to filter, written into its texts at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from ..contract.fields import ADDRESS_FIELDS, HIDDEN_FIELD, Finding, Part
from ..contract.models import Document
from ..contract.verdicts import Allow, Rewrite
from ..marks import ADDRESS_WARNING, BRACKET, unmarked
from ..marks.carrying import carried
from ..marks.forgeries import may_hold_forgery, without_forgeries
from ..marks.writing import with_warnings
from .filter_runner import rewritten

D = TypeVar("D", bound=Document)

_ON_ONE_LINE = frozenset({"title", "author", "site", "age_text"})


def is_plain(document: Document) -> bool:
    """Whether the document has no mark and nothing that looks like a warning: there is nothing to clear or to write."""
    return not document.marks and not may_hold_forgery(document.text_read)


def unmarked_document(document: D) -> D:
    """The document without warnings and marks of an earlier inspection: it is judged anew. A page cannot bring any."""
    texts = dict(document.parts)
    clean = {
        field: _cleared(field, text) if BRACKET in text and field not in ADDRESS_FIELDS else text
        for field, text in texts.items()
    }
    if clean != texts:
        document = document.with_parts([Part(*entry) for entry in clean.items()])
        return document.model_copy(update={"marks": (), "leads": ()})
    return document.model_copy(update={"marks": ()}) if document.marks else document


def _cleared(field: str, text: str) -> str:
    clean = unmarked(text)
    return clean.strip() if field in _ON_ONE_LINE and clean != text else clean


def left_by(verdict: Allow | Rewrite, document: D) -> D:
    """The document as the verdict leaves it, with the marks of all filters so far at their words.

    Earlier leads into a part that was changed point nowhere now.
    """
    after, leads, marks = document, document.leads, document.marks
    own = verdict.findings if isinstance(verdict, Allow) else verdict.marks
    if isinstance(verdict, Rewrite):
        after = rewritten(document, verdict)
        before, texts = dict(document.parts), dict(after.parts)
        changed = {field for field in {*before, *texts} if before.get(field) != texts.get(field)}
        leads = tuple(lead for lead in leads if lead.field not in changed)
        stay = tuple(mark for mark in marks if mark.field not in changed)
        marks = (*stay, *_carried((mark for mark in marks if mark.field in changed), before, texts))
    leads = (*leads, *verdict.leads)
    marks = (*marks, *(finding for finding in own if finding.field != HIDDEN_FIELD))
    if leads == document.leads and marks == document.marks:
        return after
    return after.model_copy(update={"leads": leads, "marks": marks})


def with_marks_written(document: D) -> tuple[D, int]:
    """The document with a warning at each marked passage, and how many passages that are.

    What looks like a warning in it is broken before that.
    """
    if is_plain(document):
        return document, 0
    before = dict(document.parts)
    texts = {field: without_forgeries(text) for field, text in before.items()}
    passages = 0
    spans: dict[str, list[tuple[int, int]]] = {}
    elsewhere: set[Finding] = set()
    for mark in document.marks:
        if mark.field in ADDRESS_FIELDS or not 0 <= mark.start < mark.end <= len(texts.get(mark.field, "")):
            elsewhere.add(mark)
        else:
            spans.setdefault(mark.field, []).append((mark.start, mark.end))
    for field, places in spans.items():
        write = _by_line if field == "notes" else with_warnings
        texts[field], count = write(texts[field], places)
        passages += count
    main = "body" if texts.get("body") else document.main_part
    if elsewhere:
        texts[main] = f"{ADDRESS_WARNING}{texts.get(main, '')}"
        passages += len(elsewhere)
    if texts == before:
        return (document.model_copy(update={"marks": ()}) if document.marks else document), passages
    return _with_texts(document, texts), passages


def _with_texts(document: D, texts: dict[str, str]) -> D:
    fields = {part.field for part in document.parts}
    more = {field: text for field, text in texts.items() if field not in fields}
    same_address = document.final_url == document.url
    after = document.with_parts([Part(field, texts[field]) for field in dict(document.parts)])
    if same_address and after.final_url != after.url:
        more["final_url"] = after.url
    return after.model_copy(update={"marks": (), **more})


def _carried(marks: Iterable[Finding], before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Finding]:
    """The marks at the same words of changed parts."""
    by_field: dict[str, list[Finding]] = {}
    for mark in marks:
        by_field.setdefault(mark.field, []).append(mark)
    for field, own in by_field.items():
        places = carried(before.get(field, ""), after.get(field, ""), [(mark.start, mark.end) for mark in own])
        for mark, spans in zip(own, places, strict=True):
            yield from (mark._replace(start=span.start, end=span.end) for span in spans)


def _by_line(text: str, places: list[tuple[int, int]]) -> tuple[str, int]:
    """Notes are shown one by one, so each has warnings of its own."""
    lines: list[str] = []
    at = passages = 0
    for line in text.split("\n"):
        inner = [(max(start - at, 0), min(end - at, len(line))) for start, end in places]
        written = with_warnings(line, [span for span in inner if span[0] < span[1]])
        lines.append(written.text)
        passages += written.passages
        at += len(line) + 1
    return "\n".join(lines), passages
