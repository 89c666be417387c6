"""A plugin tool's arguments are something that leaves: every text in them passes the request filters first."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from websearch_core import Allow, Block, Gateway, Outgoing, RequestFilter, Rewrite, Tool, ToolOutput, Verdict
from websearch_core.chain.filter_runner import FilterRunner
from websearch_core.chain.request_screen import RequestScreen
from websearch_core.kit import Part
from websearch_core.settings.tables import ChainSettings
from websearch_core.testing.fakes import FakeClock, FakeGateway

from .conftest import StandIn, serving


class Arguments(BaseModel):
    words: list[str] = []
    number: int = 0
    filters: dict[str, Any] = {}


class Echo(Tool):
    name = "echo"
    description = "Says what it was given."
    arguments = Arguments

    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        return ToolOutput(text=arguments.model_dump_json())


class Bluebird(RequestFilter):
    name = "bluebird"

    def __init__(self) -> None:
        self.seen: list[Outgoing] = []

    async def check(self, request: Outgoing) -> Verdict:
        self.seen.append(request)
        if "4111111111111111" in request.text:
            return Block(reason="holds a card number")
        if "bluebird" in request.text:
            parts = tuple(Part(part.field, part.text.replace("bluebird", "[name]")) for part in request.parts)
            return Rewrite(reason="a name was taken out", parts=parts)
        return Allow()


async def called(judge: RequestFilter, arguments: dict[str, Any]) -> dict[str, Any]:
    chain: Any = FakeGateway()
    chain.screening = RequestScreen(
        (judge,), None, FilterRunner(ChainSettings(), frozenset(), FakeClock(), lambda _: None)
    )  # type: ignore[arg-type]
    async with serving(StandIn(chain=chain, tools=(Echo(),))) as client:
        return await client.tool("echo", arguments)


async def test_a_text_anywhere_in_the_arguments_can_be_rewritten() -> None:
    given = {"words": ["owl", "bluebird"], "filters": {"bluebird": [{"a": "the bluebird"}], "b": 1}}
    result = await called(Bluebird(), given)
    text = result["content"][0]["text"]
    assert text == '{"words":["owl","[name]"],"number":0,"filters":{"[name]":[{"a":"the [name]"}],"b":1}}'
    assert "changed by bluebird: a name was taken out" in result["content"][1]["text"]


async def test_a_blocked_text_reaches_no_tool() -> None:
    for arguments in ({"words": ["4111111111111111"]}, {"number": 4111111111111111}):
        result = await called(Bluebird(), arguments)
        assert result["isError"]
        assert "blocked by safety filters: holds a card number" in result["content"][0]["text"]
        assert "4111" not in str(result)


async def test_the_filter_sees_who_calls_and_which_tool() -> None:
    judge = Bluebird()
    await called(judge, {"words": ["owl"]})
    request: Any = judge.seen[0]
    assert request.tool == "echo"
    assert request.parts == (Part("words.0", "owl"),)
