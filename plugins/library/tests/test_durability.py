"""Several processes on one file, and a writer that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import anyio
import pytest

from websearch_core.testing.fakes import FakeClock
from websearch_library.index import fts_query, schema
from websearch_library.index.index import Index, Question
from websearch_library.index.library import Library
from websearch_library.index.page_copy import PageCopy

WRITER = """
import sys
from pathlib import Path
from websearch_library.index import schema
from websearch_library.index.page_copy import PageCopy
from websearch_library.index.index import Index

index = Index(schema.open_writer(Path(sys.argv[1])))
for batch in range(10_000):
    with index.transaction():
        index.put(
            PageCopy(url=f"https://site.example/{batch}/{n}", title=f"T{n}", body=f"zebra batch{batch} " * 200)
            for n in range(20)
        )
    print(batch, flush=True)
"""


def writer(file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True)


def committed(process: subprocess.Popen[str], batches: int) -> None:
    assert process.stdout is not None
    for _ in range(batches):
        assert process.stdout.readline()


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


async def test_a_killed_writer_loses_nothing_committed(file: Path, clock: FakeClock) -> None:
    process = writer(file)
    committed(process, 5)
    end(process)
    library = Library(file, clock)
    await library.open()
    pages, _ = (await library.read(lambda index: index.counts()))["web"]
    assert pages >= 100
    assert pages % 20 == 0
    last = fts_query.expression("batch4")
    assert last
    assert len(await library.read(lambda index: index.search(Question(last, 50)))) == 20
    sound = await library.read(lambda index: index.connection.execute("PRAGMA integrity_check").fetchone()[0])
    assert sound == "ok"
    assert library.holds_more
    await library.aclose()


async def test_two_read_while_one_writes(file: Path, clock: FakeClock) -> None:
    process = writer(file)
    try:
        committed(process, 1)
        readers = [Index(schema.open_reader(file)) for _ in range(2)]
        zebra = fts_query.expression("zebra")
        assert zebra
        seen: list[int] = []
        for _ in range(4):
            committed(process, 1)
            for reader in readers:
                assert reader.search(Question(zebra, 5))
                seen.append(reader.counts()["web"][0])
        assert seen == sorted(seen)
        assert seen[-1] >= 100
        for reader in readers:
            reader.connection.close()
    finally:
        end(process)


async def test_two_processes_may_open_a_new_library_at_once(file: Path, clock: FakeClock) -> None:
    processes = [writer(file) for _ in range(2)]
    try:
        for process in processes:
            committed(process, 2)
    finally:
        for process in processes:
            end(process)


async def test_what_another_process_adds_is_noticed(file: Path, clock: FakeClock) -> None:
    library = Library(file, clock)
    await library.open()
    assert not library.holds_more
    process = writer(file)
    committed(process, 1)
    end(process)
    await library.catch_up()
    assert library.holds_more
    assert library.knows("https://site.example/0/7")
    await library.aclose()


A = PageCopy(url="https://site.example/a", body="one", fetched_at=1.0)
B = PageCopy(url="https://site.example/b", body="two", fetched_at=2.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda index: index.put([replace(A, url="https://site.example/c")]),
        lambda index: index.put([replace(A, body="other words")]),
        lambda index: index.put([replace(A, title="Another")]),
        lambda index: index.put([replace(A, asked="https://site.example/old")]),
        lambda index: index.remove("url = ?", (A.url,)),
        lambda index: index.remove("url = ?", (B.url,)) and index.put([B]),
    ],
    ids=["added", "text", "title", "redirect", "removed", "replaced"],
)
async def test_every_change_by_another_process_makes_another_revision_unasked(
    file: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, change: Callable[[Index], object]
) -> None:
    looked = Event()
    look = Library._look

    def told(library: Library) -> None:
        look(library)
        looked.set()

    monkeypatch.setattr(Library, "_look", told)
    monkeypatch.setattr("websearch_library.index.library._LOOK_S", 0.01)
    other = Index(schema.open_writer(file))
    with other.transaction():
        other.put([A, B])
    library = Library(file, clock)
    await library.open()
    before = library.revision
    with other.transaction():
        change(other)
    with anyio.fail_after(60):
        while library.revision == before:
            looked.clear()
            await anyio.to_thread.run_sync(looked.wait, 10)
    assert library.knows("https://site.example/b")
    other.connection.close()
    await library.aclose()


async def test_without_a_change_the_revision_stays_also_for_the_next_process(file: Path, clock: FakeClock) -> None:
    seen: list[str] = []
    for _ in range(2):
        library = Library(file, clock)
        await library.open()
        await library.write(lambda index: index.put([]) and index.remove("url = ?", ("nobody",)))
        await library.catch_up()
        seen.append(library.revision)
        await library.aclose()
    assert seen[0] == seen[1] != ""


async def test_the_documentation_is_renewed_when_it_has_changed(file: Path, clock: FakeClock) -> None:
    library = Library(file, clock)
    await library.open()
    before = await library.read(lambda index: index.counts())

    def spoil(index: Index) -> None:
        index.remove("url LIKE '%/errors'", ())
        index.set_meta("docs", "another version")

    await library.write(spoil)
    await library.aclose()
    again = Library(file, clock)
    await again.open()
    assert await again.read(lambda index: index.counts()) == before
    await again.aclose()


async def test_a_folder_where_we_may_not_write_is_read(file: Path, clock: FakeClock) -> None:
    library = Library(file, clock)
    await library.open()
    await library.aclose()
    reader = Index(schema.open_reader(file))
    assert reader.counts()["docs"][0] > 8
    reader.connection.close()
