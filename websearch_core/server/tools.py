"""What the server calls a tool: its published form, and how a raw call becomes a wire result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ..chain.gateway import Progress
from ..contract.mcp_components import Prompt, Resource, Tool
from ..contract.models import Caller
from ..contract.results import ResourceLink

ANNOTATIONS = {"readOnlyHint": True, "openWorldHint": True}
"""Both tools read the world and change nothing in it."""


COMPLETE = {"resultType": "complete"}
"""What the 2026-07-28 protocol wants in every result; the SDK leaves it out for older clients."""


class Served(Protocol):
    """One tool, ready to be called any number of times at once."""

    @property
    def definition(self) -> Mapping[str, Any]:
        """Its entry in tools/list, in wire form; built once."""
        ...

    async def call(self, raw: Mapping[str, Any], caller: Caller, progress: Progress) -> dict[str, Any]:
        """The wire result. Raises `ArgumentError`, `BackendError`, `AllSourcesFailed`; anything else is a bug."""
        ...


class LastCall:
    """The last tool call's arguments as they were understood: kept in the local test mode only."""

    def __init__(self) -> None:
        self.calls: dict[str, Any] = {}
        """Tool → its last call."""

    def record(self, tool: str, arguments: Mapping[str, Any], at: float) -> None:
        """Replace what is known of this tool's calls."""
        from datetime import UTC, datetime

        observed = datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
        self.calls[tool] = {"observed_at": observed, **arguments}


def named(component: Tool | Resource | Prompt) -> dict[str, Any]:
    """What lists say of a component that a plugin brought."""
    title = {"title": component.title} if component.title else {}
    return {"name": component.name, **title, "description": component.description}


def tool_error(text: str) -> dict[str, Any]:
    """The wire form of a failed call."""
    return {**COMPLETE, "content": [{"type": "text", "text": text}], "isError": True}


def link_of(link: ResourceLink) -> dict[str, Any]:
    """The wire form of what is said of a resource."""
    more = {"title": link.title, "description": link.description, "mimeType": link.media_type}
    wire: dict[str, Any] = {"uri": link.uri, "name": link.name, **{name: text for name, text in more.items() if text}}
    if link.size is not None:
        wire["size"] = link.size
    if link.modified is not None:
        wire["annotations"] = {"lastModified": link.modified.isoformat()}
    return wire


def tool_result(text: str, structured: Mapping[str, Any] | None, links: Iterable[ResourceLink] = ()) -> dict[str, Any]:
    """The wire form of a call that worked."""
    content = [{"type": "text", "text": text}, *({"type": "resource_link", **link_of(link)} for link in links)]
    result: dict[str, Any] = {**COMPLETE, "content": content, "isError": False}
    if structured is not None:
        result["structuredContent"] = structured
    return result
