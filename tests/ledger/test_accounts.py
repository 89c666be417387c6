"""What calls cost is added up by day, engine and tenant, in every process, and nothing is lost."""

from __future__ import annotations

import asyncio
import logging
from datetime import date

import pytest

from websearch_core.asking.ledger import usage
from websearch_core.asking.ledger.budgets import PlannedCall
from websearch_core.asking.ledger.ledger import Entry, Ledger
from websearch_core.contract.errors import ServerFailed, WebsearchError
from websearch_core.contract.interfaces import Store
from websearch_core.settings.configuration import LedgerSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock

TODAY = date(2026, 11, 20)
DAY = 86400.0


def ledger(store: Store, clock: FakeClock) -> Ledger:
    return Ledger(store, clock, LedgerSettings())


async def spend(
    book: Ledger,
    source: str = "brave",
    tenant: str = "",
    *,
    units: float | None = 1,
    usd: float | None = 0.005,
    unit: str = "request",
) -> None:
    await (await book.book(PlannedCall(source, tenant, paid=True, unit=unit))).answered(units, usd)


async def test_calls_units_and_dollars_are_added_up_by_engine_and_tenant(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock)
    await spend(book)
    await spend(book, units=2, usd=0.0001)
    await spend(book, "tavily", "alice", units=0.5, usd=0.004, unit="credit")
    await (await book.book(PlannedCall("tavily", "alice", paid=True, unit="credit"))).failed(ServerFailed())
    await (await book.book(PlannedCall("tavily", "bob", paid=True, unit="credit"))).left()
    await (await book.book(PlannedCall("exa", "", paid=True))).withdrawn()
    expected = [
        Entry(TODAY, "brave", "", calls=2, failed=0, units=3, unit="request", usd=0.0051),
        Entry(TODAY, "tavily", "alice", calls=2, failed=1, units=0.5, unit="credit", usd=0.004),
        Entry(TODAY, "tavily", "bob", calls=1, failed=0, units=0, unit="credit", usd=0),
    ]
    assert await book.entries(1) == expected
    await book.aclose()
    assert await book.entries(1) == expected
    assert await ledger(store, clock).entries(1) == expected
    assert await book.entries(1, "alice") == [expected[1]]


async def test_a_call_belongs_to_the_day_in_utc_on_which_it_began(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock)
    clock.advance(DAY / 2 - 1)
    late = await book.book(PlannedCall("brave", "", paid=True))
    clock.advance(2)
    await late.answered(1, None)
    await spend(book)
    days = [(entry.day, entry.units) for entry in await book.entries(7)]
    assert days == [(date(2026, 11, 21), 1), (TODAY, 1)]
    assert [entry.day for entry in await book.entries(1)] == [date(2026, 11, 21)]


@pytest.mark.parametrize("nonsense", [None, -1.0, float("nan"), float("inf")])
async def test_what_an_answer_does_not_say_or_says_wrongly_costs_nothing(
    nonsense: float | None, store: Store, clock: FakeClock
) -> None:
    book = ledger(store, clock)
    await spend(book, units=nonsense, usd=nonsense)
    (entry,) = await book.entries(1)
    assert (entry.calls, entry.units, entry.usd) == (1, 0, 0)


async def test_many_processes_add_to_the_same_day_and_lose_nothing(store: Store, clock: FakeClock) -> None:
    books = [ledger(store, clock) for _ in range(4)]

    async def work(book: Ledger) -> None:
        for _ in range(25):
            await spend(book)
            await book.aclose()

    await asyncio.gather(*(work(book) for book in books))
    for book in books:
        await book.aclose()
    (entry,) = await ledger(store, clock).entries(1)
    assert (entry.calls, entry.units, round(entry.usd, 6)) == (100, 100, 0.5)


async def test_what_was_counted_is_written_within_a_second_or_when_it_closes(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "FLUSH_S", 0.01)
    book = ledger(store, clock)
    await spend(book)
    await until_written(store, clock)
    await spend(book)
    await book.aclose()
    (entry,) = await ledger(store, clock).entries(1)
    assert entry.calls == 2


async def until_written(store: Store, clock: FakeClock) -> None:
    async with asyncio.timeout(60):
        while not await ledger(store, clock).entries(1):  # noqa: ASYNC110 - another process would look, too
            await asyncio.sleep(0.01)


async def test_days_are_kept_as_long_as_the_operator_says(store: Store, clock: FakeClock) -> None:
    book = Ledger(store, clock, LedgerSettings(keep_days=32))
    await spend(book)
    await book.aclose()
    clock.advance(31 * DAY)
    assert len(await book.entries(40)) == 1
    clock.advance(2 * DAY)
    assert await book.entries(40) == []


async def test_a_failing_store_loses_nothing_and_fails_no_call(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    store = Moody(clock, 100_000)
    book = ledger(store, clock)
    store.fails = True
    with caplog.at_level(logging.WARNING):
        await spend(book)
        await book.aclose()
        await spend(book)
    assert "OSError" in caplog.text
    assert "secret" not in caplog.text
    store.fails = False
    await book.aclose()
    (entry,) = await ledger(store, clock).entries(1)
    assert entry.calls == 2


async def test_a_full_disk_is_told_in_the_log(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    class Full(MemoryStore):
        async def compare_and_set(self, *_: object, **__: object) -> bool:
            raise WebsearchError("/data/store.db: the disk is full; make room there")

    book = ledger(Full(clock, 100_000), clock)
    await spend(book)
    await book.aclose()
    assert "the store could not be changed (/data/store.db: the disk is full; make room there)" in caplog.text


async def test_a_day_that_cannot_be_read_begins_anew(store: Store, clock: FakeClock) -> None:
    await store.set("ledger:2026-11-20", b"rubbish")
    book = ledger(store, clock)
    await spend(book)
    await book.aclose()
    assert len(await ledger(store, clock).entries(1)) == 1


async def test_a_flood_of_tenants_is_counted_together(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "MOST_ROWS", 3)
    book = ledger(store, clock)
    for number in range(10):
        await spend(book, tenant=f"t{number}")
        await book.aclose()
    entries = {entry.tenant: entry.calls for entry in await book.entries(1)}
    assert entries == {"t0": 1, "t1": 1, "t2": 1, usage.OTHERS: 7}


class Moody(MemoryStore):
    fails = False

    async def get(self, key: str) -> bytes | None:
        if self.fails:
            raise OSError("secret of the store")
        return await super().get(key)
