"""What the server offers: two tools in few tokens, and the tools, resources and prompts of plugins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from websearch_core.contract.errors import NotFound
from websearch_core.contract.mcp_components import Gateway, Prompt, Resource, Tool
from websearch_core.contract.models import SearchRequest
from websearch_core.contract.results import Lens, ToolOutput
from websearch_core.kit.tokens import estimate_tokens
from websearch_core.testing.fakes import FakeGateway

from .conftest import ERAS, StandIn, hit, rpc, serving


class Words(BaseModel):
    words: list[str] = Field(examples=[["owl"]])
    times: int = Field(default=1, ge=1, le=3)
    style: Literal["plain", "loud"] = "plain"


class Define(Tool):
    name = "define"
    title = "Define words"
    description = "Looks words up."
    arguments: type[BaseModel] = Words

    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        assert isinstance(arguments, Words)
        if arguments.words == ["missing"]:
            raise NotFound("no such word")
        if arguments.words == ["bug"]:
            raise RuntimeError("secret")
        found = await gateway.search(SearchRequest(query=arguments.words[0]))
        await gateway.progress(1, 1, "found")
        return ToolOutput(text=f"{arguments.words} x{arguments.times}", structured={"hits": len(found.hits)})


class Report(Resource):
    name = "report"
    uri = "websearch://report"
    title = "The report"
    description = "What happened."

    async def read(self, uri: str, gateway: Gateway) -> str:
        if gateway.caller.tenant:
            raise RuntimeError("secret")
        return "# Report"


class Stored(Resource):
    name = "stored"
    uri = "websearch://stored/{key}"
    description = "What was kept."

    async def read(self, uri: str, gateway: Gateway) -> str:
        if uri.endswith("missing"):
            raise NotFound
        return f"kept: {uri}"

    async def complete(self, argument: str, prefix: str, gateway: Gateway) -> Sequence[str]:
        if prefix == "bug":
            raise RuntimeError("secret")
        return ["a1", "a2", "b1", gateway.caller.tenant]


class Check(Prompt):
    name = "check"
    description = "Checks a claim."
    arguments: Mapping[str, str] = {"claim": "what is claimed"}

    async def render(self, arguments: Mapping[str, str], gateway: Gateway) -> str:
        return f"Check: {arguments['claim']}"


def plugged(**more: Any) -> StandIn:
    return StandIn(
        chain=FakeGateway([hit(1)]), tools=(Define(),), resources=(Report(), Stored()), prompts=(Check(),), **more
    )


@pytest.mark.parametrize("era", ERAS)
async def test_the_default_tools_are_two_and_described_in_few_tokens(era: str) -> None:
    async with serving(StandIn()) as client:
        tools = (await client.rpc("tools/list", era=era))["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["search", "fetch"]
    text = json.dumps(tools)
    assert estimate_tokens(text) < 1500
    assert len(text) / 3.5 < 1500  # JSON is dearer than prose: 3.9 characters a token, counted once with o200k
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
    assert all("untrusted" in tool["description"] for tool in tools)


async def test_the_published_arguments_are_those_of_the_tables() -> None:
    async with serving(StandIn()) as client:
        search, fetch = (await client.rpc("tools/list"))["result"]["tools"]
    assert search["inputSchema"]["required"] == ["query"]
    assert search["inputSchema"]["properties"]["max_results"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 50,
        "default": 8,
    }
    assert fetch["inputSchema"]["properties"]["urls"]["maxItems"] == 20
    assert fetch["inputSchema"]["required"] == ["urls"]


async def test_a_lens_appears_when_there_is_one() -> None:
    lens = Lens(name="python", description="Python's docs", domains=("docs.python.org",))
    chain = FakeGateway()
    async with serving(StandIn(chain=chain, lenses=(lens,))) as client:
        search = (await client.rpc("tools/list"))["result"]["tools"][0]
        await client.tool("search", {"query": "q", "lens": "python"})
    assert search["inputSchema"]["properties"]["lens"]["enum"] == ["python"]
    assert chain.requests[0].allowed_domains == ("docs.python.org",)


@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_tool_is_a_protocol_error(era: str) -> None:
    async with serving(StandIn()) as client:
        answer = await client.rpc("tools/call", {"name": "nope", "arguments": {}}, era)
    assert answer["error"]["code"] == -32602
    assert "search, fetch" in answer["error"]["message"]


@pytest.mark.parametrize("era", ERAS)
async def test_arguments_may_be_left_out_of_the_call(era: str) -> None:
    async with serving(StandIn()) as client:
        answer = await client.rpc("tools/call", {"name": "search"}, era)
    assert answer["result"]["content"][0]["text"].startswith("query: is required")


@pytest.mark.parametrize("era", ERAS)
async def test_a_plugins_tool_is_listed_and_called(era: str) -> None:
    async with serving(plugged()) as client:
        listed = (await client.rpc("tools/list", era=era))["result"]["tools"][2]
        result = await client.tool("define", {"words": ["owl"], "times": 2}, era)
    assert (listed["name"], listed["title"]) == ("define", "Define words")
    assert "title" not in listed["inputSchema"]
    assert "title" not in listed["inputSchema"]["properties"]["times"]
    assert result["structuredContent"] == {"hits": 1}
    assert result["content"] == [{"type": "text", "text": "['owl'] x2"}]


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({"words": '["owl"]'}, "words: a JSON string was read as a list"),
        ({"words": "owl"}, "words: a single text was read as a list"),
        ({"words": ["owl"], "times": None}, "empty, so taken as not given: times"),
        ({"words": ["owl"], "extra": 1}, "unknown arguments were ignored: extra"),
        ({"words": ["owl", " "]}, "words: blank items were left out"),
        ({"words": ["owl"], "times": "1"}, "times: text was read as a number"),
        ({"words": ["owl"], "style": None}, "empty, so taken as not given: style"),
    ],
)
async def test_a_plugins_tool_is_lenient_like_ours(arguments: dict[str, Any], note: str) -> None:
    async with serving(plugged()) as client:
        result = await client.tool("define", arguments)
    assert result["content"][0]["text"] == "['owl'] x1"
    assert note in result["content"][1]["text"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({}, 'words: is required; for example ["owl"]'),
        ({"words": ["owl"], "times": 0}, "times: must be a whole number from 1 to 3"),
        ({"words": ["owl"], "times": True}, "times: must be a whole number from 1 to 3"),
        ({"words": ["owl", 7]}, "words.1: must be text"),
        ({"words": ["owl"], "style": "shrill"}, "style: must be one of plain, loud"),
    ],
)
async def test_a_plugins_tool_refuses_in_our_words(arguments: dict[str, Any], line: str) -> None:
    async with serving(plugged()) as client:
        result = await client.tool("define", arguments)
    assert result["isError"] is True
    assert line in result["content"][0]["text"]
    assert "shrill" not in result["content"][0]["text"]


async def test_a_number_above_a_plugins_most_means_the_most() -> None:
    async with serving(plugged()) as client:
        result = await client.tool("define", {"words": ["owl"], "times": 9})
    assert result["content"][0]["text"] == "['owl'] x3"
    assert "times: above 3, so 3 was used" in result["content"][1]["text"]


async def test_a_plugins_tool_fails_in_our_words(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(plugged()) as client:
        missing = await client.tool("define", {"words": ["missing"]})
        bug = await client.tool("define", {"words": ["bug"]})
    assert missing["content"][0]["text"].startswith("not_found: no such word.")
    assert bug["content"][0]["text"].startswith("internal error")
    assert "secret" not in caplog.text


@pytest.mark.parametrize("era", ERAS)
async def test_a_plugins_resource_is_listed_and_read(era: str) -> None:
    async with serving(plugged()) as client:
        listed = (await client.rpc("resources/list", era=era))["result"]["resources"]
        read = (await client.rpc("resources/read", {"uri": "websearch://report"}, era))["result"]
        missing = await client.rpc("resources/read", {"uri": "websearch://other"}, era)
    assert listed == [
        {
            "uri": "websearch://report",
            "name": "report",
            "title": "The report",
            "description": "What happened.",
            "mimeType": "text/markdown",
        }
    ]
    assert read["contents"] == [{"uri": "websearch://report", "mimeType": "text/markdown", "text": "# Report"}]
    assert missing["error"]["code"] == -32602
    assert missing["error"]["data"] == {"uri": "websearch://other"}


@pytest.mark.parametrize("era", ERAS)
async def test_a_plugins_prompt_is_listed_and_rendered(era: str) -> None:
    async with serving(plugged()) as client:
        listed = (await client.rpc("prompts/list", era=era))["result"]["prompts"]
        given = {"name": "check", "arguments": {"claim": "owls are cats"}}
        rendered = (await client.rpc("prompts/get", given, era))["result"]
        missing = await client.rpc("prompts/get", {"name": "check"}, era)
        unknown = await client.rpc("prompts/get", {"name": "nope"}, era)
    assert listed[0]["arguments"] == [{"name": "claim", "description": "what is claimed", "required": True}]
    assert rendered["messages"][0]["content"]["text"] == "Check: owls are cats"
    assert missing["error"]["code"] == -32602
    assert "claim" in missing["error"]["message"]
    assert unknown["error"]["code"] == -32602


async def test_a_plugins_resource_is_read_for_its_caller_and_fails_in_silence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    import hashlib

    tokens = {"alice": hashlib.sha256(b"a").hexdigest()}
    async with serving(plugged(server={"tokens": tokens})) as client:
        body = rpc("resources/read", {"uri": "websearch://report"})
        answer = await client.post(body, authorization="Bearer a", mcp_name="websearch://report")
    assert answer.json()["error"]["message"] == "the resource could not be read"
    assert "secret" not in caplog.text + answer.text


@pytest.mark.parametrize("era", ERAS)
async def test_completion_answers_with_nothing(era: str) -> None:
    given = {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}
    async with serving(StandIn()) as client:
        answer = await client.rpc("completion/complete", given, era)
    assert answer["result"]["completion"] == {"values": []}


@pytest.mark.parametrize("era", ERAS)
async def test_a_templates_argument_is_completed(era: str) -> None:
    ref = {"type": "ref/resource", "uri": "websearch://stored/{key}"}
    async with serving(plugged()) as client:
        answers = [
            await client.rpc("completion/complete", {"ref": ref, "argument": {"name": "key", "value": begun}}, era)
            for begun in ("a", "bug")
        ]
        prompt = {"ref": {"type": "ref/prompt", "name": "check"}, "argument": {"name": "claim", "value": ""}}
        nothing = await client.rpc("completion/complete", prompt, era)
    assert answers[0]["result"]["completion"] == {"values": ["a1", "a2"], "total": 2, "hasMore": False}
    assert answers[1]["error"]["message"] == "the values could not be listed"
    assert nothing["result"]["completion"] == {"values": [], "total": 0, "hasMore": False}


async def test_the_server_says_who_it_is_and_how_to_use_it() -> None:
    given = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    async with serving(StandIn()) as client:
        result = (await client.rpc("initialize", given, "2025-11-25"))["result"]
        discovered = (await client.rpc("server/discover"))["result"]
    assert result["serverInfo"]["name"] == "websearch"
    assert result["serverInfo"]["version"]
    assert "untrusted" in result["instructions"]
    assert "2026-07-28" in discovered["supportedVersions"]


@pytest.mark.parametrize("body", [b"", b"[]", b"nonsense", b'{"jsonrpc":"2.0"}', b"[" * 100_000])
async def test_what_is_no_request_is_refused(body: bytes) -> None:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    async with serving(StandIn(server={"rate_per_minute": 5})) as client:
        answer = await client.http.post("/mcp", content=body, headers=headers)
    assert 400 <= answer.status_code < 500


async def test_the_last_call_is_shown_in_the_local_test_mode_only() -> None:
    async with serving(StandIn(environ={"LOCAL_TEST_MODE": "1"})) as client:
        assert (await client.http.get("/debug/last-call")).json() == {}
        await client.tool("search", {"query": " owls ", "max_results": "5"})
        await client.tool("fetch", {"urls": "https://a.example/"})
        shown = (await client.http.get("/debug/last-call")).json()
    assert shown["search"]["query"] == "owls"
    assert shown["search"]["max_results"] == 5
    assert shown["search"]["observed_at"].endswith("Z")
    assert "caller" not in shown["search"]
    assert shown["fetch"]["urls"] == ["https://a.example/"]


async def test_the_last_call_needs_a_token_where_tokens_are_needed() -> None:
    stand_in = StandIn(environ={"LOCAL_TEST_MODE": "1"}, server={"tokens": {"a": "0" * 64}})
    async with serving(stand_in) as client:
        assert (await client.http.get("/debug/last-call")).status_code == 401


@pytest.mark.parametrize("era", ERAS)
async def test_a_template_is_listed_as_one_and_read_by_address(era: str) -> None:
    async with serving(plugged()) as client:
        templates = (await client.rpc("resources/templates/list", era=era))["result"]["resourceTemplates"]
        listed = (await client.rpc("resources/list", era=era))["result"]["resources"]
        read = await client.rpc("resources/read", {"uri": "websearch://stored/a1"}, era)
        lost = [
            await client.rpc("resources/read", {"uri": f"websearch://stored/{key}"}, era) for key in ("missing", "a/b")
        ]
    assert [template["uriTemplate"] for template in templates] == ["websearch://stored/{key}"]
    assert [resource["uri"] for resource in listed] == ["websearch://report"]
    assert read["result"]["contents"][0]["text"] == "kept: websearch://stored/a1"
    assert [answer["error"]["code"] for answer in lost] == [-32602, -32602]
