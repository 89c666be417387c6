"""Real clients against `websearch serve`: the SDK in both eras over HTTP and stdio, and the Inspector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from .conftest import Node, clean_environ

pytestmark = pytest.mark.real

HANDBOOK = "https://local.test/owls/handbook"
BULLETIN = "https://local.test/owls/bulletin"
INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"

Mode = Literal["auto", "legacy", "2026-07-28"]
MODES: tuple[Mode, ...] = ("auto", "legacy", "2026-07-28")


async def use(client: Client) -> None:
    """What a newcomer does first: list, search, read; and what goes wrong first."""
    tools = (await client.list_tools()).tools
    assert {"search", "fetch"} <= {tool.name for tool in tools}
    assert [one.name for one in (await client.list_resources()).resources] == ["lenses-catalog"]
    prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
    assert prompts == {"fetch-url", "resources-tips"}  # the others speak of tools that are off

    found = await client.call_tool("search", {"query": "the owl bulletin", "max_results": "1", "topn": 2})
    assert not found.is_error
    assert found.structured_content is not None
    assert [row["url"] for row in found.structured_content["results"]] == [BULLETIN]
    assert "max_results: text was read as a number" in found.structured_content["notes"]
    assert "unknown arguments were ignored: topn" in found.structured_content["notes"]

    told: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    read = await client.call_tool(
        "fetch", {"urls": [HANDBOOK, "https://local.test/none", HANDBOOK]}, progress_callback=progress
    )
    assert not read.is_error
    assert read.structured_content is not None
    rows = read.structured_content["results"]
    assert [row["status"] for row in rows] == ["completed", "failed", "completed"]
    assert "Owls hunt by ear" in rows[0]["content"]
    assert told == [1, 2]

    many = await client.call_tool("search", {"query": "the owl bulletin", "max_results": 51})
    assert not many.is_error
    assert "above 50" in str(many.structured_content)
    wrong = await client.call_tool("search", {"query": "owls", "max_results": "many"})
    assert wrong.is_error
    assert "max_results" in wrong.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", MODES)
async def test_the_sdks_client_works_over_http(mode: Mode, server: str) -> None:
    async with Client(server, mode=mode) as client:
        await use(client)
    async with httpx2.AsyncClient() as http:
        last = (await http.get(server.replace("/mcp", "/debug/last-call"))).json()
        ready = await http.get(server.replace("/mcp", "/health/ready"))
    assert last["search"]["query"] == "the owl bulletin"
    assert last["fetch"]["urls"][0] == HANDBOOK
    assert ready.status_code == 200


@pytest.mark.parametrize("mode", MODES)
async def test_the_sdks_client_works_over_stdio(mode: Mode, websearch: list[str], tmp_path: Path) -> None:
    environ = clean_environ(
        LOCAL_TEST_MODE="1", WEBSEARCH_PLUGINS__ONLY="lenses,packet,web", XDG_DATA_HOME=str(tmp_path)
    )
    parameters = StdioServerParameters(
        command=websearch[0], args=[*websearch[1:], "serve", "--stdio"], env=environ, cwd=tmp_path
    )
    with (tmp_path / "stderr.txt").open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
            await use(client)
    assert "Traceback" not in (tmp_path / "stderr.txt").read_text()


def inspected(node: Node, server: str, *arguments: str, era: str) -> Any:
    where = ("--cli", server, "--transport", "http", "--protocol-era", era, "--format", "json", "-q")
    done = node.run(INSPECTOR, *where, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)["result"]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_searches_and_fetches(era: str, node: Node, server: str) -> None:
    tools = inspected(node, server, "--method", "tools/list", "--strict", era=era)["tools"]
    assert {"search", "fetch"} <= {tool["name"] for tool in tools}
    call = ("--method", "tools/call", "--tool-name")
    found = inspected(node, server, *call, "search", "--tool-arg", "query=owls", "max_results=1", era=era)
    assert found["structuredContent"]["results"][0]["url"] == HANDBOOK
    given = json.dumps({"urls": [HANDBOOK]})
    read = inspected(node, server, *call, "fetch", "--tool-args-json", given, era=era)
    assert "Owls hunt by ear" in read["content"][0]["text"]
