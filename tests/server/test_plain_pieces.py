"""Pieces of what `fetch` shows, put together again."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core.testing.fakes import FakeGateway

from .conftest import StandIn, page, serving

A = "https://a.example/"


async def row_of(chain: FakeGateway, arguments: dict[str, Any]) -> dict[str, Any]:
    async with serving(StandIn(chain=chain)) as client:
        result = await client.tool("fetch", {"urls": [A], **arguments})
    return result["structuredContent"]["results"][0]


@pytest.mark.parametrize("form", ["text", "raw", "outline"])
async def test_pieces_that_are_no_markdown_are_plain_slices(form: str) -> None:
    body = "".join(f"# Head {number}\n\n```\n{'code ' * 40}\n```\n\n" for number in range(30))
    raw = f"```\n{'not fenced ' * 400}"
    chain = FakeGateway(pages={A: page(A, raw if form == "raw" else body)})
    found: list[str] = []
    offset: int | None = 0
    while offset is not None:
        row = await row_of(chain, {"output": form, "max_chars": 300, "offset": offset})
        found.append(row["content"])
        assert offset + len(row["content"]) == row.get("next_offset", offset + len(row["content"]))
        offset = row.get("next_offset")
    assert len(found) > 1
    if form == "raw":
        assert "".join(found) == raw


async def test_all_pieces_together_are_the_page_however_long_a_tables_first_row_is() -> None:
    body = f"Words.\n\n| {'wide cell ' * 2500} | b |\n|---|---|\n" + "| some | cells |\n" * 500 + "\nAfter."
    chain = FakeGateway(pages={A: page(A, body)})
    whole, offset = "", 0
    while offset is not None:
        row = await row_of(chain, {"max_chars": 9000, "offset": offset})
        whole += row["content"]
        offset = row.get("next_offset")
        assert offset in (None, len(whole))
    assert whole == body
