"""What was spent: one record a day in the store, written at most once a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from ...contract.interfaces import Clock, Store
from ...stores.resilient import StoreUnavailable

log = logging.getLogger(__name__)

DAY_S = 86400
FLUSH_S = 1.0
"""How long a call may wait to be written: a process that is killed loses no more than this."""
MOST_ROWS = 5000
"""Of one day: tenants beyond it are counted together."""
OTHERS = "(others)"
_TRIES = 5


class UsageRow(NamedTuple):
    """Whose calls are added up."""

    source: str
    unit: str
    tenant: str


class UsageSums(NamedTuple):
    """What calls came to. Whole numbers add up without loss."""

    calls: int = 0
    failed: int = 0
    milli_units: int = 0
    micro_usd: int = 0

    def plus(self, more: UsageSums) -> UsageSums:
        """Both together."""
        return UsageSums(*map(sum, zip(self, more, strict=True)))


Day = dict[UsageRow, UsageSums]

_Rows: TypeAdapter[Any] = TypeAdapter(list[tuple[str, str, str, int, int, int, int]])


def day_of(clock: Clock) -> date:
    """Today, in UTC."""
    return datetime.fromtimestamp(clock.now(), UTC).date()


class UsageBook:
    """Adds up in memory, and now and then to what is in the store, where other processes add theirs."""

    def __init__(self, store: Store, clock: Clock, keep_days: int) -> None:
        self._store = store
        self._clock = clock
        self._keep_s = float(keep_days * DAY_S)
        self._pending: dict[date, Day] = {}
        self._writing = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, day: date, account: UsageRow, sums: UsageSums) -> None:
        """Count; returns at once and never raises."""
        _add(self._pending.setdefault(day, {}), {account: sums})
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_S, self._flush_soon)

    async def flush(self) -> None:
        """Write what waits. Never raises: what a failing store did not take waits on."""
        async with self._writing:
            for day in tuple(self._pending):
                sums = self._pending.pop(day)
                written = False
                try:
                    with suppress(StoreUnavailable):
                        written = await self._written(day, sums)
                finally:
                    if not written:
                        _add(self._pending.setdefault(day, {}), sums)

    async def aclose(self) -> None:
        """Write the rest."""
        if self._timer is not None:
            self._timer.cancel()
        await self.flush()

    async def of(self, day: date) -> Mapping[UsageRow, UsageSums]:
        """All of one day; what waits here is included. Raises what the store raises."""
        async with self._writing:
            found = _read(await self._store.get(day.isoformat()))
            _add(found, self._pending.get(day, {}))
            return found

    async def since(self, first: date, source: str, tenant: str | None = None) -> UsageSums:
        """What one source came to from this day on: for one tenant, or for all."""
        total = UsageSums()
        for back in range((day_of(self._clock) - first).days + 1):
            for account, sums in (await self.of(first + timedelta(days=back))).items():
                if account.source == source and tenant in (None, account.tenant):
                    total = total.plus(sums)
        return total

    def _flush_soon(self) -> None:
        self._timer = None
        task = asyncio.get_running_loop().create_task(self.flush())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _written(self, day: date, sums: Day) -> bool:
        """Whether the store took it; another process may have written in between, so several tries."""
        key = day.isoformat()
        for _ in range(_TRIES):
            raw = await self._store.get(key)
            there = _read(raw)
            _add(there, sums)
            rows = _Rows.dump_json([(*account, *total) for account, total in there.items()])
            if await self._store.compare_and_set(key, raw, rows, self._keep_s):
                return True
        return False


def _add(day: Day, more: Mapping[UsageRow, UsageSums]) -> None:
    for account, sums in more.items():
        if account not in day and len(day) >= MOST_ROWS:
            account = account._replace(tenant=OTHERS)  # noqa: PLW2901 - counted, if not by name
        day[account] = day.get(account, UsageSums()).plus(sums)


def _read(raw: bytes | None) -> Day:
    if raw is None:
        return {}
    try:
        rows = _Rows.validate_json(raw)
    except ValidationError:
        log.warning("the ledger of a day cannot be read: it begins anew")
        return {}
    return {UsageRow(*row[:3]): UsageSums(*row[3:]) for row in rows}
