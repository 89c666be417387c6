"""A backend that answers at once, or after a set delay: what is left is the cost of everything around it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

from websearch_core import Hit, PluginContext, SearchBackend, SearchRequest, Settings, hookimpl

SNIPPET = "A passage about the thing that was asked for, as long as a real engine's highlights usually are. " * 7


class BenchSettings(Settings):
    """`[plugin.bench]`."""

    delay_s: float = 0.0


class Bench(SearchBackend):
    """Always the same hits."""

    name = "bench"
    verticals: Mapping[str, frozenset[str]] = {"web": frozenset({"max_results"})}

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s

    async def search(self, request: SearchRequest) -> list[Hit]:
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        return [
            Hit(url=f"https://site{n}.example/page/{n}", title=f"Bench result {n}", snippet=SNIPPET)
            for n in range(request.max_results)
        ]


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    yield Bench(ctx.settings(BenchSettings).delay_s)
