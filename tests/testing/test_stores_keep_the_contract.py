"""The core's own stores keep the contract that plugins' stores must keep."""

from __future__ import annotations

from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.prefixed import PrefixedStore
from websearch_core.stores.resilient import ResilientStore
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import StoreContract


class TestMemoryStore(StoreContract):
    component = MemoryStore

    def store(self, ctx):
        return MemoryStore(ctx.clock, 1_000_000)


class TestSqliteStore(StoreContract):
    component = SqliteStore

    def store(self, ctx):
        ctx.data_dir.mkdir(parents=True, exist_ok=True)
        return SqliteStore(str(ctx.data_dir / "store.db"), ctx.clock, 10_000_000)


class TestPrefixedStore(StoreContract):
    component = PrefixedStore

    def store(self, ctx):
        return PrefixedStore(MemoryStore(ctx.clock, 1_000_000), "plugin:test:")


class TestResilientStore(StoreContract):
    component = ResilientStore

    def store(self, ctx):
        return ResilientStore(MemoryStore(ctx.clock, 1_000_000), ctx.clock, "memory", "nothing is lost")
