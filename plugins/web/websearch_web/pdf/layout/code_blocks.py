"""The code of a PDF page, cut out of the blocks that a layout reader mixes it with prose in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from .columns import cut, is_misread
from .monospace import Line, MonospaceFonts

_DIRECTLY = 1.6
"""Heights of a line from the top of one to the top of the next, where no space is between them."""
_NEAR = 3.5
"""Within so many heights below a term its description begins,"""
_INDENT = 3.2
"""so many characters further in,"""
_ACROSS = 250.0
"""and in the same column: points."""
_APART = 4.0
"""So far from each other, two pieces of code are two blocks."""
_TERMS, _FEW = 6, 2
"""Lines of terms that one description follows; of code that a paragraph's lines are full of."""


_LITTLE = 0.3
_REMARKS = ("#", "//", "/*", "%", ";", "--")


class CodePiece(NamedTuple):
    """A part of a block: prose, or lines of code."""

    text: str = ""
    lines: tuple[Line, ...] = ()


class CodeBlocks:
    """The lines of code on one page that stand by themselves."""

    def __init__(self, typewriter: MonospaceFonts, items: Sequence[Any]) -> None:
        """`items`: all that is seen of the page's text."""
        lines = typewriter.lines(items)
        self._items = items
        self._typewritten = typewriter.is_typewritten
        typed = {id(item) for line in lines for item in line.items}
        self._prose = [item for item in items if id(item) not in typed and item.text.strip()]
        self._lines = [line for run in _runs(lines) if not self._is_of_prose(run) for line in run]
        self._code = {id(item) for line in self._lines for item in line.items}

    def pieces(self, block: Any) -> list[CodePiece]:
        """Prose and code of a block in their order; empty where it holds no code and is what it is taken for."""
        box = block.bbox
        if box is not None and block.kind == "table" and is_misread(block):
            return [self._piece(items) for items in cut([item for item in self._items if _holds(box, item)])]
        if box is None or not self._lines:
            return []
        lines = [line for line in self._lines if _holds(box, line.items[0])]
        prose = sorted((item for item in self._prose if _holds(box, item)), key=lambda item: (round(item.y), item.x))
        lines = [whole for line in lines if (whole := _with_remark(line, prose)) is not None]
        typed = {id(item) for line in lines for item in line.items}
        prose = [item for item in prose if id(item) not in typed]
        if not lines or (block.kind == "table" and prose and _is_table(block, lines, prose)):
            return []
        return list(_by_text(block.text or "", lines) or _by_place(prose, lines))

    def _piece(self, items: Sequence[Any]) -> CodePiece:
        """Of a block that holds only one kind of text."""
        if all(id(item) in self._code for item in items):
            within = {id(item) for item in items}
            return CodePiece(lines=tuple(line for line in self._lines if id(line.items[0]) in within))
        return CodePiece(" ".join(item.text.strip() for item in items))

    def is_prose(self, block: Any) -> bool:
        """Whether next to nothing in the block is a line of code, where fonts say so."""
        if self._typewritten or block.bbox is None:
            return False
        within = [item for item in self._items if _holds(block.bbox, item)]
        typed = sum(len(item.text) for item in within if id(item) in self._code)
        return typed < _LITTLE * sum(len(item.text) for item in within)

    def _is_of_prose(self, run: Sequence[Line]) -> bool:
        """Whether a few lines are terms that their description follows, further in, or the rest of a sentence."""
        first, last = run[0], run[-1]
        height = last.height
        reach = _NEAR if len(run) <= _FEW else _DIRECTLY if len(run) <= _TERMS else 0.0
        below = min(
            (item for item in self._prose if 0 < item.y - last.top < reach * height and item.x < last.left + _ACROSS),
            key=lambda item: item.y,
            default=None,
        )
        if below is not None and below.x - last.left > _INDENT * last.advance:
            return True
        above = (item for item in self._prose if 0 < first.top - item.y < _DIRECTLY * height)
        return len(run) <= _FEW and any(abs(item.x - first.left) < first.advance for item in above)


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    run: list[Line] = []
    for line in lines:
        if run and not 0 <= line.top - run[-1].top < _DIRECTLY * run[-1].height:
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _is_table(block: Any, lines: Sequence[Line], prose: Sequence[Any]) -> bool:
    """Whether the prose stands in columns; frames around code and text are taken for tables, too."""
    if max((len(row) for row in (block.header or (), *(block.rows or ()))), default=0) < 2:
        return False
    places = [round(item.y + item.height / 2) for item in prose]
    beside = sum(count > 1 for count in Counter(place // 4 for place in places).values())
    return beside > _LITTLE * (len({place // 4 for place in places}) + len(lines))


def _holds(box: Any, item: Any) -> bool:
    x, y = item.x + min(item.width, 20) / 2, item.y + item.height / 2
    return box.x - 1 <= x <= box.x + box.width + 1 and box.y - 1 <= y <= box.y + box.height + 1


def _with_remark(line: Line, prose: Sequence[Any]) -> Line | None:
    """The line with a remark in another font at its end; None where it has prose beside it."""
    beside = [item for item in prose if line.top < item.y + item.height / 2 < line.bottom]
    if any(item.x < line.left or not item.text.lstrip().startswith(_REMARKS) for item in beside):
        return None
    return line._replace(items=(*line.items, *sorted(beside, key=lambda item: item.x)))


def _by_text(text: str, lines: Sequence[Line]) -> list[CodePiece]:
    """The block's own text around the code, links and all; empty where the code does not stand in it as it is drawn."""
    pieces: list[CodePiece] = []
    place = 0
    for line in lines:
        begin = -1
        end = place
        for item in line.items:
            found = text.find(item.text.strip(), end)
            if found < 0:
                return []
            begin, end = (found if begin < 0 else begin), found + len(item.text.strip())
        if text[place:begin].strip() or not pieces:
            pieces += [CodePiece(text[place:begin]), CodePiece(lines=(line,))]
        else:
            pieces[-1] = CodePiece(lines=(*pieces[-1].lines, line))
        place = end
    return [*pieces, CodePiece(text[place:])]


def _by_place(prose: Sequence[Any], lines: Sequence[Line]) -> Iterator[CodePiece]:
    """The lines as they stand below each other."""
    waiting = list(prose)
    for line in lines:
        before = [item.text for item in waiting if item.y < line.top]
        waiting = waiting[len(before) :]
        if before:
            yield CodePiece(" ".join(before))
        yield CodePiece(lines=(line,))
    if waiting:
        yield CodePiece(" ".join(item.text for item in waiting))


def are_one(before: Line, after: Line) -> bool:
    """Whether two lines belong to the same block of code."""
    return 0 < after.top - before.top < _APART * before.height


def written(lines: Sequence[Line]) -> str:
    """Lines of code with the blanks, and blank lines, that their places stand for."""
    left = min(line.left for line in lines)
    advance = max((line.advance for line in lines), default=0.0)
    steps = [after.top - before.top for before, after in pairwise(lines)]
    pitch = min((step for step in steps if step > 0), default=0.0)
    pieces = [lines[0].text(left, advance)]
    for line, step in zip(lines[1:], steps, strict=True):
        pieces += [""] * min(2, round(step / pitch) - 1 if pitch else 0)
        pieces.append(line.text(left, advance))
    return "\n".join(pieces)
