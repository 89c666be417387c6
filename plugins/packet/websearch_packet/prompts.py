"""Prompts that tell a model which tools to call, one after the other."""

# ruff: noqa: ARG002 - the signatures are the interface's
from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from websearch_core import Gateway, Prompt
from websearch_core.kit import InvalidRequest

from .choices import Mode, Strategy

_RENDER = {"auto": "auto", "http": "never", "render": "always"}
_CHOICES: Mapping[str, Sequence[str]] = {
    "mode": tuple(_RENDER),
    "output": ("packet", "markdown", "text", "outline", "raw"),
    "max_tokens": ("500", "1000", "2000", "4000", "8000"),
    "strategy": get_args(Strategy),
}
_STRICT = frozenset(("mode", "strategy"))
"""Those that take no other word; what `output` takes, other plugins decide, too."""
_Given = Mapping[str, str]


class ToolStepsPrompt(Prompt):
    """One way to use the tools."""

    def __init__(
        self,
        name: str,
        description: str,
        arguments: Mapping[str, str],
        message: Callable[[_Given], str],
        choices: Mapping[str, Sequence[str]] = {},
        tools: Sequence[str] = (),
    ) -> None:
        """All arguments but `url` may be left out."""
        self.name = name
        self.description = description
        self.arguments = arguments
        self.optional = frozenset(arguments) - {"url"}
        self.tools = frozenset(tools)
        self._message = message
        self._choices = {**_CHOICES, **choices}

    async def render(self, arguments: Mapping[str, str], gateway: Gateway) -> str:
        """The message. Raises `InvalidRequest` for a word that the tools would not take."""
        for name in _STRICT & {*arguments} & {*self.arguments}:
            if arguments[name] not in self._choices[name]:
                raise InvalidRequest(f"{name}: must be one of {', '.join(self._choices[name])}")
        size = arguments.get("max_tokens", "50")
        if not (size.isascii() and size.isdecimal() and int(size[:9]) >= 50):
            raise InvalidRequest("max_tokens: must be a whole number of 50 or more")
        return self._message(arguments)

    async def complete(self, argument: str, prefix: str, gateway: Gateway) -> Sequence[str]:
        """The words that an argument takes."""
        return self._choices.get(argument, ())


def prompts() -> list[Prompt]:
    """All of them."""
    url = {"url": "address of the page"}
    size = {"max_tokens": "tokens, about"}
    return [
        ToolStepsPrompt(
            "fetch-url",
            "Reads one page.",
            {**url, "mode": "auto, http (no browser) or render (with one)", "output": "packet, markdown, …"},
            _fetch,
        ),
        ToolStepsPrompt(
            "fetch-and-chunk",
            "Reads a page and cuts it into chunks.",
            {**url, **size, "strategy": "headings_first or balanced"},
            _chunk,
            tools=("chunk",),
        ),
        ToolStepsPrompt(
            "fetch-and-compact",
            "Reads a page and shortens it.",
            {**url, **size, "mode": "how to shorten", "question": "what to look for"},
            _compact,
            {"mode": get_args(Mode)},
            tools=("compact",),
        ),
        ToolStepsPrompt("resources-tips", "Says how pages that were fetched can be read again.", {}, _tips),
    ]


def _fetch(given: _Given) -> str:
    call: dict[str, Any] = {"urls": [given["url"]], "output": given.get("output", "packet")}
    if mode := given.get("mode"):
        call["render"] = _RENDER.get(mode, mode)
    return f"Call the tool fetch with {_json(call)}. Then say what the page is about and cite it."


def _chunk(given: _Given) -> str:
    call = {"source_id": "<its source_id>", **_numbered(given, "max_tokens", "strategy")}
    return f"{_first(given)} Then call the tool chunk with {_json(call)}."


def _compact(given: _Given) -> str:
    call = {"source_id": "<its source_id>", **_numbered(given, "max_tokens", "mode", "question")}
    return (
        f"{_first(given)} Then call the tool compact with {_json(call)}. Answer from its summary, naming the blocks "
        "that you use."
    )


def _tips(_given: _Given) -> str:
    return (
        "A page that was fetched with output packet has a source_id and can be read again for a while without being "
        "fetched: webfetch://packet/{source_id} is all of it as JSON, webfetch://content/{source_id} its Markdown, "
        "webfetch://normalized/{source_id} the packet without hashes, webfetch://screenshot/{source_id} its picture. "
        "The tools chunk and compact take the source_id, too, where they are offered."
    )


def _first(given: _Given) -> str:
    return f"Call the tool fetch with {_json({'urls': [given['url']], 'output': 'packet'})}."


def _numbered(given: _Given, *names: str) -> dict[str, Any]:
    return {name: int(given[name]) if given[name].isdecimal() else given[name] for name in names if name in given}


def _json(call: Mapping[str, Any]) -> str:
    return json.dumps(call, ensure_ascii=False)
