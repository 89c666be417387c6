"""stdio in a process of its own: pure JSON-RPC on stdout, and a clean end."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from websearch_core.server.stdio import MAX_LINE, _Lines

from .conftest import ERAS, LEGACY, MODERN, rpc

ROOT = Path(__file__).parents[2]
SECONDS = 30


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server.stdio_stand_in"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    yield process
    if process.poll() is None:
        process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None and not stream.closed:
            stream.close()
    process.wait(SECONDS)


def say(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    return json.loads(process.stdout.readline())


def greet(process: subprocess.Popen[str], era: str) -> None:
    if era == LEGACY:
        given = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        say(process, rpc("initialize", given, era=LEGACY))
        assert hear(process)["result"]["serverInfo"]["name"] == "websearch"
        say(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})


def search(query: str, era: str) -> dict[str, Any]:
    return rpc("tools/call", {"name": "search", "arguments": {"query": query, "topn": 1}}, era=era, number=2)


@pytest.mark.parametrize("era", ERAS)
def test_stdout_holds_nothing_but_json_and_the_end_of_stdin_ends_it(era: str, server: subprocess.Popen[str]) -> None:
    greet(server, era)
    say(server, search("owls", era))
    answer = hear(server)
    assert answer["id"] == 2
    assert answer["result"]["structuredContent"]["notes"] == ["unknown arguments were ignored: topn", "owls"]
    out, err = server.communicate(timeout=SECONDS)
    assert out == ""
    assert "stray print" in err
    assert "started" in err
    assert "queries go to: no other machine" in err
    assert "closed" in err
    assert server.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_with_a_call_in_flight(number: int, server: subprocess.Popen[str]) -> None:
    say(server, search("wait", MODERN))
    assert server.stderr
    for line in server.stderr:
        if line == "waiting\n":
            break
    server.send_signal(number)
    server.wait(SECONDS)
    assert server.returncode == 0
    assert "closed" in server.stderr.read()


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read(server: subprocess.Popen[str]) -> None:
    assert server.stdin
    server.stdin.write("x" * (MAX_LINE + 1) + "\n")
    say(server, search("owls", MODERN))
    refused = hear(server)
    assert (refused["id"], refused.get("error", {}).get("code")) == (None, -32600)
    assert hear(server)["id"] == 2


async def test_only_the_long_lines_are_left_out() -> None:
    refused = []
    lines = _Lines(-1)

    async def refuse() -> None:
        refused.append(True)

    lines.refuse = refuse
    reader = asyncio.StreamReader(limit=8)
    sent = b"one\n" + b"x" * 20 + b"\n\ntwo\n" + b"y" * 9 + b"\n" + b"z" * 30 + b"\nthree"
    reader.feed_data(sent)
    reader.feed_eof()
    read = []
    while line := await lines._line(reader):
        read.append(line)
    assert (read, len(refused)) == ([b"one\n", b"\n", b"two\n", b"three"], 3)


def test_a_line_that_is_no_json_does_not_end_it(server: subprocess.Popen[str]) -> None:
    assert server.stdin
    server.stdin.write("nonsense\n")
    say(server, search("owls", MODERN))
    answers = [hear(server)]
    if answers[-1].get("id") != 2:
        answers.append(hear(server))
    assert answers[-1]["id"] == 2
