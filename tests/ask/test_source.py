"""One source: who is let through, what is counted, and how slow is slow."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest

from websearch_core.asking.ledger.budgets import CapReached
from websearch_core.asking.ledger.ledger import Ledger
from websearch_core.asking.ledger.usage import UsageBook
from websearch_core.asking.source.breaker import OF_THE_SERVICE, Breaker
from websearch_core.asking.source.cooldowns import CooldownStore
from websearch_core.asking.source.guarded_source import CallReport, GuardedSource, kind_of
from websearch_core.contract.errors import (
    AuthFailed,
    BackendError,
    Code,
    PlanMismatch,
    QuotaExceeded,
    RateBudgetExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
)
from websearch_core.contract.models import Caller, SearchRequest
from websearch_core.settings.configuration import LedgerSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock

from .fakes import Backend, Told, settings

ALICE = Caller(tenant="alice")


class Given(CallReport):
    """An answer."""


class Desk:
    """A source with everything that it may have, and the means to look behind it."""

    def __init__(self, *, concurrency: int = 64, **caps: float) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore(self.clock, 100_000)
        capped = LedgerSettings.model_validate({"caps": {"one": caps} if caps else {}})
        self.ledger = Ledger(self.store, self.clock, capped)
        self.told = Told()
        self.source = self.restarted(concurrency)

    def restarted(self, concurrency: int = 64, revision: str = "r1") -> GuardedSource:
        kept = CooldownStore(self.store, self.clock, "one", revision)
        return GuardedSource(
            Backend("one", paid=True, unit="credit"),
            settings(backend_concurrency=concurrency),
            self.clock,
            self.told,
            Breaker(self.clock, OF_THE_SERVICE | {Code.BLOCKED_BY_SITE}, kept),
            self.ledger,
        )

    async def call(
        self,
        does: Any,
        kind: str = "",
        *,
        seconds: float | None = None,
        source: GuardedSource | None = None,
        queries: int = 1,
        units: float = 1.0,
    ) -> Given:
        async def ask(caller: Caller) -> Given:
            if isinstance(does, BaseException):
                raise does
            return await does(caller) if callable(does) else does

        deadline = None if seconds is None else self.clock.monotonic() + seconds
        return await (source or self.source).call(ask, ALICE, deadline, kind, queries=queries, units=units)

    async def fails(self, error: BackendError, times: int = 1, kind: str = "") -> None:
        for _ in range(times):
            with pytest.raises(type(error)):
                await self.call(error, kind)

    async def counted(self) -> list[tuple[Any, ...]]:
        rows = await self.ledger.entries(1)
        return [(row.engine, row.tenant, row.unit, row.calls, row.failed, row.units, row.usd) for row in rows]


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def test_what_an_answer_costs_is_written_down_and_told(desk: Desk) -> None:
    await desk.call(Given(cost=0.008, units=2))
    await desk.fails(ServerFailed())
    assert await desk.counted() == [("one", "alice", "credit", 2, 1, 2, 0.008)]
    event = desk.told.events[0]
    assert (event.cost, event.units, event.tenant) == (0.008, 2, "alice")


async def test_what_was_never_sent_counts_for_nothing(desk: Desk) -> None:
    await desk.fails(RateBudgetExceeded(retry_after=9), 50)
    assert desk.source.state == "closed"
    assert await desk.counted() == []


async def test_who_waited_for_a_place_in_vain_counts_for_nothing() -> None:
    desk = Desk(concurrency=1)
    go = asyncio.Event()

    async def slow(_: Caller) -> Given:
        await go.wait()
        return Given()

    first = asyncio.create_task(desk.call(slow))
    await asyncio.sleep(0)
    with pytest.raises(TimedOut, match="too many calls"):
        await desk.call(Given(), seconds=0.1)
    go.set()
    await first
    assert await desk.counted() == [("one", "alice", "credit", 1, 0, 0, 0)]


async def test_what_a_call_without_a_deadline_waits_for_a_place_is_of_its_own_time() -> None:
    desk = Desk(concurrency=1)
    go = asyncio.Event()
    given: list[float] = []

    async def slow(_: Caller) -> Given:
        await go.wait()
        return Given()

    async def quick(caller: Caller) -> Given:
        given.append(caller.deadline or 0)
        return Given()

    first = asyncio.create_task(desk.call(slow))
    await asyncio.sleep(0)
    began = desk.clock.monotonic()
    second = asyncio.create_task(desk.call(quick))
    await anyio.wait_all_tasks_blocked()
    desk.clock.advance(8)
    go.set()
    await asyncio.gather(first, second)
    assert given == [began + settings().backend_timeout_s]


async def test_a_call_that_was_left_is_counted_though_nobody_knows_its_cost(desk: Desk) -> None:
    asked = asyncio.Event()

    async def never(_: Caller) -> Given:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    task = asyncio.create_task(desk.call(never))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await desk.counted() == [("one", "alice", "credit", 1, 0, 0, 0)]
    assert desk.told.outcomes == [("one", "cancelled", "")]


async def test_a_reached_cap_asks_nobody_and_says_nothing_about_the_source() -> None:
    desk = Desk(units_per_day=1)
    await desk.call(Given(units=1))
    asked = len(desk.told.events)
    for _ in range(20):
        with pytest.raises(CapReached, match="operator's cap") as refused:
            await desk.call(AssertionError("asked"))
    assert isinstance(refused.value, QuotaExceeded)
    assert desk.source.state == "closed"
    assert len(desk.told.events) == asked
    assert (await desk.counted())[0][3] == 1


async def test_a_reached_cap_does_not_use_up_the_probe() -> None:
    desk = Desk(units_per_day=1)
    await desk.call(Given(units=1))
    desk.source._breaker.failed(desk.source._breaker.admit(), RateLimited(retry_after=0))
    for _ in range(3):
        with pytest.raises(CapReached):
            await desk.call(Given())
    assert desk.source.state == "half-open"


async def test_many_at_once_stay_below_the_cap() -> None:
    desk = Desk(units_per_day=10)
    answers = await asyncio.gather(*(desk.call(Given(units=1)) for _ in range(100)), return_exceptions=True)
    assert sum(isinstance(answer, Given) for answer in answers) == 10
    assert sum(isinstance(answer, CapReached) for answer in answers) == 90


async def test_three_at_once_under_a_cap_in_dollars_all_come_through_one_after_the_first() -> None:
    desk = Desk(usd_per_day=1)
    under_way: list[int] = []
    most: list[int] = []

    async def answer(_: Caller) -> Given:
        under_way.append(1)
        most.append(len(under_way))
        await asyncio.sleep(0.01)
        under_way.pop()
        return Given(cost=0.01)

    answers = await asyncio.gather(*(desk.call(answer, seconds=60) for _ in range(3)))
    assert len(answers) == 3
    assert most == [1, 1, 2]


async def test_who_has_little_time_does_not_wait_for_a_price() -> None:
    desk = Desk(usd_per_day=1)
    go = asyncio.Event()

    async def slow(_: Caller) -> Given:
        await go.wait()
        return Given(cost=0.01)

    first = asyncio.create_task(desk.call(slow))
    await asyncio.sleep(0)
    with pytest.raises(CapReached, match="finding out") as refused:
        await desk.call(AssertionError("asked"), seconds=0.2)
    assert (refused.value.retry_after, refused.value.retry_helps) == (1, True)
    go.set()
    await first
    await desk.call(Given(cost=0.01))


@pytest.mark.parametrize("limit", [{"usd_per_day": 1}, {"concurrency": 1}], ids=["a price", "a slot"])
async def test_who_waited_does_not_ask_a_source_that_rests_meanwhile(limit: dict[str, int]) -> None:
    desk = Desk(**limit)
    go = asyncio.Event()

    async def limited(_: Caller) -> Given:
        await go.wait()
        raise RateLimited(retry_after=34)

    first = asyncio.create_task(desk.call(limited))
    await asyncio.sleep(0)
    second = asyncio.create_task(desk.call(AssertionError("asked"), seconds=60))
    await anyio.wait_all_tasks_blocked()
    go.set()
    done = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(each) for each in done] == [RateLimited, RateLimited]
    assert (await desk.counted())[0][3:5] == (1, 1)
    desk.clock.advance(34)
    await desk.call(Given(cost=0.01))


async def test_a_request_of_four_queries_takes_four_of_the_cap() -> None:
    desk = Desk(units_per_day=10)
    await desk.call(Given(units=4), queries=4)
    await desk.call(Given(units=4), queries=4)
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"), queries=4)
    await desk.call(Given(units=1))
    await desk.call(Given(units=1))
    assert (await desk.counted())[0][3:6] == (10, 0, 10)


async def test_a_plan_without_news_leaves_the_web(desk: Desk) -> None:
    await desk.fails(PlanMismatch(), kind="news")
    with pytest.raises(PlanMismatch, match="resting"):
        await desk.call(Given(), "news")
    await desk.call(Given(), "web")
    assert desk.source.resting("news") is not None
    assert desk.source.resting("web") is None
    assert desk.source.standing == "ready: plan (news), 3600 s"
    assert desk.source.askable(("news", "web"))
    assert desk.source.standing_for(("web",)) == "ready: plan (news), 3600 s"
    assert not desk.source.askable(("news",))
    assert desk.source.standing_for(("news",)) == "resting: plan (news), 3600 s"
    desk.clock.advance(3600)
    assert desk.source.askable(("news",)), "the next call is a trial"


async def test_its_rest_survives_a_restart_before_the_first_call(desk: Desk) -> None:
    await desk.fails(AuthFailed())
    again = desk.restarted()
    with pytest.raises(AuthFailed, match="resting"):
        await desk.call(AssertionError("asked"), source=again)
    await desk.call(Given(), source=desk.restarted(revision="r2"))


async def test_a_start_reads_how_it_stood(desk: Desk) -> None:
    await desk.fails(RateLimited(retry_after=34))
    again = desk.restarted()
    await again.refresh()
    assert again.state == "open"
    assert again.standing == "resting: rate_limited, 34 s"


async def test_a_success_elsewhere_lets_calls_through_here(desk: Desk) -> None:
    await desk.fails(AuthFailed())
    there = desk.restarted()
    await there.refresh()
    desk.clock.advance(5)
    await there.close()
    await desk.call(Given())
    assert desk.source.state == "closed"


async def test_how_slow_is_slow_is_known_after_twenty_answers(desk: Desk) -> None:
    def taking(seconds: float) -> Any:
        async def answer(_: Caller) -> Given:
            desk.clock.advance(seconds)
            return Given()

        return answer

    for number in range(1, 20):
        await desk.call(taking(number))
    assert desk.source.p95() is None
    await desk.call(taking(20))
    assert desk.source.p95() == 19
    await desk.fails(ServerFailed())
    assert desk.source.p95() == 19
    for _ in range(100):
        await desk.call(taking(1))
    assert desk.source.p95() == 1


async def test_a_call_that_was_overtaken_counts_as_slow_but_never_as_quick(desk: Desk) -> None:
    async def left_after(seconds: float) -> None:
        asked = asyncio.Event()

        async def never(_: Caller) -> Given:
            desk.clock.advance(seconds)
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

        task = asyncio.create_task(desk.call(never))
        await asked.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def answer(_: Caller) -> Given:
        desk.clock.advance(2)
        return Given()

    for _ in range(20):
        await desk.call(answer)
    for _ in range(20):
        await left_after(1)
    assert desk.source.p95() == 2
    for _ in range(3):
        await left_after(5)
    assert desk.source.p95() == 5


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "web"),
        ({"vertical": "news"}, "news"),
        ({"content_mode": "text"}, "web:text"),
        ({"content_mode": "text", "vertical": "news"}, "news:text"),
    ],
)
def test_requests_are_of_kinds_where_plans_and_prices_differ(fields: dict[str, str], kind: str) -> None:
    assert kind_of(SearchRequest(query="x", **fields)) == kind


@pytest.mark.parametrize("code", [Code.BLOCKED_BY_SITE, Code.RATE_LIMITED, Code.AUTH, Code.QUOTA, Code.PLAN])
async def test_an_answer_of_which_a_part_failed_for_all_opens_it(code: Code, desk: Desk) -> None:
    await desk.call(Given(trouble=code, units=1))
    again = desk.restarted()
    await again.refresh()
    assert (desk.source.state, again.state) == ("open", "open")
    with pytest.raises(BackendError, match="a part of a request failed so"):
        await desk.call(AssertionError("asked"))


async def test_a_part_that_said_when_to_come_back_rests_for_so_long(desk: Desk) -> None:
    await desk.call(Given(trouble=Code.RATE_LIMITED, retry_after=30.0))
    assert desk.source.standing == "resting: rate_limited, 30 s"


async def test_a_part_that_the_plan_lacks_rests_alone(desk: Desk) -> None:
    await desk.call(Given(trouble=Code.PLAN), "news")
    assert desk.source.standing == "ready: plan (news), 3600 s"


async def test_who_is_cancelled_before_anything_was_sent_takes_nothing_of_a_cap() -> None:
    desk = Desk(concurrency=1, units_per_day=10)
    go = asyncio.Event()

    async def slow(_: Caller) -> Given:
        await go.wait()
        return Given(units=1)

    first = asyncio.create_task(desk.call(slow))
    await asyncio.sleep(0)
    for _ in range(50):
        waiting = asyncio.create_task(desk.call(AssertionError("asked")))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()
    go.set()
    await first
    for _ in range(9):
        await desk.call(Given(units=1))
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"))
    assert (await desk.counted())[0][3] == 10


async def test_who_is_cancelled_while_it_is_asked_counts() -> None:
    desk = Desk(units_per_day=1)
    asked = asyncio.Event()

    async def never(_: Caller) -> None:
        asked.set()
        await asyncio.Event().wait()

    asking = asyncio.create_task(desk.call(never))
    await asked.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"))


@pytest.mark.parametrize("nonsense", [1e308, 1e12, float("nan"), float("inf"), -1.0])
async def test_a_price_beyond_all_sense_changes_no_answer(nonsense: Any) -> None:
    desk = Desk(usd_per_day=1)
    await desk.call(Given(units=nonsense, cost=nonsense))
    for _ in range(3):
        await desk.call(Given(units=1, cost=0.1))
    assert (await desk.counted())[0][5:] == (pytest.approx(3), pytest.approx(0.3))


async def test_an_answer_is_not_lost_over_a_ledger_that_stumbles(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(usd_per_day=1)

    def stumbles(*_: object) -> None:
        raise OverflowError("a secret price")

    with monkeypatch.context() as patched:
        patched.setattr(UsageBook, "add", stumbles)
        assert (await desk.call(Given(cost=0.1))).cost == 0.1
        await desk.fails(ServerFailed())
    assert "OverflowError" in caplog.text
    assert "secret" not in caplog.text
    for _ in range(9):
        await desk.call(Given(cost=0.1))
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"))


async def test_no_request_takes_more_than_the_cap_has_left_for_its_pages() -> None:
    desk = Desk(units_per_day=20)
    await desk.call(Given(units=5), units=5)
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"), units=16)
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"), queries=4, units=4)
    await desk.call(Given(units=15), queries=3, units=5)


async def test_a_price_in_dollars_grows_with_the_pages() -> None:
    desk = Desk(usd_per_day=0.04)
    await desk.call(Given(units=1, cost=0.01))
    with pytest.raises(CapReached):
        await desk.call(AssertionError("asked"), units=4)
    await desk.call(Given(units=3, cost=0.03), units=3)
