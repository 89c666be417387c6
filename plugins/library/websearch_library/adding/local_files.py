"""Local files as pages: finds them, reads them as text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..index.page_copy import PageCopy
from ..index.page_keys import of_file
from . import html_text

SUFFIXES = frozenset((".md", ".markdown", ".txt", ".text", ".rst", ".html", ".htm", ".xhtml"))
_HTML = frozenset((".html", ".htm", ".xhtml"))


class UnreadableError(Exception):
    """A file that cannot become a page; the text says why."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        super().__init__(detail)


def within(folder: Path) -> Iterator[Path]:
    """The files of a folder that can be read, in a fixed order; hidden ones and symbolic links are left out."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(root, name)
            if not name.startswith(".") and path.suffix.lower() in SUFFIXES and not path.is_symlink():
                yield path


def stamp(path: Path) -> str:
    """What changes when a file does. Raises OSError."""
    status = path.stat()
    return f"{status.st_mtime_ns}-{status.st_size}"


def read(path: Path, most_bytes: int, now: float) -> PageCopy:
    """A file as a page. Raises `UnreadableError`."""
    try:
        mark = stamp(path)
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except OSError:
        raise _missing(path) from None
    if len(content) > most_bytes:
        raise UnreadableError("too_large", "larger than [plugin.library] max_file_bytes")
    if b"\0" in content[:4096] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableError("unsupported", "not a text file")
    text = _decoded(content)
    title, language = "", ""
    if path.suffix.lower() in _HTML:
        title, language, text = html_text.read(text)
    if not text.strip():
        raise UnreadableError("empty", "the file holds no text")
    return PageCopy(
        url=of_file(path),
        source="file",
        path=str(path),
        title=title or _heading(text) or path.name,
        language=language,
        etag=mark,
        body=text,
        fetched_at=now,
    )


def _missing(path: Path) -> UnreadableError:
    if path.exists():
        return UnreadableError("refused", "the file may not be read")
    return UnreadableError("not_found", "the file is gone")


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _heading(text: str) -> str:
    first = text.lstrip()[:500].partition("\n")[0].strip()
    return first.lstrip("#").strip() if first.startswith("#") else ""
