"""The contracts of what a model sees besides `search` and `fetch`: tools, outputs, resources, prompts."""

from __future__ import annotations

import asyncio
import json
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import pytest
from pydantic import ValidationError

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import (
    AllSourcesFailed,
    BackendError,
    BlockedByFilter,
    Code,
    Failure,
    NotFound,
    ServerFailed,
)
from websearch_core.contract.mcp_components import Output, Prompt, Resource, Tool
from websearch_core.contract.results import FetchAnswer, ToolOutput
from websearch_core.kit.tokens import estimate_tokens
from websearch_core.testing.fakes import FakeGateway, hits, page

from .contract import Contract
from .probes import longest_hold_ms

C = TypeVar("C", Tool, Output, Resource, Prompt)


class _Served(Contract[C]):
    def gateway(self, error: Exception | None = None) -> FakeGateway:
        """The chain that it may use: three hits, and a page for each."""
        found = hits(3)
        return FakeGateway(found, {hit.url: page(hit.url) for hit in found}, error=error)


class ToolContract(_Served[Tool]):
    """For a tool: arguments that work, arguments that its schema must refuse."""

    names: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9][a-z0-9_-]*")
    good: ClassVar[Sequence[Mapping[str, Any]]]
    bad: ClassVar[Sequence[Mapping[str, Any]]]
    expected: ClassVar[str] = ""
    """Text that the first good call answers with, among other things."""
    asks: ClassVar[bool] = True
    """False: the tool neither searches nor fetches."""

    def __init_subclass__(cls, **given: Any) -> None:
        """Raises TypeError for samples that are no list of arguments."""
        super().__init_subclass__(**given)
        for name in ("good", "bad"):
            if isinstance(getattr(cls, name, ()), (Mapping, str)):
                raise TypeError(f'{cls.__name__}.{name} must be a list of arguments: {name} = [{{"topic": "tea"}}]')

    @abstractmethod
    def tool(self, ctx: PluginContext) -> Tool:
        """The tool, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Tool:
        """The tool."""
        return self.tool(ctx)

    async def call(self, made: Tool, arguments: Mapping[str, Any], gateway: FakeGateway | None = None) -> ToolOutput:
        """One call, as the server makes it."""
        checked = made.arguments.model_validate(arguments)
        return await made.call(checked, gateway or self.gateway())

    async def test_a_model_can_read_what_it_is_for(self, made: Tool) -> None:
        """Few words for the tool, a description for each argument, no reference that a client must resolve online."""
        assert 20 <= len(made.description) <= 1000, "a description of 20 to 1,000 characters"
        schema = made.arguments.model_json_schema()
        assert schema["type"] == "object"
        silent = [name for name, field in schema.get("properties", {}).items() if not field.get("description")]
        assert not silent, f"arguments without a description: {silent}"
        assert len(json.dumps(schema)) < 6000, "the schema costs too many tokens"

    async def test_good_arguments_get_an_answer(self, made: Tool) -> None:
        """Text for the model; data, if any, is JSON, and of the shape that `output` declares."""
        for number, arguments in enumerate(self.good):
            gateway = self.gateway()
            output = await self.call(made, arguments, gateway)
            assert isinstance(output, ToolOutput)
            assert output.text.strip()
            json.dumps(output.structured)
            if made.output is not None:
                made.output.model_validate(output.structured)
            assert number or self.expected in output.text
            assert bool(gateway.requests) is self.asks, "asks = False is for tools that neither search nor fetch"

    async def test_bad_arguments_are_refused_by_the_schema(self, made: Tool) -> None:
        """Before the tool is called."""
        assert self.bad, "bad needs a sample"
        for arguments in self.bad:
            with pytest.raises(ValidationError):
                made.arguments.model_validate(arguments)

    async def test_failures_of_the_chain_reach_the_model(self, made: Tool) -> None:
        """They pass through, or become a BackendError, or part of an answer; never another exception."""
        failures = (
            BlockedByFilter(by="guard"),
            ServerFailed(),
            AllSourcesFailed((Failure("exa", Code.TIMEOUT, "no answer"),)),
        )
        for failure in failures:
            gateway = self.gateway(failure)
            try:
                output = await self.call(made, self.good[0], gateway)
            except (BackendError, AllSourcesFailed):
                continue
            assert output.text.strip()
            assert bool(gateway.requests) is self.asks

    async def test_progress_grows_up_to_its_total(self, made: Tool) -> None:
        """As MCP wants it: each word says more than the one before."""
        gateway = self.gateway()
        await self.call(made, self.good[0], gateway)
        steps = [done for done, _, _ in gateway.told]
        assert steps == sorted(set(steps)), f"progress must grow with each word: {steps}"
        assert all(0 <= done <= total for done, total, _ in gateway.told), "more was done than there is to do"

    async def test_two_calls_at_once_are_not_mixed_up(self, made: Tool) -> None:
        """No state between calls."""
        alone = await self.call(made, self.good[0])
        assert await asyncio.gather(*(self.call(made, self.good[0]) for _ in range(2))) == [alone, alone]

    async def test_nothing_is_printed_and_the_loop_is_not_held(
        self, made: Tool, ctx: PluginContext, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """One line on stdout breaks the stdio transport."""
        held = await longest_hold_ms(lambda: self.call(made, self.good[0]), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"
        assert capfd.readouterr().out == ""


class OutputContract(_Served[Output]):
    """For a form of a page: it keeps to its budget, and says the same for the same page."""

    expected: ClassVar[str] = ""
    """Text that the sample page comes to, among other things."""
    sample: ClassVar[str] = "# Tea\n\nTea is a drink. It was drunk in China in 59 BC.\n\n## Sorts\n\n- green\n- black\n"

    @abstractmethod
    def output(self, ctx: PluginContext) -> Output:
        """The output, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Output:
        """The output."""
        return self.output(ctx)

    async def of(self, made: Output, body: str, tokens: float) -> ToolOutput:
        """One page in this form, as `fetch` asks for it."""
        return await made.of(FetchAnswer(page=page("https://example.com/tea", body)), self.gateway(), tokens)

    async def test_a_page_gets_text_and_data(self, made: Output) -> None:
        """Text for the model; data, if any, is JSON. The description fits among others."""
        assert 5 <= len(made.description) <= 300, "a description of 5 to 300 characters"
        output = await self.of(made, self.sample, 5_000)
        assert self.expected in output.text
        assert output.text.strip()
        json.dumps(output.structured)

    @pytest.mark.parametrize("tokens", [300, 3_000])
    async def test_a_long_page_keeps_to_the_budget(self, made: Output, tokens: int) -> None:
        """About: a fifth more, and some for small change. Text and data each."""
        output = await self.of(made, self.sample * 400, tokens)
        most = 1.2 * tokens + 200
        assert estimate_tokens(output.text) <= most, f"the text of a long page costs more than {tokens} tokens"
        data = json.dumps(output.structured, ensure_ascii=False)
        assert estimate_tokens(data) <= 2 * most, f"the data of a long page cost more than {tokens} tokens"

    async def test_a_page_of_one_word_and_no_room_at_all_are_no_bugs(self, made: Output) -> None:
        """Whatever the page, whatever is left."""
        for body, tokens in (("Tea", 1_000.0), (self.sample, 0.0), ("```\nnever closed", 1_000.0)):
            assert isinstance(await self.of(made, body, tokens), ToolOutput)

    async def test_the_same_page_gives_the_same(self, made: Output) -> None:
        """Also at the same time as another: no state between calls."""
        alone = await self.of(made, self.sample, 5_000)
        both = await asyncio.gather(self.of(made, self.sample, 5_000), self.of(made, "# Other\n\nText.\n", 5_000))
        assert both[0] == alone
        assert both[1] != alone

    async def test_nothing_is_printed_and_the_loop_is_not_held(
        self, made: Output, ctx: PluginContext, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """One line on stdout breaks the stdio transport."""
        held = await longest_hold_ms(lambda: self.of(made, self.sample * 400, 3_000), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"
        assert capfd.readouterr().out == ""


class ResourceContract(_Served[Resource]):
    """For a resource; for a template of addresses, one of them that can be read."""

    address: ClassVar[str] = ""
    """Empty: `uri` itself."""
    unknown: ClassVar[str] = ""
    """An address of the template where there is nothing; empty: there is none such."""

    @abstractmethod
    def resource(self, ctx: PluginContext) -> Resource:
        """The resource, as the plugin's hook makes it, with something to read."""

    def make(self, ctx: PluginContext) -> Resource:
        """The resource."""
        return self.resource(ctx)

    async def test_it_says_what_it_is_and_can_be_read(self, made: Resource, capfd: pytest.CaptureFixture[str]) -> None:
        """A URI with a scheme, a media type, a description, and text; nothing on stdout."""
        assert re.match(r"[a-z][a-z0-9+.-]*:", made.uri), "a URI begins with a scheme"
        assert made.media_type.count("/") == 1
        assert made.description
        assert self.address or "{" not in made.uri, "address needs one that the template stands for"
        assert await made.read(self._known(made), self.gateway())
        assert capfd.readouterr().out == ""

    async def test_its_addresses_are_of_its_template(self, made: Resource) -> None:
        """`{name}` stands for a part without a slash, and nothing else is in braces."""
        fixed = re.split(r"\{\w+\}", made.uri)
        assert not any(brace in piece for piece in fixed for brace in "{}"), f"no template of level 1: {made.uri}"
        pattern = re.compile("[^/?#]+".join(map(re.escape, fixed)))
        for address in filter(None, (self._known(made), self.unknown)):
            assert pattern.fullmatch(address), f"{address} is not of {made.uri}"

    async def test_where_there_is_nothing_is_not_found(self, made: Resource) -> None:
        """Not an empty text, and no bug."""
        if not self.unknown:
            pytest.skip("there is something at each of its addresses")
        with pytest.raises(NotFound):
            await made.read(self.unknown, self.gateway())

    def _known(self, made: Resource) -> str:
        return self.address or made.uri


class PromptContract(_Served[Prompt]):
    """For a prompt: sample arguments."""

    sample: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def prompt(self, ctx: PluginContext) -> Prompt:
        """The prompt, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Prompt:
        """The prompt."""
        return self.prompt(ctx)

    async def test_it_renders_with_every_argument(self, made: Prompt, capfd: pytest.CaptureFixture[str]) -> None:
        """Each declared argument is described, and found in the message; nothing on stdout."""
        assert made.description
        assert all(made.arguments.values()), "each argument says what it is for"
        assert set(self.sample) == set(made.arguments), "sample has a value for each argument"
        message = await made.render(self.sample, self.gateway())
        assert all(value in message for value in self.sample.values())
        assert capfd.readouterr().out == ""
