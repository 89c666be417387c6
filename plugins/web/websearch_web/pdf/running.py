"""What stands at the edge of page after page: said once. Numbers of pages are not said at all: each has its mark."""

from __future__ import annotations

import re
from typing import Any

_EDGE = 0.09
"""Of the page's height."""
_NUMBER = re.compile(r"\W*(?:page\W*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\W*(?:of|/)\W*\d{1,5})?\W*", re.IGNORECASE)
_AROUND = "0123456789 -–|·"  # noqa: RUF001
_TEXT = frozenset({"paragraph", "heading"})
_LONGEST = 300
_REMEMBERED = 1000


class Running:
    """Of one document, page after page."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def is_said(self, block: Any, page: Any) -> bool:
        """Whether a page's block stands at its edge and is its number, or but for that what another had there."""
        text = " ".join((block.text or "").split())
        if block.kind not in _TEXT or not text or len(text) > _LONGEST or not _at_edge(block, page):
            return False
        if _NUMBER.fullmatch(text):
            return True
        key = text.strip(_AROUND)
        seen = key in self._seen
        if len(self._seen) < _REMEMBERED:
            self._seen.add(key)
        return seen


def _at_edge(block: Any, page: Any) -> bool:
    if block.bbox is None:
        return False
    top, bottom = block.bbox.y, block.bbox.y + block.bbox.height
    return bottom < _EDGE * page.height or top > (1 - _EDGE) * page.height
