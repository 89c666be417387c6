"""A real server, an MCP client, and a page whose text only a browser sees."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from websearch_browser.chromium.processes import session
from websearch_core.testing.site import LoopbackSite, answer

pytestmark = pytest.mark.real
TEXT = "Otters hold hands while they sleep, so that none drifts away. " * 9
APP = f"app.innerHTML = '<h1>Otters</h1><p>{TEXT}</p>'"
BUSY = "<script>x = new XMLHttpRequest(); x.open('GET', '/running', false); x.send()</script>"
SHELL = "<!DOCTYPE html><title>App</title><body><div id=app></div><script src=/app.js></script></body>"


@asynccontextmanager
async def serving(site: LoopbackSite, folder: Path) -> AsyncGenerator[tuple[asyncio.subprocess.Process, str]]:
    """A server that may reach this site, and its MCP address; it ends well, unless the test killed it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "LOCAL_TEST"))}
    environ = kept | {
        "WEBSEARCH_CHAIN__KEYLESS": "false",
        "WEBSEARCH_PLUGINS__ONLY": "web,browser",
        "WEBSEARCH_NET__PRIVATE": f"127.0.0.1:{site.port}",
        "WEBSEARCH_BROWSER__TIMEOUT_S": "60",
        "XDG_DATA_HOME": str(folder),
        "TMPDIR": str(folder),
    }
    command = [str(Path(sys.executable).parent / "websearch"), "serve", "--listen", "127.0.0.1:0"]
    server = await asyncio.create_subprocess_exec(*command, env=environ, cwd=folder, stderr=asyncio.subprocess.PIPE)
    assert server.stderr
    seen = ""
    while not (found := re.search(r"listening on (http://\S+?/mcp)", seen)):
        line = (await server.stderr.readline()).decode()
        assert line, seen
        seen += line
    draining = asyncio.ensure_future(server.stderr.read())
    try:
        yield server, found[1]
        if server.returncode is None:
            server.terminate()
        assert await server.wait() in (0, -signal.SIGKILL)
        assert b"Traceback" not in await draining
    finally:
        if server.returncode is None:
            server.kill()
        await draining


def leader_in(folder: Path) -> int:
    [file] = folder.glob("websearch-browser-*/pid")
    return int(file.read_text())


def leftovers(folder: Path) -> list[Path]:
    return [*folder.glob("websearch-browser-*")]


async def test_a_shell_is_rendered_when_it_must_be_and_pictured_when_asked(rig: Any, folder: Path) -> None:
    site = await rig.site({"/": SHELL, "/app.js": answer(200, APP, content_type="text/javascript")})
    async with serving(site, folder) as (_, address), Client(address) as client:
        never = await client.call_tool("fetch", {"urls": [f"{site.url}/"], "render": "never"})
        auto = await client.call_tool("fetch", {"urls": [f"{site.url}/"]})
        pictured = await client.call_tool("fetch", {"urls": [f"{site.url}/"], "screenshot": True})
    assert "hold hands" not in str(never.content)
    assert "needs_rendering" in str(never.content) + str(never.structured_content)
    for result in (auto, pictured):
        assert not result.is_error
        assert "Otters hold hands while they sleep" in str(result.content)
    images = [block for block in pictured.content if block.type == "image"]
    assert [image.mime_type for image in images] == ["image/png"]
    assert base64.b64decode(images[0].data).startswith(b"\x89PNG")
    assert not [block for block in auto.content if block.type == "image"]


@pytest.mark.parametrize(
    ("how", "page"),
    [
        (signal.SIGTERM, BUSY),
        (signal.SIGKILL, f"{BUSY}<script>while (true) {{}}</script>"),  # has no orderly end
    ],
)
async def test_the_browser_ends_with_the_server_however_that_ends(
    rig: Any, folder: Path, how: signal.Signals, page: str
) -> None:
    site = await rig.site({"/": page})
    running = asyncio.Event()
    site.route("/running", lambda _: running.set() or answer())

    async def ask(address: str) -> None:
        async with Client(address) as client:
            await client.call_tool("fetch", {"urls": [f"{site.url}/"], "render": "always"})

    async with serving(site, folder) as (server, address):
        asking = asyncio.ensure_future(ask(address))
        await running.wait()
        if how == signal.SIGTERM:
            await asking
        leader = leader_in(folder)
        assert session(leader)
        server.send_signal(how)
        await server.wait()
        await asyncio.gather(asking, return_exceptions=True)
        async with asyncio.timeout(60):
            while session(leader) or leftovers(folder):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
