"""Every component keeps its contract."""

from __future__ import annotations

from typing import ClassVar

import pytest

from websearch_core.kit import FetchAnswer
from websearch_core.testing import (
    OutputContract,
    PromptContract,
    ResourceContract,
    ToolContract,
)
from websearch_core.testing.fakes import FakeGateway, page
from websearch_packet.output import PacketOutput
from websearch_packet.packets.builder import source_id_of
from websearch_packet.plugin import websearch_outputs, websearch_prompts, websearch_resources, websearch_tools
from websearch_packet.prompts import ToolStepsPrompt
from websearch_packet.resources import PacketResource
from websearch_packet.tools.chunk import ChunkTool
from websearch_packet.tools.compact import CompactTool
from websearch_packet.tools.extract import ExtractTool

GIVEN: dict[str, object] = {
    "content": "# Tea\n\nTea is a drink. In 2024 Mary Smith drank 12 cups.\n\n## Sorts\n\n- green\n"
}


class TestPacketOutput(OutputContract):
    component = PacketOutput
    plugin = "packet"
    expected = "Main topics: Tea; Sorts"

    def output(self, ctx):
        [output] = websearch_outputs(ctx)
        return output


class TestExtract(ToolContract):
    component = ExtractTool
    plugin = "packet"
    good = ({"url": "https://example.com/1"}, {"url": "https://example.com/1", "include_raw_excerpt": True})
    bad = ({}, {"url": "https://example.com/", "raw_bytes": "dGVh"}, {"url": ""})
    expected = "Text."

    def tool(self, ctx):
        return next(tool for tool in websearch_tools(ctx) if tool.name == "extract")


class TestExtractBytes(TestExtract):
    good = ({"raw_bytes": "IyBUZWEKClRleHQu", "content_type": "text/markdown"},)
    asks = False


class TestChunk(ToolContract):
    component = ChunkTool
    plugin = "packet"
    good = ({"packet": GIVEN}, {"packet": GIVEN, "strategy": "balanced", "overlap_tokens": 10})
    bad = ({}, {"packet": GIVEN, "source_id": "x"}, {"packet": GIVEN, "margin_ratio": 0.9}, {"packet": {"content": ""}})
    expected = "Tea > Sorts"
    asks = False

    def tool(self, ctx):
        return next(tool for tool in websearch_tools(ctx) if tool.name == "chunk")


class TestCompact(ToolContract):
    component = CompactTool
    plugin = "packet"
    good = (
        {"packet": GIVEN},
        {"packet": GIVEN, "mode": "question_focused", "question": "who drank tea?", "max_tokens": 50},
        {"chunks": {"chunks": ["Tea is a drink.", {"text": "It is green."}]}, "mode": "map_reduce"},
    )
    bad = ({}, {"packet": GIVEN, "mode": "short"}, {"packet": GIVEN, "preserve": ["jokes"]}, {"chunks": {"chunks": []}})
    expected = "In 2024 Mary Smith drank 12 cups. [b1]"
    asks = False

    def tool(self, ctx):
        return next(tool for tool in websearch_tools(ctx) if tool.name == "compact")


class KeptContract(ResourceContract):
    plugin = "packet"
    kind: ClassVar[str]
    source: ClassVar[str] = source_id_of("https://example.com/tea", page().content_hash)

    @pytest.fixture(autouse=True)
    async def something_kept(self, ctx):
        [output] = websearch_outputs(ctx)
        tea = page("https://example.com/tea", screenshot=b"\x89PNG")
        packet = (await output.of(FetchAnswer(page=tea), FakeGateway(), 5_000)).structured
        assert packet["source_id"] == self.source

    def resource(self, ctx):
        return next(one for one in websearch_resources(ctx) if one.name == f"webfetch-{self.kind}")


class TestPacketResource(KeptContract):
    component = PacketResource
    kind = "packet"
    address = f"webfetch://packet/{KeptContract.source}"
    unknown = "webfetch://packet/0000000000000000"


class TestContentResource(KeptContract):
    component = PacketResource
    kind = "content"
    address = f"webfetch://content/{KeptContract.source}"
    unknown = "webfetch://content/0000000000000000"


class TestNormalizedResource(KeptContract):
    component = PacketResource
    kind = "normalized"
    address = f"webfetch://normalized/{KeptContract.source}"
    unknown = "webfetch://normalized/THE-OTHER"


class TestScreenshotResource(KeptContract):
    component = PacketResource
    kind = "screenshot"
    address = f"webfetch://screenshot/{KeptContract.source}"
    unknown = "webfetch://screenshot/0000000000000000"


def named(name):
    return next(prompt for prompt in websearch_prompts() if prompt.name == name)


class TestFetchUrl(PromptContract):
    component = ToolStepsPrompt
    sample: ClassVar = {"url": "https://example.com/", "mode": "auto", "output": "packet"}

    def prompt(self, ctx):
        return named("fetch-url")


class TestFetchAndChunk(PromptContract):
    component = ToolStepsPrompt
    sample: ClassVar = {"url": "https://example.com/", "max_tokens": "500", "strategy": "balanced"}

    def prompt(self, ctx):
        return named("fetch-and-chunk")


class TestFetchAndCompact(PromptContract):
    component = ToolStepsPrompt
    sample: ClassVar = {
        "url": "https://example.com/",
        "max_tokens": "500",
        "mode": "question_focused",
        "question": "Is tea green?",
    }

    def prompt(self, ctx):
        return named("fetch-and-compact")


class TestResourcesTips(PromptContract):
    component = ToolStepsPrompt

    def prompt(self, ctx):
        return named("resources-tips")
