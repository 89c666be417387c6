"""What a failing store means to those who use it: nothing is kept, it goes on here, or it is an error."""

from __future__ import annotations

import asyncio
import logging

import pytest

from websearch_core.contract.errors import WebsearchError
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.resilient import OnFailure, ResilientStore, StoreUnavailable
from websearch_core.testing import FakeClock

MEANING = "nobody counts"


class Moody(MemoryStore):
    """Fails, or hangs, when told to."""

    trouble: Exception | None = None
    hangs = False
    calls = 0

    async def _turn(self) -> None:
        self.calls += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.trouble:
            raise self.trouble

    async def get(self, key: str) -> bytes | None:
        await self._turn()
        return await super().get(key)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        await self._turn()
        await super().set(key, value, ttl)

    async def add_if_absent(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        await self._turn()
        return await super().add_if_absent(key, value, ttl)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        await self._turn()
        return await super().incr(key, amount, ttl)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        await self._turn()
        return await super().compare_and_set(key, expected, value, ttl)

    async def delete(self, key: str) -> None:
        await self._turn()
        await super().delete(key)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(clock: FakeClock) -> Moody:
    return Moody(clock, 100_000)


def used(store: Moody, clock: FakeClock, on_failure: OnFailure, **times: float) -> ResilientStore:
    return ResilientStore(store, clock, on_failure, MEANING, **times)


async def test_skipped_there_is_nothing_and_nothing_is_kept(store: Moody, clock: FakeClock) -> None:
    one = used(store, clock, "skip")
    await one.set("k", b"before")
    store.trouble = OSError()
    assert await one.get("k") is None
    assert await one.incr("n") == 0
    assert not await one.add_if_absent("new", b"v")
    await one.set("k", b"after")
    await one.delete("k")
    store.trouble = None
    assert await one.get("k") == b"before"


async def test_in_memory_values_go_on_from_where_they_were_seen(store: Moody, clock: FakeClock) -> None:
    one = used(store, clock, "memory")
    await store.set("k", b"shared")
    await one.get("k")
    store.trouble = OSError()
    assert await one.get("k") == b"shared"
    assert not await one.compare_and_set("k", b"other", b"lost")
    assert await one.compare_and_set("k", b"shared", b"mine")
    assert await one.get("k") == b"mine"
    store.trouble = None
    assert await one.get("k") == b"shared", "the store is right again"


async def test_held_a_failure_is_an_error_in_our_own_words(store: Moody, clock: FakeClock) -> None:
    one = used(store, clock, "hold")
    store.trouble = OSError("the secret query")
    with pytest.raises(StoreUnavailable, match=r"^OSError$"):
        await one.incr("n")
    store.trouble = WebsearchError("/data/store.db: the disk is full")
    with pytest.raises(StoreUnavailable, match="the disk is full"):
        await one.get("k")


async def test_a_store_that_failed_is_left_alone_for_a_while(store: Moody, clock: FakeClock) -> None:
    one = used(store, clock, "hold", again_s=30.0)
    store.trouble = OSError()
    for _ in range(3):
        with pytest.raises(StoreUnavailable, match="OSError"):
            await one.get("k")
    assert (store.calls, one.resting) == (1, True)
    store.trouble = None
    clock.advance(30)
    assert await one.get("k") is None
    assert not one.resting


async def test_a_failure_is_logged_once_until_that_works_again(
    store: Moody, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    one = used(store, clock, "skip")
    for trouble in (OSError("secret"), OSError("secret"), None, OSError("secret")):
        store.trouble = trouble
        await one.get("k")
    store.trouble = OSError("secret")
    await one.set("k", b"v")
    assert [record.getMessage() for record in caplog.records] == [
        "the store could not be read (OSError): nobody counts",
        "the store could not be read (OSError): nobody counts",
        "the store could not be written (OSError): nobody counts",
    ]
    assert "secret" not in caplog.text


async def test_a_store_that_hangs_is_given_up_but_a_hurried_request_is_no_proof(
    store: Moody, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    one = used(store, clock, "skip", patience_s=600.0, again_s=30.0)
    store.hangs = True
    async with asyncio.timeout(60):
        assert await one.get("k", seconds=0.01) is None
        assert not one.resting
        assert not caplog.records
        patient = used(store, clock, "skip", patience_s=0.01, again_s=30.0)
        assert await patient.get("k") is None
    assert patient.resting
    assert "TimeoutError" in caplog.text


async def test_one_that_is_cancelled_has_not_failed(store: Moody, clock: FakeClock) -> None:
    one = used(store, clock, "hold", again_s=30.0)
    store.hangs = True
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await one.get("k")
    assert not one.resting


async def test_a_store_may_be_chosen_later(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    chosen: list[Moody] = []
    one = ResilientStore(lambda: chosen[0], clock, "memory", MEANING)
    assert await one.compare_and_set("k", None, b"v")
    assert await one.get("k") == b"v"
    chosen.append(Moody(clock, 100_000))
    assert await one.get("k") is None
    assert caplog.text.count(logging.getLevelName(logging.WARNING)) == 2
