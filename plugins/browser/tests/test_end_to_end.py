"""A real server, an MCP client, and a page whose text only a browser sees."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from websearch_core.testing.site import answer

pytestmark = pytest.mark.real
TEXT = "Otters hold hands while they sleep, so that none drifts away. " * 9
APP = f"app.innerHTML = '<h1>Otters</h1><p>{TEXT}</p>'"
SHELL = "<!DOCTYPE html><title>App</title><body><div id=app></div><script src=/app.js></script></body>"


@pytest.fixture
async def served(rig: Any, tmp_path: Path) -> AsyncIterator[tuple[str, Any]]:
    """The MCP address of a server that may reach one site, and that site."""
    site = await rig.site({"/": SHELL, "/app.js": answer(200, APP, content_type="text/javascript")})
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "LOCAL_TEST"))}
    environ = kept | {
        "WEBSEARCH_CHAIN__KEYLESS": "false",
        "WEBSEARCH_PLUGINS__ONLY": "web,browser",
        "WEBSEARCH_NET__PRIVATE": f"127.0.0.1:{site.port}",
        "WEBSEARCH_BROWSER__TIMEOUT_S": "60",
        "XDG_DATA_HOME": str(tmp_path),
    }
    command = [str(Path(sys.executable).parent / "websearch"), "serve", "--listen", "127.0.0.1:0"]
    server = await asyncio.create_subprocess_exec(*command, env=environ, cwd=tmp_path, stderr=asyncio.subprocess.PIPE)
    assert server.stderr
    seen = ""
    while not (found := re.search(r"listening on (http://\S+?/mcp)", seen)):
        line = (await server.stderr.readline()).decode()
        assert line, seen
        seen += line
    draining = asyncio.ensure_future(server.stderr.read())
    yield found[1], site
    server.terminate()
    assert await server.wait() == 0
    assert b"Traceback" not in await draining


async def test_a_shell_is_rendered_when_it_must_be_and_pictured_when_asked(served: Any) -> None:
    address, site = served
    async with Client(address) as client:
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
