"""What an engine's answer costs to read, and what merging several costs: CPU on one core, no network."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from evals.bench.report import Row
from websearch_core import EngineResponse, SearchBackend, SearchRequest
from websearch_core.asking.search.fusion import fuse
from websearch_core.contract.models import Hit
from websearch_core.testing.fakes import context

PLUGINS = Path(__file__).parents[2] / "plugins"
FUSED_MS = 2.0
READ_MS = 3.0

RECORDED = (
    ("brave", "web.json", {"api_key": "k"}, {}),
    ("brave", "news.json", {"api_key": "k"}, {"vertical": "news"}),
    ("brave", "images.json", {"api_key": "k"}, {"vertical": "images"}),
    ("tavily", "search.json", {"api_key": "k"}, {}),
    ("duckduckgo", "html.html", {}, {}),
    ("exa", "search.json", {"api_key": "k"}, {}),
    ("google", "web.json", {"api_key": "k", "cx": "c"}, {}),
    ("searchapi", "web.json", {"api_key": "k"}, {}),
    ("searxng", "searx_search.json", {"base_url": "http://127.0.0.1:8888"}, {}),
    ("serper", "web.json", {"api_key": "k"}, {}),
)
"""Plugin, recording, settings, and what of the request chooses it."""


def merging(rounds: int) -> Iterator[Row]:
    """Five engines with twenty hits each, half of which others found, too."""
    lists = [
        [
            Hit(
                url=f"https://www.site{(rank * 7 + engine * 3) % 50}.example/page/?utm_source=x&id={rank}",
                title=f"Title {rank}",
                snippet="about a hundred characters of a snippet " * 3,
                source=f"engine{engine}",
            )
            for rank in range(20)
        ]
        for engine in range(5)
    ]
    yield Row(
        "merging 5 engines with 20 hits each, CPU", "ms", _cpu_ms(lambda: fuse(lists, 20), rounds), at_most=FUSED_MS
    )


def reading(rounds: int) -> Iterator[Row]:
    """Each engine's recorded answer, from bytes to hits, through the plugin's own backend."""
    for plugin, sample, settings, fields in RECORDED:
        content = (PLUGINS / plugin / "tests" / "samples" / sample).read_bytes()
        backend = _backend(plugin, settings, content)
        request = SearchRequest.model_validate({"query": "words", "max_results": 10, **fields})

        def once(backend: SearchBackend = backend, request: SearchRequest = request) -> None:
            _finished(backend.search(request))

        what = f"reading {plugin}'s {sample} ({len(content) // 1000} kB), CPU"
        yield Row(what, "ms", _cpu_ms(once, rounds), at_most=READ_MS)


class _Door:
    """Stands where a plugin's door to its engine is: every answer is the recording."""

    origin = "https://engine.example"

    def __init__(self, content: bytes) -> None:
        self._response = EngineResponse(200, {"content-type": "application/json; charset=utf-8"}, content)

    async def get(self, *_: Any, **__: Any) -> EngineResponse:
        return self._response

    async def post(self, *_: Any, **__: Any) -> EngineResponse:
        return self._response

    async def request(self, *_: Any, **__: Any) -> EngineResponse:
        return self._response

    async def aclose(self) -> None:
        return


def _backend(plugin: str, settings: Mapping[str, Any], content: bytes) -> SearchBackend:
    [entry] = entry_points(group="websearch", name=plugin)
    ctx = context(plugin, settings)
    ctx.api = lambda *_, **__: _Door(content)  # type: ignore[method-assign, assignment, return-value]
    [backend] = entry.load().websearch_search_backends(ctx)
    asyncio.run(backend.start())
    return backend


def _finished(work: Any) -> None:
    """Run what never waits, without a loop's cost."""
    try:
        while True:
            work.send(None)
    except StopIteration:
        return


def _cpu_ms(work: Callable[[], object], rounds: int) -> float:
    """The median of five rounds."""
    work()
    spent = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(rounds):
            work()
        spent.append((time.process_time() - began) / rounds * 1000)
    return sorted(spent)[2]
