"""The second backend is asked, too, when the first is slower than it usually is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from websearch_core.asking.search import strategy
from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.errors import AllSourcesFailed, ServerFailed
from websearch_core.contract.models import SearchRequest
from websearch_core.stores.memory import MemoryStore

from .fakes import Backend, Told, TurnedClock, hits, settings, urls

USUAL = 20
Make = Callable[..., Searcher]


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.setattr(strategy, "LEAST_PATIENCE_S", 0.0)

    def make(*backends: Backend, **changes: object) -> Searcher:
        clock = TurnedClock()
        chain = settings(cache_ttl_s=0, **{"hedge": True, **changes})
        return Searcher(backends, Guards(chain, clock, Told()), MemoryStore(clock, 1_000_000))

    return make


class Slow:
    """As quick as usual for a while; then it waits to be released."""

    def __init__(self) -> None:
        self.calls = 0
        self.cancelled = False
        self.released = asyncio.Event()

    async def __call__(self, _: SearchRequest) -> object:
        self.calls += 1
        if self.calls > USUAL:
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        return hits("slow.com")


async def used(searching: Searcher) -> None:
    for number in range(USUAL):
        await searching.search(SearchRequest(query=f"warm {number}"))


async def test_a_slow_first_is_overtaken_by_the_second(searching: Make) -> None:
    slow = Slow()
    first, second = Backend("first", slow), Backend("second", hits("quick.com"))
    asked = searching(first, second)
    await used(asked)
    assert second.asked == []
    async with asyncio.timeout(60):
        found = await asked.search(SearchRequest(query="q"))
    assert urls(found.hits) == ["quick.com"]
    assert "first was slower than usual, so second was asked, too" in found.notes
    assert slow.cancelled
    assert (len(first.asked), len(second.asked)) == (USUAL + 1, 1)


async def test_a_second_without_hits_leaves_it_to_the_first(searching: Make) -> None:
    slow = Slow()

    async def nothing(_: SearchRequest) -> object:
        slow.released.set()
        return ()

    asked = searching(Backend("first", slow), Backend("second", nothing), Backend("third", hits("third.com")))
    await used(asked)
    assert urls((await asked.search(SearchRequest(query="q"))).hits) == ["slow.com"]


async def test_when_both_fail_the_next_is_asked(searching: Make) -> None:
    answers = [hits("first.com")] * USUAL

    async def fails(_: SearchRequest) -> object:
        await asyncio.sleep(0)
        raise ServerFailed

    first = Backend("first", *answers, fails)
    asked = searching(first, Backend("second", ServerFailed()), Backend("third", hits("third.com")))
    await used(asked)
    assert urls((await asked.search(SearchRequest(query="q"))).hits) == ["third.com"]
    alone = searching(Backend("first", *answers, fails), Backend("second", ServerFailed()))
    await used(alone)
    with pytest.raises(AllSourcesFailed):
        await alone.search(SearchRequest(query="q"))


@pytest.mark.parametrize("changes", [{"hedge": False}, {}])
async def test_nobody_else_is_asked_without_hedging_or_without_experience(changes: dict, searching: Make) -> None:
    slow = Slow()
    second = Backend("second", hits("quick.com"))
    asked = searching(Backend("first", slow), second, **changes)
    if changes:
        await used(asked)
        slow.released.set()
    assert urls((await asked.search(SearchRequest(query="q"))).hits) == ["slow.com"]
    assert second.asked == []
