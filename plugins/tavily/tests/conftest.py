"""A loopback server that plays Tavily, and its backend and fetcher made as the hooks make them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest, SearchRequest
from websearch_core.testing.fakes import context
from websearch_core.testing.site import LoopbackSite
from websearch_tavily.plugin import websearch_fetchers, websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
KEY = "tvly-dev-0123456789"
ASKED = "https://en.wikipedia.org/wiki/Artificial_intelligence"


@pytest.fixture(name="sample")
def _sample():
    return lambda name: json.loads((SAMPLES / name).read_text())


@pytest.fixture(name="site")
async def _site():
    async with LoopbackSite() as site:
        yield site


@pytest.fixture(name="make")
async def _make(site):
    """`make(hook, **settings)`: with a key, unless the settings say otherwise."""
    made = []

    def make(hook, **settings):
        ctx = context("tavily", {"api_key": KEY, "base_url": site.url, **settings})
        [component] = hook(ctx)
        made.append((ctx, component))
        return component

    yield make
    for ctx, component in made:
        await component.aclose()
        await ctx.aclose()


@pytest.fixture(name="search")
def _search(make):
    async def search(settings=(), **fields):
        backend = make(websearch_search_backends, **dict(settings))
        return await backend.search(SearchRequest(**{"query": "solar power", **fields}))

    return search


@pytest.fixture(name="fetch")
def _fetch(make):
    async def fetch(url=ASKED, settings=(), **fields):
        fetcher = make(websearch_fetchers, **{"fetch": True, **dict(settings)})
        return await fetcher.fetch(FetchRequest(url=url, **fields))

    return fetch
