"""A door with several keys, and what it learns of the engine's limits on the way."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from pydantic import SecretStr

from websearch_core import BackendError, KeyPool, StartupError
from websearch_core.contract.engine_response import EngineResponse
from websearch_core.contract.errors import RateBudgetExceeded
from websearch_core.kit import AuthFailed, QuotaExceeded, RateLimited, Refused, ServerFailed, TimedOut
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.plugin_context import ConfiguredContext
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import InProcessWorkers

HOUR = 3600.0
A, B, C = "alpha-key", "beta-key", "gamma-key"


def pool(*keys: str) -> KeyPool:
    return KeyPool(tuple(map(SecretStr, keys)), header="X-Key", prefix="Bearer ")


class Engine:
    """Answers by key, and remembers which were used."""

    def __init__(self, bench: Any) -> None:
        self._bench = bench
        self.says: dict[str, bytes | list[bytes]] = {}
        self.used: list[str] = []
        self.at: list[float] = []

    async def __call__(self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = next((line for line in head.splitlines() if line.lower().startswith("x-key:")), "")
        key = line.rpartition(" ")[2]
        self.used.append(key)
        self.at.append(self._bench.clock.at)
        says = self.says.get(key, self._bench.answer("{}"))
        writer.write(says if isinstance(says, bytes) else says.pop(0))


@pytest.fixture
def engine(bench: Any) -> Engine:
    return Engine(bench)


@pytest.fixture
def store(bench: Any) -> MemoryStore:
    return MemoryStore(bench.clock, 1_000_000)


@pytest.fixture
async def door(bench: Any, engine: Engine, store: MemoryStore) -> Callable[..., Any]:
    site = await bench.serve(engine)

    def made(*keys: str, **options: Any) -> Any:
        return bench.api(site, keys=pool(*keys) if keys else None, **{"store": lambda: store, **options})

    return made


async def test_keys_are_used_in_turn(door: Any, engine: Engine) -> None:
    three = door(A, B, C)
    for _ in range(6):
        await three.get("/")
    assert engine.used == [A, B, C, A, B, C]


async def test_a_key_can_go_into_the_address(bench: Any, store: MemoryStore) -> None:
    site = await bench.serve()
    keys = KeyPool((SecretStr(A), SecretStr(B)), param="key")
    two = bench.api(site, keys=keys, store=lambda: store)
    for _ in range(2):
        await two.get("/search", params={"q": "x"})
    assert [head.split(" ")[1] for head in site.heads] == [f"/search?q=x&key={A}", f"/search?q=x&key={B}"]


REFUSALS = [
    pytest.param(402, "", HOUR, "quota", id="quota"),
    pytest.param(402, "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 120", 120.0, "quota", id="quota until"),
    pytest.param(401, "", HOUR, "auth", id="auth"),
    pytest.param(403, "", HOUR, "auth", id="forbidden"),
    pytest.param(429, "", 60.0, "rate_limited", id="429"),
    pytest.param(429, "Retry-After: 3", 3.0, "rate_limited", id="429 for a moment"),
    pytest.param(429, "Retry-After: 20", 20.0, "rate_limited", id="429 for"),
    pytest.param(429, "Retry-After: 200000", HOUR, "rate_limited", id="429 for days"),
]


@pytest.mark.parametrize("paid", [False, True])
@pytest.mark.parametrize(("status", "header", "rest_s", "code"), REFUSALS)
async def test_a_key_that_is_refused_rests_and_the_next_is_tried_at_once(
    bench: Any, door: Any, engine: Engine, status: int, header: str, rest_s: float, code: str, paid: bool
) -> None:
    engine.says[A] = bench.answer("", status, *header.split("\r\n")) if header else bench.answer("", status)
    two = door(A, B)
    assert (await two.get("/", paid=paid)).status == 200
    assert (engine.used, bench.clock.slept) == ([A, B], [])
    state = await two.state()
    assert (state.keys, [(key.position, key.code) for key in state.resting], state.free_in_s) == (2, [(1, code)], 0)
    assert state.resting[0].seconds == pytest.approx(rest_s)
    for _ in range(3):
        await two.get("/")
    assert engine.used == [A, *[B] * 4]
    bench.clock.at += rest_s
    engine.says.clear()
    await two.get("/")
    assert engine.used[-1] == A


async def test_a_rest_holds_in_every_process(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[A] = bench.answer("", 402)
    await door(A, B).get("/")
    other = door(A, B)
    await other.get("/")
    assert engine.used == [A, B, B]


@pytest.mark.parametrize(
    ("first", "second", "kind", "retry_after"),
    [
        ((402, "Retry-After: 40"), (402, "Retry-After: 30"), QuotaExceeded, 30),
        ((402, "Retry-After: 30"), (402, "Retry-After: 40"), QuotaExceeded, 30),
        ((402, "Retry-After: 40"), (429, "Retry-After: 30"), RateLimited, 30),
        ((429, "Retry-After: 30"), (402, "Retry-After: 40"), RateLimited, 30),
        ((402, "Retry-After: 30"), (429, "Retry-After: 40"), QuotaExceeded, 30),
        ((429, "Retry-After: 40"), (429, "Retry-After: 30"), RateLimited, 30),
    ],
)
async def test_when_all_rest_the_error_is_that_of_the_first_to_be_free(
    bench: Any, door: Any, engine: Engine, first: Any, second: Any, kind: type[BackendError], retry_after: float
) -> None:
    engine.says = {A: bench.answer("", *first), B: bench.answer("", *second)}
    two = door(A, B)
    with pytest.raises(BackendError) as error:
        await two.get("/")
    assert type(error.value) is kind
    assert error.value.retry_after == pytest.approx(retry_after)
    assert engine.used == [A, B]
    with pytest.raises(BackendError) as error:
        await two.get("/", timeout_s=10)
    assert error.value.code is kind.code
    assert error.value.retry_after == pytest.approx(retry_after)
    assert engine.used == [A, B], "who rests is not asked"
    assert (await two.state()).free_in_s == pytest.approx(retry_after)


async def test_each_key_is_tried_once_and_then_the_wait_is_waited_if_it_fits(
    bench: Any, door: Any, engine: Engine
) -> None:
    busy = bench.answer("", 429, "Retry-After: 3")
    engine.says = {A: [busy, bench.answer()], B: [busy, bench.answer()]}
    assert (await door(A, B).get("/", paid=True)).status == 200
    assert engine.used == [A, B, A]
    assert bench.clock.slept == [pytest.approx(3)]


async def test_what_no_key_may_do_rests_no_key(bench: Any, door: Any, engine: Engine) -> None:
    """All refused: it may be the request, or our address."""
    engine.says = {key: bench.answer("", 403) for key in (A, B)}
    two = door(A, B)
    with pytest.raises(AuthFailed):
        await two.get("/")
    assert (await two.state()).resting == ()
    engine.says.clear()
    assert (await two.get("/")).status == 200


@pytest.mark.parametrize(("status", "kind"), [(402, QuotaExceeded), (429, RateLimited)])
async def test_a_refused_key_and_one_that_only_waits_are_no_auth_failure(
    bench: Any, door: Any, engine: Engine, status: int, kind: type[BackendError]
) -> None:
    """After an `AuthFailed` the engine would never be asked again."""
    engine.says[A] = bench.answer("", 401)
    two = door(A, B)
    await two.get("/")
    bench.clock.at += HOUR / 2
    engine.says[B] = bench.answer("", status, f"Retry-After: {HOUR - 60}")
    with pytest.raises(BackendError) as sent:
        await two.get("/")
    assert (type(sent.value), sent.value.retry_after, sent.value.unsent) == (kind, pytest.approx(HOUR - 60), False)
    assert "nothing was sent" not in str(sent.value)
    with pytest.raises(kind) as unsent:
        await two.get("/")
    assert (unsent.value.retry_after, unsent.value.unsent) == (pytest.approx(HOUR - 60), True)
    assert engine.used == [A, B, B]
    bench.clock.at += HOUR / 2 + 1
    with pytest.raises(kind):
        await two.get("/")
    assert engine.used == [A, B, B, A], "it was asked again, and refused again"


async def test_when_each_key_was_refused_it_is_an_auth_failure(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[A] = bench.answer("", 401)
    two = door(A, B, pace=(1, 60))
    await two.get("/")
    engine.says[B] = bench.answer("", 401)
    bench.clock.at += 61
    with pytest.raises(AuthFailed) as error:
        await two.get("/")
    assert not error.value.unsent
    assert engine.used == [A, B, B]


async def test_when_each_key_has_its_verdict_it_counts_though_the_time_is_over(
    bench: Any, door: Any, engine: Engine
) -> None:
    def slow(_: EngineResponse) -> BackendError:
        bench.clock.at += 6
        return QuotaExceeded()

    with pytest.raises(QuotaExceeded):
        await door(A, B, explain=slow).get("/", timeout_s=10)
    assert engine.used == [A, B]


async def test_what_is_told_when_no_time_is_left_for_the_other_keys_is_true(
    bench: Any, door: Any, engine: Engine
) -> None:
    def slow(_: EngineResponse) -> BackendError:
        bench.clock.at += 11
        return QuotaExceeded()

    with pytest.raises(TimedOut, match="no time was left to try another key"):
        await door(A, B, explain=slow).get("/", timeout_s=10)
    assert engine.used == [A]


async def test_a_429_that_takes_most_of_the_time_is_not_waited_for(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[""] = bench.answer("", 429, "Retry-After: 15")
    with pytest.raises(RateLimited):
        await door().get("/", timeout_s=20)
    assert (len(engine.used), bench.clock.slept) == (1, [])


async def test_a_single_key_that_is_refused_can_be_asked_again(bench: Any, door: Any, engine: Engine) -> None:
    one = door(A)
    for status, kind in ((401, AuthFailed), (402, QuotaExceeded)):
        engine.says[A] = bench.answer("", status)
        for _ in range(2):
            with pytest.raises(kind):
                await one.get("/")
    assert len(engine.used) == 4


async def test_a_bad_request_changes_no_key(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[A] = bench.answer("", 400)
    two = door(A, B)
    with pytest.raises(BackendError):
        await two.get("/")
    assert engine.used == [A]
    assert (await two.state()).resting == ()


async def test_without_a_store_the_next_key_is_still_tried(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[A] = bench.answer("", 402)
    two = door(A, B, store=None)
    for _ in range(2):
        await two.get("/")
    assert engine.used == [A, B, A, B]


async def test_a_429_holds_for_every_process_until_it_says(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[""] = bench.answer("", 429, "Retry-After: 30")
    with pytest.raises(RateLimited) as error:
        await door().get("/")
    assert not isinstance(error.value, RateBudgetExceeded)
    other = door()
    with pytest.raises(RateBudgetExceeded) as waiting:
        await other.get("/")
    assert waiting.value.retry_after == pytest.approx(30)
    assert len(engine.used) == 1
    engine.says.clear()
    bench.clock.at += 25
    assert (await other.get("/")).status == 200
    assert engine.at[-1] == pytest.approx(30)


async def test_a_429_in_the_body_counts_like_one_in_the_header(bench: Any, door: Any, engine: Engine) -> None:
    def explain(response: EngineResponse) -> BackendError | None:
        seconds = response.json().get("wait")
        return RateLimited(retry_after=float(seconds)) if seconds else None

    engine.says[""] = [bench.answer('{"wait": 4}'), bench.answer("{}")]
    assert (await door(explain=explain).get("/")).status == 200
    assert bench.clock.slept == [pytest.approx(4)]


BRAVE = ("X-RateLimit-Limit: 1, 15000", "X-RateLimit-Policy: 1;w=1, 15000;w=2592000")


async def test_a_429_waits_for_the_window_that_is_used_up(bench: Any, door: Any, engine: Engine) -> None:
    spent = ("X-RateLimit-Remaining: 0, 14000", "X-RateLimit-Reset: 1, 1419704")
    engine.says[A] = [bench.answer("", 429, *BRAVE, *spent), bench.answer("{}")]
    assert (await door(A).get("/")).status == 200
    assert sum(bench.clock.slept) == pytest.approx(1.05, abs=1e-4)


async def test_limits_are_learned_from_good_answers_and_kept(bench: Any, door: Any, engine: Engine) -> None:
    left = ("X-RateLimit-Remaining: 0, 14000", "X-RateLimit-Reset: 1, 1419704")
    engine.says[A] = bench.answer("{}", 200, *BRAVE, *left)
    one, other = door(A), door(A)
    for each in (one, other, one, other):
        await each.get("/")
    assert engine.at == pytest.approx([0, 1.05, 2.1, 3.15], abs=1e-4)


async def test_a_key_whose_month_is_used_up_rests(bench: Any, door: Any, engine: Engine) -> None:
    spent = ("X-RateLimit-Remaining: 1, 0", "X-RateLimit-Reset: 1, 1419704")
    engine.says[A] = bench.answer("{}", 200, *BRAVE, *spent)
    one = door(A)
    await one.get("/")
    with pytest.raises(QuotaExceeded) as error:
        await one.get("/")
    assert error.value.retry_after == pytest.approx(HOUR)
    two = door(A, B)
    for _ in range(2):
        await two.get("/")
    assert engine.used == [A, B, B]


async def test_a_pace_is_each_keys_own(bench: Any, door: Any, engine: Engine) -> None:
    two = door(A, B, pace=(1, 10.0))
    for _ in range(2):
        await two.get("/")
    assert (engine.used, bench.clock.slept) == ([A, B], [])
    with pytest.raises(RateBudgetExceeded) as error:
        await two.get("/", timeout_s=20)
    assert error.value.retry_after == pytest.approx(10.05, abs=1e-4)
    await two.get("/", timeout_s=21)
    assert Counter(engine.used) == {A: 2, B: 1}


async def test_doors_of_different_pace_do_not_wait_for_each_other(bench: Any, door: Any, engine: Engine) -> None:
    """Exa's searches and its reads have limits of their own, at one address."""
    for pace in ((10, 10.0), (1, 10.0)):
        await door(A, pace=pace).get("/")
    assert bench.clock.slept == []
    await door(A, pace=(1, 10.0)).get("/", timeout_s=60)
    assert len(bench.clock.slept) == 1


async def test_two_engines_behind_one_gateway_have_turns_of_their_own(
    bench: Any, engine: Engine, store: MemoryStore
) -> None:
    site = await bench.serve(engine)

    def plugin(name: str) -> ConfiguredContext:
        web = bench.web()
        return ConfiguredContext(
            name, Configuration({}, {}, "test"), bench.clock, lambda: store, web, InProcessWorkers()
        )

    async with contextlib.AsyncExitStack() as stack:
        exa, brave = plugin("exa"), plugin("brave")
        for ctx in (exa, brave):
            stack.push_async_callback(ctx.aclose)
            await ctx.api(bench.url(site, f"/{ctx.plugin}"), keys=pool(A), pace=(1, 10.0)).get("search")
        assert bench.clock.slept == []
        # of one plugin, all doors share them, whatever lies below the origin
        await exa.api(bench.url(site, "/exa/contents"), keys=pool(A), pace=(1, 10.0)).get("", timeout_s=60)
        assert len(bench.clock.slept) == 1


@pytest.mark.parametrize("pace", [(0, 1.0), (1, 0.0), (1, -1.0), (1, float("inf")), (1, float("nan"))])
async def test_a_pace_must_make_sense(door: Any, pace: tuple[int, float]) -> None:
    with pytest.raises(StartupError, match="pace"):
        door(A, pace=pace)


async def test_half_of_the_time_is_left_for_the_answer(bench: Any, door: Any) -> None:
    one = door(A, pace=(1, 1.0))
    await one.get("/")
    with pytest.raises(RateBudgetExceeded):
        await one.get("/", deadline=bench.clock.monotonic() + 2.0)
    assert (await one.get("/", deadline=bench.clock.monotonic() + 2.2)).status == 200


async def test_who_came_too_late_gets_no_turn(bench: Any, door: Any, engine: Engine) -> None:
    with pytest.raises(TimedOut):
        await door(A, pace=(1, 10.0)).get("/", deadline=bench.clock.monotonic() - 1)
    assert (await door(A, pace=(1, 10.0)).get("/")).status == 200
    assert (len(engine.used), bench.clock.slept) == (1, [])


async def test_what_is_refused_takes_no_turn(door: Any, engine: Engine) -> None:
    one = door(A, pace=(1, 10.0))
    with pytest.raises(Refused):
        await one.get("https://elsewhere.example/")
    assert (await one.state()).free_in_s == 0


async def test_a_server_failure_is_not_hidden_by_our_own_pace(bench: Any, door: Any, engine: Engine) -> None:
    engine.says[A] = bench.answer("", 500)
    with pytest.raises(ServerFailed):
        await door(A, pace=(1, 15.0)).get("/")
    assert len(engine.used) == 1


async def test_whoever_stops_waiting_gives_the_turn_back(bench: Any, door: Any, engine: Engine) -> None:
    asleep = asyncio.Event()

    async def sleep(seconds: float) -> None:
        asleep.set()
        await asyncio.Event().wait()

    one = door(A, pace=(1, 1.0))
    await one.get("/")
    before = (await one.state()).free_in_s
    bench.clock.sleep = sleep
    waiting = asyncio.create_task(one.get("/"))
    await asyncio.wait_for(asleep.wait(), 60)
    assert (await one.state()).free_in_s == pytest.approx(before + 1.05, abs=1e-4)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await one.state()).free_in_s == pytest.approx(before, abs=1e-4)
    assert len(engine.used) == 1


@pytest.mark.parametrize(("rest_s", "at"), [(5, [0, 2.1, 7.1]), (50, [0, 2.1])])
async def test_whoever_waits_while_the_key_is_sent_to_rest_waits_on_or_gives_up(
    bench: Any, door: Any, engine: Engine, rest_s: int, at: list[float]
) -> None:
    one, other = door(A, pace=(1, 1.0)), door(A, pace=(1, 1.0))
    turned = bench.clock.sleep

    async def sleep(seconds: float) -> None:
        """While the first sleeps, another process is told to come back later."""
        bench.clock.sleep = turned
        bench.clock.at += seconds
        engine.says[A] = [bench.answer("", 429, f"Retry-After: {rest_s}"), bench.answer("{}")]
        with pytest.raises(RateLimited):
            await other.get("/", timeout_s=4)

    await one.get("/")
    bench.clock.sleep = sleep
    with nullcontext() if len(at) == 3 else pytest.raises(RateBudgetExceeded):
        await one.get("/")
    assert engine.at == pytest.approx(at, abs=1e-3)


class Slow(MemoryStore):
    """Each change takes the next of these times; then none."""

    def __init__(self, bench: Any, times: list[float]) -> None:
        super().__init__(bench.clock, 1_000_000)
        self._bench = bench
        self.times = times

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        done = await super().compare_and_set(key, expected, value, ttl)
        self._bench.clock.at += self.times.pop(0) if self.times else 0.0
        return done


async def test_a_request_that_is_late_for_its_turn_is_counted_from_then(bench: Any, door: Any, engine: Engine) -> None:
    slow = Slow(bench, [0.2])
    one = door(A, pace=(1, 1.0), store=lambda: slow)
    for _ in range(3):
        await one.get("/")
    assert engine.at == pytest.approx([0.2, 1.25, 2.3], abs=1e-4)


async def test_a_store_that_is_always_slow_stops_nobody(bench: Any, door: Any, engine: Engine) -> None:
    slow = Slow(bench, [0.2] * 100)
    await door(A, pace=(1, 1.0), store=lambda: slow).get("/")
    assert len(engine.used) == 1


async def test_a_door_without_keys_shows_how_long_it_rests(bench: Any, door: Any, engine: Engine) -> None:
    one = door()
    assert await one.state() == (one.origin, 0, (), 0.0)
    engine.says[""] = bench.answer("", 429, "Retry-After: 30")
    with pytest.raises(RateLimited):
        await one.get("/")
    state = await one.state()
    assert (state.keys, state.resting[0][:2]) == (0, (1, "rate_limited"))
    assert state.free_in_s == pytest.approx(30)


async def test_no_key_is_in_errors_logs_reprs_or_the_store(
    bench: Any, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    written: list[str] = []

    class Watched(MemoryStore):
        async def compare_and_set(
            self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None
        ) -> bool:
            written.append(f"{key} {value!r}")
            return await super().compare_and_set(key, expected, value, ttl)

    watched = Watched(bench.clock, 1_000_000)
    site = await bench.serve(bench.answer("", 402, "Retry-After: 9"))
    keys = KeyPool((SecretStr(A), SecretStr(B)), param="key")
    two = bench.api(site, keys=keys, pace=(5, 1.0), store=lambda: watched)
    with pytest.raises(QuotaExceeded) as error:
        await two.get("/", paid=True)
    state = await two.state()
    assert len(written) >= 2
    shown = "".join(traceback.format_exception(error.value)) + repr((two, state, keys, error.value)) + caplog.text
    for key in (A, B):
        assert key not in shown + "".join(written)
    assert state.origin == two.origin


@pytest.mark.parametrize("paid", [False, True])
async def test_a_429_that_was_sent_is_told_as_such(bench: Any, door: Any, engine: Engine, paid: bool) -> None:
    """The wait for another try is over in time; but by then the door rests longer, as another process was told."""
    engine.says[A] = [bench.answer("", 429, "Retry-After: 2"), bench.answer("", 429, "Retry-After: 3000")]
    turned = bench.clock.sleep

    async def sleep(seconds: float) -> None:
        bench.clock.sleep = turned
        await turned(seconds)
        with pytest.raises(RateLimited):
            await door(A).get("/", timeout_s=10)

    bench.clock.sleep = sleep
    with pytest.raises(RateLimited) as error:
        await door(A).get("/", paid=paid, timeout_s=20)
    assert type(error.value) is RateLimited
    assert len(engine.used) == 2
