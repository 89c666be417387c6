"""Long lists in pages (MCP, Pagination)."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

from mcp import MCPError
from mcp_types import INVALID_PARAMS

PAGE = 50


def page_of(name: str, entries: Sequence[dict[str, Any]], key: str, cursor: str | None) -> dict[str, Any]:
    """The entries after the one that the cursor names, as `name`, with a `nextCursor` where more follow.

    A cursor names an entry and no place: what came meanwhile shifts nothing. Raises `MCPError` for one that names none,
    also because its entry has gone: the client lists from the beginning then.
    """
    start = 0
    if cursor is not None:
        places = {_cursor(entry[key]): place for place, entry in enumerate(entries)}
        if cursor not in places:
            raise MCPError(INVALID_PARAMS, "invalid cursor; list again without one")
        start = places[cursor] + 1
    page = entries[start : start + PAGE]
    more = start + PAGE < len(entries)
    return {name: list(page), **({"nextCursor": _cursor(page[-1][key])} if more else {})}


def _cursor(value: str) -> str:
    return urlsafe_b64encode(value.encode()).decode()
