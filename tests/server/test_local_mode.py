"""The fixtures of the local test mode, alone and through the assembled chain."""

from __future__ import annotations

import pytest

from websearch_core.contract.errors import NotFound
from websearch_core.contract.models import FetchRequest, SearchRequest
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import assemble
from websearch_core.startup.local_test_mode import LocalFetcher, LocalSearch

from .conftest import serving

HANDBOOK = "https://local.test/owls/handbook"
BULLETIN = "https://local.test/owls/bulletin"


@pytest.mark.parametrize(
    ("query", "most", "found"),
    [
        ("owls", 8, [HANDBOOK, BULLETIN]),
        ("the BULLETIN of owls", 8, [BULLETIN, HANDBOOK]),
        ("owls", 1, [HANDBOOK]),
    ],
)
async def test_a_query_has_always_the_same_hits(query: str, most: int, found: list[str]) -> None:
    backend = LocalSearch()
    hits = await backend.search(SearchRequest(query=query, max_results=most))
    assert isinstance(hits, list)
    assert [hit.url for hit in hits] == found


async def test_other_addresses_are_not_found() -> None:
    fetcher = LocalFetcher()
    with pytest.raises(NotFound, match="fixture not found"):
        await fetcher.fetch(FetchRequest(url="https://example.com/"))


async def test_the_assembled_server_answers_from_fixtures() -> None:
    environ = {"LOCAL_TEST_MODE": "1"}
    async with serving(
        assemble(Configuration({"store": {"data_dir": "/nonexistent"}}, environ), installed=())
    ) as client:
        found = await client.tool("search", {"query": "owls"})
        read = await client.tool("fetch", {"urls": [HANDBOOK, "http://127.0.0.1/", "https://example.com/"]})
        last = (await client.http.get("/debug/last-call")).json()
        await client.warm.wait()
        ready = (await client.http.get("/health/ready")).json()
    assert [row["url"] for row in found["structuredContent"]["results"]] == [HANDBOOK, BULLETIN]
    assert found["structuredContent"]["meta"]["backends"] == ["local-test"]
    rows = read["structuredContent"]["results"]
    assert [row.get("code", row["status"]) for row in rows] == ["completed", "refused", "not_found"]
    assert last["search"]["query"] == "owls"
    assert ready["ready"] is True
