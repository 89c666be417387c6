"""`websearch serve` as a process, a hostile site beside it, and what a client reads of its answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from websearch_core.testing.site import LoopbackSite

from ...forked import Forked, ForkServer
from ..conftest import clean_environ

SECONDS = 60
GUARDS = "guard-pii,guard-hidden,guard-injection"


@dataclass
class Served:
    """A server process: its MCP address, its site, and every line that it has logged."""

    address: str
    process: Forked
    lines: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return self.address.removesuffix("/mcp")

    @property
    def log(self) -> str:
        return "".join(self.lines)


@contextlib.contextmanager
def site_in_a_thread() -> Iterator[LoopbackSite]:
    """A site that serves while tests, one after the other, have event loops of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    site = LoopbackSite()
    try:
        asyncio.run_coroutine_threadsafe(site.__aenter__(), loop).result(SECONDS)
        yield site
        asyncio.run_coroutine_threadsafe(site.__aexit__(None, None, None), loop).result(SECONDS)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def settings(site: LoopbackSite, folder: Path, **more: str) -> dict[str, str]:
    """The environment of a server that reads this site, asks it as SearXNG and as Brave, and has the guards."""
    host = site.url.removeprefix("http://")
    return clean_environ(
        WEBSEARCH_PLUGINS__ONLY=more.pop("WEBSEARCH_PLUGINS__ONLY", "guard,web,searxng,brave"),
        WEBSEARCH_NET__PRIVATE=host,
        WEBSEARCH_SEARXNG__BASE_URL=site.url,
        WEBSEARCH_BRAVE__BASE_URL=f"{site.url}/brave",
        WEBSEARCH_BRAVE__API_KEY=more.pop("WEBSEARCH_BRAVE__API_KEY", "k"),
        WEBSEARCH_CHAIN__BACKENDS="searxng,brave",
        WEBSEARCH_CHAIN__REQUIRE=more.pop("WEBSEARCH_CHAIN__REQUIRE", GUARDS),
        WEBSEARCH_STORE__DATA_DIR=str(folder),
        **more,
    )


@contextlib.contextmanager
def serving(servers: ForkServer, environ: Mapping[str, str], folder: Path, *flags: str) -> Iterator[Served]:
    """`websearch serve` on a free port, until the block ends; it must end cleanly."""
    words = ("serve", "--listen", "127.0.0.1:0", *flags)
    with servers.running(*words, environ=environ, folder=folder) as process:
        stream = process.stderr
        lines: list[str] = []
        for line in stream:
            lines.append(line)
            if found := re.search(r"listening on (http://\S+?/mcp)", line):
                break
        else:
            raise AssertionError(f"the server did not start:\n{''.join(lines)}")
        drain = threading.Thread(target=lambda: lines.extend(stream))
        drain.start()
        try:
            _ready(found[1].removesuffix("/mcp"), process)
            yield Served(found[1], process, lines)
            assert process.poll() is None, "".join(lines)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(SECONDS)
            drain.join(SECONDS)
    assert process.returncode == 0, "".join(lines)


def _ready(origin: str, process: Forked) -> None:
    """Wait until the filters have loaded: until then calls are blocked."""
    ends = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < ends:
        if httpx2.get(f"{origin}/health/ready", timeout=SECONDS).is_success:
            return
        threading.Event().wait(0.05)


def installed(folder: Path) -> dict[str, str]:
    """The plugin that misbehaves, as pip would leave it, and the environment that loads it."""
    site = folder / "site-packages"
    info = site / "acme_bad-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "acme_bad.py").write_text((Path(__file__).parent / "acme_bad.py").read_text())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-bad\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[websearch]\nacme-bad = acme_bad\n")
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "WEBSEARCH_PLUGINS__ONLY": "guard,web,searxng,brave,acme-bad"}


@dataclass(frozen=True)
class Said:
    """One answer: the text for the model, and the data beside it."""

    text: str
    data: Mapping[str, Any]
    failed: bool

    @property
    def everything(self) -> str:
        return f"{self.text}\n{json.dumps(self.data, ensure_ascii=False)}"

    @property
    def results(self) -> list[dict[str, Any]]:
        return list(self.data.get("results", ()))


async def post(server: Served, body: bytes, headers: Sequence[tuple[str, str]] = ()) -> tuple[int, str]:
    """A request byte for byte, its headers as given: no client smooths them. Status, and all that was answered."""
    host, _, port = server.origin.removeprefix("http://").partition(":")
    usual = {
        "host": host,
        "connection": "close",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
    }
    lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in (*usual.items(), *headers)), "", ""]
    async with asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write("\r\n".join(lines).encode() + body)
        answered = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
    return int(answered.split(" ", 2)[1]), answered.partition("\r\n\r\n")[2]


def tool_call(tool: str, **arguments: Any) -> bytes:
    """The body of a call."""
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


async def call(server: Served, tool: str, **arguments: Any) -> Said:
    """One tool call by the real client."""
    async with (
        httpx2.AsyncClient(timeout=SECONDS, trust_env=False, verify=False) as http,
        Client(streamable_http_client(server.address, http_client=http), mode="auto") as client,
    ):
        result = await client.call_tool(tool, arguments)
    text = "\n".join(block.text for block in result.content if block.type == "text")
    return Said(text, result.structured_content or {}, bool(result.is_error))
