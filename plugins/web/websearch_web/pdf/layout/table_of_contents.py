"""Tables of contents on a PDF page: entries that dots lead from to numbers of pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_LEADERS = re.compile(r"(?:\s*[.·…_](?=\s*[.·…_])){4,}\s*[.·…_]\s*")
"""Dots between an entry and the number of its page."""
_NUMBER = r"(?:\d{1,4}|[ivxlc]{1,7})"
_NUMBERS = re.compile(rf"{_NUMBER}(?:\s+{_NUMBER})*", re.IGNORECASE)
_AT_FRONT = re.compile(rf"^{_NUMBER}(?=\s|$)\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2}")
_TEXT = frozenset({"paragraph", "heading", "list_item"})


def without_leaders(text: str) -> str:
    """A cell of a table, where dots lead to the next one."""
    return _LEADERS.sub(" ", text).strip() if text.count(".") > 4 and _WORD.search(text) else text


class TableOfContents:
    """What one page has of them."""

    def __init__(self, blocks: Sequence[Any]) -> None:
        self._any = any(_leads(block) for block in blocks)

    def entries(self, block: Any) -> list[str]:
        """The entries in a block, without dots and numbers of pages; empty where no dots lead anywhere."""
        if not self._any or not _leads(block):
            return []
        first, *rest = _LEADERS.split(" ".join((block.text or "").split()))
        # What follows on dots is the number of a page, then the next entry.
        entries = [first, *(_AT_FRONT.sub("", part) if not _is_numbered(part) else part for part in rest)]
        return [entry.strip() for entry in entries if entry.strip()]

    def are_numbers(self, block: Any) -> bool:
        """Whether a block holds only the numbers that the dots lead to."""
        return self._any and block.kind in _TEXT and bool(_NUMBERS.fullmatch(" ".join((block.text or "").split())))


def _leads(block: Any) -> bool:
    return block.kind in _TEXT and bool(_LEADERS.search(block.text or "")) and bool(_WORD.search(block.text or ""))


def _is_numbered(part: str) -> bool:
    """Whether it begins with the number of a section, "1.2", and not of a page."""
    return re.match(r"\d+\.\d", part) is not None
