"""A client on stdio hears of new addresses to read, and no call waits for that."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from mcp import Client
from pydantic import BaseModel

from websearch_core.contract.mcp_components import Gateway, Resource, Tool
from websearch_core.contract.results import ResourceLink, ToolOutput
from websearch_core.server.protocol import Protocol

from .conftest import StandIn


class Shelf(Resource):
    name = "shelf"
    uri = "acme://shelf/{name}"
    description = "What was left."

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.asked = 0
        self.free = anyio.Event()
        self.free.set()

    async def read(self, uri: str, gateway: Gateway) -> str:
        return uri

    async def listed(self, gateway: Gateway) -> Sequence[ResourceLink]:
        self.asked += 1
        await self.free.wait()
        return [ResourceLink(uri=f"acme://shelf/{name}", name=name) for name in self.names]


class What(BaseModel):
    name: str = ""


class Leave(Tool):
    name = "leave"
    description = "Leaves something on the shelf."
    arguments = What

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def call(self, arguments: What, gateway: Gateway) -> ToolOutput:  # type: ignore[override]
        self._shelf.names.append(arguments.name)
        return ToolOutput(text="left")


@asynccontextmanager
async def connected(shelf: Shelf, told: list[str]) -> AsyncGenerator[Client]:
    async def hear(message: Any) -> None:
        told.append(message.method)

    protocol = Protocol(StandIn(tools=(Leave(shelf),), resources=(shelf,), server={"deadline_s": 1}))  # type: ignore[arg-type]
    async with anyio.create_task_group() as group:
        group.start_soon(protocol.tell_what_comes)
        async with Client(protocol.server(), mode="legacy", message_handler=hear) as client:
            yield client
        group.cancel_scope.cancel()


async def turns() -> None:
    for _ in range(100):
        await checkpoint()


async def test_it_hears_once_of_each_new_address_and_never_of_old_ones() -> None:
    shelf = Shelf("old")
    told: list[str] = []
    heard: list[int] = []
    async with connected(shelf, told) as client:
        for name in ("old", "new", "new", "newer"):
            await client.call_tool("leave", {"name": name})
            await turns()
            heard.append(len(told))
    assert heard == [0, 1, 1, 2]
    assert set(told) == {"notifications/resources/list_changed"}


async def test_it_hears_of_what_it_listed_itself_no_more() -> None:
    shelf = Shelf()
    told: list[str] = []
    async with connected(shelf, told) as client:
        shelf.names.append("seen")
        await client.list_resources()
        await client.call_tool("leave", {"name": "seen"})
        await turns()
    assert told == []


async def test_a_call_has_its_answer_though_a_listing_hangs() -> None:
    shelf = Shelf()
    told: list[str] = []
    async with connected(shelf, told) as client:
        await client.call_tool("leave", {"name": "a"})
        await turns()
        shelf.free = anyio.Event()
        for name in "bcd":
            assert not (await client.call_tool("leave", {"name": name})).is_error
        await turns()
        shelf.free.set()
        await turns()
    assert len(told) in (2, 3)


@pytest.mark.parametrize(("tool", "listings"), [("search", 0), ("leave", 1)])
async def test_a_search_leaves_nothing_to_look_for(tool: str, listings: int) -> None:
    shelf = Shelf()
    async with connected(shelf, []) as client:
        await turns()
        before = shelf.asked
        await client.call_tool(tool, {"query": "owls"} if tool == "search" else {"name": "a"})
        await turns()
        assert shelf.asked - before == listings
