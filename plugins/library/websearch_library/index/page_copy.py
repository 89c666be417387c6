"""What the library keeps of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCopy:
    """One page. Moments are seconds since the epoch."""

    url: str
    asked: str = ""
    """The address that led here by redirect; empty: the same."""
    source: str = "web"
    """`docs`, `web` or `file`."""
    path: str = ""
    """Of a local file; never shown to a model."""
    title: str = ""
    author: str = ""
    site: str = ""
    published: float | None = None
    language: str = ""
    chars: int = 0
    etag: str = ""
    last_modified: str = ""
    fetched_at: float = 0.0
    hash: str = ""
    body: str = ""
    """Empty where only what is known about the page was asked for."""


class PutResult(NamedTuple):
    """What became of copies that were put in."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    def plus(self, other: PutResult) -> PutResult:
        """Both together."""
        return PutResult(self.added + other.added, self.changed + other.changed, self.unchanged + other.unchanged)
