"""`[server] workers`: several real processes on one port, seen through real clients."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client

from websearch_core.testing.site import LoopbackSite, answer

from .conftest import SECONDS, clean_environ

LONG = 3 * SECONDS
"""For a test that starts three processes and one of them anew."""
FOUND = {
    "results": [{"url": "https://a.example/1", "title": "Owls", "content": "They fly."}],
    "unresponsive_engines": [],
}


@dataclass
class Running:
    """The parent of the processes, and what it has logged."""

    process: asyncio.subprocess.Process
    log: str = ""
    seen: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def mcp(self) -> str:
        return re.search(r"listening on (http://\S+?/mcp)", self.log)[1]

    @property
    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    async def read(self) -> None:
        assert self.process.stderr
        async for line in self.process.stderr:
            async with self.seen:
                self.log += line.decode()
                self.seen.notify_all()

    async def logged(self, pattern: str) -> None:
        async with self.seen:
            await self.seen.wait_for(lambda: re.search(pattern, self.log) or self.process.returncode is not None)
        assert re.search(pattern, self.log), self.log

    async def ready(self) -> dict[str, Any]:
        """Once it says so, what it says."""
        while True:
            status, said = await self.readiness()
            if status == 200:
                return said
            await asyncio.sleep(0.1)

    async def readiness(self) -> tuple[int, dict[str, Any]]:
        async with httpx2.AsyncClient(trust_env=False) as client:
            response = await client.get(self.mcp.removesuffix("mcp") + "health/ready")
        return response.status_code, response.json()

    async def search(self, query: str = "owls", mode: str = "auto") -> Any:
        """Through a connection of its own."""
        async with Client(self.mcp, mode=mode) as client:
            await client.list_tools()  # else the client asks for them once it has its answer
            return await client.call_tool("search", {"query": query})


def sockets(pid: int) -> int:
    return sum(str(each.readlink()).startswith("socket:") for each in Path(f"/proc/{pid}/fd").iterdir())


def alive(pids: list[int]) -> bool:
    return any(Path(f"/proc/{pid}").exists() for pid in pids)


async def until(happened: Callable[[], bool]) -> None:
    while True:
        if happened():
            return
        await asyncio.sleep(0.1)


@asynccontextmanager
async def served(websearch: list[str], folder: Path, workers: int = 2, **environ: str) -> AsyncIterator[Running]:
    process = await asyncio.create_subprocess_exec(
        *(*websearch, "serve", "--listen", "127.0.0.1:0"),
        env=clean_environ(
            WEBSEARCH_SERVER__WORKERS=str(workers),
            WEBSEARCH_STORE__PATH=str(folder / "store.db"),
            WEBSEARCH_STORE__DATA_DIR=str(folder),
            **{"WEBSEARCH_PLUGINS__ONLY": "searxng", **environ},
        ),
        cwd=folder,
        stderr=asyncio.subprocess.PIPE,
    )
    running = Running(process)
    reading = asyncio.create_task(running.read())
    try:
        async with asyncio.timeout(LONG):
            await running.logged("listening on")
            yield running
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await reading
            assert await process.wait() == 0, running.log
            assert "Traceback" not in running.log
    finally:
        if process.returncode is None:
            process.kill()
        await reading
        await process.wait()


async def test_two_processes_serve_one_port(websearch: list[str], tmp_path: Path) -> None:
    async with served(websearch, tmp_path, LOCAL_TEST_MODE="1") as server:
        await any_process_answers_any_call_of_a_client(server)
        place = httpx2.URL(server.mcp).netloc.decode()
        said = await refusal(websearch, tmp_path, "--listen", place, WEBSEARCH_STORE__PATH=str(tmp_path / "store.db"))
        assert f"cannot listen on {place} (Address already in use" in said
        await a_process_that_dies_is_started_again_and_told_of(server)
        workers = server.workers
        assert len(workers) == 2
    assert not alive(workers)


async def any_process_answers_any_call_of_a_client(server: Running) -> None:
    assert await server.ready() == {"ready": True, "processes_ready": 2, **(await server.readiness())[1]}
    for mode in ["auto", "legacy"] * 6:
        result = await server.search("owls", mode)
        assert result.structured_content["results"][0]["title"] == "A handbook of owls"
    host, port = httpx2.URL(server.mcp).host, httpx2.URL(server.mcp).port
    before = {pid: sockets(pid) for pid in server.workers}
    opened = [await asyncio.open_connection(host, port) for _ in range(40)]
    await until(lambda: all(sockets(pid) > before[pid] + 4 for pid in before))  # each has some of them
    for _, writer in opened:
        writer.close()
        await writer.wait_closed()


async def a_process_that_dies_is_started_again_and_told_of(server: Running) -> None:
    victim, other = server.workers
    os.kill(victim, signal.SIGKILL)
    await server.logged(r"server process \d ended \(SIGKILL\); it is started again in 1 s")
    status, said = await server.readiness()
    assert (status, said["ready"], said["processes_ready"]) == (503, False, 1)
    assert (await server.search()).structured_content["results"]  # the other one serves
    assert (await server.ready())["processes_ready"] == 2
    assert other in server.workers
    assert victim not in server.workers


async def test_what_a_caller_may_do_is_counted_over_all_processes(websearch: list[str], tmp_path: Path) -> None:
    async with served(websearch, tmp_path, LOCAL_TEST_MODE="1", WEBSEARCH_SERVER__RATE_PER_MINUTE="7") as server:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}
        await until(lambda: time.time() % 60 < 40)  # all within one minute of the clock
        statuses: list[int] = []
        for _ in range(20):
            async with httpx2.AsyncClient(trust_env=False) as client:
                statuses.append((await client.post(server.mcp, json=body)).status_code)
        assert statuses.count(429) == 13
        assert 429 not in statuses[:7]


async def test_a_budget_holds_over_all_processes(websearch: list[str], tmp_path: Path) -> None:
    asked: list[str] = []

    async def found(request: Any) -> object:
        if b"pageno=1" in request.body:  # the first of the two requests of a search, each a unit
            asked.append(request.body.decode())
        return answer(200, json=FOUND)

    async with LoopbackSite() as site:
        site.route("/search", found)
        async with served(
            websearch,
            tmp_path,
            WEBSEARCH_SEARXNG__BASE_URL=site.url,
            WEBSEARCH_LEDGER__CAPS=json.dumps({"searxng": {"units_per_day": 10}}),
        ) as server:
            results = [await server.search(f"owls {number}") for number in range(12)]
    assert len(asked) == 5
    assert [bool(result.is_error) for result in results] == [False] * 5 + [True] * 7


async def test_a_stop_lets_the_calls_in_flight_of_every_process_finish(websearch: list[str], tmp_path: Path) -> None:
    arrived, go = asyncio.Semaphore(0), asyncio.Event()

    async def slow(_: object) -> object:
        arrived.release()
        await go.wait()
        return answer(200, json=FOUND)

    async with LoopbackSite() as site:
        site.route("/search", slow)
        async with served(websearch, tmp_path, WEBSEARCH_SEARXNG__BASE_URL=site.url) as server:
            calls = [asyncio.create_task(server.search(f"owls {number}")) for number in range(6)]
            for _ in calls:
                await arrived.acquire()
            server.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.5)
            go.set()
            for call in calls:
                assert (await call).structured_content["results"][0]["title"] == "Owls"
            await server.process.wait()


async def test_the_processes_end_when_their_parent_is_killed(websearch: list[str], tmp_path: Path) -> None:
    with pytest.raises(AssertionError):  # its exit is not clean
        async with served(websearch, tmp_path, LOCAL_TEST_MODE="1") as server:
            workers = server.workers
            server.process.kill()
            await until(lambda: not alive(workers))
    assert server.process.returncode == -signal.SIGKILL


async def refusal(websearch: list[str], folder: Path, *words: str, **environ: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(*websearch, "serve", *words),
        env=clean_environ(**{"WEBSEARCH_PLUGINS__ONLY": "searxng"} | environ)
        | {"WEBSEARCH_SERVER__WORKERS": "2", "WEBSEARCH_STORE__DATA_DIR": str(folder)},
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(LONG):
        _, said = await process.communicate()
    assert process.returncode == 2, said
    return said.decode().splitlines()[-1]


async def test_a_store_in_memory_is_refused_by_name(websearch: list[str], tmp_path: Path) -> None:
    said = await refusal(websearch, tmp_path, WEBSEARCH_SERVER__RATE_PER_MINUTE="9")
    assert "[server] workers: 2 processes cannot share the store in memory" in said
    assert "engines' rates, cool-downs, [server] rate_per_minute" in said
    assert "Set [store] path" in said


async def test_stdio_refuses_several_processes(websearch: list[str], tmp_path: Path) -> None:
    said = await refusal(websearch, tmp_path, "--stdio", WEBSEARCH_STORE__PATH=str(tmp_path / "store.db"))
    assert "[server] workers: over stdio one process serves one client" in said


async def test_what_keeps_the_processes_from_starting_is_said_once(websearch: list[str], tmp_path: Path) -> None:
    (tmp_path / "store.db").mkdir()
    said = await refusal(
        websearch, tmp_path, "--listen", "127.0.0.1:0", WEBSEARCH_STORE__PATH=str(tmp_path / "store.db")
    )
    assert "[store] path:" in said
    assert "cannot be used" in said


LAME = """
from websearch_core import Allow, RequestFilter, StartupError, hookimpl

class Lame(RequestFilter):
    name = "lame"

    def warm(self):
        raise StartupError("lame: the model's file is gone")

    async def check(self, request):
        return Allow()

@hookimpl
def websearch_request_filters():
    yield Lame()
"""


async def test_a_filter_that_cannot_load_ends_the_server(websearch: list[str], tmp_path: Path) -> None:
    environ = installed("lame", LAME, tmp_path) | {"WEBSEARCH_STORE__PATH": str(tmp_path / "store.db")}
    said = await refusal(websearch, tmp_path, "--listen", "127.0.0.1:0", **environ)
    assert said == "websearch: lame: the model's file is gone"


SLOW = """
import os, signal, threading

import anyio

from websearch_core import SearchBackend, hookimpl


class Slow(SearchBackend):
    name = "slow"
    verticals = {"web": frozenset()}

    async def search(self, request):
        return []
"""

ENDLESS = """
    def warm_later(self):
        threading.Event().wait()
"""

STOPPED = """
    async def start(self):
        heard = []
        stop = signal.signal(signal.SIGTERM, lambda *given: (heard.append(1), stop(*given)))
        os.kill(os.getppid(), signal.SIGTERM)
        while not heard:
            await anyio.sleep(0.01)
"""

HOOK = """

@hookimpl
def websearch_search_backends():
    yield Slow()
"""


def installed(name: str, text: str, folder: Path) -> dict[str, str]:
    """The variables with which this plugin is there, alone."""
    (folder / f"{name}.py").write_text(text)
    info = folder / f"{name}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[websearch]\n{name} = {name}\n")
    return {"PYTHONPATH": str(folder), "WEBSEARCH_PLUGINS__ONLY": name}


async def test_processes_are_ready_before_they_have_loaded_what_few_requests_need(
    websearch: list[str], tmp_path: Path
) -> None:
    environ = installed("slow", SLOW + ENDLESS + HOOK, tmp_path)
    async with served(websearch, tmp_path, **environ) as server:
        assert (await server.ready())["processes_ready"] == 2
        assert "did not load" not in server.log, "nobody waits until it is given up"


async def test_a_stop_while_the_processes_start_is_clean(websearch: list[str], tmp_path: Path) -> None:
    environ = installed("slow", SLOW + STOPPED + HOOK, tmp_path)
    process = await asyncio.create_subprocess_exec(
        *(*websearch, "serve", "--listen", "127.0.0.1:0"),
        env=clean_environ(
            WEBSEARCH_SERVER__WORKERS="2",
            WEBSEARCH_STORE__PATH=str(tmp_path / "store.db"),
            WEBSEARCH_STORE__DATA_DIR=str(tmp_path),
            **environ,
        ),
        cwd=tmp_path,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONG):
            _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode, said.decode()) == (0, "")
