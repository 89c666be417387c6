"""Argument completion: what may stand for a template's `{name}` or a prompt's argument, while somebody types it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mcp_types import PromptReference, ResourceTemplateReference

from ..contract.mcp_components import Prompt, Resource

MOST = 100
"""As many values as MCP allows in one answer."""


def completing(
    ref: ResourceTemplateReference | PromptReference,
    argument: str,
    resources: Iterable[Resource],
    prompts: Iterable[Prompt],
) -> Resource | Prompt | None:
    """Who knows the values of this argument: the template of this very address, or the prompt of this name."""
    if isinstance(ref, PromptReference):
        return next((one for one in prompts if one.name == ref.name and argument in one.arguments), None)
    if argument not in re.findall(r"\{(\w+)\}", ref.uri):
        return None
    return next((one for one in resources if one.uri == ref.uri), None)


def completion(values: Iterable[str], typed: str) -> dict[str, Any]:
    """Those of the values that hold this, in any case, each once, as MCP's `completion`.

    Those that begin with it come first, and the earlier it stands the better; else they are in their order.
    """
    sought = typed.casefold()
    places = {value: value.casefold().find(sought) for value in values}
    fitting = sorted((value for value, place in places.items() if place >= 0), key=places.__getitem__)
    return {"values": fitting[:MOST], "total": len(fitting), "hasMore": len(fitting) > MOST}
