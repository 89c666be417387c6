"""A plugin tool's arguments before it gets them: every text in them passes the request filters."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..chain.request_screen import RequestScreen
from ..contract.fields import Part
from ..contract.models import Caller
from ..contract.tool_request import ToolRequest

_SHORTEST_NUMBER = 7
"""Digits of a number that is judged like a text: shorter ones name nobody."""


async def screened(
    tool: str, arguments: Mapping[str, Any], caller: Caller, screening: RequestScreen
) -> tuple[dict[str, Any], list[str]]:
    """The arguments as the filters leave them, and who changed them. Raises `BlockedByFilter`."""
    strings: list[Part] = []

    def collect(place: str, text: str) -> str:
        if text:
            strings.append(Part(place, text))
        return text

    _mapped(arguments, "", collect)
    after, trail = await screening.screen(ToolRequest(tool=tool, strings=tuple(strings), caller=caller))
    changed = {old: new.text for old, new in zip(strings, after.parts, strict=True)}
    notes = [f"changed by {step.by}: {step.reason}" for step in trail if step.outcome == "rewrite"]
    return _mapped(arguments, "", lambda place, text: changed.get(Part(place, text), text)), notes


def _mapped(value: Any, place: str, changed: Callable[[str, str], str]) -> Any:
    """The value with each text in it as `changed` makes it, which is told where it stands.

    Names in tables are a model's words, too, and long numbers are judged like texts.
    """
    if isinstance(value, str):
        return changed(place, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = json.dumps(value)
        judged = changed(place, text) if sum(map(str.isdigit, text)) >= _SHORTEST_NUMBER else text
        return value if judged == text else judged
    if isinstance(value, Mapping):
        return {
            changed(f"{inner} (name)", name) if place else name: _mapped(each, inner, changed)
            for name, each in cast("Mapping[str, Any]", value).items()
            for inner in (f"{place}.{name}" if place else name,)
        }
    if isinstance(value, list):
        return [_mapped(each, f"{place}.{index}", changed) for index, each in enumerate(cast("list[Any]", value))]
    return value
