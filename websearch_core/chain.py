"""screen, ask, inspect: one direction, no going back, and every failure of a filter is closed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from .errors import BackendError, BlockedByFilter, InvalidRequest, NoAnswer
from .models import (
    SWITCHABLE,
    Allow,
    Block,
    Caller,
    Decision,
    Document,
    Dropped,
    Event,
    FetchAnswer,
    FetchRequest,
    Outgoing,
    Page,
    Parted,
    Rewrite,
    SearchAnswer,
    SearchRequest,
    Verdict,
)

if TYPE_CHECKING:
    from .ask.reading import Reading
    from .ask.searching import Searching
    from .interfaces import Clock, DocumentFilter, RequestFilter, TrustPolicy
    from .net.policy import Policy
    from .settings import ChainSettings

log = logging.getLogger(__name__)

D = TypeVar("D", bound=Document)
O = TypeVar("O", bound=Outgoing)  # noqa: E741 - the type variable of Outgoing
P = TypeVar("P", bound=Parted)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Inspected(Generic[D]):
    """Documents that a model may read, and receipts for those that it may not."""

    documents: tuple[D, ...]
    dropped: tuple[Dropped, ...]
    trail: tuple[Decision, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """The assembled whole. Built once at startup; safe for any number of calls at once."""

    request_filters: tuple[RequestFilter, ...]
    document_filters: tuple[DocumentFilter, ...]
    trust_policies: tuple[TrustPolicy, ...]
    searching: Searching
    reading: Reading
    policy: Policy
    settings: ChainSettings
    floor: frozenset[str]
    clock: Clock
    notify: Callable[[Event], None]

    async def search(self, request: SearchRequest) -> SearchAnswer:
        """Screen the request, ask the backends, inspect the hits.

        Raises `BlockedByFilter` (nothing left), `InvalidRequest` (a malformed domain rule), `NoAnswer`.
        """
        began = self.clock.monotonic()
        with self._told("search", request.caller, began):
            screened, trail = await self.screen(request)
            found = await self.searching.search(screened)
            inspected = await self.inspect(found.hits, request.caller)
        return SearchAnswer(
            hits=inspected.documents,
            notes=(*found.notes, *_rewritten(trail), *inspected.notes, *self._weakened()),
            dropped=inspected.dropped,
            trail=(*trail, *found.trail, *inspected.trail),
            backends=found.backends,
            cached=found.cached,
            age=found.age,
            cost=found.cost,
            took=self.clock.monotonic() - began,
        )

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        """Screen the address, read it, inspect the whole page.

        Raises `BlockedByFilter` (the address, or the page), `Refused`, any other `BackendError`, `NoAnswer`.
        """
        began = self.clock.monotonic()
        with self._told("fetch", request.caller, began):
            screened, trail = await self.screen(request)
            read = await self.reading.fetch(screened)
            if read.page.final_url not in ("", screened.url):
                # a remote fetcher followed redirects where nobody here could judge them
                self.policy.check(read.page.final_url, screened.allowed_domains)
            inspected = await self.inspect((read.page,), request.caller)
            if not inspected.documents:
                receipt = inspected.dropped[0]
                raise BlockedByFilter(receipt.reason, by=receipt.by)
        page: Page = inspected.documents[0]
        return FetchAnswer(
            page=page,
            notes=(*read.notes, *page.notes, *inspected.notes, *self._weakened()),
            trail=(*trail, *read.trail, *inspected.trail),
            cached=read.cached,
            age=read.age,
            took=self.clock.monotonic() - began,
        )

    async def screen_hop(self, request: FetchRequest) -> FetchRequest:
        """Judge a redirect's target like a first address; `ctx.web` calls this on every hop."""
        return (await self.screen(request))[0]

    async def screen(self, request: O) -> tuple[O, tuple[Decision, ...]]:
        """The request as the filters leave it. Raises `BlockedByFilter`, `Refused`, `InvalidRequest`."""
        request = self._admitted(request)
        trail: list[Decision] = []
        for judge in self.request_filters:
            if self._switched_off(judge.family, request.caller):
                trail.append(
                    Decision(stage="screen", by=judge.name, outcome="skip", reason="switched off by the caller")
                )
                continue
            request = await self._screened_by(judge, request, trail)
        return request, tuple(trail)

    async def inspect(self, documents: Sequence[D], caller: Caller) -> Inspected[D]:
        """The documents as the filters leave them, in their order."""
        trail: list[Decision] = []
        dropped: list[Dropped] = []
        notes: list[str] = []
        if not self.document_filters or not documents:
            return Inspected(tuple(documents), (), (), ())
        trusted = await self._trusted(documents, caller, trail)
        current: list[D | None] = list(documents)
        for judge in self.document_filters:
            if self._switched_off(judge.family, caller):
                trail.append(
                    Decision(stage="inspect", by=judge.name, outcome="skip", reason="switched off by the caller")
                )
                continue
            chosen = [i for i, d in enumerate(current) if d is not None and not (judge.bypassable and i in trusted)]
            if not chosen:
                continue
            outcomes = await self._judged(judge, [d for i in chosen if (d := current[i]) is not None], caller)
            for index, outcome in zip(chosen, outcomes, strict=True):
                document = current[index]
                if document is None:
                    continue
                host = host_of(document.reached)
                if isinstance(outcome, Block):
                    current[index] = None
                    dropped.append(Dropped(host=host, by=judge.name, reason=outcome.reason))
                elif isinstance(outcome, Rewrite):
                    current[index] = _rewritten_value(document, outcome)
                    notes.append(f"{host}: {judge.name}: {outcome.reason}")
                if not (isinstance(outcome, Allow) and not outcome.findings):
                    trail.append(
                        Decision(
                            stage="inspect",
                            by=judge.name,
                            outcome=outcome.kind,
                            about=host,
                            reason="" if isinstance(outcome, Allow) else outcome.reason,
                            findings=outcome.findings,
                        )
                    )
        kept = tuple(document for document in current if document is not None)
        return Inspected(kept, tuple(dropped), tuple(trail), tuple(dict.fromkeys(notes)))

    def _admitted(self, request: O) -> O:
        """What needs no filter: the address rules, and domain lists that mean something.

        An address goes on in the spelling that was judged: another reader of the raw one might see another host.
        """
        if isinstance(request, FetchRequest):
            target = self.policy.check(request.url, request.allowed_domains)
            return request if target.url == request.url else request.model_copy(update={"url": target.url})
        if isinstance(request, SearchRequest) and (request.allowed_domains or request.excluded_domains):
            from .net.domains import Rules

            try:
                Rules(request.allowed_domains)
                Rules(request.excluded_domains)
            except ValueError:
                raise InvalidRequest(
                    "a domain rule is malformed; write for example example.com, =example.com or *.example.com"
                ) from None
        return request

    async def _screened_by(self, judge: RequestFilter, request: O, trail: list[Decision]) -> O:
        async def verdict() -> tuple[Verdict, O]:
            given = _verdict(await judge.check(request))
            if isinstance(given, Rewrite):
                return given, _rewritten_value(request, given)
            return given, request

        failed: tuple[Verdict, O] = (self._on_failure(judge.name), request)
        outcome, request = await self._guarded(judge.name, verdict, failed, request.caller)
        reason = "" if isinstance(outcome, Allow) else outcome.reason
        trail.append(
            Decision(stage="screen", by=judge.name, outcome=outcome.kind, reason=reason, findings=outcome.findings)
        )
        if isinstance(outcome, Block):
            raise BlockedByFilter(outcome.reason, by=judge.name)
        return self._admitted(request) if isinstance(outcome, Rewrite) else request

    async def _judged(self, judge: DocumentFilter, documents: Sequence[Document], caller: Caller) -> list[Verdict]:
        async def verdicts() -> list[Verdict]:
            given = [_verdict(verdict) for verdict in await judge.check(tuple(documents))]
            if len(given) != len(documents):
                raise TypeError(f"{len(given)} verdicts for {len(documents)} documents")
            for document, verdict in zip(documents, given, strict=True):
                if isinstance(verdict, Rewrite):
                    _rewritten_value(document, verdict)  # invalid: fails here, where failing is closed
            return given

        failed = [self._on_failure(judge.name)] * len(documents)
        return await self._guarded(judge.name, verdicts, failed, caller)

    async def _trusted(self, documents: Sequence[Document], caller: Caller, trail: list[Decision]) -> set[int]:
        """Indexes of the documents that a policy trusts; asking for `injection` switches trust off."""
        trusted: set[int] = set()
        if caller.families.get("injection") or not any(judge.bypassable for judge in self.document_filters):
            return trusted
        for policy in self.trust_policies:
            for index, document in enumerate(documents):
                if index in trusted:
                    continue

                async def asked(policy: TrustPolicy = policy, document: Document = document) -> bool:
                    return await policy.trusts(document) is True

                if await self._guarded(policy.name, asked, on_failure=False, caller=caller):
                    trusted.add(index)
                    trail.append(
                        Decision(stage="inspect", by=policy.name, outcome="trust", about=host_of(document.reached))
                    )
        return trusted

    async def _guarded(self, name: str, work: Callable[[], Awaitable[T]], on_failure: T, caller: Caller) -> T:
        """Fail closed: an error, a timeout or nonsense is the safe answer, never a pass. Cancellation stays that."""
        began = self.clock.monotonic()
        seconds = self.settings.filter_timeout_s
        if caller.deadline is not None:
            seconds = min(seconds, caller.deadline - began)
        outcome = "ok"
        try:
            async with asyncio.timeout(max(seconds, 0.0)):
                return await work()
        except Exception as error:  # noqa: BLE001 - whatever a filter raises, its answer is the safe one
            outcome = "fail"
            log.error("filter %s failed (%s); its safe answer is used", name, type(error).__name__)  # noqa: TRY400 - a traceback could quote what was judged
            return on_failure
        finally:
            self._tell("filter", name, outcome, "", caller, began)

    def _on_failure(self, name: str) -> Verdict:
        if self.settings.on_failure.get(name) == "allow":
            return Allow()
        return Block(reason="the filter could not judge this")

    def _switched_off(self, family: str, caller: Caller) -> bool:
        return family in SWITCHABLE and family not in self.floor and caller.families.get(family) is False

    def _weakened(self) -> tuple[str, ...]:
        """A note in each answer for every filter that may be skipped when it fails."""
        installed = {judge.name for judge in (*self.request_filters, *self.document_filters)}
        weak = [name for name, choice in self.settings.on_failure.items() if choice == "allow" and name in installed]
        return tuple(f"when {name} fails, its check is skipped (the operator's choice)" for name in weak)

    def _tell(
        self,
        kind: Literal["search", "fetch", "filter"],
        component: str,
        outcome: str,
        code: str,
        caller: Caller,
        began: float,
    ) -> None:
        self.notify(
            Event(
                kind=kind,
                component=component,
                outcome=outcome,
                code=code,
                tenant=caller.tenant,
                took=self.clock.monotonic() - began,
                at=datetime.fromtimestamp(self.clock.now(), UTC),
            )
        )

    @contextlib.contextmanager
    def _told(self, kind: Literal["search", "fetch"], caller: Caller, began: float) -> Generator[None]:
        """Tell the observers how a call ended, whatever the way."""
        outcome, code = "fail", ""
        try:
            yield
            outcome = "answer"
        except BackendError as error:
            code = str(error.code)
            raise
        except NoAnswer as error:
            code = str(error.failures[0].code) if error.failures else ""
            raise
        finally:
            self._tell(kind, "", outcome, code, caller, began)


def host_of(url: str) -> str:
    """The host of an address, for receipts: never the path or the query."""
    from urllib.parse import urlsplit

    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _verdict(given: object) -> Verdict:
    """What a filter returned, if it is a verdict: an untyped filter's None or True must not pass."""
    if isinstance(given, Rewrite) and given.text is None and given.parts is None:
        raise TypeError("a rewrite without text")
    if isinstance(given, Allow | Rewrite | Block):
        return given
    raise TypeError("not a verdict")


def _rewritten_value(value: P, verdict: Rewrite) -> P:
    """Raises ValueError when the rewrite does not fit the value."""
    if verdict.parts is not None:
        return value.with_parts(verdict.parts)
    return value.with_text(verdict.text or "")


def _rewritten(trail: Sequence[Decision]) -> tuple[str, ...]:
    return tuple(f"the request was changed by {step.by}: {step.reason}" for step in trail if step.outcome == "rewrite")
