"""Rests survive a restart when the store does, and processes that share a store learn from one another."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from websearch_core.asking.source.breaker import OF_THE_SERVICE, RESTING_FOR_GOOD, Breaker
from websearch_core.asking.source.cooldowns import CooldownStore, revision_of
from websearch_core.contract.errors import (
    AuthFailed,
    BackendError,
    BlockedBySite,
    Code,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
)
from websearch_core.contract.interfaces import Store
from websearch_core.contract.settings import Settings
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Store]:
    made = MemoryStore(clock, 100_000) if request.param == "memory" else SqliteStore(tmp_path / "s.db", clock, 100_000)
    await made.start()
    yield made
    await made.aclose()


def process(store: Store, clock: FakeClock, revision: str = "r1", name: str = "brave") -> Breaker:
    """The breaker of a process that has just started."""
    return Breaker(clock, OF_THE_SERVICE | {Code.BLOCKED_BY_SITE}, CooldownStore(store, clock, name, revision))


async def failed(breaker: Breaker, *errors: Exception, kind: str = "") -> None:
    for error in errors:
        breaker.failed(breaker.admit(kind), error)
        await breaker.save()


def told(breaker: Breaker) -> list[str]:
    return [str(rest) for rest in breaker.rests()]


async def test_a_rest_goes_on_after_a_restart(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock), RateLimited(retry_after=100))
    later = FakeClock(now=clock.now() + 30, monotonic=5.0)  # another boot: monotonic time begins anew
    clock.advance(30)
    again = process(store, later)
    await again.refresh()
    assert told(again) == ["rate_limited, 70 s"]
    assert again.state == "open"


async def test_five_failures_in_a_row_are_kept_but_four_are_not(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock), *[ServerFailed()] * 4)
    again = process(store, clock)
    await again.refresh()
    assert again.state == "closed"
    await failed(again, *[ServerFailed()] * 5)
    last = process(store, clock)
    await last.refresh()
    assert told(last) == ["server, 30 s"]


async def test_a_rest_that_ended_meanwhile_leaves_one_probe_and_its_length(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock), BlockedBySite())
    clock.advance(3600 + 60)
    again = process(store, clock)
    await again.refresh()
    assert again.state == "half-open"
    await failed(again, BlockedBySite())
    assert told(again) == ["blocked_by_site, 7200 s"]


async def test_a_rest_that_was_over_long_ago_is_forgotten(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock), BlockedBySite())
    clock.advance(3600 + 86401)
    again = process(store, clock)
    await again.refresh()
    assert again.state == "closed"


async def test_a_refused_key_rests_until_the_configuration_changes(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock, "old key"), AuthFailed())
    clock.advance(400 * 86400)
    unchanged = process(store, clock, "old key")
    await unchanged.refresh()
    assert told(unchanged) == ["auth until its settings change"]
    changed = process(store, clock, "new key")
    await changed.refresh()
    assert changed.state == "closed"


async def test_a_plan_rests_after_a_restart_for_the_same_kind_only(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock), PlanMismatch(), kind="news")
    again = process(store, clock)
    await again.refresh()
    assert told(again) == ["plan (news), 3600 s"]
    assert again.resting("web") is None


async def test_another_processs_recovery_closes_it_here_within_five_seconds(store: Store, clock: FakeClock) -> None:
    here, there = process(store, clock), process(store, clock)
    await here.refresh()
    await failed(here, AuthFailed())
    clock.advance(10)
    await there.refresh()
    assert there.state == "open"
    there.close()
    await there.save()
    await here.refresh()
    assert here.state == "closed"
    here.succeeded(here.admit())


async def test_while_it_rests_the_store_is_read_every_five_seconds_and_while_it_does_not_never(
    clock: FakeClock,
) -> None:
    store = Counting(clock, 100_000)
    breaker = process(store, clock)
    for _ in range(20):
        await breaker.refresh()
        clock.advance(10)
    assert store.reads == 1
    await failed(breaker, AuthFailed())
    store.reads = 0
    for _ in range(20):
        await breaker.refresh()
        clock.advance(1)
    assert store.reads == 4


async def test_of_two_processes_the_later_has_the_say(store: Store, clock: FakeClock) -> None:
    one, two = process(store, clock), process(store, clock)
    await one.refresh()
    await two.refresh()
    await failed(one, RateLimited(retry_after=600))
    clock.advance(1)
    await failed(two, RateLimited(retry_after=3000))
    clock.advance(599)
    await one.refresh()
    assert told(one) == ["rate_limited, 2401 s"]


async def test_a_late_write_does_not_hide_what_came_after_it(store: Store, clock: FakeClock) -> None:
    slow, quick = process(store, clock), process(store, clock)
    slow.failed(slow.admit(), AuthFailed())
    clock.advance(1)
    await failed(quick, AuthFailed())
    clock.advance(1)
    quick.close()
    await quick.save()
    await slow.save()
    again = process(store, clock)
    await again.refresh()
    assert again.state == "closed"


async def test_calls_from_before_what_another_process_said_change_nothing(store: Store, clock: FakeClock) -> None:
    here, there = process(store, clock), process(store, clock)
    await failed(here, RateLimited(retry_after=10))
    clock.advance(10)
    probe = here.admit()
    clock.advance(6)
    await failed(there, AuthFailed())
    await here.refresh()
    here.succeeded(probe)
    assert told(here) == ["auth until its settings change"]


async def test_sources_of_one_store_do_not_mix(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock, name="brave"), AuthFailed())
    other = process(store, clock, name="exa")
    await other.refresh()
    assert other.state == "closed"


async def test_nothing_in_the_store_says_what_was_asked_or_with_which_key(store: Store, clock: FakeClock) -> None:
    await failed(process(store, clock), PlanMismatch("no news in this plan"), kind="news")
    kept = json.loads(await store.get("brave") or b"")
    assert set(kept) == {"revision", "at", "rests"}
    assert kept["rests"] == {
        "news": {
            "code": "plan",
            "until": clock.now() + 3600,
            "length": 3600.0,
            "repeats": 0,
            "detail": "no news in this plan",
            "next_step": "",
        }
    }


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (QuotaExceeded("1,000 searches a month are used up"), "resting since: 1,000 searches a month are used up"),
        (AuthFailed("add json to search.formats"), f"{RESTING_FOR_GOOD}: add json to search.formats"),
        (BlockedBySite("x" * 1000), "resting since: " + "x" * 300),
    ],
)
async def test_after_a_restart_the_remedy_is_still_told(
    error: BackendError, told: str, store: Store, clock: FakeClock
) -> None:
    await failed(process(store, clock), error)
    again = process(store, clock)
    await again.refresh()
    assert (refused := again.resting()) is not None
    assert (refused.code, refused.detail) == (error.code, told)


async def test_a_rest_that_was_kept_without_its_reason_goes_on(store: Store, clock: FakeClock) -> None:
    kept = {"code": "quota", "until": clock.now() + 60}
    await store.set("brave", json.dumps({"revision": "r1", "at": clock.now(), "rests": {"": kept}}).encode())
    breaker = process(store, clock)
    await breaker.refresh()
    assert (refused := breaker.resting()) is not None
    assert (refused.detail, refused.retry_after) == ("resting", 60)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"revision": "r1"}',
        b'{"revision": "r1", "at": 1, "rests": {"": {"code": "gone", "until": 1}}}',
        b'{"revision": "r1", "at": 1, "rests": {"": {"code": "drift", "until": null}}}',
    ],
)
async def test_what_is_kept_but_makes_no_sense_is_nothing(raw: bytes, store: Store, clock: FakeClock) -> None:
    await store.set("brave", raw)
    breaker = process(store, clock)
    await breaker.refresh()
    assert breaker.state == "closed"
    await failed(breaker, AuthFailed())
    assert breaker.state == "open"


@pytest.mark.parametrize("code", ["server", "blocked_by_site", "rate_limited"])
async def test_a_wall_clock_that_was_wrong_prolongs_no_rest_beyond_its_class(
    code: str, store: Store, clock: FakeClock
) -> None:
    kept = {"code": code, "until": None}
    await store.set("brave", json.dumps({"revision": "r1", "at": clock.now(), "rests": {"": kept}}).encode())
    breaker = process(store, clock)
    await breaker.refresh()
    (rest,) = breaker.rests()
    assert rest.seconds == 0, "the next call is a trial"


async def test_a_store_that_fails_is_logged_by_type_and_otherwise_as_none(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    breaker = process(Broken(clock, 100_000), clock)
    with caplog.at_level(logging.WARNING):
        await breaker.refresh()
        await failed(breaker, RateLimited(retry_after=10))
        clock.advance(6)
        await breaker.refresh()
    assert told(breaker) == ["rate_limited, 4 s"]
    clock.advance(4)
    breaker.succeeded(breaker.admit())
    await breaker.save()
    assert breaker.state == "closed"
    assert "OSError" in caplog.text
    assert "secret" not in caplog.text


async def test_a_rest_that_the_store_refused_is_kept_while_it_rests(clock: FakeClock) -> None:
    store = Refusing(clock, 100_000)
    breaker = process(store, clock)
    await breaker.refresh()
    await failed(breaker, RateLimited(retry_after=600))
    store.refuses = False
    clock.advance(5)
    await breaker.refresh()
    again = process(store, clock)
    await again.refresh()
    assert told(again) == ["rate_limited, 595 s"]


async def test_a_recovery_that_the_store_refused_is_kept_by_a_later_call(clock: FakeClock) -> None:
    store = Refusing(clock, 100_000)
    store.refuses = False
    breaker = process(store, clock)
    await failed(breaker, AuthFailed())
    store.refuses = True
    clock.advance(1)
    breaker.close()
    await breaker.save()
    store.refuses = False
    clock.advance(5)
    await breaker.save()
    again = process(store, clock)
    await again.refresh()
    assert again.state == "closed"


async def test_a_store_that_refuses_is_asked_again_every_five_seconds(
    clock: FakeClock,
) -> None:
    store = Refusing(clock, 100_000)
    breaker = process(store, clock)
    await failed(breaker, AuthFailed())
    store.asked = 0
    for _ in range(20):
        clock.advance(1)
        await breaker.save()
    assert store.asked == 4


@pytest.mark.parametrize(("at", "kept"), [(0, False), (-1, True)])
async def test_what_is_later_in_the_store_counts_as_kept(at: float, kept: bool, clock: FakeClock) -> None:
    store = Lost(clock, 100_000)
    cooldowns, now = CooldownStore(store, clock, "brave", "r1"), clock.now()
    await store.set("brave", json.dumps({"revision": "r1", "at": now}).encode())
    assert await cooldowns.write(now + at, {}) is kept


class Account(Settings):
    api_key: SecretStr = SecretStr("k1")
    keys: tuple[SecretStr, ...] = ()
    country: frozenset[str] = frozenset()
    count: int = 1


@pytest.mark.parametrize(
    "changed",
    [{"api_key": "k2"}, {"keys": ("a",)}, {"country": frozenset(("de",))}, {"count": 2}],
)
def test_a_revision_changes_with_every_setting_and_with_the_version(changed: dict[str, object]) -> None:
    usual = revision_of("1.0", [Account()])
    assert usual == revision_of("1.0", [Account()])
    assert usual != revision_of("1.0", [Account.model_validate(changed)])
    assert usual != revision_of("1.1", [Account()])
    assert usual != revision_of("1.0", [Account(), Account()])


def test_a_revision_gives_no_key_away() -> None:
    assert "s3cret" not in revision_of("1.0", [Account(api_key=SecretStr("s3cret"))])
    assert len(revision_of("1.0", [])) == 64


class Corrected(FakeClock):
    """Somebody sets it back."""

    behind = 0.0

    def now(self) -> float:
        return super().now() - self.behind


class Counting(MemoryStore):
    reads = 0

    async def get(self, key: str) -> bytes | None:
        self.reads += 1
        return await super().get(key)


class Refusing(MemoryStore):
    refuses = True
    asked = 0

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        self.asked += 1
        if self.refuses:
            raise OSError("secret of the store")
        return await super().compare_and_set(key, expected, value, ttl)


class Lost(MemoryStore):
    """Another process is always quicker."""

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        return False


class Broken(MemoryStore):
    async def get(self, key: str) -> bytes | None:
        raise OSError("secret of the store")

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        raise OSError("secret of the store")


async def test_what_a_clock_kept_that_was_a_month_ahead_means_nothing(store: Store, clock: FakeClock) -> None:
    ahead = FakeClock(now=clock.now() + 30 * 86400, monotonic=clock.monotonic())
    await failed(process(store, ahead), BlockedBySite())
    again = process(store, clock)
    await again.refresh()
    assert again.state == "closed"
    await failed(again, AuthFailed())
    other = process(store, clock)
    await other.refresh()
    assert told(other) == ["auth until its settings change"], "what was kept wrongly is overwritten"
    clock.advance(1)
    other.close()
    await other.save()
    last = process(store, clock)
    await last.refresh()
    assert last.state == "closed"


@pytest.mark.parametrize("behind", [1200, 30 * 86400], ids=["twenty minutes", "a month"])
async def test_a_clock_that_is_set_back_lengthens_no_rest(behind: float, clock: FakeClock) -> None:
    wrong = Corrected(now=clock.now() + 30 * 86400)
    breaker = Breaker(wrong)
    await failed(breaker, RateLimited(retry_after=600))
    assert told(breaker) == ["rate_limited, 600 s"]
    wrong.behind = behind
    breaker.succeeded(breaker.admit())
    assert breaker.state == "closed"


async def test_after_a_clock_is_set_back_what_others_find_out_still_counts(store: Store) -> None:
    wrong = Corrected()
    breaker = process(store, wrong)
    await failed(breaker, AuthFailed())
    wrong.behind = 7200
    other = process(store, wrong)
    await failed(other, AuthFailed())
    wrong.advance(1)
    other.close()
    await other.save()
    wrong.advance(5)
    await breaker.refresh()
    assert breaker.state == "closed"


@pytest.mark.parametrize(("ahead", "read"), [(59, True), (61, False)])
async def test_clocks_of_processes_may_differ_by_a_minute(
    ahead: float, read: bool, store: Store, clock: FakeClock
) -> None:
    await failed(process(store, FakeClock(now=clock.now() + ahead)), RateLimited(retry_after=600))
    again = process(store, clock)
    await again.refresh()
    assert (again.state == "open") is read


async def test_a_rest_that_is_longer_than_its_class_allows_is_over(store: Store, clock: FakeClock) -> None:
    kept = {"code": "rate_limited", "until": clock.now() + 90 * 86400}
    await store.set("brave", json.dumps({"revision": "r1", "at": clock.now() - 1000, "rests": {"": kept}}).encode())
    breaker = process(store, clock)
    await breaker.refresh()
    assert told(breaker) == ["rate_limited, over: the next call is a trial"]
