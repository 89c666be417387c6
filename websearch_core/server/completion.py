"""Argument completion: what may stand for a template's `{name}` or a prompt's argument, while somebody types it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mcp_types import PromptReference, ResourceTemplateReference

from ..offers import Prompt, Resource

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


def completion(values: Iterable[str], prefix: str) -> dict[str, Any]:
    """Those of the values that begin so, in any case, in their order and each once, as MCP's `completion`."""
    start = prefix.casefold()
    fitting = list(dict.fromkeys(value for value in values if value.casefold().startswith(start)))
    return {"values": fitting[:MOST], "total": len(fitting), "hasMore": len(fitting) > MOST}
