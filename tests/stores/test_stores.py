"""Every store behaves the same: values, expiry, atomic operations, eviction."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from websearch_core.contract.clock import SystemClock
from websearch_core.contract.errors import StartupError, WebsearchError
from websearch_core.contract.interfaces import Store
from websearch_core.stores import memory, sqlite
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.prefixed import PrefixedStore
from websearch_core.stores.sqlite import SqliteStore


class TurnedClock:
    def __init__(self) -> None:
        self.time = 1_000_000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


MAX_BYTES = 20_000
MAKERS: dict[str, Callable[[Path, TurnedClock], Store]] = {
    "memory": lambda _, clock: MemoryStore(clock, MAX_BYTES),
    "sqlite": lambda folder, clock: SqliteStore(folder / "state" / "store.db", clock, MAX_BYTES),
}


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture(params=["memory", "sqlite", "prefixed"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, clock: TurnedClock) -> AsyncIterator[Store]:
    kind = "memory" if request.param == "prefixed" else request.param
    real = MAKERS[kind](tmp_path, clock)
    await real.start()
    yield PrefixedStore(real, "plugin:exa:") if request.param == "prefixed" else real
    await real.aclose()


async def test_what_was_set_is_there_until_deleted(store: Store) -> None:
    assert await store.get("a") is None
    await store.set("a", b"\x00\xff")
    await store.set("a", b"2")
    assert await store.get("a") == b"2"
    await store.delete("a")
    await store.delete("a")
    assert await store.get("a") is None


async def test_keys_may_hold_any_text(store: Store) -> None:
    await store.set("päge:%_'\";\n", b"1")
    assert await store.get("päge:%_'\";\n") == b"1"
    assert await store.get("päge:%_'\";") is None


async def test_a_value_is_gone_when_its_time_is_over(store: Store, clock: TurnedClock) -> None:
    await store.set("a", b"1", ttl=10)
    clock.time += 9.9
    assert await store.get("a") == b"1"
    clock.time += 0.1
    assert await store.get("a") is None


async def test_setting_anew_renews_the_time(store: Store, clock: TurnedClock) -> None:
    await store.set("a", b"1", ttl=10)
    await store.set("a", b"2")
    clock.time += 1e6
    assert await store.get("a") == b"2"


@pytest.mark.parametrize("ttl", [0, -5])
async def test_a_value_without_time_is_not_kept(store: Store, ttl: float) -> None:
    await store.set("a", b"1")
    await store.set("a", b"2", ttl=ttl)
    assert await store.get("a") is None


async def test_add_if_absent_adds_once_and_again_after_expiry(store: Store, clock: TurnedClock) -> None:
    assert await store.add_if_absent("a", b"1", ttl=5)
    assert not await store.add_if_absent("a", b"2", ttl=5)
    assert await store.get("a") == b"1"
    clock.time += 5
    assert await store.add_if_absent("a", b"3", ttl=5)
    assert await store.get("a") == b"3"


async def test_a_counter_counts_from_zero_and_expires_from_its_first_change(store: Store, clock: TurnedClock) -> None:
    assert await store.incr("n", ttl=60) == 1
    clock.time += 40
    assert await store.incr("n", 5, ttl=60) == 6
    assert await store.incr("n", -2) == 4
    clock.time += 20
    assert await store.incr("n", ttl=60) == 1


async def test_a_counter_can_be_read(store: Store) -> None:
    await store.incr("n", 41)
    await store.incr("n")
    assert await store.get("n") == b"42"


async def test_counting_what_is_no_counter_is_an_error_and_changes_nothing(store: Store) -> None:
    await store.set("a", b"text")
    with pytest.raises(ValueError):
        await store.incr("a")
    assert await store.get("a") == b"text"
    await store.set("b", b"still usable")
    assert await store.get("b") == b"still usable"


async def test_compare_and_set_sets_only_what_is_expected(store: Store, clock: TurnedClock) -> None:
    assert not await store.compare_and_set("a", b"0", b"1")
    assert await store.compare_and_set("a", None, b"1", ttl=10)
    assert not await store.compare_and_set("a", None, b"2")
    assert not await store.compare_and_set("a", b"0", b"2")
    assert await store.get("a") == b"1"
    assert await store.compare_and_set("a", b"1", b"2", ttl=10)
    assert await store.get("a") == b"2"
    clock.time += 10
    assert not await store.compare_and_set("a", b"2", b"3")
    assert await store.compare_and_set("a", None, b"3")


async def test_operations_at_once_lose_nothing(store: Store) -> None:
    async def claim(number: int) -> bool:
        return await store.add_if_absent("lock", b"%d" % number)

    async def raise_by_one() -> None:
        while True:
            current = await store.get("cas")
            if await store.compare_and_set("cas", current, b"%d" % (int(current or b"0") + 1)):
                return

    claims = await asyncio.gather(*(claim(number) for number in range(20)))
    counts = await asyncio.gather(*(store.incr("n") for _ in range(20)))
    await asyncio.gather(*(raise_by_one() for _ in range(10)))
    assert claims.count(True) == 1
    assert sorted(counts) == list(range(1, 21))
    assert await store.get("cas") == b"10"


async def test_the_least_recently_used_goes_first(store: Store, clock: TurnedClock) -> None:
    for name in "abcdefgh":
        clock.time += 100
        await store.set(name, b"x" * 2000)
    clock.time += 100
    assert await store.get("a")
    for name in "ijklmnop":
        clock.time += 10
        await store.set(name, b"x" * 1000)
    assert await store.get("a")
    assert await store.get("b") is None
    assert await store.get("p")


STATE: dict[str, Callable[[Store], Awaitable[object]]] = {
    "incr": lambda store: store.incr("state", 1, ttl=60),
    "add_if_absent": lambda store: store.add_if_absent("state", b"1", ttl=60),
    "compare_and_set": lambda store: store.compare_and_set("state", None, b"1"),
}


@pytest.mark.parametrize("operation", STATE)
async def test_no_amount_of_kept_values_pushes_out_state(operation: str, store: Store, clock: TurnedClock) -> None:
    await STATE[operation](store)
    for number in range(60):
        clock.time += 0.1
        await store.set(f"page{number}", b"x" * 1500)
    assert await store.get("page0") is None
    assert await store.get("page59")
    assert await store.get("state") == b"1"
    await store.set("state", b"a kept value now")
    for number in range(60):
        clock.time += 100
        await store.set(f"page{number}", b"x" * 1500)
    assert await store.get("state") is None


async def test_state_goes_only_for_other_state_the_first_to_expire_first(store: Store, clock: TurnedClock) -> None:
    await store.add_if_absent("for ever", b"x" * 1000)
    for number in range(60):
        await store.add_if_absent(f"lock{number}", b"x" * 1000, ttl=1000 - number)
    assert await store.get("for ever")
    assert await store.get("lock0")
    assert await store.get("lock40") is None
    clock.time += 2000
    await store.set("page", b"x" * 15_000)
    assert await store.get("page")


async def test_a_flood_of_counters_leaves_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (memory, sqlite):
        monkeypatch.setattr(module, "MAX_STATE", 10)
    await store.incr("long", ttl=1000)
    await store.set("page", b"x" * 14_000)
    for number in range(25):
        await store.incr(f"flood{number}", ttl=60 + number)
        await store.incr("long")
    assert await store.get("page")
    assert await store.get("long") == b"26"
    assert await store.get("flood0") is None
    assert await store.get("flood24") == b"1"


async def test_counters_that_have_expired_leave_the_memory_store(clock: TurnedClock) -> None:
    store = MemoryStore(clock, MAX_BYTES)
    for minute in range(50):
        for _ in range(200):
            await store.incr(f"calls:{minute}", ttl=60)
        clock.time += 60
    assert len(store._state) == 1
    assert len(store._ends) < 200


async def test_a_value_larger_than_the_store_is_not_kept(store: Store) -> None:
    await store.set("other", b"1")
    assert not await store.add_if_absent("huge", b"x" * (MAX_BYTES + 1))
    await store.set("huge", b"x" * (MAX_BYTES + 1))
    assert await store.get("huge") is None
    assert await store.get("other") == b"1"


async def test_the_memory_store_never_holds_more_than_its_bytes(clock: TurnedClock) -> None:
    store = MemoryStore(clock, 5000)
    for number in range(200):
        await store.set(f"k{number % 37}", b"x" * (number * 7 % 900))
        assert store.size <= 5000
    await store.aclose()
    assert store.size == 0


async def test_rooms_of_a_store_do_not_see_each_other(clock: TurnedClock) -> None:
    shared = MemoryStore(clock, MAX_BYTES)
    exa, tavily = PrefixedStore(shared, "plugin:exa:"), PrefixedStore(shared, "plugin:tavily:")
    await exa.set("key", b"exa")
    assert await tavily.get("key") is None
    assert await shared.get("plugin:exa:key") == b"exa"


async def test_a_room_whose_name_begins_like_anothers_is_another(clock: TurnedClock) -> None:
    shared = MemoryStore(clock, MAX_BYTES)
    await PrefixedStore(shared, "exa").set("2:key", b"1")
    assert await PrefixedStore(shared, "exa2").get(":key") is None
    assert await PrefixedStore(shared, "exa:").get("2:key") == b"1"


@pytest.mark.parametrize("prefix", ["", ":"])
def test_a_prefix_must_not_be_empty(prefix: str, clock: TurnedClock) -> None:
    with pytest.raises(ValueError, match="empty"):
        PrefixedStore(MemoryStore(clock, 1000), prefix)


async def test_a_sqlite_store_outlives_its_process_and_is_for_its_owner_only(
    tmp_path: Path, clock: TurnedClock
) -> None:
    path = tmp_path / "deep" / "store.db"
    first = SqliteStore(path, clock, MAX_BYTES)
    await first.start()
    await first.set("a", b"1", ttl=100)
    await first.aclose()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    second = SqliteStore(path, clock, MAX_BYTES)
    await second.start()
    assert await second.get("a") == b"1"
    await second.aclose()


async def test_expired_rows_leave_the_file(tmp_path: Path, clock: TurnedClock) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path, clock, MAX_BYTES)
    await store.start()
    await store.set("old", b"x" * 500, ttl=10)
    clock.time += 11
    for number in range(5):
        await store.set(f"new{number}", b"x" * 1000)
    await store.aclose()
    database = sqlite3.connect(path)
    keys = {row[0] for row in database.execute("SELECT k FROM kv")}
    database.close()
    assert "old" not in keys
    assert "new4" in keys


async def test_a_sqlite_file_stays_near_its_bytes(tmp_path: Path, clock: TurnedClock) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path, clock, MAX_BYTES)
    await store.start()
    for number in range(100):
        await store.set(f"k{number}", b"x" * 900)
    await store.aclose()
    database = sqlite3.connect(path)
    total = database.execute("SELECT sum(size) FROM kv").fetchone()[0]
    database.close()
    assert MAX_BYTES / 2 < total <= MAX_BYTES * 17 / 16


def _corrupt(path: Path) -> None:
    path.write_bytes(b"this is not a database, " * 100)


def _of_another_program(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE kv (name TEXT)")
    database.close()


def _a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("spoil", [_corrupt, _of_another_program, _a_folder])
async def test_an_unusable_sqlite_file_stops_the_start_with_a_remedy(
    spoil: Callable[[Path], None], tmp_path: Path, clock: TurnedClock
) -> None:
    path = tmp_path / "store.db"
    spoil(path)
    store = SqliteStore(path, clock, MAX_BYTES)
    with pytest.raises(StartupError, match=r"\[store\] path: .*store\.db cannot be used .*name another file"):
        await store.start()
    await store.aclose()


async def test_a_folder_that_cannot_be_made_stops_the_start(tmp_path: Path, clock: TurnedClock) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SqliteStore(tmp_path / "file" / "store.db", clock, MAX_BYTES)
    with pytest.raises(StartupError, match="cannot be used"):
        await store.start()


async def test_a_sqlite_store_that_was_closed_can_be_started_again(tmp_path: Path, clock: TurnedClock) -> None:
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    for _ in range(2):
        await store.start()
        await store.set("a", b"1")
        await store.aclose()
        with pytest.raises(RuntimeError, match="closed"):
            await store.get("a")


async def test_after_a_fork_an_open_sqlite_store_says_so_and_does_not_hang(
    tmp_path: Path, clock: TurnedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    await store.start()
    with monkeypatch.context() as child:
        child.setattr("os.getpid", lambda: 1)
        with pytest.raises(RuntimeError, match="before a fork"):
            await store.get("a")
    await store.aclose()


async def test_where_reads_wait_for_writes_they_are_patient(tmp_path: Path, clock: TurnedClock) -> None:
    """As on a file system that cannot do WAL."""
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    await store.start()
    assert store._connection is not None
    store._connection.execute("PRAGMA journal_mode = DELETE")
    await store.set("a", b"1")
    clock.time += 3600
    assert await store.get("a") == b"1"
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    reading = asyncio.create_task(store.get("a"))
    await asyncio.wait((reading,), timeout=2 * sqlite.BRIEF_MS / 1000)
    other.execute("COMMIT")
    assert await reading == b"1"
    other.close()
    await store.aclose()


async def test_a_sqlite_store_that_was_not_started_says_so(tmp_path: Path, clock: TurnedClock) -> None:
    with pytest.raises(RuntimeError, match="not been started"):
        await SqliteStore(tmp_path / "store.db", clock, MAX_BYTES).get("a")


ROUNDS = 40
OTHER_PROCESS = """
import asyncio, sys
from websearch_core.contract.clock import SystemClock
from websearch_core.stores.sqlite import SqliteStore

async def work():
    store = SqliteStore(sys.argv[1], SystemClock(), 1_000_000)
    await store.start()
    claimed = 0
    for number in range(int(sys.argv[2])):
        await store.incr("n")
        claimed += await store.add_if_absent(f"lock{number}", b"1")
    await store.aclose()
    print(claimed)

asyncio.run(work())
"""


async def test_two_processes_share_one_file_and_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", OTHER_PROCESS, str(path), str(ROUNDS), stdout=asyncio.subprocess.PIPE
        )
        for _ in range(2)
    ]
    outputs = await asyncio.gather(*(process.communicate() for process in processes))
    assert [process.returncode for process in processes] == [0, 0]
    assert sum(int(output) for output, _ in outputs) == ROUNDS
    store = SqliteStore(path, SystemClock(), 1_000_000)
    await store.start()
    assert await store.get("n") == b"%d" % (2 * ROUNDS)
    await store.aclose()


async def test_what_may_be_evicted_waits_only_briefly_for_another_process_and_state_waits_longer(
    tmp_path: Path, clock: TurnedClock
) -> None:
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    await store.start()
    await store.set("a", b"1")
    clock.time += 3600
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    assert await store.get("a") == b"1"
    with pytest.raises(sqlite3.OperationalError):
        await store.set("b", b"1")
    assert time.monotonic() - began < sqlite.BUSY_MS / 1000
    counting = asyncio.create_task(store.incr("n"))
    await asyncio.sleep(2 * sqlite.BRIEF_MS / 1000)
    assert not counting.done()
    other.execute("COMMIT")
    assert await counting == 1
    other.close()
    await store.aclose()


async def test_who_is_cancelled_while_the_file_is_locked_leaves_the_connection_to_the_next(
    tmp_path: Path, clock: TurnedClock
) -> None:
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    await store.start()
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    cancelled = [asyncio.create_task(store.incr("left")) for _ in range(10)]
    for task in cancelled:
        await asyncio.sleep(0.01)
        task.cancel()
    staying = [asyncio.create_task(store.incr("n")) for _ in range(10)]
    await asyncio.sleep(0.05)
    other.execute("COMMIT")
    assert sorted(await asyncio.gather(*staying)) == list(range(1, 11))
    await asyncio.gather(*cancelled, return_exceptions=True)
    assert all(task.cancelled() for task in cancelled)
    other.close()
    await store.aclose()


async def test_a_full_disk_is_told_with_its_file_and_what_was_kept_is_still_read(
    tmp_path: Path, clock: TurnedClock
) -> None:
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    await store.start()
    await store.set("kept", b"here")
    connection = store._connection
    assert connection is not None
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")  # as if there were no room for more
    for _ in range(2):
        with pytest.raises(WebsearchError, match=r"store\.db: the disk is full; make room"):
            await store.set("large", b"x" * 15_000)
    assert await store.get("kept") == b"here"
    await store.aclose()


async def test_a_value_that_is_no_bytes_is_an_error_of_the_database(tmp_path: Path, clock: TurnedClock) -> None:
    store = SqliteStore(tmp_path / "store.db", clock, MAX_BYTES)
    await store.start()
    await store.set("a", b"1")
    with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as other:
        other.execute("UPDATE kv SET v = CAST(X'FF' AS TEXT)")
    with pytest.raises(sqlite3.OperationalError):  # one that Python raises itself
        await store.get("a")
    await store.aclose()


def test_a_kind_of_memory_store_may_have_other_bases_and_waits_unless_it_says_otherwise() -> None:
    tags: list[str] = []

    class Tagged:
        def __init_subclass__(cls, tag: str = "", **given: object) -> None:
            super().__init_subclass__(**given)
            tags.append(tag)

    class Slow(MemoryStore, Tagged, tag="slow"):
        pass

    class Quick(Slow, tag="quick"):
        waits = False

    assert tags == ["slow", "quick"]
    assert (MemoryStore.waits, Slow.waits, Quick.waits) == (False, True, False)
