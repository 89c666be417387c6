"""A plugin tool's arguments before it gets them: every text in them passes the request filters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..chain.request_screen import RequestScreen
from ..contract.fields import Part
from ..contract.models import Caller
from ..contract.tool_request import ToolRequest

_SHORTEST_NUMBER = 7
"""Digits of a number that is judged like a text: shorter ones name nobody."""


async def screened(
    tool: str, arguments: Mapping[str, Any], caller: Caller, screening: RequestScreen, notes: list[str]
) -> dict[str, Any]:
    """The arguments as the filters leave them. Raises `BlockedByFilter`."""
    strings = tuple(Part(place, text) for place, text in _texts(arguments, "") if text)
    request = ToolRequest(tool=tool, strings=strings, caller=caller)
    after, trail = await screening.screen(request)
    notes.extend(f"changed by {step.by}: {step.reason}" for step in trail if step.outcome == "rewrite")
    changed = {new.field: new.text for old, new in zip(strings, after.parts, strict=True) if new != old}
    return cast("dict[str, Any]", _replaced(arguments, "", changed)) if changed else dict(arguments)


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Each text and where it stands: names in tables are a model's words, too."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, bool):
        return
    elif isinstance(value, int | float):
        text = json.dumps(value)
        if sum(map(str.isdigit, text)) >= _SHORTEST_NUMBER:
            yield place, text
    elif isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            here = f"{place}.{name}" if place else name
            if place:
                yield f"{here} (name)", name
            yield from _texts(inner, here)
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[Any]", value)):
            yield from _texts(inner, f"{place}.{index}")


def _replaced(value: Any, place: str, changed: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {
            changed.get(f"{here} (name)", name) if place else name: _replaced(inner, here, changed)
            for name, inner in cast("Mapping[str, Any]", value).items()
            for here in (f"{place}.{name}" if place else name,)
        }
    if isinstance(value, list):
        return [_replaced(inner, f"{place}.{index}", changed) for index, inner in enumerate(cast("list[Any]", value))]
    return changed.get(place, value)
