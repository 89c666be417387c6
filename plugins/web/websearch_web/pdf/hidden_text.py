"""Text on a PDF page that a person would not see: tiny, drawn without ink, or in the colour of the paper."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

_TINY = 3.0
"""Points."""
_PALE = 0xF4
_NO_INK = (3, 7)
"""Text rendering modes of ISO 32000-2, table 104."""
_DRAWN_POINTS = 800.0
"""The longer side of a page that is drawn."""
_OBJECTS = 20_000
_DEEP = 3
_SCAN = 0.5
"""Of the page: under so large a picture, text without ink is what somebody recognised in a scan."""


class _Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def holds(self, x: float, y: float) -> bool:
        return self.left - 1 <= x <= self.right + 1 and self.bottom - 1 <= y <= self.top + 1


class HiddenText:
    """What is drawn on one page, as far as it tells which text can be seen."""

    def __init__(self, document: Any, number: int) -> None:
        """`number` counts from 0."""
        self._no_ink: list[_Box] = []
        self._pale: list[_Box] = []
        self._grounds: list[_Box] = []
        self._washes: list[_Box] = []
        """White, or a gradient or pattern, which PDFium calls white as well."""
        self._page = (document, number)
        self._paper: _Paper | None = None
        self.pictures = False
        page: Any = document[number]
        self._height: float = page.get_height()
        area = page.get_width() * self._height
        for kind, box, pale in _drawn(page):
            if kind == "image":
                self.pictures = True
                self._grounds.append(box)
                if (box.right - box.left) * (box.top - box.bottom) > _SCAN * area:
                    self._no_ink.clear()
                    break
            elif kind == "no ink":
                self._no_ink.append(box)
            elif kind == "text":
                self._pale += [box] if pale else []
            elif pale:
                self._washes.append(box)
            else:
                self._grounds.append(box)
        page.close()

    def hides(self, item: Any) -> bool:
        """Whether a piece of text, with its place from the top of the page, cannot be seen."""
        if item.height < _TINY:
            return True
        if not self._no_ink and not self._pale:
            return False
        x, y = item.x + item.width / 2, self._height - item.y - item.height / 2
        if any(box.holds(x, y) for box in self._no_ink):
            return True
        if not any(box.holds(x, y) for box in self._pale) or any(box.holds(x, y) for box in self._grounds):
            return False
        return not any(box.holds(x, y) for box in self._washes) or self._is_pale_behind(item)

    def _is_pale_behind(self, item: Any) -> bool:
        """As the page is drawn: asked for no more than what stands on a wash."""
        if self._paper is None:
            self._paper = _Paper(*self._page)
        return self._paper.is_pale(item)


class _Paper:
    """A page as it is drawn, small and grey."""

    def __init__(self, document: Any, number: int) -> None:
        page: Any = document[number]
        self._scale = min(1.0, _DRAWN_POINTS / max(page.get_width(), page.get_height(), 1.0))
        bitmap = page.render(scale=self._scale, grayscale=True)
        self._stride: int = bitmap.stride
        self._width, self._height = bitmap.width, bitmap.height
        self._pixels = bytes(bitmap.buffer)
        bitmap.close()
        page.close()

    def is_pale(self, item: Any) -> bool:
        """Whether most of what is around and behind a piece of text is nearly white."""
        left, right = (max(0, min(self._width, int(x * self._scale))) for x in (item.x, item.x + item.width + 1))
        top, bottom = (max(0, min(self._height, int(y * self._scale))) for y in (item.y, item.y + item.height + 1))
        found = b"".join(self._pixels[y * self._stride + left : y * self._stride + right] for y in range(top, bottom))
        return 2 * sum(pixel >= _PALE for pixel in found) >= len(found)


def _drawn(page: Any) -> Iterator[tuple[str, _Box, bool]]:
    """Pictures first: kind, place, and whether the ink is nearly white or clear."""
    raw: Any = import_module("pypdfium2.raw")
    kinds = {raw.FPDF_PAGEOBJ_TEXT: "text", raw.FPDF_PAGEOBJ_PATH: "path", raw.FPDF_PAGEOBJ_SHADING: "path"}
    texts: list[tuple[str, _Box, bool]] = []
    left = [_OBJECTS]
    for thing in _objects(raw, page.raw, left):
        kind = raw.FPDFPageObj_GetType(thing)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            yield "image", _box(raw, thing), False
        elif name := kinds.get(kind):
            no_ink = name == "text" and raw.FPDFTextObj_GetTextRenderMode(thing) in _NO_INK
            texts.append(("no ink" if no_ink else name, _box(raw, thing), _is_pale(raw, thing)))
    yield from texts


def _objects(raw: Any, holder: Any, left: list[int], *, depth: int = 0) -> Iterator[Any]:
    """The objects of a page, and those in forms."""
    count, get = (
        (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
        if depth
        else (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    )
    for number in range(max(0, count(holder))):
        left[0] -= 1
        if left[0] < 0:
            return
        thing = get(holder, number)
        if raw.FPDFPageObj_GetType(thing) == raw.FPDF_PAGEOBJ_FORM and depth < _DEEP:
            yield from _objects(raw, thing, left, depth=depth + 1)
        else:
            yield thing


def _box(raw: Any, thing: Any) -> _Box:
    sides = [ctypes.c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(thing, *(ctypes.byref(side) for side in sides))
    return _Box(*(side.value for side in sides))


def _is_pale(raw: Any, thing: Any) -> bool:
    inks = [ctypes.c_uint() for _ in range(4)]
    if not raw.FPDFPageObj_GetFillColor(thing, *(ctypes.byref(ink) for ink in inks)):
        return False
    red, green, blue, alpha = (ink.value for ink in inks)
    return alpha < 16 or min(red, green, blue) >= _PALE
