"""One hostile file: what it is called, what it is declared to be, and what must be said of it."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """`expected` is `code: words of the detail`; empty: a page, or an error of the document's own (never of ours)."""

    name: str
    media_type: str
    body: bytes
    expected: str = ""
    charset: str = ""
    notes: str = ""
    """What a note of the page says."""
    truncated: bool = False
    seconds: float = 20.0
    """The limit of its reader."""
