"""A plugin's tool as the server calls it: its pydantic model validates, with the same leniency and the same errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from ..chain.chain import Chain
from ..chain.gateway import BoundGateway, Progress
from ..contract.mcp_components import Tool
from ..contract.models import Caller
from ..marks import marked_slice
from .argument_types import RuleError, json_of, list_of
from .arguments import IS_REQUIRED, ArgumentError, explained, ignored, is_nothing, left_out
from .budget import fitting_end
from .published_schema import published
from .render import PLAIN
from .screen_arguments import screened
from .spotlight import UNTRUSTED, Spotlight
from .tools import tool_result

_LISTS = ("list_type", "tuple_type", "set_type", "frozen_set_type")
_TABLES = ("dict_type", "model_type", "model_attributes_type", "dataclass_type")


class PluginTool:
    """One tool that a plugin brought."""

    def __init__(
        self, tool: Tool, chain: Chain, max_tokens: int, light: Callable[[], Spotlight] = lambda: PLAIN
    ) -> None:
        """The tool calls `chain` like anybody else; its text is cut, visibly, at `max_tokens`.

        `light` marks the answer where strangers wrote it.
        """
        self._tool = tool
        self._light = light
        self._chain = chain
        self._max_tokens = max_tokens
        self._known = {field.alias or name for name, field in tool.arguments.model_fields.items()}
        self.definition: Mapping[str, Any] = {
            "name": tool.name,
            **({"title": tool.title} if tool.title else {}),
            "description": tool.description,
            "inputSchema": published(tool.arguments),
            **({"outputSchema": _output_schema(tool.output)} if tool.output else {}),
            "annotations": {"readOnlyHint": tool.read_only, "openWorldHint": True},
        }

    async def call(self, raw: Mapping[str, Any], caller: Caller, progress: Progress) -> dict[str, Any]:
        """Validate and call."""
        notes: list[str] = []
        given = {name: value for name, value in raw.items() if name in self._known}
        if unknown := [name for name in raw if name not in self._known]:
            notes.append(ignored(unknown))
        leaving = {name: value for name, value in given.items() if name not in self._tool.stays}
        given |= await screened(self._tool.name, leaving, caller, self._chain.screening, notes)
        arguments = self._read(given, notes)
        light = self._light()
        room = light.room(self._max_tokens, 1)
        gateway = BoundGateway(self._chain, caller, progress, answer_tokens=room)
        output = await self._tool.call(arguments, gateway)
        light = light if output.untrusted else PLAIN
        text, end = output.text, fitting_end(output.text, 0, len(output.text), room)
        if end < len(text):
            text = marked_slice(text, 0, end)
            notes.append(
                f"the text was cut at {end} of {len(output.text)} characters to fit the output limit; ask for less"
            )
        shown = "\n\n".join(part for part in (light.preamble, light.fenced(text)) if part)
        data = light.through(output.structured)
        if output.untrusted and data is not None:
            data = light.warned(data)
        result = tool_result(shown, data, output.links)
        if notes:
            result["content"].append({"type": "text", "text": "Notes:\n" + "\n".join(f"- {note}" for note in notes)})
        return result

    def _read(self, given: Mapping[str, Any], notes: list[str]) -> BaseModel:
        try:
            return self._tool.arguments.model_validate(given)
        except ValidationError as error:
            mended = _mended(given, error, notes)
        try:
            return self._tool.arguments.model_validate(mended)
        except ValidationError as error:
            raise ArgumentError(self._explained(error)) from None

    def _explained(self, error: ValidationError) -> str:
        lines: list[str] = []
        for problem in error.errors(include_input=False, include_url=False, include_context=False):
            name = ".".join(str(part) for part in problem["loc"]) or "arguments"
            field = self._tool.arguments.model_fields.get(str(problem["loc"][0])) if problem["loc"] else None
            example = field.examples[0] if field and field.examples else None
            # what pydantic says of these names classes
            table = problem["type"] in (*_TABLES, "is_instance_of")
            said = IS_REQUIRED if problem["type"] == "missing" else problem["msg"].removeprefix("Value error, ")
            lines.append(explained(name, "must be an object" if table else said, example))
        return "\n".join(lines)


def _mended(given: Mapping[str, Any], error: ValidationError, notes: list[str]) -> dict[str, Any]:
    """The arguments as the core's own are read: texts where lists or tables are meant, and values that say nothing."""
    mended = dict(given)
    empty: list[str] = []
    for problem in error.errors(include_url=False, include_context=False):
        name = str(problem["loc"][0]) if problem["loc"] else ""
        value = mended.get(name)
        if name not in mended or len(problem["loc"]) > 1:
            continue
        if is_nothing(value):
            del mended[name]
            empty.append(name)
        elif isinstance(value, str) and problem["type"] in (*_LISTS, *_TABLES):
            said: list[str] = []
            with suppress(RuleError):  # what pydantic said of it stands
                is_list = problem["type"] in _LISTS
                mended[name] = list_of(value.strip(), said.append) if is_list else json_of(value, "")
                notes.extend(f"{name}: {note}" for note in said or ["a JSON string was read as an object"])
    if empty:
        notes.append(left_out(empty))
    return mended


def _output_schema(output: type[BaseModel]) -> dict[str, Any]:
    """What the tool declares, and the field that comes before a stranger's text."""
    schema = published(output)
    return {**schema, "properties": {UNTRUSTED: {"type": "string"}, **schema.get("properties", {})}}
