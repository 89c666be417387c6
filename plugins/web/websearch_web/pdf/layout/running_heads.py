"""What stands at the edge of page after page: said once. Numbers of pages are not said at all: each has its mark."""

from __future__ import annotations

import re
from typing import Any

_EDGE = 0.09
"""Of the page's height."""
_NUMBER = re.compile(
    r"[\s\-–—|·•.()\[\]]*(?:page\W*)?(?:\d{1,4}|(?=[ivxl])(?:xl|l?x{0,3})(?:i[xv]|v?i{0,3}))"  # noqa: RUF001
    r"(?:\s*(?:of|/)\s*\d{1,4})?[\s\-–—|·•.()\[\]]*",  # noqa: RUF001
    re.IGNORECASE,
)
_AROUND = "0123456789 -–|·/"  # noqa: RUF001
_TEXT = frozenset({"paragraph", "heading"})
_LONGEST = 300
_BACK = 2
"""Pages: left and right ones may differ."""


class RunningHeads:
    """Of one document, page after page."""

    def __init__(self) -> None:
        self._before: list[set[str]] = []
        self._here: set[str] = set()

    def next_page(self) -> None:
        """Only what a page of the last ones had at its edge runs on: a title may come again later."""
        self._before = [*self._before, self._here][-_BACK:]
        self._here = set()

    def is_said(self, block: Any, page: Any) -> bool:
        """Whether a page's block stands at its edge and is its number, or what one of the last pages had there.

        A heading has to be the same, number and all: the next slide's may be "Step 2".
        """
        text = " ".join((block.text or "").split())
        if block.kind not in _TEXT or not text or len(text) > _LONGEST or not _at_edge(block, page):
            return False
        is_heading = block.kind == "heading"
        if not is_heading and _NUMBER.fullmatch(text):
            return True
        key = text if is_heading else text.strip(_AROUND)
        self._here.add(key)
        return any(key in keys for keys in self._before)


def _at_edge(block: Any, page: Any) -> bool:
    if block.bbox is None:
        return False
    top, bottom = block.bbox.y, block.bbox.y + block.bbox.height
    return bottom < _EDGE * page.height or top > (1 - _EDGE) * page.height
