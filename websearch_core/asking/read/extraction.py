"""Downloads into pages: which extractor reads a media type, and what to do when one cannot."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from math import inf

import anyio.to_thread

from ...contract.errors import BackendError, Code, NeedsRendering, TimedOut, Unsupported
from ...contract.interfaces import Extractor
from ...contract.models import Download, Page
from ...contract.outline import content_hash, outline_of
from ...contract.verdicts import Decision
from ...contract.work_timeout import TIMEOUT
from ..source.failure_values import plugin_bug
from .media_type import media_type, read_as, shown

_WHAT_THE_PAGE_IS = frozenset(
    (Code.BLOCKED_BY_SITE, Code.NEEDS_RENDERING, Code.NOT_FOUND, Code.PAYWALLED, Code.RATE_LIMITED)
)
"""Said of the page, not of how it was read: another extractor would take a wall for a page."""
_HASHED_AT_ONCE = 1 << 20
"""Bytes; more are hashed in a thread, so that no other request waits."""
_MARKUP = frozenset(("text/html", "application/xhtml+xml"))
_PARTIAL = 206
_IN_PART = "the site sent only a part of this document (status 206): the rest is not to be had by an offset"


class ExtractorChain:
    """The installed extractors: an exact type beats a suffix (+json), that a family; then priority, then the name."""

    def __init__(self, extractors: Sequence[Extractor]) -> None:
        self._extractors = sorted(extractors, key=lambda extractor: (extractor.priority, extractor.name))

    async def page(self, download: Download, trail: list[Decision], *, raw: bool = False, seconds: float = inf) -> Page:
        """The page of the first extractor that finds text; what happened is added to `trail`.

        `raw`: the document's text as it stands. `seconds` are for all together: each may take half of what is left as
        long as there is another one to ask, without the time that it waits for a worker.

        Raises the first extractor's `BackendError`, at once where it says what the page is; `NeedsRendering` for markup
        without text; `Unsupported` when no extractor reads this type, or the document is empty.
        """
        name = media_type(download)
        readers = self._readers(name, raw=raw)
        if not readers and (readers := self._readers(sniffed := read_as(download), raw=raw)):
            name = sniffed
        download = download.model_copy(update={"media_type": name})
        first: BackendError | None = None
        empty = False
        now = asyncio.get_running_loop().time
        ends = now() + seconds
        for number, extractor in enumerate(readers, 1):
            left = max(ends - now(), 0.0)
            try:
                page = await _read(extractor, download, left if number == len(readers) else left / 2)
            except BackendError as error:
                failure = error
            except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                failure = plugin_bug(extractor.name, error)
            else:
                if page.body.strip():
                    raw_hash = page.raw_hash or await _hash(download.body)
                    return filled(page.model_copy(update={"raw_hash": raw_hash}), download)
                trail.append(Decision(stage="ask", by=extractor.name, outcome="empty", reason="no text"))
                empty = True
                continue
            trail.append(Decision(stage="ask", by=extractor.name, outcome="fail", reason=failure.code))
            if failure.code in _WHAT_THE_PAGE_IS:
                raise failure
            if not empty:  # an extractor that could read it found no text: a later one's failure says less
                first = first or failure
        if readers and not download.body.strip():
            raise Unsupported("the site sent an empty document")
        if first is not None:
            raise first
        if not readers:
            raise Unsupported(f"no installed extractor reads documents {_of_type(name)}")
        if name in _MARKUP and not raw:
            raise NeedsRendering
        raise Unsupported(f"the document {_of_type(name)} holds no text")

    def _readers(self, name: str, *, raw: bool) -> list[Extractor]:
        kind, _, rest = name.partition("/")
        # a structured syntax suffix (RFC 6839): what reads application/json reads application/problem+json
        suffix = f"application/{rest.rpartition('+')[2]}" if "+" in rest else name
        found: list[Extractor] = []
        for types in ({name}, {suffix}, {f"{kind}/*", "*/*"}):
            found += [
                one for one in self._extractors if types & one.media_types and one.raw == raw and one not in found
            ]
        return found


def filled(page: Page, download: Download) -> Page:
    """The page with all that the download knows better or the extractor left out.

    Where the text came from is the download's word alone: a page that names another address as its own (a canonical
    link) must not borrow that host's standing.
    """
    headers = download.headers
    changes: dict[str, object] = {
        "url": download.url,
        "final_url": download.final_url or download.url,
        "fetched_at": page.fetched_at or download.fetched_at,
        "media_type": page.media_type or download.media_type,
        "screenshot": page.screenshot or download.screenshot,
        "truncated": page.truncated or download.truncated,
        "bytes_read": page.bytes_read or download.bytes_read or len(download.body),
        "raw_hash": page.raw_hash or _digest(download.body),
        "etag": page.etag or headers.get("etag", ""),
        "last_modified": page.last_modified or headers.get("last-modified", ""),
    }
    if download.status == _PARTIAL and download.truncated:
        changes["notes"] = (*page.notes, _IN_PART)
    if not page.content_hash:
        changes |= {"content_hash": content_hash(page.body), "outline": page.outline or outline_of(page.body)}
    return page.model_copy(update=changes)


async def _hash(body: bytes) -> str:
    if len(body) <= _HASHED_AT_ONCE:
        return _digest(body)
    return await anyio.to_thread.run_sync(_digest, body)


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


async def _read(extractor: Extractor, download: Download, seconds: float) -> Page:
    timeout = asyncio.timeout(None if seconds == inf else seconds)
    try:
        async with timeout:
            token = TIMEOUT.set(timeout)
            try:
                page = await extractor.extract(download)
            finally:
                TIMEOUT.reset(token)
    except TimeoutError:
        if timeout.expired():
            raise TimedOut("the document could not be read in time") from None
        raise
    if not isinstance(page, Page):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped plugins
        raise TypeError("not a page")
    return page


def _of_type(name: str) -> str:
    text = shown(name)
    return text if text.startswith("of ") else f"of type {text}"
