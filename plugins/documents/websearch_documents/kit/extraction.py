"""What every extractor here does alike: work in a worker, and a page of what was read and known."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from websearch_core import BackendError, Download, Page
from websearch_core.kit import UnexpectedResponse, Workers

SECONDS = 16.0
MEMORY_BYTES = 280_000_000
_MAX_LINKS = 10_000
_HIDDEN_MOST = 200_000
_BEGINNING = 5000
"""Characters in which a title is looked for where the file names none."""
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\U000e0000-\U000e0fff\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
_LINK = re.compile(
    r"(?<!\\)((?:\\\\)*+\])\(\s*+<?([^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?)>?(?:\s++\"[^\"\n]*+\")?\s*+\)"
)
_STRAY = re.compile(r"(?<!\\)((?:\\\\)*+\])\((?=\s*+<?(?!https?:|mailto:)[a-z][\w+.-]{1,30}:)", re.IGNORECASE)
"""A link in brackets of brackets, or too long, that leads to no page."""
MAILS_AND_WEB = ("http://", "https://", "mailto:")


class DocumentContent(NamedTuple):
    """What was read of a document."""

    body: str
    title: str = ""
    author: str = ""
    published: datetime | None = None
    modified: datetime | None = None
    language: str = ""
    page_count: int | None = None
    hidden: str = ""
    notes: tuple[str, ...] = ()


async def read_by(read: Callable[[Download], Page], download: Download, workers: Workers) -> Page:
    """The page that `read`, an importable function, makes in a worker."""
    return await workers.run(read, download, seconds=SECONDS, memory_bytes=MEMORY_BYTES)


def page_of(download: Download, read: Callable[[Download], DocumentContent]) -> Page:
    """The page of a reading. Whatever a hostile document provokes, a `BackendError` comes of it."""
    try:
        reading = read(download)
    except (BackendError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - parsers of foreign bytes may raise anything
        raise UnexpectedResponse("document", "the document could not be read") from None
    links: dict[str, None] = {}
    body = _LINK.sub(lambda match: _target(match, links), _UNSEEN.sub("", reading.body))
    body = _STRAY.sub(r"\1\\(", body)
    size = download.bytes_read or len(download.body)
    return Page.from_markdown(
        f"{body}\n\n[truncated at {size} bytes]" if download.truncated else body,
        url=download.url,
        final_url=download.final_url,
        media_type=download.media_type,
        truncated=download.truncated,
        bytes_read=size,
        etag=download.headers.get("etag", ""),
        last_modified=download.headers.get("last-modified", ""),
        fetched_at=download.fetched_at,
        title=one_line(reading.title) or one_line(_first_heading(body)),
        author=one_line(reading.author),
        published=reading.published,
        published_from="file" if reading.published else "",
        modified=reading.modified,
        language=reading.language,
        page_count=reading.page_count,
        links=tuple(links)[:_MAX_LINKS],
        hidden=reading.hidden[:_HIDDEN_MOST],
        notes=reading.notes,
    )


def one_line(text: str | None) -> str:
    """Text of metadata."""
    return " ".join(_UNSEEN.sub("", text or "").split())[:500]


def moment(text: str) -> datetime | None:
    """An ISO 8601 date or time, aware; None for anything else."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


def _first_heading(body: str) -> str:
    return next((line.lstrip("#") for line in body[:_BEGINNING].split("\n") if line.startswith("#")), "")


def _target(match: re.Match[str], links: dict[str, None]) -> str:
    """Only addresses of the web and of mail stay: a document's own parts and scripts lead nowhere."""
    address = match[2]
    if not address.lower().startswith(MAILS_AND_WEB):
        return match[1]
    if not address.lower().startswith("mailto:"):
        links[address.partition("#")[0]] = None
    return match[0]
