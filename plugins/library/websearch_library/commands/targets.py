"""What the operator's words mean: a page, a sitemap, a file or a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ..adding import local_files, sitemap
from ..index.page_keys import normal


class TargetError(Exception):
    """A word that names nothing that can be added; the text says what to write instead."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something to add: an address, or a path."""

    word: str
    url: str = ""
    path: Path | None = None

    @property
    def may_be_sitemap(self) -> bool:
        """Whether the address is worth being read as a sitemap first."""
        return bool(self.url) and sitemap.looks_like_one(self.url)


def target(word: str) -> Target:
    """What a word names. Raises `TargetError`."""
    scheme, separator, _ = word.partition("://")
    if separator:
        if scheme.lower() not in ("http", "https"):
            raise TargetError(f"{word}: only http:// and https:// addresses can be added")
        return Target(word, url=_address(word))
    path = Path(word).expanduser()
    if not path.exists():
        raise TargetError(f"{word}: no such file or folder; write a web address in full: https://{word.lstrip('/')}")
    path = path.resolve()
    if path.is_file() and path.suffix.lower() not in local_files.SUFFIXES:
        raise TargetError(
            f"{word}: this kind of file cannot be added; known: {', '.join(sorted(local_files.SUFFIXES))}"
        )
    return Target(word, path=path)


def _address(word: str) -> str:
    try:
        parts = urlsplit(word)
        usable = bool(parts.hostname) and parts.username is None and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise TargetError(f"{word}: not a web address; a good one: https://example.com/docs/")
    return normal(word)
