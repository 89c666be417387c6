"""What each call cost, by day, source and tenant; and the operator's caps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from anyio import CancelScope

from ...contract.errors import BackendError, Code
from ...contract.interfaces import Clock, Store
from ...settings.configuration import LedgerSettings
from ...stores.prefixed import PrefixedStore
from ...stores.resilient import ResilientStore
from .budgets import NOTHING, UNKNOWN, Budgets, Cost, PlannedCall, Reservation, whole
from .usage import UsageBook, UsageRow, UsageSums, day_of

_MAY_HAVE_COST = frozenset((Code.TIMEOUT, Code.NETWORK, Code.DRIFT, Code.TOO_LARGE))
"""Failures after which the source may well have done, and charged, its work."""


@dataclass(frozen=True, slots=True)
class Booking:
    """A planned call that was let through. It ends in exactly one of the four methods; none of them ever raises."""

    day: date
    call: PlannedCall
    reservation: Reservation | None
    accounts: UsageBook
    caps: Budgets

    async def answered(self, units: float | None, usd: float | None) -> None:
        """The call came back; this is what the answer says that it cost, None: it does not say."""
        cost = Cost(whole(units, 1e3), whole(usd, 1e6))
        await self._ended(
            cost, UsageSums(self.call.queries, 0, cost.milli_units or 0, cost.micro_usd or 0), answered=True
        )

    async def failed(self, error: BackendError) -> None:
        """The call failed. Where it may have been charged all the same, the caps count what was expected."""
        cost = UNKNOWN if error.code in _MAY_HAVE_COST else NOTHING
        await self._ended(cost, UsageSums(self.call.queries, self.call.queries))

    async def withdrawn(self) -> None:
        """Nothing was sent after all: it counts for nothing."""
        await self._ended(NOTHING, None)

    async def left(self) -> None:
        """The caller left before the answer came: a call whose cost will not be known."""
        await self._ended(UNKNOWN, UsageSums(self.call.queries))

    async def _ended(self, cost: Cost, sums: UsageSums | None, *, answered: bool = False) -> None:
        try:
            if sums:
                account = UsageRow(self.call.source, self.call.unit, self.call.tenant)
                self.accounts.add(self.day, account, sums)
        finally:
            if self.reservation:
                with CancelScope(shield=True):  # a call that was cancelled is settled, too
                    await self.caps.settle(self.reservation, cost, answered=answered)


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
    """Of one server, under a prefix of its own in the store, which all processes share."""

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
        return Booking(day_of(self._clock), call, reservation, self._accounts, self._caps)

    async def entries(self, days: int, tenant: str | None = None) -> list[Entry]:
        """The last `days` days, today first; of one tenant, or of all. Raises what the store raises."""
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

    async def aclose(self) -> None:
        """Write the rest. The store must still be open."""
        await self._accounts.aclose()
