"""What a call of `fetch` shows of a page: all of it, a section, the best passages, plain text, or its outline."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from ..contract.models import Page
from ..contract.outline import Heading, paths_of
from ..contract.results import ResourceLink
from ..kit.passage_ranking import passages
from ..kit.plain_text import plain
from ..kit.tokens import estimate_tokens
from ..marks import CLOSING, OPENING, marked_slice, unmarked
from ..marks.forgeries import without_forgeries
from .markdown_cuts import dressed

FOUND = 6000
"""Characters of passages that are shown for `find`, at most."""
_SIGNS = {"\uf5f0": OPENING, "\uf5f1": CLOSING}
"""Stand for the true warnings while others are looked for."""
_CONTEXT = 400
"""A shorter passage is shown with what stands round it."""
_MARKS = re.compile(r"[*_`~]|\\(?=[^\w\s])|\[([^\[\]]*+)\]\([^()]*+\)|^[\d.]+\s+")


class ViewRequest(NamedTuple):
    """What is to be shown."""

    form: str = "markdown"
    """One of `Form`, or an installed output's name."""
    section: str = ""
    """Headings from the outline, with ` > ` between; the last ones are enough."""
    find: str = ""


class PageView(NamedTuple):
    """The text, of which an answer shows a piece, and what is to be said about it."""

    text: str
    notes: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
    """The same as data, of an installed output."""
    links: tuple[ResourceLink, ...] = ()
    next_offset: int | None = None
    """Of an installed output: where in the page the rest begins."""


WHOLE = ViewRequest()


def show(page: Page, wanted: ViewRequest = WHOLE) -> PageView:
    """The same text for the same page and request: offsets count in it, and the next piece begins where one ended."""
    if wanted == WHOLE or wanted.form == "raw":
        return PageView(page.body)
    body, outline = page.body, page.outline
    notes: list[str] = []
    offset, end = 0, len(body)
    if wanted.section:
        spans, exact = _sections(body, outline, wanted.section)
        if not spans:
            return _outlined(body, outline, "section: no heading of this page says so; its outline is shown instead")
        if len(spans) > 1:
            called = "are called so" if exact else "have these words in their heading"
            notes.append(f"section: {len(spans)} sections {called}; the first one is shown")
        elif not exact:
            notes.append("section: no heading is called just so; the one that has these words is shown")
        offset, end = spans[0]
        outline = [heading for heading in outline if offset <= heading.offset < end]
    if wanted.form == "outline":
        if wanted.find:
            notes.append("find: left out, because output is outline")
        return _outlined(body, outline, *notes, end=end)
    if wanted.find:
        found = _found(body, outline, wanted.find, offset, end)
        if not found:
            notes.append("find: no passage has any of the words; the outline is shown instead")
            return _outlined(body, outline, *notes, end=end)
        text = "\n\n".join(_passage(body, where) for where in found)
    else:
        text = marked_slice(body, offset, end)
    return PageView(_plain_marked(text) if wanted.form == "text" else text, tuple(notes))


def _plain_marked(text: str) -> str:
    """Without Markdown; what looks like a warning only then is broken like every look-alike."""
    for sign, warning in _SIGNS.items():
        text = text.replace(sign, "").replace(warning, sign)
    text = without_forgeries(plain(text))
    for sign, warning in _SIGNS.items():
        text = text.replace(sign, warning)
    return text


class _Place(NamedTuple):
    start: int
    end: int
    path: tuple[str, ...]


def _found(body: str, outline: Sequence[Heading], words: str, begin: int, stop: int) -> list[_Place]:
    """The best passages of this part with what stands round them, in the order of the page, none twice."""
    places: list[_Place] = []
    room = FOUND
    starts = [0, *(heading.offset for heading in outline)]
    paths = [(), *paths_of(outline)]
    part = body[begin:stop]
    inner = [heading._replace(offset=heading.offset - begin) for heading in outline]
    for passage in passages(part, words, inner):
        start, end = (begin + place for place in _widened(part, passage.start, passage.end))
        where = _Place(start, end, paths[bisect_right(starts, start) - 1])
        near = [one for one in places if start <= one.end and one.start <= end]
        room -= len(_passage(body, where)) + 2 - sum(min(end, one.end) - max(start, one.start) for one in near)
        if room < 0 and places:
            break
        near = sorted([*near, where])
        whole = near[0]._replace(end=max(one.end for one in near))
        places = [*(one for one in places if one not in near), whole]
    return sorted(places)


def _passage(body: str, where: _Place) -> str:
    return f"{_label(where)}\n\n{dressed(body, where.start, where.end).strip()}"


def _label(where: _Place) -> str:
    return f"[{' > '.join([*where.path, f'offset {where.start}'])}]"


def _widened(body: str, start: int, end: int) -> tuple[int, int]:
    """With the paragraphs before and after, where the passage is short."""
    if end - start >= _CONTEXT:
        return start, end
    before = body.rfind("\n\n", 0, max(start - 2, 0))
    after = body.find("\n\n", end + 2)
    before, after = before + 2 if before >= 0 else 0, after if after >= 0 else len(body)
    return before if start - before < _CONTEXT else start, after if after - end < _CONTEXT else end


def _sections(body: str, outline: Sequence[Heading], wanted: str) -> tuple[list[tuple[int, int]], bool]:
    """Spans of sections whose heading path ends with `wanted`; True if exactly, False if by prefix or substring."""
    # a heading may itself contain the separator
    readings = [
        [plain for step in steps if (plain := _plain(step))]
        for steps in ([wanted], wanted.split(" > "), wanted.split(">"))
    ]
    whole = " > ".join(readings[1])
    paths = [[_plain(text) for text in path] for path in paths_of(outline)]
    hits = [
        number
        for number, path in enumerate(paths)
        if whole and whole in (" > ".join(path[begin:]) for begin in range(len(path)))
    ]
    for same in (str.__eq__, str.startswith, str.__contains__):
        exact = same is str.__eq__
        for steps in readings:
            hits = hits or [
                number
                for number, path in enumerate(paths)
                if steps and len(path) >= len(steps) and all(map(same, path[-len(steps) :], steps))
            ]
        if hits:
            break
    return [_span(body, outline, number) for number in hits], exact


def _span(body: str, outline: Sequence[Heading], number: int) -> tuple[int, int]:
    head = outline[number]
    following = (heading.offset for heading in outline[number + 1 :] if heading.level <= head.level)
    return head.offset, next(following, len(body))


def _outlined(body: str, outline: Sequence[Heading], *notes: str, end: int | None = None) -> PageView:
    """A list of the headings, each with its place in the page and the size of all that stands under it."""
    lines: list[str] = []
    after: list[Heading] = []
    last = len(body) if end is None else end
    for heading in reversed(outline):
        after = [one for one in after if one.level <= heading.level]
        stop = after[-1].offset if after else last
        after = [*(one for one in after if one.level < heading.level), heading]
        size = round(estimate_tokens(body[heading.offset : stop]))
        lines.append(f"{'  ' * (heading.level - 1)}- {heading.text} (offset {heading.offset}, {size} tokens)")
    return PageView("\n".join(reversed(lines)) or "(no headings)", notes)


def _plain(text: str) -> str:
    """A heading as it is compared: without marks, case and accents' spelling."""
    bare = _MARKS.sub(r"\1", unmarked(text).strip().lstrip("#").strip())
    return " ".join(normalize("NFC", normalize("NFC", bare).casefold()).split())
