"""Components that do as they are told: for tests of whatever calls components."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from math import inf
from typing import Any, TypeVar
from urllib.parse import urlsplit

from websearch_core.asking.read.extraction import filled
from websearch_core.contract.errors import NotFound
from websearch_core.contract.interfaces import (
    Component,
    DocumentFilter,
    Extractor,
    Fetcher,
    Observer,
    RequestFilter,
    SearchBackend,
    TrustPolicy,
)
from websearch_core.contract.models import Caller, Document, Download, FetchRequest, Hit, Outgoing, Page, SearchRequest
from websearch_core.contract.results import Answer, Event, FetchAnswer, Inspected, SearchAnswer
from websearch_core.contract.verdicts import Allow, Dropped, Verdict

D = TypeVar("D", bound=Document)
_ALLOW = Allow()


class _Fake(Component):
    """Counts starts, ends, calls and cancellations; may wait, and may fail."""

    def __init__(self, name: str, error: BaseException | None, wait: asyncio.Event | None, **variables: Any) -> None:
        self.name = name
        for attribute, value in variables.items():
            setattr(self, attribute, value)
        self.error = error
        self.wait = wait
        self.starts = 0
        self.closes = 0
        self.cancelled = 0
        self.called = asyncio.Event()
        """Set at the first call."""

    async def start(self) -> None:
        """Count."""
        self.starts += 1

    async def aclose(self) -> None:
        """Count."""
        self.closes += 1

    async def _turn(self) -> None:
        self.called.set()
        try:
            if self.wait is not None:
                await self.wait.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error is not None:
            raise self.error


class FakeBackend(_Fake, SearchBackend):
    """Answers with `hits`, an `Answer`, or what a function makes of the request; or raises `error`.

    With `wait`, it answers only when that event is set. Further keywords set attributes (`max_results=5`).
    """

    _always_merged = False

    def __init__(
        self,
        name: str = "fake",
        hits: Sequence[Hit] | Answer | Callable[[SearchRequest], Sequence[Hit] | Answer] = (),
        *,
        error: BaseException | None = None,
        wait: asyncio.Event | None = None,
        **variables: Any,
    ) -> None:
        super().__init__(name, error, wait, **variables)
        self.hits = hits
        self.requests: list[SearchRequest] = []

    @property
    def always_merged(self) -> bool:
        """As constructed."""
        return self._always_merged

    @always_merged.setter
    def always_merged(self, value: bool) -> None:
        self._always_merged = value

    async def search(self, request: SearchRequest) -> Answer | Sequence[Hit]:
        """At most as many hits as asked for, when given a sequence."""
        self.requests.append(request)
        await self._turn()
        if callable(self.hits):
            return self.hits(request)
        return self.hits if isinstance(self.hits, Answer) else self.hits[: request.max_results]


class FakeFetcher(_Fake, Fetcher):
    """Answers with `found`: one value for every address, a table by address, or a function; or raises `error`."""

    def __init__(
        self,
        name: str = "fake-fetcher",
        found: Page
        | Download
        | Mapping[str, Page | Download]
        | Callable[[FetchRequest], Page | Download]
        | None = None,
        *,
        error: BaseException | None = None,
        wait: asyncio.Event | None = None,
        wants: Callable[[FetchRequest], bool] = lambda _: True,
        **variables: Any,
    ) -> None:
        super().__init__(name, error, wait, **variables)
        self.found = found
        self.wants = wants
        self.requests: list[FetchRequest] = []

    def can_fetch(self, request: FetchRequest) -> bool:
        """As constructed."""
        return self.wants(request)

    async def fetch(self, request: FetchRequest) -> Download | Page:
        """What was given; NotFound where a table has no such address. Without `found`: a small text."""
        self.requests.append(request)
        await self._turn()
        found = self.found
        if callable(found):
            return found(request)
        if isinstance(found, Mapping):
            if request.url not in found:
                raise NotFound
            return found[request.url]
        return found or download(request.url)


class FakeExtractor(_Fake, Extractor):
    """Makes a page of the decoded bytes, or `page`; or raises `error`."""

    def __init__(
        self,
        name: str = "fake-extractor",
        media_types: Sequence[str] = ("text/*",),
        *,
        page: Page | None = None,
        error: BaseException | None = None,
        wait: asyncio.Event | None = None,
        **variables: Any,
    ) -> None:
        super().__init__(name, error, wait, media_types=frozenset(media_types), **variables)
        self.page = page
        self.downloads: list[Download] = []

    async def extract(self, download: Download) -> Page:
        """The page."""
        self.downloads.append(download)
        await self._turn()
        body = download.body.decode("utf-8", "replace")
        return self.page or Page.from_markdown(
            body,
            url=download.url,
            final_url=download.final_url,
            media_type=download.media_type,
            truncated=download.truncated,
            bytes_read=download.bytes_read,
            fetched_at=download.fetched_at,
        )


class FakeRequestFilter(_Fake, RequestFilter):
    """Gives `verdict`, or what a function makes of the request; or raises `error`."""

    def __init__(
        self,
        name: str = "fake-screen",
        verdict: Any = _ALLOW,
        *,
        error: BaseException | None = None,
        wait: asyncio.Event | None = None,
        **variables: Any,
    ) -> None:
        super().__init__(name, error, wait, **variables)
        self.verdict: Callable[[Outgoing], Any] = verdict if callable(verdict) else lambda _: verdict
        self.seen: list[Outgoing] = []

    async def check(self, request: Outgoing) -> Verdict:
        """Anything at all: a test of the chain may want nonsense."""
        self.seen.append(request)
        await self._turn()
        return self.verdict(request)


class FakeDocumentFilter(_Fake, DocumentFilter):
    """Gives each document `verdict`, or what a function makes of it (None: could not judge); or raises `error`."""

    def __init__(
        self,
        name: str = "fake-inspect",
        verdict: Any = _ALLOW,
        *,
        error: BaseException | None = None,
        wait: asyncio.Event | None = None,
        **variables: Any,
    ) -> None:
        super().__init__(name, error, wait, **variables)
        self.verdict: Callable[[Document], Any] = verdict if callable(verdict) else lambda _: verdict
        self.seen: list[tuple[Document, ...]] = []
        self.callers: list[Caller] = []

    async def check(self, documents: Sequence[Document], caller: Caller) -> Sequence[Verdict | None]:
        """One for each."""
        self.seen.append(tuple(documents))
        self.callers.append(caller)
        await self._turn()
        return [self.verdict(document) for document in documents]


class FakeTrustPolicy(_Fake, TrustPolicy):
    """Trusts the documents for which `trusted` says so; or raises `error`."""

    def __init__(
        self,
        name: str = "fake-trust",
        trusted: Callable[[Document], Any] = lambda _: True,
        *,
        error: BaseException | None = None,
        wait: asyncio.Event | None = None,
    ) -> None:
        super().__init__(name, error, wait)
        self.trusted = trusted

    async def trusts(self, document: Document) -> bool:
        """As constructed."""
        await self._turn()
        return self.trusted(document)


class RecordingObserver(_Fake, Observer):
    """Keeps what it is told; or raises `error`."""

    def __init__(self, name: str = "recording", *, error: BaseException | None = None) -> None:
        super().__init__(name, error, None)
        self.events: list[Event] = []

    async def observe(self, event: Event) -> None:
        """Keep."""
        self.events.append(event)
        await self._turn()


class FakeGateway:
    """A chain for tests of tools, resources, prompts and commands: fixed hits, a table of pages; or raises `error`.

    Requests are made in the name of `caller`, whatever they say. `inspect` drops what is `bad`. All that it is asked,
    shown and told is kept.
    """

    def __init__(
        self,
        hits: Sequence[Hit] = (),
        pages: Mapping[str, Page] | None = None,
        *,
        error: Exception | None = None,
        caller: Caller | None = None,
        bad: Callable[[Document], bool] = lambda _: False,
        answer_tokens: float = inf,
    ) -> None:
        self.hits = tuple(hits)
        self.pages = dict(pages or {})
        self.error = error
        self.caller = caller or Caller(tenant="test")
        self.bad = bad
        self.answer_tokens = answer_tokens
        self.requests: list[Outgoing] = []
        self.inspected: list[Document] = []
        self.extracted: list[Download] = []
        self.told: list[tuple[float, float, str]] = []

    async def search(self, request: SearchRequest) -> SearchAnswer:
        """The hits, as many as asked for."""
        self._asked(request)
        return SearchAnswer(hits=self.hits[: request.max_results], backends=("fake",))

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        """The page of this address; else NotFound."""
        self._asked(request)
        if request.url not in self.pages:
            raise NotFound
        return FetchAnswer(page=self.pages[request.url])

    async def inspect(self, documents: Sequence[D]) -> Inspected[D]:
        """The documents, less the bad ones."""
        self.inspected.extend(documents)
        dropped = (
            Dropped(host=urlsplit(document.reached).hostname or "", by="fake", reason="bad")
            for document in documents
            if self.bad(document)
        )
        return Inspected(tuple(document for document in documents if not self.bad(document)), tuple(dropped))

    async def extract(self, download: Download, *, raw: bool = False) -> FetchAnswer:  # noqa: ARG002
        """The bytes as they are for Markdown."""
        if self.error:
            raise self.error
        self.extracted.append(download)
        return FetchAnswer(page=filled(Page.from_markdown(download.body.decode(), url=download.url), download))

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Keep."""
        self.told.append((done, total, message))

    def _asked(self, request: Outgoing) -> None:
        self.requests.append(request.model_copy(update={"caller": self.caller}))
        if self.error:
            raise self.error


def download(url: str = "https://example.com/", body: bytes | str = "Some text.", **fields: Any) -> Download:
    """Bytes of this address, as a fetcher would hand them on."""
    content = body.encode() if isinstance(body, str) else body
    given: dict[str, Any] = {"media_type": "text/plain", "final_url": url, "bytes_read": len(content), **fields}
    given.setdefault("fetched_at", datetime(2026, 1, 1, tzinfo=UTC))
    return Download(url=url, body=content, **given)
