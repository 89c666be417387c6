"""Lists in pages: every entry once, whatever comes meanwhile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import MCPError

from websearch_core.server.paging import PAGE, page_of


def entries(count: int, first: int = 0) -> list[dict[str, str]]:
    return [{"uri": f"packet:{number}"} for number in range(first, first + count)]


@given(st.integers(0, 3 * PAGE + 1), st.integers(0, 3))
def test_every_entry_is_listed_once_though_new_ones_come_first(count: int, new: int) -> None:
    listed, seen, cursor, came = entries(count), [], None, 0
    while True:
        page = page_of("resources", listed, "uri", cursor)
        assert len(page["resources"]) <= PAGE
        seen += page["resources"]
        if "nextCursor" not in page:
            break
        cursor = page["nextCursor"]
        came += new
        listed = [*entries(new, -came), *listed]
    assert seen == entries(count)


@pytest.mark.parametrize("cursor", ["", "?", "eyJvZmZzZXQiOjUwfQ=="])
def test_a_cursor_that_names_nothing_is_refused(cursor: str) -> None:
    with pytest.raises(MCPError, match="invalid cursor"):
        page_of("resources", entries(3), "uri", cursor)
