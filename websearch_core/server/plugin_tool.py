"""A plugin's tool as the server calls it: its arguments are read like the core's own, and screened before that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from ..chain.chain import Chain
from ..chain.gateway import BoundGateway, Progress
from ..contract.mcp_components import Tool
from ..contract.models import Caller
from ..marks import marked_slice
from .argument_reader import ArgumentReader
from .budget import fitting_end
from .published_schema import published
from .render import PLAIN, remarks
from .screen_arguments import screened
from .spotlight import UNTRUSTED, Spotlight
from .tools import named, tool_result


class PluginTool:
    """One tool that a plugin brought."""

    def __init__(
        self, tool: Tool, chain: Chain, max_tokens: int, spotlight: Callable[[], Spotlight] = lambda: PLAIN
    ) -> None:
        """The tool calls `chain` like anybody else; its text is cut, visibly, at `max_tokens`.

        `spotlight` marks the answer where strangers wrote it.
        """
        self._tool = tool
        self._spotlight = spotlight
        self._chain = chain
        self._max_tokens = max_tokens
        self._reader = ArgumentReader(tool.arguments)
        self.definition: Mapping[str, Any] = {
            **named(tool),
            "inputSchema": self._reader.schema,
            **({"outputSchema": _output_schema(tool.output)} if tool.output else {}),
            "annotations": {"readOnlyHint": tool.read_only, "openWorldHint": True},
        }

    async def call(self, raw: Mapping[str, Any], caller: Caller, progress: Progress) -> dict[str, Any]:
        """Screen, read and call."""
        leaving = {name: raw[name] for name in raw if name in self._reader.names and name not in self._tool.stays}
        after, changes = await screened(self._tool.name, leaving, caller, self._chain.screening)
        arguments, notes = self._reader.read({**raw, **after})
        notes += changes
        spotlight = self._spotlight()
        room = spotlight.room(self._max_tokens, 1)
        gateway = BoundGateway(self._chain, caller, progress, answer_tokens=room)
        output = await self._tool.call(arguments, gateway)
        spotlight = spotlight if output.untrusted else PLAIN
        text, end = output.text, fitting_end(output.text, 0, len(output.text), room)
        if end < len(text):
            text = marked_slice(text, 0, end)
            notes.append(
                f"the text was cut at {end} of {len(output.text)} characters to fit the output limit; ask for less"
            )
        shown = "\n\n".join(part for part in (spotlight.preamble, spotlight.fenced(text)) if part)
        data = spotlight.through(output.structured)
        if output.untrusted and data is not None:
            data = spotlight.warned(data)
        result = tool_result(shown, data, output.links)
        result["content"] += [{"type": "text", "text": block} for block in remarks(notes)]
        return result


def _output_schema(output: type[BaseModel]) -> dict[str, Any]:
    """What the tool declares, and the field that comes before a stranger's text."""
    schema = published(output)
    return {**schema, "properties": {UNTRUSTED: {"type": "string"}, **schema.get("properties", {})}}
