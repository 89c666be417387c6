"""One source as the chain asks it: breaker, caps, limit of calls in flight, deadline, and what observers are told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from typing import TYPE_CHECKING, TypeVar

from ...contract.errors import BackendError, Code, TimedOut, cause
from ...contract.interfaces import Clock, Component, Fetcher, SearchBackend, Store
from ...contract.models import Caller, SearchRequest
from ...contract.results import Event, Outcome
from ...net.http_errors import of_exception
from ...settings.configuration import ChainSettings
from ...stores.prefixed import PrefixedStore
from .breaker import OF_THE_SERVICE, Breaker, Permit, State
from .cooldowns import CooldownStore, CoolingDown
from .failure_values import plugin_bug
from .latency import Latencies

if TYPE_CHECKING:
    from ..ledger.ledger import Ledger

log = logging.getLogger(__name__)

FAIR_CHANCE_S = 5.0
"""A timeout counts for the breaker only if the source had this long: hurried callers prove nothing about it."""
SPARE_S = 0.05
"""Of the time to a caller's deadline, at least this and a twentieth stay for making an answer of what there is."""
WAITING_SHARE = 0.5
"""Of the time for a call, the share that may go into waiting until another call has shown what one costs."""
NO_TIME = "no time was left to ask it"
_STANDING = {"closed": "ready", "open": "resting", "half-open": "on trial"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReport:
    """What an answer tells observers, the ledger and the breaker."""

    cost: float | None = None
    """US dollars, where the source said it."""
    units: float | None = None
    """In the source's own unit, where it said so."""
    trouble: Code | None = None
    """Why a part of it is missing: counts as if the next call had failed so."""
    retry_after: float | None = None
    """Seconds, where that failure said when to come back."""
    empty: bool = False
    """Whether there was nothing."""


A = TypeVar("A", bound=CallReport)


class Busy(TimedOut):
    """Our own limit kept the call from being made, which says nothing about the source."""

    unsent = True


def kind_of(request: SearchRequest) -> str:
    """What a plan may lack and a price depend on: the vertical, and whether whole texts are asked for."""
    return f"{request.vertical}:text" if request.content_mode == "text" else request.vertical


class GuardedSource:
    """Guards the calls to one backend or fetcher. Each call ends in an answer or in a `BackendError`, nothing else."""

    def __init__(
        self,
        component: SearchBackend | Fetcher,
        settings: ChainSettings,
        clock: Clock,
        notify: Callable[[Event], None] | None,
        breaker: Breaker,
        ledger: Ledger | None = None,
    ) -> None:
        """Without a `ledger` the cost of calls is not counted."""
        self.name = component.name
        self._component = component
        self._timeout_s = settings.backend_timeout_s
        self._slots = asyncio.Semaphore(settings.backend_concurrency)
        self._clock = clock
        self._notify = notify
        self._breaker = breaker
        self._ledger = ledger
        self._latencies = Latencies()

    @property
    def state(self) -> State:
        """Of the breaker."""
        return self._breaker.state

    @property
    def standing(self) -> str:
        """Whether it is ready, rests or is asked on trial, and what rests: "resting: rate_limited, 34 s"."""
        rests = "; ".join(str(rest) for rest in self.rests())
        return f"{_STANDING[self.state]}: {rests}" if rests else _STANDING[self.state]

    def standing_for(self, kinds: Collection[str]) -> str:
        """As `standing`, and resting, too, where each of these kinds of request rests."""
        return self.standing if self.askable(kinds) else self.standing.replace("ready", "resting", 1)

    def askable(self, kinds: Collection[str]) -> bool:
        """Whether it may be asked one of these kinds of request, if only on trial."""
        resting = {rest.kind for rest in self.rests() if rest.seconds != 0}
        return "" not in resting and any(kind not in resting for kind in kinds)

    def rests(self) -> tuple[CoolingDown, ...]:
        """Why, and for how long, it would not be asked: as a whole, or for a kind of request."""
        return self._breaker.rests()

    def resting(self, kind: str = "") -> BackendError | None:
        """Why it would not be asked now, or None."""
        return self._breaker.resting(kind)

    def p95(self) -> float | None:
        """Seconds in which nineteen of twenty of its last answers came; None: too few to tell."""
        return self._latencies.p95()

    async def refresh(self) -> None:
        """Learn how it stands from the store: at the start, and now and then while it rests. Never raises."""
        await self._breaker.refresh()

    async def close(self) -> None:
        """It is known to answer again: its rests are over, here and for all processes that use the store."""
        self._breaker.close()
        await self._breaker.save()

    async def call(
        self,
        ask: Callable[[Caller], Awaitable[A]],
        caller: Caller,
        deadline: float | None,
        kind: str = "",
        *,
        queries: int = 1,
        units: float = 1.0,
    ) -> A:
        """Ask, and be back before `deadline`. `ask` gets the caller with the deadline of this very call.

        `kind` says what sort of request it is, where plans and prices differ (`kind_of`); `queries`, how many the
        source is sent for it, and `units`, what each may take at most: this is held back from the operator's caps. A
        call that is cancelled before `ask` was called takes nothing of them. Raises `BackendError`;
        `CapReached` when it would pass a cap of the operator's. An exception of another kind is the plugin's bug:
        logged, and a `ServerFailed`, unless a vendor's SDK raised it over an error of ours or an answer's status.
        """
        await self.refresh()
        if (error := self.resting(kind)) is not None:
            raise error
        if self._seconds(deadline) <= 0:
            raise Busy(NO_TIME)
        # without a deadline, the waits for a slot and for the answer share one time limit
        ends = inf if deadline is not None else self._clock.monotonic() + self._timeout_s
        booking = None
        if self._ledger:
            from ..ledger.budgets import PlannedCall

            source = self._component
            plan = PlannedCall(self.name, caller.tenant, kind, source.paid, source.unit, queries, units)
            booking = await self._ledger.book(plan, self._seconds(deadline) * WAITING_SHARE)
        outcome: Outcome = "cancelled"
        code, answer, permit = "", None, None
        began, seconds = self._clock.monotonic(), self._timeout_s
        try:
            async with self._slot(deadline, ends):
                permit = self._breaker.admit(kind)  # only now: it may have begun to rest while the call waited
                began, seconds = self._clock.monotonic(), self._seconds(deadline, ends)
                caller = caller.model_copy(update={"deadline": began + seconds, "session": ""})
                answer = await self._asked(ask, caller, seconds)
        except BackendError as error:
            outcome, code = "fail", error.code
            if permit:
                self._judge(permit, error, seconds)
            sent = permit and not error.unsent
            await self._settle(booking and (booking.failed(error) if sent else booking.withdrawn()))
            raise
        except BaseException:
            if permit:
                self._latencies.at_least(self._clock.monotonic() - began)
                self._breaker.released(permit)
            await self._settle(booking and (booking.left() if permit else booking.withdrawn()))
            raise
        else:
            outcome = "empty" if answer.empty else "answer"
            self._latencies.add(self._clock.monotonic() - began)
            self._breaker.succeeded(permit)
            if answer.trouble:
                self._breaker.troubled(answer.trouble, kind, answer.retry_after)
            await self._settle(booking and booking.answered(answer.units, answer.cost))
            return answer
        finally:
            self._tell(outcome, code, answer, caller.tenant, began)

    def _seconds(self, deadline: float | None, ends: float = inf) -> float:
        """How long a call that begins now may take: at most until `ends`, and a little less than until `deadline`."""
        now = self._clock.monotonic()
        if deadline is None:
            return min(self._timeout_s, ends - now)
        left = deadline - now
        return min(self._timeout_s, left - max(SPARE_S, left / 20))

    @contextlib.asynccontextmanager
    async def _slot(self, deadline: float | None, ends: float) -> AsyncGenerator[None]:
        """One of the calls in flight. Raises `Busy` when all slots stay taken."""
        seconds = self._seconds(deadline, ends)
        if seconds <= 0:
            raise Busy(NO_TIME)
        if self._slots.locked():
            try:
                async with asyncio.timeout(seconds):
                    await self._slots.acquire()
            except TimeoutError:
                raise Busy("too many calls to it are in flight") from None
        else:
            await self._slots.acquire()
        try:
            yield
        finally:
            self._slots.release()

    async def _asked(self, ask: Callable[[Caller], Awaitable[A]], caller: Caller, seconds: float) -> A:
        import anyio

        with anyio.move_on_after(seconds):
            try:
                return await ask(caller)
            except BackendError:
                raise
            except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                raise of_exception(error, self._clock.now()) or plugin_bug(self.name, error) from None
        raise TimedOut

    def _judge(self, permit: Permit, error: BackendError, seconds: float) -> None:
        hurried = error.code is Code.TIMEOUT and seconds < min(FAIR_CHANCE_S, self._timeout_s)
        if error.unsent or hurried:
            self._breaker.released(permit)
            return
        self._breaker.failed(permit, error)
        if (rest := self._breaker.resting(permit.kind)) is not None and rest.code is error.code:
            error.retry_after = rest.retry_after  # as those who ask next are told

    async def _settle(self, writing: Awaitable[None] | None) -> None:
        """Keep what the call cost and how the source stands. That never changes what the caller gets."""
        try:
            if writing:
                await writing
        except Exception as error:  # noqa: BLE001 - an answer that was paid for is not lost over its price
            log.warning("what %s cost could not be written down (%s)", self.name, cause(error))
        await self._breaker.save()

    def _tell(self, outcome: Outcome, code: str, answer: CallReport | None, tenant: str, since: float) -> None:
        if self._notify is None:
            return
        self._notify(
            Event(
                kind="ask",
                component=self.name,
                outcome=outcome,
                code=code,
                tenant=tenant,
                took=max(0.0, self._clock.monotonic() - since),
                cost=answer.cost if answer else None,
                units=answer.units if answer else None,
                at=datetime.fromtimestamp(self._clock.now(), UTC),
            )
        )


@dataclass(frozen=True)
class Guards:
    """Makes sources. Without a store rests end with the process; without a ledger the cost of calls is not counted."""

    settings: ChainSettings
    clock: Clock
    notify: Callable[[Event], None] | None
    """Returns at once and never raises; None: nobody listens."""
    store: Store | None = None
    revision: Callable[[Component], str] = lambda _: ""
    """Digest of the settings of the plugin that brought a component; empty for test fixtures."""
    ledger: Ledger | None = None

    def of_backend(self, backend: SearchBackend) -> GuardedSource:
        """A challenge that a search engine shows is its own; one that a fetcher meets is the page's."""
        return self._source(backend, "search", OF_THE_SERVICE | {Code.BLOCKED_BY_SITE})

    def of_fetcher(self, fetcher: Fetcher) -> GuardedSource:
        """A page that fails says nothing about a fetcher of this machine, and its calls cost nothing."""
        if fetcher.remote:
            return self._source(fetcher, "read", OF_THE_SERVICE)
        never = Breaker(self.clock, frozenset())
        return GuardedSource(fetcher, self.settings, self.clock, self.notify, never)

    def _source(self, component: SearchBackend | Fetcher, room: str, counts: frozenset[Code]) -> GuardedSource:
        kept = None
        if self.store is not None:
            store = PrefixedStore(self.store, f"rests:{room}")
            kept = CooldownStore(store, self.clock, component.name, self.revision(component))
        breaker = Breaker(self.clock, counts, kept)
        return GuardedSource(component, self.settings, self.clock, self.notify, breaker, self.ledger)
