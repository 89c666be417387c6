"""What is loaded when a server already answers: filters first, and nothing is judged, or passes, without them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import anyio
import pytest

from websearch_core import Caller, SearchRequest, StartupError
from websearch_core.contract.clock import SystemClock
from websearch_core.kit import BlockedByFilter
from websearch_core.settings.configuration import Configuration
from websearch_core.startup import lifecycle
from websearch_core.startup.assemble import Assembly, assemble
from websearch_core.startup.lifecycle import running, warm

Install = Callable[..., list[EntryPoint]]

SECONDS = 60

WARMING = """
import threading
happened, thread, broken, hanging, late = [], [], [], [], []
wait, go = threading.Event(), threading.Event()
go.set()

class Made:
    def __init__(self, name):
        self.name = name
    def warm(self):
        print("loading", self.name, flush=True)
        (wait if self.name in hanging else go).wait()
        thread.append(threading.current_thread())
        happened.append("warm " + self.name)
        if self.name in broken:
            raise RuntimeError("owls")
    def warm_later(self):
        if self.name in late:
            wait.wait()
            raise RuntimeError("owls")
    async def check(self, *given):
        happened.append("check " + self.name)
        return Allow()
    async def search(self, request):
        return [Hit(url="https://a.example/1", title="a")]

class Engine(Made, SearchBackend):
    pass

class Judge(Made, RequestFilter):
    pass

class Reader(Made, DocumentFilter):
    async def check(self, documents, caller):
        happened.append("check " + self.name)
        return [Allow() for _ in documents]

@hookimpl
def websearch_search_backends():
    yield Engine("engine")

@hookimpl
def websearch_request_filters():
    yield Judge("judge")

@hookimpl
def websearch_document_filters():
    yield Reader("reader")
"""

PATIENCE_S = {"broken": SECONDS, "hanging": 0.5}
CHECKED = ["check judge", "check reader"]
LOADED = ["warm judge", "warm reader"]


@pytest.fixture
def plugin(install: Install) -> Any:
    """The module whose components load what the test wants, how it wants it."""
    return install("warming", WARMING)[0].load()


@pytest.fixture
def assembly(install: Install, plugin: Any) -> Assembly:
    """Of an operator who lets pass what the filters fail to judge."""
    entries = install("warming", WARMING)
    assert entries[0].load() is plugin
    chain = {"on_failure": {"judge": "allow", "reader": "allow"}}
    return assemble(Configuration({"chain": chain}, {}, "websearch.toml"), installed=entries)


async def test_filters_are_loaded_first_and_judge_when_all_have_loaded(plugin: Any, assembly: Assembly) -> None:
    plugin.go.clear()
    plugin.hanging.append("engine")
    async with running(assembly) as chain, anyio.create_task_group() as group:
        group.start_soon(warm, assembly)
        await anyio.wait_all_tasks_blocked()
        assert assembly.readiness() == (False, {"engine": "ready"})
        async with anyio.create_task_group() as calls:
            calls.start_soon(chain.search, SearchRequest(query="x"))
            await anyio.wait_all_tasks_blocked()
            assert plugin.happened == [], "the event loop goes on, and nothing is judged yet"
            plugin.go.set()
        assert plugin.happened == [*LOADED, *CHECKED], "nobody waits for who is no filter"
        assert assembly.readiness()[0]
        plugin.wait.set()
    assert plugin.happened == [*LOADED, *CHECKED, "warm engine"]
    assert threading.main_thread() not in plugin.thread


@pytest.mark.parametrize("name", ["judge", "reader"])
@pytest.mark.parametrize("how", ["broken", "hanging"])
async def test_without_a_filter_the_start_has_failed_and_nothing_passes(
    how: str, name: str, plugin: Any, assembly: Assembly
) -> None:
    getattr(plugin, how).append(name)
    why = "RuntimeError: owls" if how == "broken" else "TimeoutError"
    async with running(assembly) as chain:
        with pytest.raises(StartupError, match=rf"^plugin warming \(.*\): {name} does not load: {why}"):
            await lifecycle.warm(assembly, PATIENCE_S[how])
        assert not assembly.readiness()[0]
        caller = Caller(deadline=SystemClock().monotonic() + 0.05)
        with pytest.raises(BlockedByFilter, match="had not loaded"):
            await chain.search(SearchRequest(query="x", caller=caller))
    assert not {*plugin.happened} & {*CHECKED}
    plugin.wait.set()


async def test_who_waits_for_a_filter_that_fails_to_load_is_told_at_once(install: Install, plugin: Any) -> None:
    chain = {"on_failure": {"judge": "allow"}, "filter_timeout_s": 2 * SECONDS}
    entries = install("warming", WARMING)
    assembly = assemble(Configuration({"chain": chain}, {}, "websearch.toml"), installed=entries)
    plugin.go.clear()
    plugin.broken.append("judge")

    async def load() -> None:
        with pytest.raises(StartupError, match="judge does not load"):
            await warm(assembly)

    async with running(assembly) as asked, anyio.create_task_group() as group:
        group.start_soon(load)
        await anyio.wait_all_tasks_blocked()
        threading.Timer(0.05, plugin.go.set).start()
        with anyio.fail_after(SECONDS), pytest.raises(BlockedByFilter, match="had not loaded"):
            await asked.search(SearchRequest(query="x"))
    assert not {*plugin.happened} & {*CHECKED}


@pytest.mark.parametrize("how", ["broken", "hanging"])
async def test_what_else_does_not_load_is_told_and_done_without(
    how: str, plugin: Any, assembly: Assembly, caplog: pytest.LogCaptureFixture
) -> None:
    getattr(plugin, how).append("engine")
    async with running(assembly) as chain:
        await lifecycle.warm(assembly, PATIENCE_S[how])
        assert (await chain.search(SearchRequest(query="x"))).hits
    why = "RuntimeError" if how == "broken" else "not in time"
    assert f"engine did not load ({why})" in caplog.text
    assert "owls" not in caplog.text
    plugin.wait.set()


async def test_what_few_requests_need_is_loaded_when_the_server_is_ready(
    plugin: Any, assembly: Assembly, caplog: pytest.LogCaptureFixture
) -> None:
    plugin.late.append("judge")
    async with running(assembly) as chain, anyio.create_task_group() as group:
        group.start_soon(warm, assembly)
        await anyio.wait_all_tasks_blocked()
        assert (await chain.search(SearchRequest(query="x"))).hits
        assert assembly.readiness()[0]
        plugin.wait.set()
    assert plugin.happened == [*LOADED, *CHECKED, "warm engine"]
    assert "judge did not load (RuntimeError)" in caplog.text


async def test_a_command_asks_without_loading_beforehand(plugin: Any, assembly: Assembly) -> None:
    async with running(assembly) as chain:
        await chain.search(SearchRequest(query="x"))
    assert plugin.happened == CHECKED


async def test_what_loads_at_a_stop_is_waited_for_and_no_other_begins(plugin: Any, assembly: Assembly) -> None:
    plugin.hanging.append("judge")
    async with running(assembly), anyio.create_task_group() as group:
        group.start_soon(warm, assembly)
        await anyio.wait_all_tasks_blocked()
        threading.Timer(0.05, plugin.wait.set).start()
        group.cancel_scope.cancel()
    assert plugin.happened == ["warm judge"]


def serve(*words: str, folder: Path, **kinds: str) -> subprocess.Popen[str]:
    """A server of this plugin, in a process of its own; `kinds`: how a component loads there."""
    lists = "".join(f"{how}.append({name!r})\n" for how, name in kinds.items())
    module = next((folder / "site-packages").glob("*.py"))
    module.write_text(module.read_text() + lists)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WEBSEARCH_")}
    paths = os.pathsep.join([str(folder / "site-packages"), *filter(None, [kept.get("PYTHONPATH")])])
    code = "from websearch_core.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "serve", *words],
        cwd=folder,
        env={**kept, "PYTHONPATH": paths, "WEBSEARCH_PLUGINS__ONLY": "warming", "XDG_DATA_HOME": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


SERVERS = pytest.mark.parametrize("words", [("--listen", "127.0.0.1:0"), ("--stdio",)], ids=["http", "stdio"])


@SERVERS
def test_a_broken_filter_ends_the_server(words: tuple[str, ...], install: Install, tmp_path: Path) -> None:
    install("warming", WARMING)
    with serve(*words, folder=tmp_path, broken="judge") as server:
        try:
            assert server.wait(SECONDS) == 2
        finally:
            server.kill()
        errors = server.stderr.read() if server.stderr else ""
    assert "judge does not load: RuntimeError: owls" in errors.splitlines()[-1]
    assert "Traceback" not in errors


@SERVERS
def test_what_never_ends_loading_keeps_no_server_from_ending(
    words: tuple[str, ...], install: Install, tmp_path: Path
) -> None:
    install("warming", WARMING)
    with serve(*words, folder=tmp_path, hanging="judge") as server:
        try:
            for line in (server.stderr if words == ("--stdio",) else server.stdout) or ():
                if line == "loading judge\n":
                    break
            server.send_signal(signal.SIGTERM)
            assert server.wait(SECONDS) == 0
        finally:
            server.kill()
