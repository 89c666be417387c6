"""What may be spent: held back before a call, settled after it, so that no number of calls at once passes a cap."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, NamedTuple

from anyio import CancelScope, move_on_after
from pydantic import TypeAdapter, ValidationError

from ...contract.errors import Advice, QuotaExceeded
from ...contract.interfaces import Clock, Store
from ...contract.outline import content_hash
from ...settings.configuration import Cap
from ...stores.resilient import StoreUnavailable
from .usage import DAY_S, UsageSums, day_of

AT_DAY = "the operator's cap for this day is reached: it asks again tomorrow (UTC)"
AT_MONTH = "the operator's cap for this month is reached: it asks again next month (UTC)"
AT_TENANT = "the operator's cap for this caller and day is reached: it asks again tomorrow (UTC)"
UNKNOWN_PRICE = "another call is finding out what one costs, which the operator's cap in dollars depends on"
UNKNOWN_PRICE_S = 1.0
UNCHECKED = "the operator's cap cannot be checked, because the store fails"
"""A cap that cannot be checked holds."""
MEND_THE_STORE = "use another backend; the operator must mend the store: the log says what is wrong with it"
UNCHECKED_S = 30.0
GOOD_S = float(DAY_S)
"""A price is forgotten after this time: else one call that cost more than a whole cap would end all asking."""
_MOST = 10**12
"""Thousandths of a unit, or millionths of a dollar: no call costs more, whatever an answer says."""
TO_THE_END_S = 10.0
"""A call that is cancelled waits this long for what it takes from a counter, to give it back. After that it counts."""

Measure = Literal["milli_units", "micro_usd"]

Spent = Callable[[date, str, str | None], Awaitable[UsageSums]]
"""From a day on, by one source, for one tenant or for all."""


class CapReached(QuotaExceeded):
    """A call that would pass the operator's cap: nothing was asked, and nothing is wrong with source or account."""

    @property
    def advice(self) -> Advice:
        """A cap ends with its day or month, unlike an account that is empty."""
        return _ADVICE._replace(next_step=self.next_step) if self.next_step else _ADVICE


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


class Cost(NamedTuple):
    """What something costs, as far as it is known. Whole numbers add up without loss."""

    milli_units: int | None = None
    micro_usd: int | None = None


NOTHING = Cost(0, 0)
UNKNOWN = Cost()
_COST = TypeAdapter(Cost)


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
    def price_key(self) -> str:
        """What its price depends on."""
        return f"price:{self.source}:{self.kind}"


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call is expected to cost, held back until it is known what it did cost."""

    call: PlannedCall
    price: Cost
    """Of one query."""
    learning: bool
    """It is to show what a call costs: no other is made meanwhile."""
    held: list[_Held] = field(default_factory=list[_Held])

    def expected(self, measure: Measure) -> int:
        """What to hold back: never less than the last query cost, and rounded up, to keep caps rather too strictly."""
        known, most = self.price.milli_units or 0, whole(self.call.units, 1e3) or 0
        if measure == "milli_units":
            return max(known, most) * self.call.queries
        known = max(known, 1000)
        # a price that is known for fewer units, in proportion
        return -(-(self.price.micro_usd or 0) * max(known, most) // known) * self.call.queries


class Budgets:
    """Reserves and settles, in counters that all processes share."""

    def __init__(self, store: Store, clock: Clock, caps: Mapping[str, Cap], spent: Spent) -> None:
        """`spent` tells what had been spent before a cap was first looked at."""
        self._store = store
        self._clock = clock
        self._spent = spent
        self._learning: dict[str, asyncio.Event] = {}
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
                price = await self._price(call)
                learning = call.paid and in_dollars and price.micro_usd is None
                if not learning or (learnt := self._learning.get(call.price_key)) is None:
                    return await self._held_back(Reservation(call, price, learning), limits)
                with move_on_after(ends - self._clock.monotonic()):
                    await learnt.wait()
                    continue
                raise CapReached(UNKNOWN_PRICE, retry_after=UNKNOWN_PRICE_S)
        except StoreUnavailable:
            error = CapReached(UNCHECKED, retry_after=UNCHECKED_S)
            error.next_step = MEND_THE_STORE
            raise error from None

    async def settle(self, reservation: Reservation, cost: Cost, *, answered: bool = False) -> None:
        """Count this instead of what was held back, which stays where nothing is known. Never raises.

        What was `answered` shows the price of the next call.
        """
        try:
            if answered:
                with suppress(StoreUnavailable):
                    await self._learn(reservation, cost)
            with suppress(StoreUnavailable):
                for held in reservation.held:
                    amount: int | None = getattr(cost, held.measure)
                    if amount is not None and amount != held.amount:
                        await self._store.incr(held.key, amount - held.amount, held.ttl)
        finally:
            if reservation.learning and (learnt := self._learning.pop(reservation.call.price_key, None)):
                learnt.set()

    async def _price(self, call: PlannedCall) -> Cost:
        """What a query of this kind cost last."""
        try:
            return _COST.validate_json(await self._store.get(call.price_key) or b"[null, null]")
        except ValidationError:
            return UNKNOWN

    async def _learn(self, reservation: Reservation, cost: Cost) -> None:
        """An answer that says nothing of dollars costs none, as far as is known."""
        call, before = reservation.call, reservation.price
        units, usd = (None if amount is None else -(-amount // call.queries) for amount in cost)
        price = Cost(before.milli_units if units is None else units, before.micro_usd or 0 if usd is None else usd)
        if price != before:
            await self._store.set(call.price_key, _COST.dump_json(price), GOOD_S)

    async def _held_back(self, reservation: Reservation, limits: tuple[tuple[_Limit, int], ...]) -> Reservation:
        if reservation.learning:
            self._learning[reservation.call.price_key] = asyncio.Event()
        try:
            for limit, most in limits:
                await self._hold(reservation, limit, most)
        except (Exception, asyncio.CancelledError):
            with CancelScope(shield=True):
                await self.settle(reservation, NOTHING)
            raise
        return reservation

    async def _hold(self, reservation: Reservation, limit: _Limit, most: int) -> None:
        call = reservation.call
        first, end = _period(day_of(self._clock), monthly=limit.monthly)
        left = datetime.combine(end, time(), UTC).timestamp() - self._clock.now()
        tenant = call.tenant if limit.of_tenant else None
        key = f"cap:{call.source}:{limit.measure}:{first}:{end}"
        if tenant is not None:
            key = f"{key}:{content_hash(tenant)}"
        held = _Held(key, limit.measure, reservation.expected(limit.measure), ttl=left + DAY_S)
        total = await self._before(held, first, call.source, tenant) + await self._taken(reservation, held)
        # a price that was never told is something, however little: nothing is asked when a cap is reached already
        blind = call.paid and limit.measure == "micro_usd" and held.amount == 0
        if total > most or (blind and total == most):
            raise CapReached(limit.detail, retry_after=left)

    async def _before(self, held: _Held, first: date, source: str, tenant: str | None) -> int:
        """What the ledger knew before this period's counter began: the same number for every process."""
        key = f"{held.key}:before"
        raw = await self._store.get(key)
        if raw is None:
            raw = b"%d" % getattr(await self._spent(first, source, tenant), held.measure)
            if not await self._store.add_if_absent(key, raw, held.ttl):
                raw = await self._store.get(key) or raw
        return int(raw)

    async def _taken(self, reservation: Reservation, held: _Held) -> int:
        async def take() -> int:
            total = await self._store.incr(held.key, held.amount, held.ttl)
            reservation.held.append(held)
            return total

        taking = asyncio.create_task(take())
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            with CancelScope(shield=True):
                await asyncio.wait((taking,), timeout=TO_THE_END_S)
            raise


def whole(amount: float | None, scale: float) -> int | None:
    """In whole parts; nonsense (less than nothing, no number, more than any engine asks) is as if nothing were said."""
    return round(amount * scale) if amount is not None and 0 <= amount <= _MOST / scale else None


def _period(today: date, *, monthly: bool) -> tuple[date, date]:
    """Its first day, and the first day after it."""
    if not monthly:
        return today, today + timedelta(days=1)
    first = today.replace(day=1)
    return first, (first + timedelta(days=32)).replace(day=1)
