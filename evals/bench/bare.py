"""The baseline: the MCP SDK alone, with one tool that waits and returns what our server returned, typed likewise."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import uvicorn
from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict


class Result(BaseModel):
    model_config = ConfigDict(extra="allow")

    title: str
    url: str
    content: str


class Answer(BaseModel):
    model_config = ConfigDict(extra="allow")

    results: list[Result]


def server(answer: dict[str, Any], delay_s: float) -> MCPServer:
    """One tool, nothing else."""
    mcp = MCPServer("bare", version="0", log_level="WARNING")

    @mcp.tool()
    async def search(query: str, max_results: int = 8) -> Annotated[CallToolResult, Answer]:  # noqa: ARG001
        """Search the web."""
        if delay_s:
            await asyncio.sleep(delay_s)
        return CallToolResult(
            content=[TextContent(type="text", text=answer["text"])],
            structured_content=answer["structured"],
        )

    return mcp


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--answer", type=Path, required=True)
    parser.add_argument("--delay-s", type=float, default=0.0)
    options = parser.parse_args()
    app = server(json.loads(options.answer.read_text()), options.delay_s).streamable_http_app(stateless_http=True)
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=options.port,
        http="httptools",
        loop="uvloop",
        ws="none",
        backlog=2048,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=75,
        access_log=False,
        server_header=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
