"""A real server that is told to stop while it works."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from pathlib import Path

import httpx2
import pytest
from mcp import Client

from websearch_core.testing.site import LoopbackSite, answer

from .conftest import SECONDS, clean_environ

FOUND = {
    "results": [{"url": "https://a.example/1", "title": "Owls", "content": "They fly."}],
    "unresponsive_engines": [],
}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_in_flight_gets_its_answer_and_the_exit_is_clean(
    mode: str, websearch: list[str], tmp_path: Path
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def slow(_: object) -> object:
        asked.set()
        await go.wait()
        return answer(200, json=FOUND)

    async with LoopbackSite() as site:
        site.route("/search", slow)
        environ = clean_environ(
            WEBSEARCH_PLUGINS__ONLY="searxng",
            WEBSEARCH_SEARXNG__BASE_URL=site.url,
            WEBSEARCH_STORE__DATA_DIR=str(tmp_path),
            WEBSEARCH_CHAIN__BACKENDS="searxng",
        )
        process = await asyncio.create_subprocess_exec(
            *websearch, "serve", "--listen", "127.0.0.1:0", env=environ, cwd=tmp_path, stderr=asyncio.subprocess.PIPE
        )
        assert process.stderr
        line = ""
        while not (found := re.search(r"listening on (http://\S+?/mcp)", line)):
            line = (await process.stderr.readline()).decode()
            assert line, "the server did not start"
        async with asyncio.timeout(SECONDS):
            async with Client(found[1], mode=mode) as client:
                await client.list_tools()  # else the client asks for them once it has its answer
                call = asyncio.create_task(client.call_tool("search", {"query": "owls"}))
                await asked.wait()
                process.send_signal(signal.SIGTERM)
                # the stream library looks for a stop twice a second, in the other process: give it the time to do harm
                await asyncio.wait([call], timeout=1.2)
                go.set()
                result = await call
            rest = (await process.stderr.read()).decode()
            assert await process.wait() == 0, rest
    assert json.loads(json.dumps(result.structured_content))["results"][0]["title"] == "Owls"
    assert "Traceback" not in rest


HEARING = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGHUP, signal.SIG_DFL)
if terminal := int(sys.argv[1]):
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Runs a program that hears SIGHUP, also where the tests run under `nohup`; with a descriptor as its terminal, or 0."""


async def listening(process: asyncio.subprocess.Process) -> str:
    assert process.stderr
    while line := (await process.stderr.readline()).decode():
        if found := re.search(r"listening on (http://\S+?)/mcp", line):
            return found[1]
    raise AssertionError("the server did not start")


async def test_a_hangup_without_a_terminal_is_told_and_ends_nothing(websearch: list[str], tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HEARING, "0", *websearch, "serve", "--listen", "127.0.0.1:0"),
        env=clean_environ(WEBSEARCH_PLUGINS__ONLY="web", WEBSEARCH_STORE__DATA_DIR=str(tmp_path)),
        cwd=tmp_path,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    async with asyncio.timeout(SECONDS):
        address = await listening(process)
        process.send_signal(signal.SIGHUP)
        assert process.stderr
        assert b"SIGHUP: nothing is read anew; restart the server" in await process.stderr.readline()
        async with httpx2.AsyncClient(trust_env=False) as client:
            assert (await client.get(f"{address}/health")).status_code == 200
        process.send_signal(signal.SIGTERM)
        await process.stderr.read()
        assert await process.wait() == 0


@pytest.mark.parametrize("stdio", [False, True])
async def test_a_terminal_that_closes_stops_its_server_cleanly(
    websearch: list[str], tmp_path: Path, stdio: bool
) -> None:
    terminal, end = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HEARING, str(end), *websearch, "serve"),
        *(["--stdio"] if stdio else ["--listen", "127.0.0.1:0"]),
        env=clean_environ(WEBSEARCH_PLUGINS__ONLY="web", WEBSEARCH_STORE__DATA_DIR=str(tmp_path)),
        cwd=tmp_path,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        pass_fds=[end],
    )
    os.close(end)
    async with asyncio.timeout(SECONDS):
        assert process.stderr
        if stdio:
            assert b"queries go to" in await process.stderr.readline()
        else:
            await listening(process)
        os.close(terminal)
        rest = (await process.stderr.read()).decode()
        assert await process.wait() == 0
    assert "SIGHUP: the terminal was closed, so the server stops" in rest
    assert "Traceback" not in rest
