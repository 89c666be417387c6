"""A call that would pass a cap does not happen: with any number at once, in any number of processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.asking.ledger import budgets
from websearch_core.asking.ledger.budgets import (
    AT_DAY,
    AT_MONTH,
    AT_TENANT,
    UNCHECKED,
    UNKNOWN_PRICE,
    CapReached,
    PlannedCall,
)
from websearch_core.asking.ledger.ledger import Booking, Ledger
from websearch_core.contract.errors import AuthFailed, BackendError, Code, QuotaExceeded, TimedOut
from websearch_core.contract.interfaces import Store
from websearch_core.settings.configuration import LedgerSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import FakeClock

HALF_A_DAY = 43200.0


def ledger(store: Store, clock: FakeClock, **caps: Any) -> Ledger:
    return Ledger(store, clock, LedgerSettings.model_validate({"caps": {"brave": caps} if caps else {}}))


async def booked(
    book: Ledger, tenant: str = "", kind: str = "web", source: str = "brave", queries: int = 1, patience_s: float = 0
) -> Booking:
    return await book.book(PlannedCall(source, tenant, kind, paid=True, queries=queries), patience_s)


async def spend(
    book: Ledger, tenant: str = "", kind: str = "web", *, units: float | None = 1, usd: float | None = None
) -> None:
    await (await booked(book, tenant, kind)).answered(units, usd)


async def refusal(book: Ledger, **more: Any) -> CapReached:
    with pytest.raises(CapReached) as refused:
        await booked(book, **more)
    return refused.value


async def tried(book: Ledger, *, units: float = 1, usd: float | None = None, tenant: str = "") -> bool:
    """Whether a call that takes a while came through."""
    try:
        booking = await booked(book, tenant)
    except CapReached:
        return False
    await asyncio.sleep(0)
    await booking.answered(units, usd)
    return True


async def test_of_a_hundred_at_once_ten_come_through_a_cap_of_ten(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=10)
    through = await asyncio.gather(*(tried(book) for _ in range(100)))
    assert sum(through) == 10
    assert [entry.units for entry in await book.entries(1)] == [10]


async def test_a_cap_holds_for_all_processes_together(processes: list[Ledger], clock: FakeClock) -> None:
    through = await asyncio.gather(*(tried(book) for _ in range(50) for book in processes))
    assert sum(through) == 10


@pytest.mark.parametrize(
    ("caps", "calls", "detail", "after"),
    [
        ({"units_per_day": 2}, 2, AT_DAY, HALF_A_DAY),
        ({"usd_per_day": 0.02}, 2, AT_DAY, HALF_A_DAY),
        ({"units_per_month": 3, "usd_per_month": 1}, 3, AT_MONTH, HALF_A_DAY + 10 * 86400),
        ({"usd_per_month": 0.03}, 3, AT_MONTH, HALF_A_DAY + 10 * 86400),
        ({"tenant_units_per_day": 1}, 1, AT_TENANT, HALF_A_DAY),
        ({"tenant_usd_per_day": 0.01, "units_per_day": 9}, 1, AT_TENANT, HALF_A_DAY),
        ({"units_per_day": 0}, 0, AT_DAY, HALF_A_DAY),
        ({"usd_per_day": 0}, 0, AT_DAY, HALF_A_DAY),
        ({"units_per_day": 2.5}, 2, AT_DAY, HALF_A_DAY),
    ],
)
async def test_each_cap_says_when_it_asks_again(
    caps: dict[str, float], calls: int, detail: str, after: float, store: Store, clock: FakeClock
) -> None:
    book = ledger(store, clock, **caps)
    for _ in range(calls):
        await spend(book, usd=0.01)
    refused = await refusal(book)
    assert (refused.detail, refused.retry_after) == (detail, after)
    assert isinstance(refused, QuotaExceeded)
    assert refused.code is Code.QUOTA
    assert refused.retry_helps
    assert refused.advice.next_step == "use another backend, or the operator raises the cap"
    clock.advance(after - 1)
    await refusal(book)
    if calls:
        clock.advance(1)
        await spend(book, usd=0.01)


async def test_a_callers_cap_is_its_own(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, tenant_units_per_day=1)
    await spend(book, "alice")
    await refusal(book, tenant="alice")
    await spend(book, "bob")
    await spend(book)


async def test_a_cap_concerns_the_engine_that_it_names(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=0)
    await refusal(book)
    assert (await booked(book, source="exa")).reservation is None


async def test_the_next_call_is_expected_to_cost_what_the_last_one_did(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=10)
    await spend(book, units=4)
    await spend(book, units=4)
    await refusal(book)
    await spend(book, kind="news", units=2)  # of another kind: a unit, as long as nothing is known


async def test_what_a_call_cost_less_is_given_back(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=10)
    await spend(book, units=8)
    clock.advance(HALF_A_DAY)
    await spend(book, units=3)
    await spend(book, units=3)
    await spend(book, units=3)
    await refusal(book)


async def test_where_an_answer_says_nothing_a_unit_is_counted(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=2)
    await spend(book, units=None)
    await spend(book, units=None)
    await refusal(book)


async def test_a_failure_that_cost_nothing_is_given_back(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=1)
    for _ in range(3):
        await (await booked(book)).failed(AuthFailed())
        await (await booked(book)).withdrawn()
    await spend(book)
    await refusal(book)


@pytest.mark.parametrize("error", [TimedOut(), None])
async def test_a_call_that_may_have_cost_something_counts(
    error: BackendError | None, store: Store, clock: FakeClock
) -> None:
    book = ledger(store, clock, units_per_day=1)
    booking = await booked(book)
    if error:
        await booking.failed(error)
    else:
        await booking.left()
    await refusal(book)


async def test_a_price_that_is_not_known_is_learnt_from_one_call_at_a_time(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, usd_per_day=0.05)
    first = await booked(book)
    waiting = await refusal(book)
    assert (waiting.detail, waiting.retry_after) == (UNKNOWN_PRICE, 1)
    await first.failed(TimedOut())
    await (await booked(book)).answered(1, 0.01)
    through = await asyncio.gather(*(tried(book, usd=0.01) for _ in range(20)))
    assert sum(through) == 4
    assert (await book.entries(1))[0].usd == 0.05


async def test_whoever_has_time_waits_until_the_price_is_known(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, usd_per_day=0.03)
    first = await booked(book)
    waiting = [asyncio.create_task(booked(book, patience_s=60)) for _ in range(4)]
    await anyio.wait_all_tasks_blocked()
    assert not any(task.done() for task in waiting)
    await first.answered(1, 0.01)
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["Booking", "Booking", "CapReached", "CapReached"]
    assert {each.detail for each in done if isinstance(each, CapReached)} == {AT_DAY}


@pytest.mark.parametrize("ends", ["failed", "withdrawn", "left", "cancelled"])
async def test_when_the_price_was_not_learnt_the_next_goes_to_learn_it(
    ends: str, store: Store, clock: FakeClock
) -> None:
    book = ledger(store, clock, usd_per_day=0.05)
    first = await booked(book)
    waiting = [asyncio.create_task(booked(book, patience_s=60)) for _ in range(3)]
    await anyio.wait_all_tasks_blocked()
    match ends:
        case "failed":
            await first.failed(AuthFailed())
        case "withdrawn":
            await first.withdrawn()
        case "left":
            await first.left()
        case _:
            waiting.pop().cancel()
            await first.withdrawn()
    done, others = await asyncio.wait(waiting, timeout=5, return_when=asyncio.FIRST_COMPLETED)
    assert (len(done), len(others)) == (1, len(waiting) - 1)
    await done.pop().result().answered(1, 0.01)
    await asyncio.gather(*others)


async def test_a_price_that_comes_too_late_is_truthfully_told(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, usd_per_day=0.05)
    await booked(book)
    refused = await refusal(book, patience_s=0.01)
    assert (refused.detail, refused.retry_after) == (UNKNOWN_PRICE, 1)


async def test_a_call_of_four_queries_is_four_under_every_cap(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=10)
    await (await booked(book, queries=4)).answered(None, None)
    held = await booked(book, queries=4)
    await refusal(book, queries=4)
    await held.failed(AuthFailed())
    await (await booked(book, queries=4)).answered(4, None)
    await booked(book, queries=2)
    await refusal(book)
    assert [(entry.calls, entry.failed) for entry in await book.entries(1)] == [(12, 4)]


async def test_a_price_is_that_of_one_query(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, usd_per_day=0.10, units_per_day=100)
    await (await booked(book, queries=4)).answered(8, 0.04)
    reservation = (await booked(book)).reservation
    assert reservation is not None
    assert [held.amount for held in reservation.held] == [10_000, 2000]
    reservation = (await booked(book, queries=5)).reservation
    assert reservation is not None
    assert [held.amount for held in reservation.held] == [50_000, 10_000]
    assert (await refusal(book)).detail == AT_DAY


async def test_a_call_that_nobody_waits_for_counts_with_all_its_queries(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=4)
    await (await booked(book, queries=3)).left()
    await refusal(book, queries=2)
    assert (await book.entries(1))[0].calls == 3


async def test_a_price_that_one_process_learnt_is_known_to_the_next(store: Store, clock: FakeClock) -> None:
    await spend(ledger(store, clock, usd_per_day=0.05), usd=0.02)
    book = ledger(store, clock, usd_per_day=0.05)
    await booked(book)
    assert (await refusal(book)).detail == AT_DAY


async def test_one_dear_call_does_not_silence_an_engine_for_ever(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, units_per_day=3)
    await spend(book, units=4)
    clock.advance(HALF_A_DAY)
    await refusal(book)
    clock.advance(HALF_A_DAY)
    await spend(book, units=1)


async def test_a_free_engine_passes_under_a_cap_in_dollars(store: Store, clock: FakeClock) -> None:
    book = ledger(store, clock, usd_per_day=0)
    for _ in range(3):
        await book.book(PlannedCall("brave", "", "web"))


async def test_what_was_spent_before_the_cap_was_written_counts(store: Store, clock: FakeClock) -> None:
    before = ledger(store, clock)
    await spend(before, units=7)
    clock.advance(86400)
    await spend(before, units=2, usd=0.5)
    await before.aclose()
    await spend(ledger(store, clock, units_per_month=10), units=1)
    await refusal(ledger(store, clock, units_per_month=10))
    await refusal(ledger(store, clock, usd_per_day=0.5))
    await booked(ledger(store, clock, units_per_day=4))


async def test_caps_survive_a_restart(store: Store, clock: FakeClock) -> None:
    await spend(ledger(store, clock, units_per_day=1))
    await refusal(ledger(store, clock, units_per_day=1))


@pytest.mark.parametrize("operation", ["get", "incr", "compare_and_set"])
async def test_a_cap_that_cannot_be_checked_holds(operation: str, clock: FakeClock) -> None:
    store = Broken(clock, 100_000)
    book = ledger(store, clock, units_per_day=5)
    store.broken = operation
    error = await refusal(book)
    assert error.detail == UNCHECKED
    assert "the operator must mend the store" in error.advice.next_step
    assert (await booked(book, source="exa")).reservation is None
    store.broken = ""
    await spend(book)


async def test_a_store_that_fails_afterwards_fails_no_call(clock: FakeClock) -> None:
    store = Broken(clock, 100_000)
    book = ledger(store, clock, units_per_day=5)
    first, second = await booked(book), await booked(book)
    store.broken = "incr set"
    await first.answered(3, 0.1)
    await second.withdrawn()
    store.broken = ""
    await book.aclose()
    assert (await book.entries(1))[0].calls == 1


async def test_a_callers_name_stands_in_no_key(clock: FakeClock) -> None:
    store = MemoryStore(clock, 100_000)
    await spend(ledger(store, clock, tenant_units_per_day=5), "alice:*")
    assert not [key for key in store._state if "alice" in key]


async def test_who_is_cancelled_while_the_store_counts_gives_back_what_was_taken(clock: FakeClock) -> None:
    store = Slow(clock, 100_000)
    book = ledger(store, clock, units_per_day=1, units_per_month=1)
    booking = asyncio.create_task(booked(book))
    await store.counted.wait()
    booking.cancel()
    await asyncio.sleep(0)
    assert not booking.done()
    store.quick.set()
    with pytest.raises(asyncio.CancelledError):
        await booking
    await spend(book)
    await refusal(book)


async def test_who_is_cancelled_does_not_wait_for_ever_for_a_store_that_hangs(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "TO_THE_END_S", 0.0)
    store = Slow(clock, 100_000)
    book = ledger(store, clock, units_per_day=1)
    booking = asyncio.create_task(booked(book))
    await store.counted.wait()
    booking.cancel()
    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await booking
    store.quick.set()
    await refusal(book)


@given(
    cap=st.integers(0, 30),
    costs=st.lists(st.sampled_from((0.5, 1, 2, 3)), max_size=40),
    fails=st.lists(st.booleans(), min_size=40, max_size=40),
)
def test_no_order_of_costs_and_failures_passes_a_cap_by_more_than_one_surprise(
    cap: int, costs: list[float], fails: list[bool]
) -> None:
    async def run() -> None:
        clock = FakeClock()
        book = ledger(MemoryStore(clock, 100_000), clock, units_per_day=cap)
        spent, expected = 0.0, 1.0
        for cost, failed in zip(costs, fails, strict=False):
            try:
                booking = await booked(book)
            except CapReached:
                assert spent + expected > cap
                continue
            assert spent + expected <= cap
            if failed:
                await booking.failed(AuthFailed())
            else:
                await booking.answered(cost, None)
                spent, expected = spent + cost, max(cost, 1.0)  # what a query may take is held back

    asyncio.run(run())


@pytest.fixture(params=["memory", "sqlite"])
async def processes(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> AsyncIterator[list[Ledger]]:
    """Three servers with one cap of ten units, each with its own connection to the file."""
    memory = MemoryStore(clock, 1_000_000)
    stores = [memory if request.param == "memory" else SqliteStore(tmp_path / "s.db", clock, 1_000_000) for _ in "abc"]
    for store in stores:
        await store.start()
    yield [ledger(store, clock, units_per_day=10) for store in stores]
    for store in stores:
        await store.aclose()


async def test_what_was_spent_counts_though_the_store_does_not_keep_its_price(clock: FakeClock) -> None:
    store = Broken(clock, 1_000_000)
    store.broken = "set"
    for _ in range(2):  # two processes, neither of which knows what a call costs
        await spend(ledger(store, clock, usd_per_day=0.02), usd=0.01)
    assert (await refusal(ledger(store, clock, usd_per_day=0.02))).detail == AT_DAY


class Slow(MemoryStore):
    """It counts at once, but says so late."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.counted = asyncio.Event()
        self.quick = asyncio.Event()

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        total = await super().incr(key, amount, ttl)
        self.counted.set()
        await self.quick.wait()
        return total


class Broken(MemoryStore):
    broken = ""

    async def get(self, key: str) -> bytes | None:
        self._check("get")
        return await super().get(key)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        self._check("set")
        await super().set(key, value, ttl)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        self._check("incr")
        return await super().incr(key, amount, ttl)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        self._check("compare_and_set")
        return await super().compare_and_set(key, expected, value, ttl)

    def _check(self, operation: str) -> None:
        if operation in self.broken.split():
            raise OSError("secret of the store")
