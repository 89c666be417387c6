"""What each call cost, by day, source and tenant; and the operator's caps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from ...contract.errors import BackendError, Code
from ...contract.interfaces import Clock, Store
from ...settings.configuration import LedgerSettings
from ...stores.prefixed import PrefixedStore
from ...stores.resilient import ResilientStore
from .budgets import Budgets, PlannedCall, Reservation
from .prices import whole
from .usage import UsageBook, UsageRow, UsageSums, day_of

_MAY_HAVE_COST = frozenset((Code.TIMEOUT, Code.NETWORK, Code.DRIFT, Code.TOO_LARGE))
"""Failures after which the source may well have done, and charged, its work."""


@dataclass(frozen=True, slots=True)
class Booking:
    """A planned call that was let through."""

    day: date
    call: PlannedCall
    reservation: Reservation | None

    @property
    def account(self) -> UsageRow:
        """Where it is counted."""
        return UsageRow(self.call.source, self.call.unit, self.call.tenant)


@dataclass(frozen=True, slots=True)
class Entry:
    """What one source's calls for one tenant came to on one day (UTC)."""

    day: date
    engine: str
    tenant: str
    calls: int
    failed: int
    units: float
    unit: str
    usd: float


@dataclass(frozen=True, slots=True)
class Totals:
    """What entries add up to."""

    calls: int
    failed: int
    units: Mapping[str, float]
    """By the unit's name: credits and requests do not add up."""
    usd: float


def totals_of(entries: Iterable[Entry]) -> Totals:
    """All of them together."""
    calls, failed, usd = 0, 0, 0.0
    units: dict[str, float] = {}
    for entry in entries:
        calls, failed, usd = calls + entry.calls, failed + entry.failed, usd + entry.usd
        if entry.units:
            units[entry.unit] = round(units.get(entry.unit, 0.0) + entry.units, 3)
    return Totals(calls, failed, units, round(usd, 6))


class Ledger:
    """Of one server, in a room of its own of the store, which all processes share.

    A booking goes to exactly one of `answered`, `failed`, `withdrawn` and `left`. None of them ever raises.
    """

    def __init__(self, store: Store, clock: Clock, settings: LedgerSettings) -> None:
        meaning = "what calls cost is written down later, and no call under a cap is made until then"
        room = ResilientStore(PrefixedStore(store, "ledger"), clock, "hold", meaning)
        self._clock = clock
        self._accounts = UsageBook(room, clock, settings.keep_days)
        self._caps = Budgets(room, clock, settings.caps, self._accounts.since)

    async def book(self, call: PlannedCall, patience_s: float = 0.0) -> Booking:
        """Before a call. Raises `CapReached` when it would pass a cap of the operator's.

        It waits for at most `patience_s` where another call is to show what one costs.
        """
        reservation = await self._caps.reserve(call, patience_s)
        return Booking(day_of(self._clock), call, reservation)

    async def answered(self, booking: Booking, units: float | None, usd: float | None) -> None:
        """The call came back; this is what the answer says that it cost, None: it does not say."""
        milli, micro = whole(units, 1e3), whole(usd, 1e6)
        try:
            self._accounts.add(booking.day, booking.account, UsageSums(booking.call.queries, 0, milli or 0, micro or 0))
        finally:
            if booking.reservation:
                await self._caps.answered(booking.reservation, milli, micro)

    async def failed(self, booking: Booking, error: BackendError) -> None:
        """The call failed. Where it may have been charged all the same, the caps count what was expected."""
        try:
            self._accounts.add(booking.day, booking.account, UsageSums(booking.call.queries, booking.call.queries))
        finally:
            if booking.reservation and error.code in _MAY_HAVE_COST:
                self._caps.left(booking.reservation)
            elif booking.reservation:
                await self._caps.withdrawn(booking.reservation)

    async def withdrawn(self, booking: Booking) -> None:
        """Nothing was sent after all: it counts for nothing."""
        if booking.reservation:
            await self._caps.withdrawn(booking.reservation)

    def left(self, booking: Booking) -> None:
        """Nobody waits for the answer any more: a call, whose cost nobody will know."""
        self._accounts.add(booking.day, booking.account, UsageSums(booking.call.queries))
        if booking.reservation:
            self._caps.left(booking.reservation)

    async def entries(self, days: int, tenant: str | None = None) -> list[Entry]:
        """The last so many days, today first; of one tenant, or of all. Raises what the store raises."""
        today = day_of(self._clock)
        found: list[Entry] = []
        for day in (today - timedelta(days=back) for back in range(days)):
            accounts = await self._accounts.of(day)
            found += [
                Entry(
                    day=day,
                    engine=account.source,
                    tenant=account.tenant,
                    calls=sums.calls,
                    failed=sums.failed,
                    units=sums.milli_units / 1e3,
                    unit=account.unit,
                    usd=sums.micro_usd / 1e6,
                )
                for account, sums in sorted(accounts.items())
                if tenant in (None, account.tenant)
            ]
        return found

    async def flush(self) -> None:
        """Write what is not written yet."""
        await self._accounts.flush()

    async def aclose(self) -> None:
        """Write the rest. The store must still be open."""
        await self._accounts.aclose()
