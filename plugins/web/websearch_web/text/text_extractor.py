"""The `text` extractor: text as it stands, and the last resort for every text type that nobody else reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import Download, Extractor, Page
from websearch_core.kit import Unsupported

if TYPE_CHECKING:
    from websearch_core.kit import Workers

_READ_ELSEWHERE = frozenset({"text/html", "text/markdown", "text/x-markdown", "text/json"})
"""Raw, these would show what their own extractors take out as hidden."""
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_MARKED = re.compile(r"#{1,6}(?:[ \t]|$)")
_CUT = "some markup that a person would not see was cut out"
"""Some: how a page looks is not known without a browser."""


class TextExtractor(Extractor):
    """Prose as it stands, but for characters that nobody sees; code in a fence that names its language."""

    name: str = "text"
    priority: int = 90
    media_types: frozenset[str] = frozenset(
        {"text/plain", "text/*", "application/javascript", "application/yaml", "application/x-yaml", "application/toml"}
        | {"application/x-sh", "application/sql", "application/graphql", "application/x-tex", "application/typescript"}
        | {"application/x-javascript", "application/ecmascript"}
    )

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` when the bytes are no text, and for types that need their own extractor."""
        from ..kit.extraction import read_by

        if download.media_type in _READ_ELSEWHERE:
            raise Unsupported("this type is not read as plain text")
        return await read_by(read_prose_or_code, download, self._workers)


class RawTextExtractor(TextExtractor):
    """Any text document as it stands: markup, data, scripts and all; of pages, what is seen."""

    name: str = "raw"
    media_types: frozenset[str] = frozenset({"*/*"})
    raw: bool = True

    async def extract(self, download: Download) -> Page:
        """Raises `Unsupported` for binary data."""
        from ..kit.extraction import read_by

        return await read_by(read_source, download, self._workers)


def read_source(download: Download) -> Page:
    """The document's own text. Raises `Unsupported` when the bytes are no text."""
    if download.media_type not in _MARKUP:
        return read_text(download)
    from ..html.hidden.visible_source import seen_source
    from ..kit.extraction import page_of, text_of
    from ..kit.invisible_characters import visible

    text, spelt = visible(text_of(download))
    seen = seen_source(text)
    hidden = "\n".join(part for part in (seen.hidden, spelt) if part)
    return page_of(download, seen.text.strip("\n"), hidden=hidden, notes=(_CUT,) if seen.text != text else ())


def read_text(download: Download) -> Page:
    """The text without characters that nobody sees. Raises `Unsupported` when the bytes are no text."""
    from ..kit.extraction import page_of, text_of
    from ..kit.invisible_characters import visible

    text, spelt = visible(text_of(download))
    return page_of(download, text.strip("\n"), hidden=spelt)


def read_prose_or_code(download: Download) -> Page:
    """The same, in a fence where the type, the name or its comments say that it is code."""
    from ..kit.code_fences import fenced
    from ..kit.extraction import page_of, text_of
    from ..kit.invisible_characters import visible
    from .code_languages import is_markdown, language_of

    url = download.final_url or download.url
    language = language_of(download.media_type, url)
    text, spelt = visible(text_of(download))
    body = text.strip("\n")
    if language or (has_comments(body) and not is_markdown(url)):
        body = fenced(body, language) if body.strip() else ""
    return page_of(download, body, hidden=spelt)


def has_comments(text: str) -> bool:
    """Whether the lines that begin with `# ` are comments, as in settings and scripts, and not headings.

    A heading stands between blank lines, a comment beside what it comments on.
    """
    marked = beside = 0
    lines = ["", *text.split("\n"), ""]
    for number, line in enumerate(lines):
        if line.startswith("#") and _MARKED.match(line):
            marked += 1
            beside += bool(lines[number - 1].strip() or lines[number + 1].strip())
    return beside * 2 > marked or (marked > 0 and text.startswith("#!"))
