"""screen, ask, inspect: one direction, no going back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from ..contract.errors import AllSourcesFailed, BackendError
from ..contract.models import Caller, Download, FetchRequest, Page, SearchRequest
from ..contract.results import Event, FetchAnswer, Outcome, SearchAnswer
from ..contract.verdicts import Decision
from .empty_result_hints import of_empty
from .result_screen import listable

if TYPE_CHECKING:
    from ..asking.read.page_reader import PageReader, ReadPage
    from ..asking.search.searcher import Searcher
    from ..contract.interfaces import Clock
    from ..net.policy import AddressPolicy
    from .document_inspector import DocumentInspector
    from .request_screen import RequestScreen


@dataclass(frozen=True, slots=True)
class Chain:
    """The assembled whole. Built once at startup; safe for any number of calls at once."""

    screening: RequestScreen
    searching: Searcher
    reading: PageReader
    inspecting: DocumentInspector
    policy: AddressPolicy
    clock: Clock
    notify: Callable[[Event], None] | None
    """None: nobody listens."""
    respect_robots: bool = False
    """Every fetcher obeys robots.txt."""
    warnings: tuple[str, ...] = ()
    """Said in every answer: each filter whose failure the operator lets pass."""

    async def search(self, request: SearchRequest) -> SearchAnswer:
        """Screen the request, ask the backends, inspect the hits.

        Raises `BlockedByFilter` (nothing left), `InvalidRequest` (a malformed domain rule), `AllSourcesFailed`.
        """
        began = self.clock.monotonic()
        with self._told("search", request.caller, began):
            screened, trail = await self.screening.screen(request)
            found = await self.searching.search(screened)
            listed = listable(found.hits, self.policy)
            inspected = await self.inspecting.inspect(listed.documents, request.caller)
        dropped = (*listed.dropped, *inspected.dropped)
        return SearchAnswer(
            hits=inspected.documents,
            notes=(*found.notes, *_remarks(trail), *listed.notes, *inspected.notes, *self.warnings),
            hints=() if inspected.documents else of_empty(screened, _asked(found.trail), dropped),
            dropped=dropped,
            **_redacted(screened, trail),
            trail=(*trail, *found.trail, *listed.trail, *inspected.trail),
            backends=found.backends,
            cached=found.cached,
            age=found.age,
            cost=found.cost,
            took=self.clock.monotonic() - began,
        )

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        """Screen the address, read it, inspect the whole page.

        Raises `BlockedByFilter` (the address, or the page), `Refused`, any other `BackendError`, `AllSourcesFailed`.
        """
        began = self.clock.monotonic()
        with self._told("fetch", request.caller, began):
            screened, trail = await self.screening.screen(request)
            if self.respect_robots:
                screened = screened.model_copy(update={"obey_robots": True})
            read = await self.reading.fetch(screened)
            if read.page.final_url not in ("", screened.url):
                # a remote fetcher followed redirects where they could not be judged here
                self.policy.check(read.page.final_url, screened.allowed_domains)
            return await self._inspected(read, request.caller, trail, began)

    async def extract(self, download: Download, caller: Caller, *, raw: bool = False) -> FetchAnswer:
        """Read bytes that a caller gave us, and inspect the whole page; as `Gateway.extract`."""
        began = self.clock.monotonic()
        # a caller may claim that bytes are a trusted site's: unless it wants no check, they get the whole one
        wary = caller.model_copy(update={"families": {"injection": True, **caller.families}})
        with self._told("fetch", caller, began):
            read = await self.reading.extract(download, caller.deadline, raw=raw)
            return await self._inspected(read, wary, (), began)

    async def _inspected(self, read: ReadPage, caller: Caller, trail: Sequence[Decision], began: float) -> FetchAnswer:
        inspected = await self.inspecting.inspect((read.page,), caller)
        if not inspected.documents:
            raise inspected.dropped[0].error()
        page: Page = inspected.documents[0]
        return FetchAnswer(
            page=page,
            notes=(*read.notes, *page.notes, *_remarks(trail), *inspected.notes, *self.warnings),
            trail=(*trail, *read.trail, *inspected.trail),
            cached=read.cached,
            age=read.age,
            took=self.clock.monotonic() - began,
        )

    @contextlib.contextmanager
    def _told(self, kind: Literal["search", "fetch"], caller: Caller, began: float) -> Generator[None]:
        """Tell the observers how a call ended, whatever the way."""
        outcome: Outcome = "answer"
        code = ""
        try:
            yield
        except BaseException as error:
            outcome = "fail" if isinstance(error, Exception) else "cancelled"
            code = str(error.code) if isinstance(error, BackendError | AllSourcesFailed) else ""
            raise
        finally:
            if self.notify:
                took, at = self.clock.monotonic() - began, datetime.fromtimestamp(self.clock.now(), UTC)
                self.notify(Event(kind=kind, outcome=outcome, code=code, tenant=caller.tenant, took=took, at=at))


def _asked(trail: Sequence[Decision]) -> tuple[str, ...]:
    """The backends that were asked, whatever came of it."""
    return tuple(dict.fromkeys(step.by for step in trail if step.outcome != "skip" and step.by != "cache"))


def _remarks(trail: Sequence[Decision]) -> tuple[str, ...]:
    """What the request's filters have to say to the reader of the answer."""
    return tuple(
        f"the request was changed by {step.by}: {step.reason}"
        if step.outcome == "rewrite"
        else f"{step.by}: {step.reason}"
        for step in trail
        if step.reason and step.outcome in ("allow", "rewrite")
    )


def _redacted(screened: SearchRequest, trail: Sequence[Decision]) -> dict[str, Any]:
    """The query as it was sent, and what the first filter that took personal data out of it took: where, not what."""
    for step in trail:
        spans = tuple(finding for finding in step.findings if finding.field == "query")
        if step.family == "pii" and step.outcome == "rewrite" and spans:
            return {"redacted_query": screened.query, "redactions": spans}
    return {}
