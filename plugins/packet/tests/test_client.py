"""The whole way, by the SDK's client against `websearch serve`: fetch, read again, chunk, compact, extract."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ResourceTemplateReference

pytestmark = pytest.mark.real

HANDBOOK = "https://local.test/owls/handbook"
HTML = (
    "<html><head><title>Teas</title></head><body><main><h1>Teas</h1>"
    + "<p>There are 3 sorts of tea, and all of them were brought from China in 1610.</p>" * 3
    + "<pre><code class='language-py'>pour(cup)</code></pre></main></body></html>"
)


@asynccontextmanager
async def connected(tmp_path: Path, tools: str, **how: Any) -> AsyncGenerator[Client]:
    """A client of `websearch serve --stdio` with these tools."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("WEBSEARCH_")}
    environ |= {
        "WEBSEARCH_CHAIN__KEYLESS": "false",
        "LOCAL_TEST_MODE": "1",
        "XDG_DATA_HOME": str(tmp_path),
        "WEBSEARCH_PLUGINS__ONLY": "packet,web",
        "WEBSEARCH_SERVER__TOOLS": tools,
    }
    command = str(Path(sys.executable).parent / "websearch")
    parameters = StdioServerParameters(command=command, args=["serve", "--stdio"], env=environ, cwd=tmp_path)
    with (tmp_path / "stderr.txt").open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors), **how) as client:
            yield client
    assert "Traceback" not in (tmp_path / "stderr.txt").read_text()


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_client_uses_packets(mode: str, tmp_path: Path) -> None:
    async with connected(tmp_path, "extract,chunk,compact", mode=mode) as client:
        await use(client)


async def test_prompts_speak_only_of_tools_that_are_there(tmp_path: Path) -> None:
    async with connected(tmp_path, "compact") as client:
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert prompts == {"fetch-url", "fetch-and-compact", "resources-tips"}
        with pytest.raises(MCPError, match="no such prompt"):
            await client.get_prompt("fetch-and-chunk", {"url": HANDBOOK})


async def test_a_client_is_told_of_new_packets_and_lists_them_in_pages(tmp_path: Path) -> None:
    told: list[str] = []

    async def hear(message: Any) -> None:
        told.append(message.method)

    async with connected(tmp_path, "extract", mode="legacy", message_handler=hear) as client:
        capabilities = client.server_capabilities
        assert capabilities.resources
        assert capabilities.resources.list_changed
        for n in range(104):
            made = await client.call_tool(
                "extract", {"raw_bytes": encoded(f"Tea {n // 2}"), "content_type": "text/plain"}
            )
            assert not made.is_error
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
    assert set(told) == {"notifications/resources/list_changed"}
    assert len(told) <= 52  # fewer where calls were over faster than their packets were looked for
    assert len({str(one.uri) for one in [*first.resources, *second.resources]}) == 52
    assert second.next_cursor is None


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


async def use(client: Client) -> None:
    assert {"extract", "chunk", "compact"} <= {tool.name for tool in (await client.list_tools()).tools}
    prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
    assert prompts == {"fetch-url", "fetch-and-chunk", "fetch-and-compact", "resources-tips"}

    read = await client.call_tool("fetch", {"urls": [HANDBOOK], "output": "packet"})
    assert not read.is_error
    [row] = read.structured_content["results"]
    packet = row["packet"]
    assert packet["content"].startswith("# A handbook of owls")
    assert packet["outline"][1]["path"] == "A handbook of owls > Nests"
    text = read.content[0].text
    mark = text.removeprefix("Between <").partition(">")[0]
    assert "Owls hunt by ear" in text.partition(f"\n<{mark}>\n")[2].partition(f"\n</{mark}>")[0]

    source_id = packet["source_id"]
    address = f"webfetch://packet/{source_id}"
    assert address in {str(one.uri) for one in (await client.list_resources()).resources}
    kept = await client.read_resource(address)
    assert json.loads(kept.contents[0].text)["content"] == packet["content"]
    template = ResourceTemplateReference(type="ref/resource", uri="webfetch://content/{source_id}")
    offered = await client.complete(template, {"name": "source_id", "value": source_id[:3]})
    assert offered.completion.values == [source_id]

    chunked = await client.call_tool("chunk", {"source_id": source_id, "max_tokens": 50})
    assert [chunk["headings_path"] for chunk in chunked.structured_content["chunks"]][
        -1
    ] == "A handbook of owls > Nests"
    short = await client.call_tool(
        "compact",
        {"source_id": source_id, "mode": "question_focused", "question": "where do owls nest", "max_tokens": 60},
    )
    assert "hollow tree" in short.structured_content["compacted"]["summary"]

    made = await client.call_tool("extract", {"raw_bytes": encoded(HTML), "content_type": "text/html"})
    assert not made.is_error, made.content
    assert "```py\npour(cup)\n```" in made.structured_content["content"]
    assert made.structured_content["metadata"]["title"] == "Teas"
    assert made.structured_content["hashes"]["raw_hash"] == hashlib.sha256(HTML.encode()).hexdigest()
    assert made.content[0].text.startswith("Between <web-")
    prompt = await client.get_prompt("fetch-and-chunk", {"url": HANDBOOK, "max_tokens": "500"})
    assert '"max_tokens": 500' in prompt.messages[0].content.text
