"""One source as the chain asks it: breaker, caps, limit of calls in flight, deadline, and what observers are told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from ...contract.errors import BackendError, Code, TimedOut, cause
from ...contract.interfaces import Clock, Component, Fetcher, SearchBackend, Store
from ...contract.models import Caller, SearchRequest
from ...contract.results import Event, Outcome
from ...net.http_errors import of_exception
from ...settings.configuration import ChainSettings
from ...stores.prefixed import PrefixedStore
from .breaker import OF_THE_SERVICE, STANDING, Breaker, Permit, State
from .cooldowns import CooldownStore, CoolingDown
from .failure_values import plugin_bug
from .latency import Latencies

if TYPE_CHECKING:
    from anyio import Semaphore

    from ..ledger.ledger import Booking, Ledger

log = logging.getLogger(__name__)

T = TypeVar("T")

FAIR_CHANCE_S = 5.0
"""A timeout counts for the breaker only if the source had this long: hurried callers prove nothing about it."""
SPARE_S = 0.05
"""Of the time to a caller's deadline, at least this and a twentieth stay for making an answer of what there is."""
WAITING_SHARE = 0.5
"""Of the time for a call, at most so much goes into waiting until another call has shown what one costs."""
NO_TIME = "no time was left to ask it"


class CallReport(Protocol):
    """What an answer tells observers and the ledger."""

    @property
    def cost(self) -> float | None:
        """US dollars, where the source said it."""
        ...

    @property
    def units(self) -> float | None:
        """In the source's own unit, where it said so."""
        ...

    @property
    def empty(self) -> bool:
        """Whether there was nothing."""
        ...


A = TypeVar("A", bound=CallReport)


def kind_of(request: SearchRequest) -> str:
    """What a plan may lack and a price depend on: the vertical, and whether whole texts are asked for."""
    return f"{request.vertical}:text" if request.content_mode == "text" else request.vertical


class GuardedSource:
    """Guards the calls to one backend or fetcher. Each call ends in an answer or in a `BackendError`, nothing else."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        notify: Callable[[Event], None],
        *,
        timeout_s: float,
        concurrency: int,
        breaker: Breaker,
        ledger: Ledger | None = None,
        paid: bool = False,
        unit: str = "request",
    ) -> None:
        """Without a `ledger` nobody counts what calls cost; `paid` and `unit` are what the component declares."""
        self.name = name
        self._clock = clock
        self._notify = notify
        self._timeout_s = timeout_s
        self._concurrency = concurrency
        self._breaker = breaker
        self._ledger = ledger
        self._paid = paid
        self._unit = unit
        self._slots: Semaphore | None = None
        self._latencies = Latencies()

    @property
    def state(self) -> State:
        """Of the breaker."""
        return self._breaker.state

    @property
    def standing(self) -> str:
        """Whether it is ready, rests or is asked on trial, and what rests: "resting: rate_limited, 34 s"."""
        rests = "; ".join(str(rest) for rest in self.rests())
        return f"{STANDING[self.state]}: {rests}" if rests else STANDING[self.state]

    def standing_for(self, kinds: Collection[str]) -> str:
        """As `standing`, and resting, too, where each of these kinds of request rests."""
        return self.standing if self.askable(kinds) else self.standing.replace(STANDING["closed"], STANDING["open"], 1)

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
        """Somebody knows that it answers again: its rests are over, here and for whoever shares the store."""
        self._breaker.close()
        await self._breaker.save()

    async def troubled(self, code: Code, kind: str = "") -> None:
        """A part of a call failed so, the rest was answered: it counts as if the next call had failed. Never raises."""
        self._breaker.troubled(code, kind)
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
        source is sent for it, and `units`, what each may take at most: as many are held back from the operator's caps.
        Who is cancelled before `ask` was called takes nothing of them. Raises `BackendError`;
        `CapReached` when it would pass a cap of the operator's. An exception of another kind is the plugin's bug:
        logged, and a `ServerFailed`, unless a vendor's SDK raised it over an error of ours or an answer's status.
        """
        await self.refresh()
        if self._seconds(deadline) <= 0:
            raise TimedOut(NO_TIME)
        if (error := self.resting(kind)) is not None:
            raise error
        booking = None
        if self._ledger:
            from ..ledger.budgets import PlannedCall

            plan = PlannedCall(self.name, caller.tenant, kind, self._paid, self._unit, queries, units)
            booking = await self._ledger.book(plan, self._seconds(deadline) * WAITING_SHARE)
        permit = await self._admitted(kind, booking)
        began, seconds = self._clock.monotonic(), self._seconds(deadline)
        caller = caller.model_copy(update={"deadline": began + seconds, "session": ""})
        outcome: Outcome = "cancelled"
        code, answer, sent = "", None, False

        async def send(caller: Caller) -> A:
            nonlocal sent
            sent = True
            return await ask(caller)

        try:
            answer = await self._asked(send, caller, seconds)
        except BackendError as error:
            outcome, code = "fail", error.code
            await self._failed(permit, booking, error, seconds)
            raise
        except BaseException as error:
            self._latencies.at_least(self._clock.monotonic() - began)
            await self._left(permit, booking, unsent=not sent and isinstance(error, asyncio.CancelledError))
            raise
        else:
            outcome = "empty" if answer.empty else "answer"
            self._latencies.add(self._clock.monotonic() - began)
            await self._answered(permit, booking, answer, kind)
            return answer
        finally:
            self._tell(outcome, code, answer, caller.tenant, began)

    def _seconds(self, deadline: float | None) -> float:
        """How long a call that begins now may take."""
        if deadline is None:
            return self._timeout_s
        left = deadline - self._clock.monotonic()
        return min(self._timeout_s, left - max(SPARE_S, left / 20))

    async def _admitted(self, kind: str, booking: Booking | None) -> Permit:
        """After the booking, as that may wait: the source may rest by now, and nobody waits with the only probe."""
        try:
            return self._breaker.admit(kind)
        except BackendError:
            if self._ledger and booking:
                await self._ledger.withdrawn(booking)
            raise

    async def _asked(self, ask: Callable[[Caller], Awaitable[A]], caller: Caller, seconds: float) -> A:
        import anyio

        if seconds <= 0:
            raise Busy(NO_TIME)
        if self._slots is None:
            self._slots = anyio.Semaphore(self._concurrency, fast_acquire=True)
        answer: A | None = None
        entered = False
        with anyio.move_on_after(seconds) as scope:
            async with self._slots:
                entered = True
                try:
                    answer = await ask(caller)
                except BackendError:
                    raise
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    raise of_exception(error, self._clock.now()) or plugin_bug(self.name, error) from None
        if scope.cancelled_caught or answer is None:
            raise TimedOut if entered else Busy("too many calls to it are in flight")
        return answer

    async def _answered(self, permit: Permit, booking: Booking | None, answer: CallReport, kind: str) -> None:
        trouble: Code | None = getattr(answer, "trouble", None)
        self._breaker.succeeded(permit)
        if trouble is not None:
            self._breaker.troubled(trouble, kind)
        if self._ledger and booking:
            await self._written(self._ledger.answered(booking, answer.units, answer.cost))
        await self._breaker.save()

    async def _failed(self, permit: Permit, booking: Booking | None, error: BackendError, seconds: float) -> None:
        unsent = error.unsent or isinstance(error, Busy)
        hurried = error.code is Code.TIMEOUT and seconds < min(FAIR_CHANCE_S, self._timeout_s)
        if unsent or hurried:
            self._breaker.released(permit)
        else:
            self._breaker.failed(permit, error)
            if (rest := self._breaker.resting(permit.kind)) is not None and rest.code is error.code:
                error.retry_after = rest.retry_after  # whoever asks next is told the same
        if self._ledger and booking:
            await self._written(self._ledger.withdrawn(booking) if unsent else self._ledger.failed(booking, error))
        await self._breaker.save()

    async def _left(self, permit: Permit, booking: Booking | None, *, unsent: bool) -> None:
        """Nobody waits for the answer any more."""
        import anyio

        self._breaker.released(permit)
        if self._ledger and booking:
            if unsent:
                with anyio.CancelScope(shield=True):
                    await self._written(self._ledger.withdrawn(booking))
            else:
                self._ledger.left(booking)

    async def _written(self, writing: Awaitable[None]) -> None:
        """What the ledger makes of a call never changes what the caller gets."""
        try:
            await writing
        except Exception as error:  # noqa: BLE001 - an answer that was paid for is not lost over its price
            log.warning("what %s cost could not be written down (%s)", self.name, cause(error))

    def _tell(self, outcome: Outcome, code: str, answer: CallReport | None, tenant: str, since: float) -> None:
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


class Busy(TimedOut):
    """All slots were taken until the deadline: our own limit, which says nothing about the source."""


OF_A_BACKEND = OF_THE_SERVICE | {Code.BLOCKED_BY_SITE}
"""A challenge that a search engine shows is its own; one that a fetcher meets is the page's."""


class Guards:
    """Makes sources. Without a store rests end with the process; without a ledger nobody counts what calls cost."""

    def __init__(
        self,
        settings: ChainSettings,
        clock: Clock,
        notify: Callable[[Event], None],
        *,
        store: Store | None = None,
        revision: Callable[[Component], str] = lambda _: "",
        ledger: Ledger | None = None,
    ) -> None:
        """`notify` returns at once and never raises. `revision` is that of the settings of whoever brought it."""
        self._settings = settings
        self._clock = clock
        self._notify = notify
        self._store = store
        self.revision = revision
        """Of the settings of whoever brought a component."""
        self._ledger = ledger

    def of_backend(self, backend: SearchBackend) -> GuardedSource:
        """Rests after its own failures, and is in the ledger."""
        breaker = Breaker(self._clock, OF_A_BACKEND, self._kept("search", backend))
        return self._source(backend, breaker, self._ledger)

    def of_fetcher(self, fetcher: Fetcher) -> GuardedSource:
        """A page that fails says nothing about a fetcher of this machine, and its calls cost nothing."""
        if not fetcher.remote:
            return self._source(fetcher, Breaker(self._clock, None), None)
        return self._source(fetcher, Breaker(self._clock, OF_THE_SERVICE, self._kept("read", fetcher)), self._ledger)

    def _source(self, component: SearchBackend | Fetcher, breaker: Breaker, ledger: Ledger | None) -> GuardedSource:
        return GuardedSource(
            component.name,
            self._clock,
            self._notify,
            timeout_s=self._settings.backend_timeout_s,
            concurrency=self._settings.backend_concurrency,
            breaker=breaker,
            ledger=ledger,
            paid=component.paid,
            unit=component.unit,
        )

    def _kept(self, room: str, component: Component) -> CooldownStore | None:
        if self._store is None:
            return None
        store = PrefixedStore(self._store, f"rests:{room}")
        return CooldownStore(store, self._clock, component.name, self.revision(component))
