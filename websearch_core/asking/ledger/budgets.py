"""What may be spent: held back before a call, settled after it, so that no number of calls at once passes a cap."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeVar

from anyio import CancelScope

from ...contract.errors import Advice, QuotaExceeded
from ...contract.interfaces import Clock, Store
from ...contract.outline import content_hash
from ...settings.configuration import Cap
from ...stores.resilient import StoreUnavailable
from .prices import Measure, Price, Prices, whole
from .usage import DAY_S, UsageSums, day_of

T = TypeVar("T")

AT_DAY = "the operator's cap for this day is reached: it asks again tomorrow (UTC)"
AT_MONTH = "the operator's cap for this month is reached: it asks again next month (UTC)"
AT_TENANT = "the operator's cap for this caller and day is reached: it asks again tomorrow (UTC)"
UNKNOWN_PRICE = "another call is finding out what one costs, which the operator's cap in dollars depends on"
UNKNOWN_PRICE_S = 1.0
UNCHECKED = "the operator's cap cannot be checked, because the store does not answer"
"""A cap that cannot be checked holds."""
UNCHECKED_S = 30.0
MOST_BASES = 10_000
TO_THE_END_S = 10.0
"""So long who is cancelled waits for what it takes from a counter, to give it back. After that it counts as spent."""

Spent = Callable[[date, str, str | None], Awaitable[UsageSums]]
"""From a day on, by one source, for one tenant or for all."""


class CapReached(QuotaExceeded):
    """A call that would pass the operator's cap: nothing was asked, and nothing is wrong with source or account."""

    @property
    def advice(self) -> Advice:
        """A cap ends with its day or month, unlike an account that is empty."""
        return _ADVICE


_ADVICE = Advice(
    "a cap of the operator's is reached", "use another backend, or the operator raises the cap", retry_helps=True
)


class _Limit(NamedTuple):
    setting: str
    measure: Measure
    detail: str
    monthly: bool = False
    of_tenant: bool = False


_LIMITS = (
    _Limit("usd_per_day", "micro_usd", AT_DAY),
    _Limit("usd_per_month", "micro_usd", AT_MONTH, monthly=True),
    _Limit("units_per_day", "milli_units", AT_DAY),
    _Limit("units_per_month", "milli_units", AT_MONTH, monthly=True),
    _Limit("tenant_usd_per_day", "micro_usd", AT_TENANT, of_tenant=True),
    _Limit("tenant_units_per_day", "milli_units", AT_TENANT, of_tenant=True),
)
_SCALE: Mapping[Measure, float] = {"micro_usd": 1e6, "milli_units": 1e3}


class _Held(NamedTuple):
    """In one counter, for one call."""

    key: str
    measure: Measure
    amount: int
    ttl: float


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call that is about to be made."""

    source: str
    tenant: str
    kind: str = ""
    paid: bool = False
    unit: str = "request"
    """What the source counts."""
    queries: int = 1
    """That the source is sent for this call: each is counted."""
    units: float = 1.0
    """That each query may take at most, as far as the source knows."""

    @property
    def sort(self) -> tuple[str, str]:
        """What its price depends on."""
        return self.source, self.kind


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call is expected to cost, held back until it is known what it did cost."""

    call: PlannedCall
    price: Price
    """Of one query."""
    learning: bool
    """It is to show what a call costs: no other is made meanwhile."""
    held: list[_Held] = field(default_factory=list[_Held])


class Budgets:
    """Reserves and settles, in counters that all processes share."""

    def __init__(self, store: Store, clock: Clock, caps: Mapping[str, Cap], spent: Spent) -> None:
        """`spent` tells what had been spent before a cap was first looked at."""
        self._store = store
        self._clock = clock
        self._spent = spent
        self._prices = Prices(store, clock)
        self._learning: dict[tuple[str, str], asyncio.Event] = {}
        self._bases: dict[str, int] = {}
        self._limits = {
            source: tuple(
                (limit, round(most * _SCALE[limit.measure]))
                for limit in _LIMITS
                if (most := getattr(cap, limit.setting)) is not None
            )
            for source, cap in caps.items()
        }

    async def reserve(self, call: PlannedCall, patience_s: float = 0.0) -> Reservation | None:
        """Hold back what this call is expected to cost; None: it has no cap. Raises `CapReached`.

        As long as it is not known what a paid query costs, calls under a cap in dollars go one at a time: the others
        wait, for at most `patience_s`.
        """
        if not (limits := self._limits.get(call.source)):
            return None
        in_dollars = any(limit.measure == "micro_usd" for limit, _ in limits)
        ends = self._clock.monotonic() + patience_s
        try:
            while True:
                price = await self._prices.of(*call.sort)
                learning = call.paid and in_dollars and price.micro_usd is None
                if not learning or (learnt := self._learning.get(call.sort)) is None:
                    break
                if not await _set_within(learnt, ends - self._clock.monotonic()):
                    raise CapReached(UNKNOWN_PRICE, retry_after=UNKNOWN_PRICE_S)
            return await self._held_back(Reservation(call, price, learning), limits)
        except StoreUnavailable:
            raise CapReached(UNCHECKED, retry_after=UNCHECKED_S) from None

    async def answered(self, reservation: Reservation, milli_units: int | None, micro_usd: int | None) -> None:
        """Count what the answer to all queries says instead; where it says nothing, what was expected. Never raises."""
        each = (_each(amount, reservation.call.queries) for amount in (milli_units, micro_usd))
        try:
            with suppress(StoreUnavailable):
                await self._prices.learn(*reservation.call.sort, *each)
            with suppress(StoreUnavailable):  # on its own: what was spent counts, though its price could not be kept
                await self._settle(reservation, Price(milli_units, micro_usd))
        finally:
            self.left(reservation)

    async def withdrawn(self, reservation: Reservation) -> None:
        """It surely cost nothing. Never raises."""
        self.left(reservation)
        with suppress(StoreUnavailable):
            await self._settle(reservation, Price(0, 0))

    def left(self, reservation: Reservation) -> None:
        """Nobody will know what it cost: what was held back counts."""
        if reservation.learning and (learnt := self._learning.pop(reservation.call.sort, None)):
            learnt.set()

    async def _held_back(self, reservation: Reservation, limits: tuple[tuple[_Limit, int], ...]) -> Reservation:
        if reservation.learning:
            self._learning[reservation.call.sort] = asyncio.Event()
        try:
            for limit, most in limits:
                await self._hold(reservation, limit, most)
        except (Exception, asyncio.CancelledError):
            with CancelScope(shield=True):
                await self.withdrawn(reservation)
            raise
        except BaseException:
            self.left(reservation)
            raise
        return reservation

    async def _hold(self, reservation: Reservation, limit: _Limit, most: int) -> None:
        call = reservation.call
        first, end = _period(day_of(self._clock), monthly=limit.monthly)
        left = datetime.combine(end, time(), UTC).timestamp() - self._clock.now()
        key = f"cap:{call.source}:{limit.measure}:{first}:{end}"
        if limit.of_tenant:
            key = f"{key}:{content_hash(call.tenant)}"
        expected = reservation.price.expected(limit.measure, whole(call.units, 1e3) or 0) * call.queries
        held = _Held(key, limit.measure, expected, ttl=left + DAY_S)
        total = await self._base(held, first, call.source, call.tenant if limit.of_tenant else None)
        total += await _to_the_end(self._take(reservation, held))
        # a price that is not known is something, however little: nothing is asked when a cap is reached already
        blind = reservation.learning and limit.measure == "micro_usd"
        if total > most or (blind and total == most):
            raise CapReached(limit.detail, retry_after=left)

    async def _take(self, reservation: Reservation, held: _Held) -> int:
        total = await self._store.incr(held.key, held.amount, held.ttl)
        reservation.held.append(held)
        return total

    async def _base(self, held: _Held, first: date, source: str, tenant: str | None) -> int:
        """What the ledger knew before this period's counter began: the same number for every process."""
        if (base := self._bases.get(held.key)) is None:
            if len(self._bases) >= MOST_BASES:
                self._bases.clear()
            key = f"{held.key}:before"
            raw = await self._store.get(key)
            if raw is None:
                raw = b"%d" % getattr(await self._spent(first, source, tenant), held.measure)
                if not await self._store.add_if_absent(key, raw, held.ttl):
                    raw = await self._store.get(key) or raw
            base = self._bases[held.key] = int(raw)
        return base

    async def _settle(self, reservation: Reservation, cost: Price) -> None:
        for held in reservation.held:
            amount: int | None = getattr(cost, held.measure)
            if amount is not None and amount != held.amount:
                await self._store.incr(held.key, amount - held.amount, held.ttl)


async def _to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """What it returns. Who is cancelled meanwhile leaves when it is done, and so knows what there is to give back."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with CancelScope(shield=True):
            await asyncio.wait((task,), timeout=TO_THE_END_S)
        raise


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _each(amount: int | None, queries: int) -> int | None:
    """Of one query, rounded up: a cap is rather kept too strictly."""
    return None if amount is None else -(-amount // queries)


def _period(today: date, *, monthly: bool) -> tuple[date, date]:
    """Its first day, and the first day after it."""
    if not monthly:
        return today, today + timedelta(days=1)
    first = today.replace(day=1)
    return first, (first + timedelta(days=32)).replace(day=1)
