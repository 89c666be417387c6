"""The contract of stores: values, expiry, and the three operations that must be atomic."""

from __future__ import annotations

import asyncio
from abc import abstractmethod

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.interfaces import Store
from websearch_core.testing.fakes import FakeClock

from .contract import Contract

ODD_KEYS = ("a", "a:b/c d", "ä🦊", "x" * 500, "a%_*?[b]", "'; drop table kv; --", "\n")


class StoreContract(Contract[Store]):
    """For a store that begins empty. One with a clock of its own overrides `pass_time`."""

    @abstractmethod
    def store(self, ctx: PluginContext) -> Store:
        """The store, as the plugin's hook makes it; `ctx.store` is not for it."""

    def make(self, ctx: PluginContext) -> Store:
        """The store."""
        return self.store(ctx)

    async def pass_time(self, clock: FakeClock, seconds: float) -> None:
        """Let so much time pass for the store."""
        clock.advance(seconds)

    async def test_what_was_set_is_there_until_it_is_deleted(self, made: Store) -> None:
        """Bytes in, the same bytes out."""
        assert await made.get("a") is None
        for value in (b"1", b"", bytes(range(256)), b"x" * 200_000):
            await made.set("a", value)
            assert await made.get("a") == value
        await made.delete("a")
        assert await made.get("a") is None
        await made.delete("a")

    async def test_any_text_is_a_key_and_keys_do_not_mix(self, made: Store) -> None:
        """No pattern, no escape, no prefix."""
        for number, key in enumerate(ODD_KEYS):
            await made.set(key, str(number).encode())
        assert [await made.get(key) for key in ODD_KEYS] == [str(n).encode() for n in range(len(ODD_KEYS))]
        await made.delete(ODD_KEYS[0])
        assert await made.get(ODD_KEYS[1]) is not None

    async def test_a_value_expires(self, made: Store, clock: FakeClock) -> None:
        """Not before its time; setting it again begins a new one."""
        await made.set("a", b"1", ttl=10)
        await self.pass_time(clock, 8)
        assert await made.get("a") == b"1"
        await made.set("a", b"2", ttl=10)
        await self.pass_time(clock, 8)
        assert await made.get("a") == b"2"
        await self.pass_time(clock, 3)
        assert await made.get("a") is None

    async def test_setting_without_expiry_ends_the_old_expiry(self, made: Store, clock: FakeClock) -> None:
        """None means until evicted."""
        await made.set("a", b"1", ttl=1)
        await made.set("a", b"2")
        await self.pass_time(clock, 3)
        assert await made.get("a") == b"2"

    async def test_add_if_absent_adds_once(self, made: Store, clock: FakeClock) -> None:
        """And again after expiry."""
        assert await made.add_if_absent("a", b"1", ttl=5) is True
        assert await made.add_if_absent("a", b"2") is False
        assert await made.get("a") == b"1"
        await self.pass_time(clock, 6)
        assert await made.add_if_absent("a", b"3") is True
        assert await made.get("a") == b"3"

    async def test_of_many_who_add_at_once_one_wins(self, made: Store) -> None:
        """Atomic."""
        added = await asyncio.gather(*(made.add_if_absent("a", str(n).encode()) for n in range(20)))
        assert added.count(True) == 1
        assert await made.get("a") == str(added.index(True)).encode()

    async def test_a_counter_starts_at_zero_and_expires_from_its_first_change(
        self, made: Store, clock: FakeClock
    ) -> None:
        """A window that later counts do not prolong."""
        assert await made.incr("n", ttl=10) == 1
        await self.pass_time(clock, 8)
        assert await made.incr("n", 5, ttl=10) == 6
        assert await made.incr("n", -2, ttl=10) == 4
        await self.pass_time(clock, 3)
        assert await made.incr("n", ttl=10) == 1

    async def test_counting_at_once_loses_nothing(self, made: Store) -> None:
        """Atomic."""
        counts = await asyncio.gather(*(made.incr("n") for _ in range(50)))
        assert sorted(counts) == list(range(1, 51))

    async def test_compare_and_set_sets_only_what_was_expected(self, made: Store, clock: FakeClock) -> None:
        """None expects nothing to be there, or only what has expired."""
        assert await made.compare_and_set("a", b"0", b"1") is False
        assert await made.compare_and_set("a", None, b"1", ttl=5) is True
        assert await made.compare_and_set("a", None, b"2") is False
        assert await made.compare_and_set("a", b"1", b"2", ttl=5) is True
        assert await made.get("a") == b"2"
        await self.pass_time(clock, 6)
        assert await made.compare_and_set("a", b"2", b"3") is False
        assert await made.compare_and_set("a", None, b"3") is True

    async def test_of_many_who_compare_at_once_one_wins(self, made: Store) -> None:
        """Atomic."""
        await made.set("a", b"0")
        won = await asyncio.gather(*(made.compare_and_set("a", b"0", str(n).encode()) for n in range(1, 21)))
        assert won.count(True) == 1

    async def test_nothing_is_printed(self, made: Store, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        await made.set("a", b"1", ttl=1)
        await made.get("a")
        await made.incr("n")
        assert capfd.readouterr().out == ""
