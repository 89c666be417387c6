"""A loopback server in Brave's place, and the backend that asks it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from websearch_brave.plugin import websearch_search_backends
from websearch_core import Answer, SearchBackend, SearchRequest
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite

SAMPLES = Path(__file__).with_name("samples")


@pytest.fixture
async def site() -> AsyncIterator[LoopbackSite]:
    """Brave."""
    async with LoopbackSite() as site:
        yield site


@pytest.fixture
def clock() -> FakeClock:
    """Its time: 2025-06-15 15:06:40 UTC."""
    return FakeClock()


@pytest.fixture
def sample() -> Callable[[str], Any]:
    """A recorded answer."""
    return lambda name: json.loads((SAMPLES / f"{name}.json").read_text())


@pytest.fixture
async def make(site: LoopbackSite, clock: FakeClock) -> AsyncIterator[Callable[..., SearchBackend]]:
    """The backend with these settings."""
    made: list[SearchBackend] = []

    def make(**settings: Any) -> SearchBackend:
        ctx = context("brave", {"api_key": "BSA-test", "base_url": f"{site.url}/res/v1", **settings}, clock=clock)
        made.extend(websearch_search_backends(ctx))
        return made[-1]

    yield make
    for backend in made:
        await backend.aclose()


@pytest.fixture
def ask(make: Callable[..., SearchBackend]) -> Callable[..., Any]:
    """One search of a backend with the default settings."""
    backend = make()

    async def ask(query: str = "asyncio", **fields: Any) -> Answer:
        answer = await backend.search(SearchRequest(query=query, **fields))
        assert isinstance(answer, Answer)
        return answer

    return ask
